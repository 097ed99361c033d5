// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import Testing

@testable import Settings
@testable import TOMLConfig

@Suite struct ShippedFilesTests {
  /// The reference config with its defaults (`#key`, `#[table]`) uncommented and, if `examples` is set, also
  /// its examples (`# example: `).
  private func uncommented(examples: Bool) throws -> String {
    let marker = "# example: "
    return try repositoryFile("config/flipclock.toml").split(
      separator: "\n", omittingEmptySubsequences: false
    ).map {
      line in
      if examples, line.hasPrefix(marker) { return String(line.dropFirst(marker.count)) }
      let rest = line.dropFirst()
      guard line.hasPrefix("#"), let first = rest.first, first == "[" || first.isLetter else {
        return String(line)
      }
      return String(rest)
    }.joined(separator: "\n")
  }

  @Test("The unmodified reference config changes nothing")
  func asShipped() throws {
    let result = load(try repositoryFile("config/flipclock.toml"))
    #expect(found(result) == [])
    #expect(result.configuration == .builtIn)
  }

  @Test("The reference config has the defaults")
  func defaults() throws {
    let result = load(try uncommented(examples: false))
    #expect(found(result) == [])
    #expect(result.configuration == .builtIn)
  }

  @Test("The examples of the reference config are accepted, and with them it has every key")
  func everyKey() throws {
    let text = try uncommented(examples: true)
    let result = load(text)
    // The examples include both sources of an image, both a page and the rows of the layout, and both forms
    // of a place.
    let messages = [
      "[widgets.my-image] has a 'file' and a 'folder'",
      "[layout] and [pages] exclude each other", "'zone' in [place] and its coordinates exclude each other",
      "'lead' and 'follow' in [walls] exclude each other",
    ]
    #expect(result.diagnostics.map(\.message) == messages)
    let shown = Set(
      text.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) })
    // The reference config shows other forms of bindings.
    let tables = ConfigTables.all.filter { $0.title != "input.keys" }
    let keys = tables.flatMap(\.keys) + ConfigTables.widgets.flatMap { $0.keys + $0.cardKeys }
    let missing = keys.filter { $0.shape != .table && !shown.contains($0.name) }.map(\.name)
    #expect(missing == [], "config/flipclock.toml: run `make docs` and commit it")
  }

  @Test("The configs of docs/match-day.md are valid, and there is one for each preset")
  func matchDay() throws {
    let lines = try repositoryFile("docs/match-day.md").split(
      separator: "\n", omittingEmptySubsequences: false)
    // Blocks of indented lines, with the empty lines in them.
    let blocks = lines.split { !$0.isEmpty && !$0.hasPrefix("    ") }.map { block in
      block.map { $0.dropFirst(4) }.joined(separator: "\n")
    }.filter { $0.contains("[") }
    var presets: Set<String> = []
    for block in blocks {
      let result = load(block)
      #expect(found(result) == [], "\(block)")
      if let rules = result.configuration?.game.rules { presets.insert(rules.preset) }
    }
    #expect(presets == Set(GameRules.Preset.allCases.map(\.rawValue)))
  }

  @Test("The example configs are valid", arguments: ["clock", "scoreboard", "match", "world"])
  func examples(name: String) throws {
    let result = load(try repositoryFile("config/examples/\(name).toml"))
    #expect(found(result) == [])
    let configuration = try #require(result.configuration)
    let pages = [
      "world": [["time"], ["world"]],
      "clock": [["time"], ["date"]], "scoreboard": [["score"]], "match": [["score"], ["time", "date"]],
    ]
    #expect(configuration.allPages.first?.layout.rows == pages[name])
    let shown = Set(configuration.allPages.flatMap { $0.layout.rows.joined() })
    #expect(configuration.widgets.count == shown.count)
  }
}
