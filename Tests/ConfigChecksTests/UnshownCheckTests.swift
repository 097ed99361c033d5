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

  private static let score = "[widgets.score]\ntype = \"score\"\n"

  /// Pages of one's own, and what each shows of the clocks.
  private static let pages: [(text: String, shows: Set<String>)] = [
    ("[layout]\nrows = [[\"score\"]]\n", []),
    ("[pages.a]\nrows = [[\"time\"]]\n[pages.b]\nrows = [[\"score\"]]\n", []),
    (
      "[layout]\nrows = [[\"score\"], [\"clock\"]]\n[widgets.score]\ntype = \"score\"\n[widgets.clock]\ntype = \"timer\"\n",
      ["game clock"]
    ),
    (
      "[layout]\nrows = [[\"score\"], [\"shot\"]]\n" + score
        + "[widgets.shot]\ntype = \"timer\"\nsource = \"shot-clock\"\n",
      ["shot clock"]
    ),
    // A widget that is on no page shows nothing.
    (
      "[layout]\nrows = [[\"score\"]]\n[widgets.score]\ntype = \"score\"\n[widgets.clock]\ntype = \"timer\"\n",
      []
    ),
    (
      "[layout]\nrows = [[\"score\"]]\n[widgets.score]\nstyle = \"scoreboard\"\n",
      ["game clock", "shot clock", "penalties"]
    ),
    (
      "[layout]\nrows = [[\"score\"]]\n[widgets.score]\nstyle = \"scoreboard\"\nshow-clocks = false\n",
      ["game clock", "shot clock", "penalties"]
    ),
    // The built-in page of a game is a scoreboard; a page without a score is no scoreboard.
    ("", ["game clock", "shot clock", "penalties"]),
    ("[layout]\nrows = [[\"time\"]]\n", ["game clock", "shot clock", "penalties"]),
  ]

  private static let has: [GameRules.Preset: [String]] = [
    .basketball: ["game clock", "shot clock"], .football: ["game clock"],
    .handball: ["game clock", "penalties"], .iceHockey: ["game clock", "penalties"],
  ]

  @Test(
    "What no page shows is named, with the key to write", arguments: GameRules.Preset.allCases)
  func matrix(preset: GameRules.Preset) {
    for page in Self.pages {
      let missing = (Self.has[preset] ?? []).filter { !page.shows.contains($0) }
      let text = "[game]\npreset = \"\(preset.rawValue)\"\n" + page.text
      let timers = missing == ["penalties"] ? "" : ", or add widgets of the type \"timer\""
      #expect(
        found(text)
          == (missing.isEmpty
            ? []
            : [
              "t:1:2: warning: no page shows what this game has: \(missing.joined(separator: ", ")); "
                + "write style = \"scoreboard\" in [widgets.score]\(timers)"
            ]),
        "\(text)")
    }
  }
}
