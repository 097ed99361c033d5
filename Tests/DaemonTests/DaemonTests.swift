// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Display
import Glibc
import LinuxSystem
import Raster
import Schedule
import Scoreboard
import Settings
import Testing
import WallState
import Walls

@testable import Daemon

@Suite struct DaemonTests {
  @Test("Format, dithering and rotation of [display] and the tables of [outputs] are passed to the displays")
  func displayPreferences() {
    var configuration = Configuration()
    func preferences() -> OutputPreferences { DisplayFactory.preferences(DaemonOptions(), configuration) }
    #expect(preferences() == OutputPreferences())
    for format in FormatPreference.allCases {
      configuration.display.format = format
      #expect(preferences().format == format)
    }
    for rotation in Rotation.allCases {
      configuration.display.rotation = rotation
      #expect(preferences().rotation == rotation)
    }
    configuration.display.dither = false
    #expect(!preferences().dithers)
    var first = OutputSettings(name: "HDMI-A-1")
    first.rule.isEnabled = false
    configuration.outputs = [first, OutputSettings(name: "tall")]
    #expect(
      preferences().rules == [OutputRule(name: "HDMI-A-1", isEnabled: false), OutputRule(name: "tall")])
  }

  @Test("The state directory comes from the option, systemd, root's default or the user's")
  func stateDirectory() throws {
    var options = DaemonOptions()
    func directory(_ variables: [String: String], user: uid_t = 1000) throws -> String {
      try options.stateDirectory(user: user) { variables[$0] }
    }
    #expect(try directory(["STATE_DIRECTORY": "/var/lib/a:/var/lib/b"]) == "/var/lib/a")
    #expect(try directory(["XDG_STATE_HOME": "/s"]) == "/s/flipclock")
    #expect(try directory(["XDG_STATE_HOME": "relative", "HOME": "/h"]) == "/h/.local/state/flipclock")
    #expect(try directory(["HOME": "/h"], user: 0) == "/var/lib/flipclock")
    // There is no fallback to /tmp, where another user could create the directory first.
    for home in [nil, "", "relative"] as [String?] {
      #expect(throws: StartFailure.self) { try directory(home.map { ["HOME": $0] } ?? [:]) }
    }
    options.stateDirectory = "/option"
    #expect(try directory(["STATE_DIRECTORY": "/var/lib/a"]) == "/option")
  }

  @Test(
    "An event consists of a time and a command that is also valid for keys",
    arguments: [
      ("0.5 set-score home 3", true), ("2 add-score guest -1", true), ("2 add-score guest +1", true),
      ("1 set home fouls +1", true), ("1 set home name LIONS", true), ("0 timer start", true),
      ("3 timer set 10:00 --shot", true), ("1 message TIME OUT --for 30s", true), ("1 show match", true),
      ("1 blank", true), ("1 unblank", true), ("1 brightness 50%", true), ("1 undo", true), ("1 swap", true),
      ("", false), ("1", false), ("set-score home 3", false), ("x set-score home 3", false),
      ("-1 set-score home 3", false), ("1e9 set-score home 3", false), ("nan set-score home 3", false),
      ("1 sat-score home 3", false), ("1 set-score home 3.5", false), ("1 status", false),
      ("1 set-score home 99999999999999999999", false), ("1 reload", false), ("1 screenshot x.png", false),
    ])
  func events(text: String, isGood: Bool) {
    let event = try? OfflineRenderer.Event(parsing: text)
    #expect((event != nil) == isGood)
  }

  @Test(
    "The error message of a refused event says why",
    arguments: [
      ("1 set-score hom 3", "did you mean 'home'"), ("1 set-score home 1000", "between 0 and 999"),
      ("1 show nopage", "unknown page"), ("1 set home foulz 1", "unknown counter"),
      ("1 undo", "nothing to undo"),
    ])
  func refusedEvents(text: String, words: String) throws {
    var wall = Self.wall()
    let event = try OfflineRenderer.Event(parsing: text)
    #expect {
      try event.perform(on: &wall, at: wall.now)
    } throws: { error in
      guard let error = error as? StartFailure else { return false }
      return error.description.contains(words) && error.exitCode == EX_USAGE
    }
  }

  private static func wall() -> Wall {
    Wall(alone: .builtIn, displays: [Wall.Display(name: "render")], at: Moment(clock: 0, realtime: 0))
  }

  @Test("Events act on the picture, whatever display they name, and may hold for a time")
  func performedEvents() throws {
    var wall = Self.wall()
    func perform(_ text: String) throws {
      let event = try OfflineRenderer.Event(parsing: text)
      try event.perform(
        on: &wall, at: Moment(clock: Int64(event.seconds * 1e9), realtime: Int64(event.seconds * 1e9)))
    }
    try perform("1 set-score home 3")
    #expect(wall.match.scoreboard.team("home")?.score == 3)
    try perform("4 message TIME OUT --for 30s")
    #expect(wall.message?.text == "TIME OUT" && wall.message?.ends == 34_000_000_000)
    try perform("5 blank --output HDMI-A-1")
    #expect(wall.isDark)
    try perform("5.5 remote")
    #expect(!wall.isDark && wall.notice?.parts.first?.lines.contains(.code("123 456")) == true)
    try perform("5.6 blank")
    #expect(wall.isDark && wall.notice == nil)
    try perform("6 brightness 40%")
    try perform("7 unblank --output HDMI-A-1")
    try perform("8 brightness +10% --output left")
    #expect(!wall.isDark && wall.light(of: nil).level == 50)
    try perform("9 blank --for 10s")
    #expect(wall.isDark && wall.nextInstant == Instant(seconds: 19))
    var effects = Wall.Effects()
    wall.advance(to: Moment(clock: 19_000_000_000, realtime: 19_000_000_000), &effects)
    #expect(!wall.isDark)
  }

  @Test("Virtual time is exact to the nanosecond")
  func instants() {
    let start = Instant(seconds: 10, nanoseconds: 900_000_000)
    #expect(start.advanced(by: 0.25) == Instant(seconds: 11, nanoseconds: 150_000_000))
    #expect(start.advanced(by: 0) == start)
    #expect(start.advanced(by: 3600.1) == Instant(seconds: 3611, nanoseconds: 0))
  }

  @Test("A change that became due while the page was being built is shown at once")
  func missedBoundary() throws {
    let loop = try EventLoop()
    let now = WallClock.now
    var ticks = 0
    let clock = try WallClock(on: loop)
    clock.next = { Instant(seconds: $0.seconds + 1) }
    clock.tick = { _, _ in ticks += 1 }
    clock.arm(after: Instant(seconds: now.seconds - 5))
    try loop.turn(timeoutMilliseconds: 500)
    #expect(ticks == 1)
  }
}
