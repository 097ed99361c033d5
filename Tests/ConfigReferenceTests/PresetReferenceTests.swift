// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import Testing

@testable import ConfigReference
@testable import Settings

@Suite struct PresetReferenceTests {
  @Test("The keys that the manual lists for a preset give its rules", arguments: GameRules.Preset.allCases)
  func complete(preset: GameRules.Preset) throws {
    var text = "[game]\npreset = \"free\"\n"
    for key in ConfigTables.keys(of: preset) { text += "\(key.name) = \(key.value)\n" }
    for counter in GameRules(preset).counters {
      text += "[game.counters.\(counter.id)]\n"
      for key in ConfigTables.keys(of: counter) { text += "\(key.name) = \(key.value)\n" }
    }
    let result = SettingsLoader.load(texts: [("t", Array(text.utf8))], mode: .check)
    var rules = try #require(result.configuration, "\(result.diagnostics)").game.rules
    #expect(rules.preset == "free")
    rules.preset = preset.rawValue
    #expect(rules == GameRules(preset), "\(text)")
    let manual = Markup(PresetReference.text(preset)).paragraphs
    #expect(manual.count == 1 + GameRules(preset).counters.count)
  }
}
