// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Settings
@testable import TOMLConfig

/// The teams of a configuration, and those that a score shows.
@Suite struct TeamsTests {
  private func shown(_ configuration: Configuration?) -> [String]? {
    configuration?.widgets.compactMap { ($0.content as? ScoreSettings)?.teams }.first
  }

  /// Loads each text as a separate file.
  private func load(files: [String]) -> LoadResult {
    SettingsLoader.load(
      texts: files.enumerated().map { ("\($0.offset).toml", Array($0.element.utf8)) }, mode: .check)
  }

  @Test(
    "Declared teams replace the built-in ones, and tables of built-in teams change them",
    arguments: [
      ("", ["home", "guest"]),
      ("[teams.home]\nname = \"LIONS\"\n", ["home", "guest"]),
      ("[teams.guest]\nname = \"LIONS\"\n", ["home", "guest"]),
      ("[teams.guest]\n[teams.home]\n", ["home", "guest"]),
      ("[teams.lions]\n", ["lions"]),
      ("[teams.lions]\n[teams.falcons]\n", ["lions", "falcons"]),
      ("[teams.home]\n[teams.falcons]\n", ["home", "falcons"]),
      ("[teams.falcons]\n[teams.guest]\n", ["falcons", "guest"]),
      ("[teams.c]\n[teams.a]\n[teams.b]\n", ["c", "a", "b"]),
    ] as [(String, [String])])
  func declarations(text: String, teams: [String]) throws {
    let result = SettingsTests.load(text)
    #expect(found(result) == [])
    let configuration = try #require(result.configuration)
    #expect(configuration.teams.map(\.id) == teams)
    #expect(shown(configuration) == teams)
    #expect(Set(configuration.teams.map(\.color)).count == teams.count)
  }

  @Test("Teams from several files are merged")
  func severalFiles() {
    let result = load(files: [
      "[teams.lions]\nname = \"A\"\n", "[teams.falcons]\n", "[teams.lions]\ncolor = \"#123456\"\n",
    ])
    #expect(result.configuration?.teams.map(\.id) == ["lions", "falcons"])
    #expect(result.configuration?.teams.first == TeamSettings(id: "lions", name: "A", color: 0x123456))
  }

  @Test("A built-in team that a score names is kept together with declared ones")
  func named() {
    let result = load(files: ["[teams.third]\n[widgets.score]\nteams = [\"home\", \"third\"]\n"])
    #expect(found(result) == [])
    #expect(result.configuration?.teams.map(\.id) == ["home", "third"])
    #expect(shown(result.configuration) == ["home", "third"])
    // A misspelled built-in team is unknown.
    let wrong = load(files: ["[teams.third]\n[widgets.score]\nteams = [\"hme\", \"third\"]\n"])
    #expect(wrong.diagnostics.map(\.message) == ["unknown team 'hme' in [widgets.score]"])
  }

  @Test("Every score shows all teams, or those that it names")
  func ownWidgets() {
    let text = """
      [teams.a]
      [teams.b]
      [teams.c]
      [widgets.all]
      type = "score"
      [widgets.some]
      type = "score"
      teams = ["c", "a"]
      """
    let scores = load(files: [text]).configuration?.widgets.map { ($0.content as? ScoreSettings)?.teams }
    #expect(scores == [["a", "b", "c"], ["c", "a"]])
  }

  @Test("For random declarations, teams are unique, all declared teams exist, and so do all shown teams")
  func random() throws {
    var random = SplitMix(seed: 11)
    let pool = ["home", "guest", "lions", "falcons", "owls", "x1", "y-2", "z_3"]
    for round in 0..<400 {
      let declared = (0..<Int.random(in: 0...6, using: &random)).compactMap { _ in
        pool.randomElement(using: &random)
      }
      let result = load(files: declared.map { "[teams.\($0)]\n" })
      let configuration = try #require(result.configuration, "round \(round)")
      let ids = configuration.teams.map(\.id)
      var wanted: [String] = []
      for id in declared where !wanted.contains(id) { wanted.append(id) }
      if wanted.allSatisfy({ ["home", "guest"].contains($0) }) { wanted = ["home", "guest"] }
      #expect(ids == wanted)
      #expect(Set(configuration.teams.map(\.color)).count == ids.count)
      #expect(shown(configuration) == ids)
    }
  }

  @Test(
    "Names have the limits of the control socket; a bad one is an error in check and a warning in the daemon")
  func names() {
    let long = String(repeating: "é", count: 41)
    for (key, value, message) in [
      ("name", long, "'name' in [teams.home] has 41 characters; at most 40 are allowed"),
      ("name", "", "'name' in [teams.home] is empty; write a letter, or leave the key out"),
      ("name", "  ", "'name' in [teams.home] is empty; write a letter, or leave the key out"),
      ("short-name", "ABCDEFGHI", "'short-name' in [teams.home] has 9 characters; at most 8 are allowed"),
    ] {
      let text = "[teams.home]\n\(key) = \"\(value)\"\n"
      let column = key.count + 4
      #expect(found(SettingsTests.load(text)) == ["error 2:\(column) \(message)"])
      let running = SettingsTests.load(text, mode: .running)
      #expect(found(running) == ["warning 2:\(column) \(message)"])
      #expect(running.configuration != nil)
    }
    #expect(found(SettingsTests.load("[teams.home]\nname = \"\(long.dropLast())\"\n")) == [])
    let emoji = "[teams.home]\nname = \"👩‍👩‍👧‍👦👩‍👩‍👧‍👦\"\nshort-name = \"日本\"\n"
    #expect(found(SettingsTests.load(emoji)) == [])
  }
}
