// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing

@testable import Settings

@Suite struct ShippedFilesTests {
  /// The shipped file with its settings (`#key`, `#[table]`) made real, and also its example (`#   …`).
  private func uncommented(example: Bool) throws -> String {
    try repositoryFile("config/flipclock.toml").split(separator: "\n", omittingEmptySubsequences: false).map {
      line in
      if example, line.hasPrefix("#   "), line.contains("=") || line.contains("["), !line.contains("   \"") {
        return String(line.dropFirst(4))
      }
      let rest = line.dropFirst()
      guard line.hasPrefix("#"), let first = rest.first, first == "[" || first.isLetter else {
        return String(line)
      }
      return String(rest)
    }.joined(separator: "\n")
  }

  @Test("The shipped config changes nothing as it is")
  func asShipped() throws {
    let result = load(try repositoryFile("config/flipclock.toml"))
    #expect(found(result) == [])
    #expect(result.configuration == .builtIn)
  }

  @Test("The shipped config shows the defaults")
  func defaults() throws {
    let result = load(try uncommented(example: false))
    #expect(found(result) == [])
    #expect(result.configuration == .builtIn)
  }

  @Test("The shipped config shows every key there is")
  func everyKey() throws {
    let text = try uncommented(example: true)
    let result = load(text)
    // The example of a page stands beside the rows of the layout.
    #expect(
      result.diagnostics.map(\.message) == ["[layout] and [pages] cannot both say what stands where"])
    var shown: [String: Set<String>] = [:]
    var table = ""
    for line in text.split(separator: "\n") {
      if line.hasPrefix("["), let end = line.firstIndex(of: "]") {
        table = String(line[line.index(after: line.startIndex)..<end])
      } else if let first = line.first, first.isLetter, let key = line.split(separator: " ").first {
        shown[table, default: []].insert(String(key))
      }
    }
    for (title, keys) in tables { #expect(shown[title] == keys, "[\(title)]") }
    #expect(Set(shown.keys).subtracting(tables.keys) == ["teams.guest"])
  }

  /// The keys of every table, as they stand in the shipped file.
  private var tables: [String: Set<String>] {
    [
      "": ["motion"], "display": Set(Section.display.keys.map(\.name)),
      "theme": Set(Section.theme.keys.map(\.name)),
      "flip": Set(Section.flip.keys.map(\.name)), "layout": Set(Section.layout.keys.map(\.name)),
      "pages.match": Set(Section.layout.keys.map(\.name)),
      "rotation": Set(Section.rotation.keys.map(\.name)),
      "input": Set(Section.input.keys.map(\.name)).subtracting(["keys"]),
      "input.keys": ["KP1", "KP4", "PAGEDOWN", "B", "VOLUMEUP"],
      "page-transition": Set(Section.pageTransition.keys.map(\.name)),
      "game": Set(Section.game.keys.map(\.name)).subtracting(["counters"]),
      "game.counters.fouls": Set(Section.counter("fouls").keys.map(\.name)),
      "teams.home": Set(Section.team("home").keys.map(\.name)),
      "widgets.time": Set(WidgetType.flipClock.section("").keys.map(\.name)),
      "widgets.date": Set(WidgetType.date.section("").keys.map(\.name)),
      "widgets.score": Set(WidgetType.score.section("").keys.map(\.name)),
      "widgets.clock": Set(WidgetType.timer.section("").keys.map(\.name)).subtracting(["until", "zone"]),
      "widgets.newyear": ["type", "source", "until", "zone"],
      "widgets.world": Set(WidgetType.worldClock.section("").keys.map(\.name)),
      "widgets.hands": Set(WidgetType.analogClock.section("").keys.map(\.name)),
      "widgets.club": Set(WidgetType.text.section("").keys.map(\.name)),
      "widgets.lobby": Set(WidgetType.board.section("").keys.map(\.name)),
    ]
  }

  @Test("The examples are good", arguments: ["clock", "scoreboard", "match", "world"])
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

  // MARK: The schema

  private struct Property: Decodable {
    var properties: [String: Property]?
    var additionalProperties: Bool?
    var choices: [Choice]?
    var minimum: Double?
    var maximum: Double?
    var maxLength: Int?
    var reference: String?
    var type: String?

