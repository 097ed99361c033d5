// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Commands
import ControlCalls
import Schedule
import Scoreboard
import Settings
import TestSupport
import Walls

@testable import WallState

let second: Int64 = 1_000_000_000

/// A wall with its clocks. Virtual time begins at midnight UTC, on a Friday.
struct TestWall {
  static let midnight = Instant(seconds: 1_709_251_200)

  var wall: Wall
  private(set) var now: Moment
  /// What was logged.
  private(set) var notes: [String] = []
  private(set) var saves = 0
  private(set) var reached = 0
  /// The match as its watchers were last notified of it.
  private(set) var sent: MatchState
  private(set) var rebuilds = 0
  /// The answers so far, by their tickets.
  private(set) var answers: [Wall.Ticket: Result<ChangeReply, ControlError>] = [:]
  private var tickets = 0
  /// Why saving fails; nil if it does not.
  var saveFailure: String?
  /// What is on the disk.
  private(set) var disk: SavedWall
  /// When it was saved, in match time.
  private(set) var savedAt: Int64
  private(set) var asides: [Match] = []
  /// Whether a match can be set aside.
  var hasRoom = true
  /// The messages to other walls.
  var outbox: [WallEffects.Outgoing] = []
  /// How many messages had to wait for a save.
  private(set) var waited = 0
  private var generator: SplitMix

  init(
    _ entries: [Schedule.Entry] = [], pages: [String] = ["main", "match"],
    displays: [Wall.Display] = [.init(name: "A")], seed: UInt64 = 0, saved: SavedWall? = nil,
    at start: Moment? = nil, configure: (inout Configuration) -> Void = { _ in }
  ) {
    now = start ?? Moment(clock: 100 * second, realtime: Self.midnight.seconds * second)
    generator = SplitMix(seed: seed)
    let configuration = Self.configuration(pages, configure)
    disk = saved ?? SavedWall(configuration.newMatch)
    savedAt = now.clock
    sent = MatchState(disk.match, at: now.clock)
    var effects = Wall.Effects()
    wall = Wall(
      configuration, schedule: Schedule(entries), disk, displays: displays, at: now, &generator,
      keep: { _ in "" }, &effects)
    follow(effects)
    (notes, saves, reached) = ([], 0, 0)
    sent = MatchState(wall.match, at: now.clock)
  }

  static func configuration(
    _ pages: [String] = ["main", "match"], _ configure: (inout Configuration) -> Void = { _ in }
  ) -> Configuration {
    var configuration = Configuration()
    configuration.pages = pages.map { PageSettings(name: $0, layout: LayoutSettings()) }
    // Two boards, of which the page `match` has one.
    configuration.widgets = [
      WidgetSettings(name: "hall", weight: 1, content: BoardSettings()),
      WidgetSettings(name: "line", weight: 1, content: TextSettings()),
    ]
    if let index = pages.firstIndex(of: "match") { configuration.pages[index].layout.rows = [["hall"]] }
    configuration.game.rules = GameRules(.basketball)
    configure(&configuration)
    return configuration
  }

  /// Runs `body` on the wall at the present time, and carries out the effects.
  @discardableResult
  mutating func change<Result, Failure>(
    _ body: (inout Wall, Moment, inout Wall.Effects) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var effects = Wall.Effects()
    defer { follow(effects) }
    return try body(&wall, now, &effects)
  }

  private mutating func follow(_ effects: Wall.Effects) {
    notes += effects.notes + effects.notices
    saves += effects.saves ? 1 : 0
    if effects.matchChanged {
      reached += 1
      sent = MatchState(wall.match, at: now.clock)
    }
    rebuilds += effects.rebuilds ? 1 : 0
    asides += effects.asides.map(\.held.match)
    outbox += effects.messages
    waited += effects.messagesWait ? effects.messages.count : 0
    for answer in effects.answers {
      precondition(answers[answer.ticket] == nil, "answered twice")
      answers[answer.ticket] = answer.result
    }
    if effects.saves {
      if saveFailure == nil { (disk, savedAt) = (wall.saved, now.clock) }
      let result = saveFailure.map { Swift.Result<Void, ControlError>.failure(.stateNotSaved(reason: $0)) }
      change { $0.saved(effects.pending, result ?? .success(()), at: $1, &$2) }
    }
    for request in effects.requests { perform(request) }
  }

  /// Performs another wall's command, at most once.
  private mutating func perform(_ request: Wall.Request) {
    guard let command = request.change, let id = request.terms.id else {
      return change { $0.answer(request, nil, at: $1, &$2) }
    }
    let isKnown = wall.performed[id] != nil
    let ticket = isKnown ? nil : ask(command, on: request.terms)
    let result = ticket.flatMap { answers[$0] } ?? .success(.cleared(nil))
    change { $0.answer(request, result.map { _ in }, at: $1, &$2) }
  }

