// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import TOMLConfig
import Testing

@testable import ConfigChecks
@testable import Settings

/// What a game has and the pages of a config do not show.
@Suite struct UnshownCheckTests {
  private func found(_ text: String) -> [String] {
    var checks = SettingsChecks()
    checks.configuration = UnshownCheck.findings
    return SettingsLoader.load(texts: [("t", Array(text.utf8))], mode: .check, checks: checks).diagnostics
      .map(\.summary).filter { !$0.contains("is in no row") }
  }

  private static let timers = [
    ("game clock", "game-clock"), ("shot clock", "shot-clock"), ("breaks", "break-clock"),
  ]
  /// What only a scoreboard shows.
  private static let others = ["penalties", "set and match points", "the end of the match"]

  private static let has: [GameRules.Preset: [String]] = [
    .basketball: ["game clock", "shot clock", "breaks", "the end of the match"],
    .football: ["game clock", "breaks", "the end of the match"],
    .handball: ["game clock", "breaks", "penalties", "the end of the match"],
    .iceHockey: ["game clock", "breaks", "penalties", "the end of the match"],
    .volleyball: ["breaks", "set and match points", "the end of the match"],
    .tableTennis: ["breaks", "set and match points", "the end of the match"],
    .tennis: ["breaks", "set and match points", "the end of the match"],
    .badminton: ["breaks", "set and match points", "the end of the match"],
    .darts: ["the end of the match"],
  ]

  @Test(
    "What no page shows is named, with the key to write, for all pages of one's own",
    arguments: GameRules.Preset.allCases)
  func matrix(preset: GameRules.Preset) {
    for style in ["plain", "scoreboard"] {
      for showsClocks in [true, false] {
        for shown in 0..<1 << Self.timers.count {
          let timers = Self.timers.enumerated().filter { shown >> $0.offset & 1 == 1 }.map(\.element)
          let rows = ["score"] + timers.map(\.1)
          let text =
            "[game]\npreset = \"\(preset.rawValue)\"\n[layout]\nrows = [\(rows.map { "\"\($0)\"" }.joined(separator: ", "))]\n"
            + "[widgets.score]\nstyle = \"\(style)\"\nshow-clocks = \(showsClocks)\n"
            + timers.map { "[widgets.\($0.1)]\ntype = \"timer\"\nsource = \"\($0.1)\"\n" }.joined()
          let isScoreboard = style == "scoreboard"
          let shown =
            timers.map(\.0) + (isScoreboard ? Self.others : [])
            + (isScoreboard && showsClocks ? Self.timers.map(\.0) : [])
          let missing = (Self.has[preset] ?? []).filter { !shown.contains($0) }
          let needsTimer = missing.contains { name in Self.timers.contains { $0.0 == name } }
          let key = isScoreboard ? "show-clocks = true" : "style = \"scoreboard\""
          let expected =
            "t:1:2: warning: no page shows what this game has: \(missing.joined(separator: ", ")); "
            + "write \(key) in [widgets.score]"
            + (needsTimer ? ", or add widgets of the type \"timer\"" : "")
          // A scoreboard has no effect of its own that is reported here.
          #expect(found(text) == (missing.isEmpty ? [] : [expected]), "\(text)")
        }
      }
    }
  }

  @Test(
    "What is on no page shows nothing; the built-in page is a scoreboard; a page without a score is none",
    arguments: GameRules.Preset.allCases)
  func pages(preset: GameRules.Preset) {
    func missing(_ pages: String) -> Bool {
      !found("[game]\npreset = \"\(preset.rawValue)\"\n" + pages).isEmpty
    }
    let score = "[widgets.score]\ntype = \"score\"\n"
    let hasSomething = Self.has[preset] != nil
    #expect(!missing("") && !missing("[layout]\nrows = [[\"time\"]]\n"))
    #expect(missing("[pages.a]\nrows = [[\"time\"]]\n[pages.b]\nrows = [[\"score\"]]\n") == hasSomething)
    #expect(
      missing("[layout]\nrows = [[\"score\"]]\n" + score + "[widgets.clock]\ntype = \"timer\"\n")
        == hasSomething)
  }
}