    enum CodingKeys: String, CodingKey {
      case properties, additionalProperties, minimum, maximum, maxLength, type
      case choices = "enum"
      case reference = "$ref"
    }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      properties = try values.decodeIfPresent([String: Property].self, forKey: .properties)
      additionalProperties = try? values.decodeIfPresent(Bool.self, forKey: .additionalProperties)
      choices = try values.decodeIfPresent([Choice].self, forKey: .choices)
      minimum = try values.decodeIfPresent(Double.self, forKey: .minimum)
      maximum = try values.decodeIfPresent(Double.self, forKey: .maximum)
      maxLength = try values.decodeIfPresent(Int.self, forKey: .maxLength)
      reference = try values.decodeIfPresent(String.self, forKey: .reference)
      type = try values.decodeIfPresent(String.self, forKey: .type)
    }
  }

  private enum Choice: Decodable, Hashable {
    case word(String)
    case number(Int)

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let number = try? value.decode(Int.self) {
        self = .number(number)
      } else {
        self = .word(try value.decode(String.self))
      }
    }
  }

  private struct Schema: Decodable {
    var properties: [String: Property]
    var definitions: [String: Property]
  }

  /// What is wrong with the schema's property for a key of this shape.
  private func mismatch(_ property: Property, _ shape: Shape) -> String? {
    let words = Set(
      (property.choices ?? []).compactMap { if case .word(let word) = $0 { word } else { nil } })
    let numbers = Set((property.choices ?? []).compactMap { if case .number(let n) = $0 { n } else { nil } })
    let isRight =
      switch shape {
      case .boolean: property.type == "boolean"
      case .text(let maximum): property.type == "string" && property.maxLength == maximum
      case .form: property.type == "string"
      case .color: property.reference == "#/definitions/color"
      case .duration: property.reference == "#/definitions/duration"
      case .clockTime: property.reference == "#/definitions/clock-time"
      case .number(let range):
        property.type == "number" && property.minimum == range.lowerBound
          && property.maximum == range.upperBound
      case .integers(let allowed): numbers == Set(allowed) && words.isEmpty
      case .integerRange(let range):
        property.type == "integer" && property.minimum == Double(range.lowerBound)
          && property.maximum == Double(range.upperBound)
      case .choice(let allowed): words == Set(allowed)
      case .array: property.type == "array"
      case .table: property.type == "object"
      }
    return isRight ? nil : "\(property) is not \(shape)"
  }

  private func compare<Target>(_ keys: [Key<Target>], _ property: Property?, _ title: String) -> [String] {
    guard let property, let properties = property.properties else { return ["[\(title)] is missing"] }
    var problems: [String] = []
    if property.additionalProperties != false { problems.append("[\(title)] lets anything in") }
    if Set(properties.keys) != Set(keys.map(\.name)) {
      problems.append("[\(title)] has \(properties.keys.sorted()), not \(keys.map(\.name).sorted())")
    }
    for key in keys where key.name != "type" {
      guard let property = properties[key.name] else { continue }
      if let problem = mismatch(property, key.shape) { problems.append("[\(title)] \(key.name): \(problem)") }
    }
    return problems
  }

  @Test("The schema for editors knows the same keys and values")
  func schema() throws {
    let data = Data(try repositoryFile("config/flipclock.schema.json").utf8)
    let schema = try JSONDecoder().decode(Schema.self, from: data)
    #expect(Set(schema.properties.keys) == Set(SettingsLoader.sections + ["motion"]))
    #expect(compare(Section.display.keys, schema.properties["display"], "display") == [])
    #expect(compare(Section.theme.keys, schema.properties["theme"], "theme") == [])
    #expect(compare(Section.flip.keys, schema.properties["flip"], "flip") == [])
    #expect(compare(Section.layout.keys, schema.properties["layout"], "layout") == [])
    #expect(compare(Section.layout.keys, schema.definitions["page"], "pages.x") == [])
    #expect(compare(Section.rotation.keys, schema.properties["rotation"], "rotation") == [])
    #expect(
      compare(Section.pageTransition.keys, schema.properties["page-transition"], "page-transition") == [])
    #expect(compare(Section.game.keys, schema.properties["game"], "game") == [])
    #expect(compare(Section.counter("x").keys, schema.definitions["counter"], "game.counters.x") == [])
    #expect(compare(Section.input.keys, schema.properties["input"], "input") == [])
    #expect(compare(Section.team("x").keys, schema.definitions["team"], "teams.x") == [])
    for type in WidgetType.allCases {
      #expect(compare(type.section("x").keys, schema.definitions[type.rawValue], type.rawValue) == [])
    }
    #expect(
      Set(schema.definitions["widget"]?.properties?["type"]?.choices ?? [])
        == Set(WidgetType.allCases.map { Choice.word($0.rawValue) }))
  }
}
