// SPDX-License-Identifier: Apache-2.0

/// The keys of `flipclockctl score` as a pure value: keys and instants go in, calls come out.
///
/// It is for a keyboard on a desk in a hall, where things fall on keyboards. A key counts when no other one
/// came with it (`together`): a paste, a burst, a paw are refused whole, and then all keys until they have
/// rested. A key that is held down counts once: what may be the first of a keyboard's
/// repeats waits a little longer, for the second. What cannot be seen
/// to be wrong at once (the period, sides, a new game) asks for Enter.
///
/// Instants are nanoseconds of CLOCK_MONOTONIC.
public struct ScoreKeys: Sendable {
  /// Keys within this time were pressed together. Shorter than anybody means two of them, longer than a hand
  /// takes to fall on a keyboard.
  public static let together: Int64 = 40_000_000
  /// Keyboards repeat a key at least this often once they have begun to, and begin to no sooner than this
  /// after the press: the same key again within this time is a second press, unless the key repeats already.
  public static let repeatTime: Int64 = 200_000_000
  /// The same key again within this time may be the first repeat; keyboards begin with it after 250 … 660 ms.
  public static let firstRepeatTime: Int64 = 1_000_000_000
  /// How long such a key waits for the next repeat, of which the slowest keyboards send ten a second.
  public static let nextRepeatTime: Int64 = 120_000_000
  /// How long the keys have to rest after they were refused.
  public static let restTime: Int64 = 400_000_000
  /// How long Enter is waited for.
  public static let confirmTime: Int64 = 4_000_000_000

  public enum Kind: Hashable, Sendable { case hint, question, refusal, done }

  /// What there is to say about the last key.
  public struct Notice: Hashable, Sendable {
    public var kind: Kind
    public var text: String

    public init(_ kind: Kind, _ text: String) {
      self.kind = kind
      self.text = text
    }
  }

  public private(set) var notice: Notice?
  /// The team that was chosen by its number, where there are more than two.
  public private(set) var selected: String?

  /// A key that waits for whether others come with it, or repeats of it.
  private var held: (key: TerminalKey, since: Int64, until: Int64)?
  /// A key that need not wait any more.
  private var settled: TerminalKey?
  private var last: (key: TerminalKey, at: Int64)?
  /// The last key is held down.
  private var isRepeating = false
  private var restingUntil: Int64?
  /// Why keys have to rest.
  private var refusal = ""
  /// Digits that were typed and not completed yet.
  private var entry: ScoreEntry?
  private var question: (meaning: ScoreMeaning, call: ScoreCall, until: Int64)?

  public init() {}

  /// When `elapsed` is to be called; nil: not before the next key.
  public var deadline: Int64? {
    [settled.map { _ in 0 }, held?.until, restingUntil, question?.until].compactMap { $0 }.min()
  }

  /// Whether Enter is waited for.
  public var isAsking: Bool { question != nil }

  /// Says something of another origin, e.g. the daemon's answer.
  public mutating func say(_ notice: Notice?) {
    // A question stays to be read until it is settled.
    if question == nil || notice?.kind == .refusal { self.notice = notice }
  }

  /// A key came.
  public mutating func press(_ key: TerminalKey, at now: Int64) {
    defer { last = (key, now) }
    if key == .paste || key == .garbage {
      return refuse("that was no key but text: nothing of it was taken", at: now)
    }
    if restingUntil.map({ now < $0 }) == true {
      restingUntil = now + Self.restTime
      return
    }
    // The digits of a number may be the same, and what they make is seen before Enter.
    let isDigit = entry != nil && ScoreEntry.isDigit(key)
    let age = last.flatMap { $0.key == key ? now - $0.at : nil } ?? .max
    // Waits for whether it is the first repeat.
    let isUncertain = held.map { $0.until > $0.since + Self.together } ?? false
    if age < Self.together || !isDigit && age < Self.repeatTime && (isRepeating || isUncertain) {
      if isUncertain { held = nil }
      isRepeating = true
      notice = Notice(.hint, "a key that is held down counts no more; let go and press it again")
      return
    }
    isRepeating = false
    if let held {
      guard now - held.since >= Self.together, settled == nil else {
        return refuse("several keys at once: none was taken", at: now)
      }
      settled = held.key
    }
    let mayRepeat = !isDigit && age >= Self.repeatTime && age < Self.firstRepeatTime
    held = (key, now, now + (mayRepeat ? Self.nextRepeatTime : Self.together))
  }

