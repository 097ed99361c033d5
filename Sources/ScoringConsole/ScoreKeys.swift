// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import Scoreboard

/// Interprets the keys of `flipclockctl score`: turns keys and their times into actions, without side
/// effects.
///
/// The keyboard is on a desk in a hall, where things fall on it. A key counts if no other key was pressed
/// with it (`together`). A paste or several keys at once are ignored as a whole, and so are the following
/// keys until a pause. A key that is held down counts once: a key that may be the first repeat waits for the
/// second one. Some actions must be confirmed with Enter, because a mistake is not noticed at once: a change
/// of the period or of the sides, a new game, a reset of the match or of the game clock, the start of a
/// break, and a count that the rules do not allow.
///
/// Instants are nanoseconds of CLOCK_BOOTTIME.
struct ScoreKeys: Sendable {
  /// Keys within this time were pressed together. It is shorter than the time between two intended keys, and
  /// longer than a hand needs to fall on a keyboard.
  static let together: Int64 = 40_000_000
  /// A keyboard waits longer than this before the first repeat of a held key; later repeats come at shorter
  /// intervals. The same key after `together` and within this time is a second press, unless the key repeats
  /// or may repeat.
  static let repeatTime: Int64 = 200_000_000
  /// The same key after `repeatTime` and within this time may be the first repeat; keyboards begin to repeat
  /// after 250 … 660 ms.
  static let firstRepeatTime: Int64 = 1_000_000_000
  /// How long a key that may be the first repeat waits for the next repeat; the slowest keyboards send ten
  /// per second.
  static let nextRepeatTime: Int64 = 120_000_000
  /// The pause without keys before keys are accepted again.
  static let restTime: Int64 = 400_000_000
  /// How long a question waits for Enter.
  static let confirmTime: Int64 = 4_000_000_000

  enum Kind: Hashable, Sendable { case hint, question, refusal, done }

  /// A message about the last key.
  struct Notice: Hashable, Sendable {
    var kind: Kind
    var text: String

    init(_ kind: Kind, _ text: String) {
      self.kind = kind
      self.text = text
    }
  }

  private(set) var notice: Notice?
  /// The id of the team that was selected by its number, where there are more than two.
  private(set) var selected: String?

  /// A key that waits for other keys or for its repeats.
  private var held: (key: TerminalKey, since: Int64, until: Int64)?
  /// A key whose waiting time is over; its action is due.
  private var settled: TerminalKey?
  private var last: (key: TerminalKey, at: Int64)?
  /// Whether the last key is held down.
  private var isRepeating = false
  private var restingUntil: Int64?
  /// Why keys are ignored.
  private var refusal = ""
  /// A number that is being typed.
  private var entry: ScoreEntry?
  private var question: (meaning: ScoreKeyMeaning, action: Scoreboard.Action, until: Int64)?

  /// The time at which `elapsed` must be called; nil if it need not be called before the next key.
  var deadline: Int64? {
    [settled.map { _ in 0 }, held?.until, restingUntil, question?.until].compactMap { $0 }.min()
  }

  /// Shows a message from another source, e.g. the daemon's reply.
  mutating func say(_ notice: Notice?) {
    // A question stays until it is answered; only a refusal is shown instead.
    if question == nil || notice?.kind == .refusal { self.notice = notice }
  }

  /// Handles a key press.
  mutating func press(_ key: TerminalKey, at now: Int64) {
    defer { last = (key, now) }
    if key == .paste || key == .garbage {
      return refuse("text was pasted: it was ignored", at: now)
    }
    if restingUntil.map({ now < $0 }) == true {
      restingUntil = now + Self.restTime
      return
    }
    // A number may have equal digits one after the other; a mistake is visible before Enter.
    let isDigit = entry != nil && ScoreEntry.isDigit(key)
    let age = last.flatMap { $0.key == key ? now - $0.at : nil } ?? .max
    // Whether the waiting key may be the first repeat.
    let isUncertain = held.map { $0.until > $0.since + Self.together } ?? false
    if age < Self.together || !isDigit && age < Self.repeatTime && (isRepeating || isUncertain) {
      if isUncertain { held = nil }
      isRepeating = true
      notice = Notice(.hint, "a key that is held down counts once; release it and press it again")
      return
    }
    isRepeating = false
    if let held {
      guard now - held.since >= Self.together, settled == nil else {
        return refuse("several keys at once: all were ignored", at: now)
      }
      settled = held.key
    }
    let mayRepeat = !isDigit && age >= Self.repeatTime && age < Self.firstRepeatTime
    held = (key, now, now + (mayRepeat ? Self.nextRepeatTime : Self.together))
  }

  /// Returns the action that is due, if any.
  ///
  /// - Parameter match: the match on the screen; nil without a connection to the daemon, when keys do
  ///   nothing.
  mutating func elapsed(at now: Int64, _ match: MatchState?) -> Scoreboard.Action? {
    if let until = restingUntil, now >= until {
      restingUntil = nil
      notice = Notice(.hint, "\(refusal); keys are accepted again")
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

  /// Discards pending keys, the question and the number, for example when the connection is lost.
  mutating func forget() {
    held = nil
    settled = nil
    question = nil
    entry = nil
  }

  private mutating func refuse(_ why: String, at now: Int64) {
    forget()
    restingUntil = now + Self.restTime
    refusal = why
    notice = Notice(.refusal, why)
  }

  private mutating func take(_ key: TerminalKey, at now: Int64, _ match: MatchState?) -> Scoreboard.Action? {
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
      // Refused if another client has changed what the question was about.
      guard asked.meaning.action(match) == asked.action else {
        notice = Notice(.refusal, "the match has changed meanwhile: nothing was done; press the key again")
        return nil
      }
      notice = nil
      return asked.action
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
    guard let action = meaning.action(match) else { return nil }
    if ask(meaning, match, at: now) { return nil }
    notice = nil
    return action
  }

  /// Asks for Enter, if the action must be confirmed.
  @discardableResult
  mutating func ask(_ meaning: ScoreKeyMeaning, _ match: MatchState, at now: Int64) -> Bool {
    guard let action = meaning.action(match), let text = meaning.question(match) else { return false }
    question = (meaning, action, now + Self.confirmTime)
    notice = Notice(.question, "Enter to \(text)")
    return true
  }

  /// Handles a key while a number is being typed.
  private mutating func type(_ key: TerminalKey, into entry: ScoreEntry, _ match: MatchState) -> Scoreboard
    .Action?
  {
    self.entry = nil
    switch entry.typing(key, match, selected: selected) {
    case .typing(let next):
      self.entry = next
      notice = Notice(.question, next.prompt(match))
      return nil
    case .done(let action):
      notice = nil
      return action
    case .dropped(let why):
      notice = Notice(.hint, why)
      return nil
    }
  }

  private func meaning(of key: TerminalKey, _ match: MatchState) -> ScoreKeyMeaning? {
    ScoreKeyboard(match, selected: selected).meanings[key]
  }

  private func hint(_ key: TerminalKey, _ match: MatchState, wasAsked: Bool) -> String {
    if wasAsked { return "not confirmed: nothing was done" }
    switch key {
    case .character(let character):
      let isTeamKey = ScoreKeyboard.leftPoints.contains(Character(character.lowercased()))
      if match.teams.count > 2, isTeamKey, !match.teams.contains(where: { $0.id == selected }) {
        return "select a team first, 1 to \(min(match.teams.count, ScoreKeyboard.selectable))"
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
