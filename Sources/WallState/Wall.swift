// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Commands
import ControlCalls
import Schedule
import Scoreboard
import Settings
import Walls

/// One wall as a value: the match, and everything that decides what its displays show. It has no clock, no
/// files and no displays: its owner reports what happens and when, carries out the effects, shows `shown`,
/// and calls `advance` at `nextClock` and `nextInstant`. So a night, a match or a reload can be tested, or
/// drawn by `flipclockd render`, on virtual time.
package struct Wall {
  /// A display, as far as it matters for what is shown.
  package struct Display: Hashable, Sendable {
    /// The connector.
    package var name: String
    /// The table of `[outputs]` that applies to it.
    package var settings: OutputSettings?

    package init(name: String, settings: OutputSettings? = nil) {
      self.name = name
      self.settings = settings
    }
  }

  /// Identifies the caller that waits for an answer; the owner chooses the numbers.
  package typealias Ticket = Int

  /// An answer that waits until the wall is saved.
  package struct Pending: Hashable, Sendable {
    var ticket: Ticket
    var reply: ChangeReply
    /// What was sent of a change to the other walls; nil: nothing.
    var sending: Part.Sending?
  }

  /// A follower's command, which the owner performs and passes to `answer`.
  package struct Request: Hashable, Sendable {
    /// Nil: the command does not change the match.
    package var change: Change?
    package var terms: Terms
    var id: String
    var from: String
  }

  package struct Answer: Hashable, Sendable {
    package var ticket: Ticket
    package var result: Result<ChangeReply, ControlError>
  }

  /// What the owner is to do after a change, beside showing `shown`.
  package struct Effects: Hashable, Sendable {
    /// Whether the watchers of the match are to be notified: it was changed, a timer has reached its warning
    /// or its end, a penalty or a break has ended, or this wall's role has changed.
    package var matchChanged = false
    /// Whether the pages need new widgets.
    package var rebuilds = false
    /// When what has changed began to move, in match time; nil: now.
    package var motionStart: Int64?
    /// Whether `saved` is to be written, and whether at once, because other walls wait for it.
    package var saves = false
    package var isUrgent = false
    /// To be passed to `saved(_:_:at:_:)` when the save has ended.
    package var pending: [Pending] = []
    /// For the other walls, in this order.
    package var messages: [WallEffects.Outgoing] = []
    /// Whether they wait for the save.
    package var messagesWait = false
    package var requests: [Request] = []
    package var answers: [Answer] = []
    /// Matches to keep on the disk, and those that are no longer to be kept.
    package var asides: [WallEffects.SetAside] = []
    package var contained: [SharedHistory] = []
    /// The ids of matches that were set aside and are played again. They are no longer to be kept when the
    /// wall is saved.
    package var resumed: [String] = []
    /// Lines for the log, as information and as notices.
    package var notes: [String] = []
    package var notices: [String] = []

    package init() {}

    mutating func answer(_ ticket: Ticket, _ result: Result<ChangeReply, ControlError>) {
      answers.append(Answer(ticket: ticket, result: result))
    }
  }

  /// What is shown besides the time of day.
  package struct Shown: Hashable, Sendable {
    package var page: String
    /// Nil: as configured.
    package var theme: String?
    package var lights: Lights
    /// Whether the levels change gradually now, so that each step is shown at once.
    package var isFading: Bool
    package var scoreboard: Scoreboard
    package var message: String?
    package var isMessageFull: Bool
    package var phoneNotice: PhoneNotice?
    /// The texts that were pushed, by the names of their widgets.
    package var boards: [String: BoardText]
    package var countdowns: [String: Countdown]
    /// Whether the walls may show different matches.
    package var isCutOff: Bool
    /// Whether a change would be performed now.
    package var isReady: Bool
    /// Whether anything has confirmed the time of day since the machine started.
    package var isTimeConfirmed: Bool
  }

  package private(set) var configuration: Configuration
  package var match: Match
  /// The match that this wall's own has replaced; `replaced` says whether it can still come back.
  private var replacedMatch: ReplacedMatch?
  var role: Role
  /// The scoreboards that are to be shown later.
  var delayed = DelayedScoreboards()
  /// The commands that were performed.
  package var performed: PerformedCommands
  package internal(set) var finished = FinishedMatches()
  package internal(set) var displays: [Display] = []
  /// The page that was last set by command or reached by rotation; nil: the first one.
  package internal(set) var page: String?
  /// The break in which a page was set by command, so that the break's page is not shown; nil: none.
  var overruledBreak: GameBreak.Kind?
  /// `breakPage` at the last `advance`.
  var lastBreakPage: String?
  package internal(set) var holds: Holds
  package internal(set) var schedule: ScheduleController
  /// Nil: the light is not in a transition.
  var transition: LightTransition?
  package internal(set) var message: Message?
  package internal(set) var boards: Boards
  package internal(set) var countdowns: Countdowns
  /// A message waits while an invitation is open.
  var invitations = Invitations() { didSet { message?.wait(invitations.open != nil, at: now.clock) } }
  var invitationAddress = RemoteAddress(host: "", readable: "", port: 0)
  var refused = RefusedAttempts()
  /// What the owner of this value offers to the first phone; nil: nothing yet, or the codes were used.
  package internal(set) var setUpOffer: SetUpOffer?
  /// Whether a phone is paired as owner, as far as flipclock-web has reported.
  package internal(set) var hasOwner: Bool
  /// What is shown about the network, and when it disappears, in match time; nil: not by itself.
  var network: (notice: NetworkNotice, ends: Int64?)?
  /// Whether anything has confirmed the time of day since the machine started: a time server, a clock of the
  /// machine, or somebody who set it. The owner sets it; it stays true.
  package var isTimeConfirmed = true
  /// The moment of the last `advance`.
  package internal(set) var now: Moment
  /// When the present turn of the rotation began, in match time.
  var pageSince: Int64
  /// When the game began for which switches of the schedule wait, in match time; nil: no timer of the match
  /// runs.
  var gameStart: Int64?
  var historyTimes = HistoryTimes()
  /// When a running match is to be saved next, in match time.
  var saveDue: Int64?

  /// A wall as it was saved, or a new one.
  ///
  /// - Parameters: as for `adopt`.
  package init(
    _ configuration: Configuration, schedule: Schedule, _ saved: SavedWall, displays: [Display] = [],
    at now: Moment, _ generator: inout some RandomNumberGenerator, keep: (Match) -> String?,
    _ effects: inout Effects
  ) {
    self.configuration = configuration
    (match, page, holds, performed) = (saved.match, saved.page, saved.holds, saved.performed)
    (hasOwner, replacedMatch) = (saved.hasOwner, saved.replaced)
    // The texts of boards that the config does not have now are kept until the program ends, because a config
    // may be saved while it is half finished.
    let names = configuration.boards.map(\.name)
    boards = Boards(saved.boards.filter { names.contains($0.key) })
    countdowns = Countdowns(saved.countdowns.mapValues(\.countdown))
    match.identify(at: now.clock)
    overruledBreak = saved.overruledBreak
    role = .alone(saved.shared)
    self.schedule = ScheduleController(at: now.instant)
    self.now = now
    pageSince = now.clock
    adopt(
      configuration, schedule: schedule, displays: displays, at: now, &generator, keep: keep, &effects)
    // Only now is the match the one that is shown: before, it may have been this wall's own.
    finished = saved.finished
    recordMatch(&effects)
  }

  /// A new wall that shares no match.
  package init(
    alone configuration: Configuration, schedule: Schedule = Schedule(), displays: [Display], at now: Moment
  ) {
    var configuration = configuration
    configuration.walls = WallsSettings()
    var (generator, effects) = (SystemRandomNumberGenerator(), Effects())
    self.init(
      configuration, schedule: schedule, SavedWall(configuration.newMatch), displays: displays, at: now,
      &generator, keep: { _ in "" }, &effects)
  }

  /// How long after a save a running match is saved again, in nanoseconds.
  static let saveInterval: Int64 = 10_000_000_000

  // MARK: Time

  /// When to call `advance` at the latest, in match time; nil: never.
  package var nextClock: Int64? {
    [
      match.scoreboard.nextEvent(after: now.clock), message?.ends, invitations.open?.ends, network?.ends,
      transition?.next,
      nextTurn?.time, breakPageDue, saveDue, boards.saveDue, countdowns.saveDue,
      countdowns.nextEnds(after: now).clock, delayed.next, part?.nextTick,
    ].compactMap { $0 }.min()
  }

  /// The same by the wall clock. `advance` must also be called when that clock was set.
  package var nextInstant: Instant? {
    let board = boards.next(after: now.milliseconds).map { Instant(milliseconds: $0) }
    let end = countdowns.nextEnds(after: now).realtime.map { Moment(clock: 0, realtime: $0).instant }
    return [schedule.wake, holds.wake(waits: schedule.isWaiting), board, end].compactMap { $0 }.min()
  }

  /// Performs what is due until `now`. May be called at any time.
  package mutating func advance(to now: Moment, _ effects: inout Effects) {
    if let event = match.scoreboard.nextEvent(after: self.now.clock), event <= now.clock {
      effects.matchChanged = true
      // What the match does by itself is saved like a change.
      let scoreboard = match.scoreboard
      if !isFollowing, scoreboard.settled(at: self.now.clock) != scoreboard.settled(at: now.clock) {
        effects.saves = true
      }
    }
    self.now = now
    if let ends = invitations.open?.ends, ends <= now.clock {
      message?.wait(false, at: ends)
      relight { _ = $0.invitations.close() }
    }
    if let ends = message?.ends, ends <= now.clock { message = nil }
    if let ends = network?.ends, ends <= now.clock { network = nil }
    boards.expire(at: now.milliseconds)
    followSchedule(&effects)
    advanceTransition()
    if let start = delayed.take(at: now.clock) { effects.motionStart = start }
    followBreak()
    turnPages()
    tick(&effects)
    recordMatch(&effects)
    if !isRunning {
      saveDue = nil
    } else if saveDue.map({ $0 <= now.clock }) ?? true {
      effects.saves = effects.saves || saveDue != nil
      saveDue = now.clock + Self.saveInterval
    }
    if let due = boards.saveDue, due <= now.clock {
      boards.save(at: now.clock)
      effects.saves = true
    }
    if let due = countdowns.saveDue, due <= now.clock {
      countdowns.save(at: now.clock)
      effects.saves = true
    }
  }

  /// Whether the wall has changes that are saved later, so that it is to be saved before the program ends.
  package var hasUnsaved: Bool { isRunning || boards.saveDue != nil || countdowns.saveDue != nil }

  /// Whether one of the match's timers runs and this wall saves it. A wall that follows does not save it.
  package var isRunning: Bool { !isFollowing && match.scoreboard.runningSince(at: now.clock) != nil }

  // MARK: Configuration and displays

  package var shown: Shown {
    var isFading = false
    if case .fade = transition { isFading = true }
    return Shown(
      page: shownPage, theme: theme, lights: lights, isFading: isFading,
      scoreboard: delayed.displayed(match.scoreboard), message: message?.since.flatMap { _ in message?.text },
      isMessageFull: message?.isFull ?? false, phoneNotice: phoneNotice, boards: boardTexts,
      countdowns: countdowns.entries, isCutOff: isCutOff, isReady: isReady,
      isTimeConfirmed: isTimeConfirmed)
  }

  /// What is kept across restarts.
  package var saved: SavedWall {
    var saved = SavedWall(part?.ownMatch ?? match)
    (saved.page, saved.holds, saved.performed, saved.shared) = (page, holds, performed, savedPart)
    saved.boards = boards.entries
    saved.countdowns = countdowns.entries.mapValues { SavedCountdown($0, at: now) }
    saved.finished = finished
    saved.overruledBreak = overruledBreak
    (saved.hasOwner, saved.replaced) = (hasOwner, replaced)
    return saved
  }

  /// Adopts a configuration, or new time zones, from now on.
  ///
  /// - Parameters:
  ///   - displays: the displays with their tables of the configuration.
  ///   - keep: sets a match aside, and returns its id; nil if that is not possible now.
  package mutating func adopt(
    _ new: Configuration, schedule: Schedule, displays: [Display], at now: Moment,
    _ generator: inout some RandomNumberGenerator, keep: (Match) -> String?, _ effects: inout Effects
  ) {
    advance(to: now, &effects)
    relight(isAlways: true) { wall in
      if wall.configuration.display.brightness != new.display.brightness { wall.holds.forgetBrightness() }
      wall.configuration = new
      wall.displays = displays
      wall.adoptGame(&generator, keep: keep, &effects)
      wall.replaceSchedule(schedule)
    }
    (page, pageSince) = (commonPage, now.clock)
    effects.rebuilds = true
    delayed.flush()
    advance(to: now, &effects)
  }

  /// Adopts the teams and rules of the configuration, and this wall's part in a shared match.
  private mutating func adoptGame(
    _ generator: inout some RandomNumberGenerator, keep: (Match) -> String?, _ effects: inout Effects
  ) {
    let scoreboard = match.scoreboard
    // The teams and rules of a match that this wall follows, or has taken over, are those of the leader.
    let isForeign = part?.ownMatch != nil
    if let own = part?.ownMatch {
      let adopted = adopting(own, keep: keep, &effects)
      part?.ownMatch = adopted
    } else {
      match = adopting(match, keep: keep, &effects)
    }
    share(configuration.walls, &generator, &effects)
    if isForeign, part?.ownMatch == nil { match = adopting(match, keep: keep, &effects) }
    guard match.scoreboard != scoreboard else { return }
    if match.scoreboard.game == scoreboard.game, !scoreboard.isFinished(at: now.clock),
      match.scoreboard.isFinished(at: now.clock)
    {
      finished.rulesFinished(match)
    }
    _ = publish(&effects)
    (effects.matchChanged, effects.saves) = (true, true)
  }

  /// A match with the teams and rules of the configuration. If they are those of another game, a match with
  /// content is set aside, unless it is finished, and a new one begins; a match that cannot be set aside goes
  /// on by its own rules. If they are those of the game that this match has replaced, and nothing has
  /// happened in it, that one comes back.
  private mutating func adopting(
    _ match: Match, keep: (Match) -> String?, _ effects: inout Effects
  ) -> Match {
    var match = match
    let (teams, rules) = (configuration.scoreboardTeams, configuration.game.rules)
    let old = match.scoreboard.rules
    if replacedMatch?.isBehind(match) == false { replacedMatch = nil }
    // Without `[game]`, this match goes on, whatever was before.
    if let replaced = replacedMatch, replaced.match.scoreboard.rules.preset == rules.preset,
      rules.isSameGame(as: replaced.match.scoreboard.rules)
    {
      effects.notices.append("[game] is \(rules.preset) again: the match before goes on")
      if let id = replaced.id { effects.resumed.append(id) }
      let revision = match.revision
      (match, replacedMatch) = (replaced.match, nil)
      match.adopt(teams, rules: rules, at: now.clock)
      match.skipRevisions(max(0, revision - match.revision) + 1)
      return match
    }
    if !match.scoreboard.hasContent || rules.isSameGame(as: old) {
      match.adopt(teams, rules: rules, at: now.clock)
      return match
    }
    let isFinished = match.scoreboard.isFinished(at: now.clock)
    let id = isFinished ? nil : keep(match)
    guard isFinished || id != nil else {
      match.adopt(teams, rules: old, at: now.clock)
      return match
    }
    effects.notices.append("[game] is \(rules.preset) now and was \(old.preset) before: a new match begins")
    var before = match
    before.pauseTimers(at: now.clock)
    match.begin(teams, rules: rules, at: now.clock)
    replacedMatch = ReplacedMatch(match: before, id: id, next: match.scoreboard.game)
    return match
  }

  /// What a change of the configuration has done to this wall's own match; nil: it goes on.
  ///
  /// - Parameter before: the wall before the change.
  package func effect(since before: Wall) -> MatchEffect? {
    if let replaced, replaced != before.replaced { return .setAside }
    if let back = before.replaced, back.match.scoreboard.game == (part?.ownMatch ?? match).scoreboard.game,
      back.next != back.match.scoreboard.game
    {
      return .broughtBack
    }
    return gameWarning != nil && before.gameWarning == nil ? .notSetAside : nil
  }

  /// The match that comes back if the configuration has its game again; nil: none.
  package var replaced: ReplacedMatch? {
    replacedMatch.flatMap { $0.isBehind(part?.ownMatch ?? match) ? $0 : nil }
  }

  /// The warning that the match is of another game than the configuration's; nil if it is not.
  package var gameWarning: String? {
    let own = (part?.ownMatch ?? match).scoreboard
    let rules = configuration.game.rules
    guard own.hasContent, !rules.isSameGame(as: own.rules) else { return nil }
    return
      "[game] is \(rules.preset) now, but the match of \(own.rules.preset) could not be set aside and goes on; make room on the disk, then run 'flipclockctl reload'"
  }

  /// Adopts the displays that are connected now. A new one is lit like the others.
  package mutating func adopt(_ displays: [Display], at now: Moment, _ effects: inout Effects) {
    advance(to: now, &effects)
    self.displays = displays
  }
}

extension Moment {
  /// The wall clock's time in milliseconds, rounded down.
  var milliseconds: Int64 { realtime / 1_000_000 - (realtime % 1_000_000 < 0 ? 1 : 0) }

  /// The wall clock's time.
  package var instant: Instant {
    let (seconds, rest) = realtime.quotientAndRemainder(dividingBy: 1_000_000_000)
    return rest < 0
      ? Instant(seconds: seconds - 1, nanoseconds: Int32(rest + 1_000_000_000))
      : Instant(seconds: seconds, nanoseconds: Int32(rest))
  }
}