  /// Gives a command, and returns its ticket. The answer comes at once or later.
  mutating func ask(_ change: Change, on terms: Terms = Terms()) -> Wall.Ticket {
    tickets += 1
    let ticket = tickets
    self.change { $0.perform(change, on: terms, for: ticket, at: $1, &$2) }
    return ticket
  }

  /// Lets time pass, and advances the wall at each time for which it needs a timer.
  mutating func pass(_ seconds: Double) {
    let end = now.clock + Int64(seconds * 1e9)
    while true {
      let byWall = wall.nextInstant.map { instant in
        now.clock + (instant.seconds * second + Int64(instant.nanoseconds) - now.realtime)
      }
      let next = [wall.nextClock, byWall, end].compactMap { $0 }.min() ?? end
      go(to: max(min(next, end), now.clock))
      if next >= end { return }
    }
  }

  /// Lets the machine sleep.
  mutating func sleep(_ seconds: Double) { go(to: now.clock + Int64(seconds * 1e9)) }

  private mutating func advance() {
    change { $0.advance(to: $1, &$2) }
  }

  mutating func go(to clock: Int64) {
    now = Moment(clock: clock, realtime: now.realtime + clock - now.clock)
    advance()
  }

  /// Steps the wall clock by `seconds`.
  mutating func step(_ seconds: Double) {
    now.realtime += Int64(seconds * 1e9)
    advance()
  }

  /// Performs a command in the words of flipclockctl.
  @discardableResult
  mutating func command(_ text: String) throws(ControlError) -> ChangeReply {
    let change: Change
    do throws(UsageError) { change = try Change(parsing: text, on: .commandLine) } catch {
      throw .failed(reason: error.line)
    }
    return try perform(change)
  }

  @discardableResult
  mutating func perform(_ change: Change) throws(ControlError) -> ChangeReply {
    try self.change { (wall, now, effects) throws(ControlError) in
      try wall.perform(change, at: now, &effects)
    }
  }

  mutating func invite() {
    let invitation = Invitation(role: .scorer, at: now.clock, .example)
    let address = RemoteAddress(host: "h", readable: "h", port: 80)
    change { _ = $0.invite(invitation, at: address, now: $1, &$2) }
  }

  mutating func pair() throws {
    try change { (wall, now, effects) throws(ControlError) in
      _ = try wall.redeem(PairingCodes.example.secret, now: now, &effects)
    }
  }

  /// Offers the first phone the codes with which `pair` pairs.
  mutating func offer() {
    let offer = SetUpOffer(.example, at: RemoteAddress(host: "h", readable: "h", port: 80))
    change { $0.offer(offer, now: $1, &$2) }
  }

  mutating func reportOwners(_ count: Int) { change { $0.reportOwners(count, now: $1, &$2) } }

  /// - Parameter phase: a phase of `NetworkNotice`; another word removes what is shown.
  mutating func reportNetwork(_ phase: String) {
    let notice = NetworkNotice.Phase(rawValue: phase).map {
      NetworkNotice(
        $0, network: $0 == .accessPoint ? nil : "Home", problem: $0 == .failed ? .notFound : nil,
        accessPoint: $0 == .accessPoint ? .init(name: "wall", password: "12345678", url: "http://h/") : nil)
    }
    change { $0.reportNetwork(notice, now: $1, &$2) }
  }

  mutating func adopt(_ configuration: Configuration, _ entries: [Schedule.Entry] = []) {
    let (displays, hasRoom) = (wall.displays, hasRoom)
    var (generator, kept) = (generator, [Match]())
    change {
      $0.adopt(
        configuration, schedule: Schedule(entries), displays: displays, at: $1, &generator,
        keep: {
          guard hasRoom else { return nil }
          kept.append($0)
          return "\(kept.count)"
        }, &$2)
    }
    asides += kept
    self.generator = generator
  }

  mutating func adopt(_ displays: [Wall.Display]) {
    change { $0.adopt(displays, at: $1, &$2) }
  }

  /// Lets a ticket be used again.
  mutating func forget(_ ticket: Wall.Ticket) { answers[ticket] = nil }

  /// The kind of the break that there is now.
  var breakName: String? { wall.match.scoreboard.settled(at: now.clock).gameBreak?.kind.name }
  /// The score of the home team.
  var score: Int? { wall.match.scoreboard.team("home")?.score }
  var light: Light { wall.shown.lights["A"] }
  var page: String { wall.shown.page }
}

/// An entry between two hours.
func entry(
  _ name: String, _ from: Double, _ to: Double, brightness: Int? = nil, page: String? = nil,
  theme: String? = nil,
  light: Schedule.Light? = nil, waits: Bool = true
) -> Schedule.Entry {
  Schedule.Entry(
    name, from: .clock(minutes: Int(from * 60)), to: .clock(minutes: Int(to * 60)),
    values: .init(brightness: brightness, page: page, theme: theme, light: light), waitsForGame: waits)
}
