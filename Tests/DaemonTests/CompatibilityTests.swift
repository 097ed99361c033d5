// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import Scoreboard
import Settings
import TestSupport
import Testing
import Walls

@testable import Daemon

/// The config and state files of every release, in `Tests/Compatibility/VERSION`, which `record.py` has
/// written with the programs of that release.
@Suite struct CompatibilityTests {
  private static let corpus =
    "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/") + "/Compatibility"

  /// A directory with config files in `etc/flipclock`, as on a machine, and in most cases a state file.
  struct Case: CustomTestStringConvertible, Sendable {
    let version: String
    let name: String
    var path: String { "\(CompatibilityTests.corpus)/\(version)/\(name)" }
    var testDescription: String { "\(version)/\(name)" }

    func configuration() throws -> Configuration {
      let result = SettingsLoader.load(.standard(root: path), mode: .check)
      // Warnings are allowed: keys may be renamed later.
      #expect(result.diagnostics.filter { $0.severity == .error } == [], "\(testDescription)")
      return try #require(result.configuration)
    }

    func document() throws -> StateDocument {
      try StateDocument(reading: readFile("\(path)/state.json", limit: 1 << 20))
    }
  }

  /// The expected result of loading a case's state file with its config.
  struct Expectation: CustomTestStringConvertible, Sendable {
    let place: Case
    /// The teams with their scores and the scores of past periods, and the period.
    let scores: String
    /// The number of changes that can be undone and redone.
    let past: Int
    let future: Int
    var testDescription: String { place.testDescription }

    init(_ version: String, _ name: String, _ scores: String, past: Int, future: Int = 0) {
      place = Case(version: version, name: name)
      self.scores = scores
      self.past = past
      self.future = future
    }
  }

  static let expectations = [
    Expectation("0.1.0", "free", "LIONS 7, GUEST 3; period 1", past: 4, future: 1),
    Expectation("0.1.0", "volleyball", "LIONS 0 [25], ΑΕΤΟΙ 1 [19]; period 2", past: 7, future: 2),
    Expectation("0.1.0", "basketball", "BEARS 4 [2], WOLVES 3 [3]; period 2", past: 8),
    Expectation("0.1.0", "tennis", "HOME 0, GUEST 1; period 1", past: 6),
    Expectation("0.1.0", "ice-hockey", "HOME 0, GUEST 1; period 1", past: 5),
    Expectation("0.1.0", "darts", "HOME 341, GUEST 456; period 1", past: 3),
    Expectation("0.1.0", "display", "LOCAUX 12, VISITEURS 0; period 1", past: 1),
  ]

  private func scores(_ scoreboard: Scoreboard) -> String {
    let teams = scoreboard.teams.map {
      "\($0.name) \($0.score)" + ($0.periodScores.isEmpty ? "" : " \($0.periodScores)")
    }
    return teams.joined(separator: ", ") + "; period \(scoreboard.period)"
  }

  /// The cases in the corpus, whether or not a test expects them.
  private static func cases() throws -> [Case] {
    try names(in: corpus).filter { $0.first?.isNumber == true }.flatMap { version in
      try names(in: "\(corpus)/\(version)").map { Case(version: version, name: $0) }
    }
  }

  private static func names(in directory: String) throws -> [String] {
    let opened = try #require(opendir(directory), "\(directory)")
    defer { closedir(opened) }
    var names: [String] = []
    while let entry = readdir(opened) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  @Test("Every config of every release loads without errors")
  func configs() throws {
    let cases = try Self.cases()
    #expect(cases.count >= 11)
    for place in cases { _ = try place.configuration() }
  }

  @Test("Every state file of every release has an expectation")
  func expectationsAreComplete() throws {
    let saved = try Self.cases().filter { access("\($0.path)/state.json", R_OK) == 0 }
    #expect(saved.map(\.testDescription).sorted() == Self.expectations.map(\.testDescription).sorted())
  }

  @Test("State files load with scores and history", arguments: expectations)
  func states(expected: Expectation) throws {
    let configuration = try expected.place.configuration()
    let document = try expected.place.document()
    #expect(!document.lostHistory)
    let now = Moment(clock: 5_000_000_000, realtime: (document.saved?.realtime ?? 0) + 60_000_000_000)
    var match = document.resumed(by: configuration, at: now).match
    #expect(scores(match.scoreboard) == expected.scores)
    #expect(match.past.count == expected.past && match.future.count == expected.future)
    let scoreboard = match.scoreboard
    // The whole history can be redone and undone.
    while !match.future.isEmpty { try match.apply(.redo, at: now.clock) }
    let changes = match.past.count
    while !match.past.isEmpty { try match.apply(.undo, at: now.clock) }
    let start = match.scoreboard.rules.startScore
    #expect(match.scoreboard.teams.allSatisfy { $0.score == start && $0.periodScores.isEmpty })
    for _ in 0..<changes - expected.future { try match.apply(.redo, at: now.clock) }
    #expect(scores(match.scoreboard) == scores(scoreboard) && match.scoreboard.serving == scoreboard.serving)
  }

  @Test("Clocks, penalties, counters, games, serve and brightness of version 0.1.0 load")
  func details() throws {
    func match(_ name: String) throws -> (match: Match, scoreboard: Scoreboard) {
      let place = Case(version: "0.1.0", name: name)
      let document = try place.document()
      let now = Moment(clock: 0, realtime: (document.saved?.realtime ?? 0) + 60_000_000_000)
      let match = document.resumed(by: try place.configuration(), at: now).match
      return (match, match.scoreboard)
    }
    let hockey = try match("ice-hockey").scoreboard
    #expect(hockey.reading(of: .game, at: 0)?.value == 1_199_442_428_423)
    let penalties = hockey.teams.flatMap { hockey.penalties(of: $0, at: 0) }
    #expect(penalties.map(\.left) == [119_551_333_212, 299_707_000_429])
    #expect(try match("basketball").scoreboard.reading(of: .game, at: 0)?.value == 300_000_000_000)
    let volleyball = try match("volleyball").scoreboard
    #expect(volleyball.team("home")?.counters == ["timeouts": 1] && volleyball.serving == "guest")
    #expect(volleyball.team("guest")?.shortName == "ΑΕΤ" && !volleyball.sidesSwapped)
    let tennis = try match("tennis").scoreboard
    #expect(tennis.team("home")?.games == 1 && tennis.serving == "home")
    #expect(try match("free").scoreboard.team("guest")?.color == 0x00ff00)
    let display = try Case(version: "0.1.0", name: "display").document().wall.holds
    #expect(display.brightness?.percent == 60 && display.outputBrightness["Headless-1"]?.percent == 40)
  }

  @Test("The settings of version 0.1.0 load")
  func settings() throws {
    let configuration = try Case(version: "0.1.0", name: "display").configuration()
    #expect(configuration.pages.map(\.name) == ["one", "two"] && configuration.widgets.count == 4)
    #expect(configuration.outputs.count == 1 && configuration.schedule.count == 1)
    #expect(configuration.pageTransition.kind == .roll && configuration.themes.contains { $0.name == "mine" })
    #expect(configuration.language != .english && configuration.burnIn.radius == 8)
    let basketball = try Case(version: "0.1.0", name: "basketball").configuration()
    #expect(basketball.teams.map(\.name) == ["BEARS", "WOLVES"])
    #expect(basketball.game.rules.game?.length == 480_000_000_000)
  }
}
