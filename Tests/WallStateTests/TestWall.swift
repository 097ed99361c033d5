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

  init(
    _ entries: [Schedule.Entry] = [], pages: [String] = ["main", "match"],
    displays: [Wall.Display] = [.init(name: "A")],
    configure: (inout Configuration) -> Void = { _ in }
  ) {
    now = Moment(clock: 100 * second, realtime: Self.midnight.seconds * second)
    let configuration = Self.configuration(pages, configure)
    wall = Wall(alone: configuration, schedule: Schedule(entries), displays: displays, at: now)
  }

  static func configuration(
    _ pages: [String] = ["main", "match"], _ configure: (inout Configuration) -> Void = { _ in }
  ) -> Configuration {
    var configuration = Configuration()
    configuration.pages = pages.map { PageSettings(name: $0, layout: LayoutSettings()) }
    configuration.game.rules = GameRules(.basketball)
    configure(&configuration)
    return configuration
  }

  /// Lets the wall do something now, and notes what follows.
  @discardableResult
  mutating func change<Result, Failure>(
    _ body: (inout Wall, Moment, inout Wall.Effects) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var effects = Wall.Effects()
    defer {
      notes += effects.notes
      saves += effects.saves ? 1 : 0
      reached += effects.matchChanged ? 1 : 0
    }
    return try body(&wall, now, &effects)
  }

  /// Lets time pass as for an owner that wakes for each change.
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

  private mutating func go(to clock: Int64) {
    now = Moment(clock: clock, realtime: now.realtime + clock - now.clock)
    advance()
  }

  /// Sets the wall clock by so many seconds.
  mutating func step(_ seconds: Double) {
    now.realtime += Int64(seconds * 1e9)
    advance()
  }

  /// Performs a command as it is typed.
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
    let invitation = Invitation(role: .scorer, at: now.clock, secret: "secret", code: "123456")
    let address = RemoteAddress(host: "h", readable: "h", port: 80)
    change { _ = $0.invite(invitation, at: address, now: $1, &$2) }
  }

  mutating func adopt(_ configuration: Configuration, _ entries: [Schedule.Entry]) {
    var generator = SplitMix(seed: 0)
    let displays = wall.displays
    change {
      $0.adopt(
        configuration, schedule: Schedule(entries), displays: displays, at: $1, &generator,
        keep: { _ in true }, &$2)
    }
  }

  mutating func adopt(_ displays: [Wall.Display]) {
    change { $0.adopt(displays, at: $1, &$2) }
  }

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