  /// Time went by: what the keys ask for now, if anything.
  ///
  /// - Parameter match: as it is shown; nil: there is no connection to the daemon, and keys do nothing.
  public mutating func elapsed(at now: Int64, _ match: MatchState?) -> ScoreCall? {
    if let until = restingUntil, now >= until {
      restingUntil = nil
      notice = Notice(.hint, "\(refusal); keys are taken again")
    }
    if let question, now >= question.until {
      self.question = nil
      notice = Notice(.hint, "not confirmed: nothing was done")
    }
    if let key = settled {
      settled = nil
      return take(key, at: now, match)
    }
    guard let (key, _, until) = held, now >= until else { return nil }
    held = nil
    return take(key, at: now, match)
  }

  /// The connection is lost: what was asked is not asked any more.
  public mutating func forget() {
    held = nil
    settled = nil
    question = nil
    entry = nil
  }

  private mutating func refuse(_ why: String, at now: Int64) {
    held = nil
    settled = nil
    question = nil
    entry = nil
    restingUntil = now + Self.restTime
    refusal = why
    notice = Notice(.refusal, why)
  }

  private mutating func take(_ key: TerminalKey, at now: Int64, _ match: MatchState?) -> ScoreCall? {
    let asked = question
    question = nil
    guard let match else {
      notice = Notice(.refusal, "there is no connection to the daemon: nothing was done")
      return nil
    }
    if let entry { return self.type(key, into: entry, match) }
    if match.countsDown == true, let begun = ScoreEntry(beginningWith: key) {
      entry = begun
      notice = Notice(.question, begun.prompt(match))
      return nil
    }
    if key == .enter, let asked {
      // Somebody else has changed what was asked about.
      guard asked.meaning.call(match) == asked.call else {
        notice = Notice(.refusal, "the match has changed meanwhile: nothing was done; press the key again")
        return nil
      }
      notice = nil
      return asked.call
    }
    guard let meaning = meaning(of: key, match) else {
      notice = Notice(.hint, hint(key, match, wasAsked: asked != nil))
      return nil
    }
    if case .select(let team) = meaning {
      selected = team
      let name = match.teams.first { $0.id == team }?.name ?? team
      notice = Notice(.hint, "keys are for \(name.printable)")
      return nil
    }
    if meaning == .enterScore {
      let begun = ScoreEntry()
      entry = begun
      notice = Notice(.question, begun.prompt(match))
      return nil
    }
    guard let call = meaning.call(match) else { return nil }
    if let text = meaning.question(match) {
      question = (meaning, call, now + Self.confirmTime)
      notice = Notice(.question, "Enter to \(text)")
      return nil
    }
    notice = nil
    return call
  }

  /// A key while a number is typed.
  private mutating func type(_ key: TerminalKey, into entry: ScoreEntry, _ match: MatchState) -> ScoreCall? {
    self.entry = nil
    switch entry.typing(key, match, selected: selected) {
    case .goesOn(let next):
      self.entry = next
      notice = Notice(.question, next.prompt(match))
      return nil
    case .call(let call):
      notice = nil
      return call
    case .dropped(let why):
      notice = Notice(.hint, why)
      return nil
    }
  }

  private func meaning(of key: TerminalKey, _ match: MatchState) -> ScoreMeaning? {
    ScoreKeyboard(match, selected: selected).meanings[key]
  }

  private func hint(_ key: TerminalKey, _ match: MatchState, wasAsked: Bool) -> String {
    if wasAsked { return "not confirmed: nothing was done" }
    switch key {
    case .character(let character):
      let isTeamKey = ScoreKeyboard.leftPoints.contains(Character(character.lowercased()))
      if match.teams.count > 2, isTeamKey, !match.teams.contains(where: { $0.id == selected }) {
        return "whose? choose a team first, 1 to \(min(match.teams.count, ScoreKeyboard.selectable))"
      }
      if character.isUppercase, meaning(of: .character(Character(character.lowercased())), match) != nil {
        return "'\(character)' does nothing; is Caps Lock on?"
      }
      return "'\(String(character).printable)' does nothing here; the keys are below"
    case .enter: return "there is nothing to confirm"
    case .sequence: return "arrows and function keys do nothing here; the keys are below"
    default: return "that key does nothing here; the keys are below"
    }
  }
}
