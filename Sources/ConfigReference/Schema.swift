// SPDX-License-Identifier: Apache-2.0

import Settings
import TOMLConfig

/// A JSON value whose objects keep the order of their members.
enum JSON {
  case object([(String, JSON)])
  case array([JSON])
  case string(String)
  /// The JSON text of a number, a boolean or any other value.
  case raw(String)

  static func number(_ number: Double) -> JSON {
    .raw(number == number.rounded() ? "\(Int(number))" : "\(number)")
  }
  static func number(_ number: Int) -> JSON { .raw("\(number)") }

  /// The JSON text, indented by two spaces per level.
  func text(indent: String = "") -> String {
    let inner = indent + "  "
    func list(_ items: [String], _ opening: String, _ closing: String) -> String {
      items.isEmpty
        ? opening + closing
        : "\(opening)\n" + items.map { inner + $0 }.joined(separator: ",\n") + "\n\(indent)\(closing)"
    }
    switch self {
    case .object(let members):
      return list(members.map { "\(Self.quoted($0.0)): \($0.1.text(indent: inner))" }, "{", "}")
    case .array(let items): return list(items.map { $0.text(indent: inner) }, "[", "]")
    case .string(let text): return Self.quoted(text)
    case .raw(let text): return text
    }
  }

  private static func quoted(_ text: String) -> String {
    "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n"))\""
  }
}

/// The schema of the config for editors, in JSON Schema draft 7.
enum Schema {
  static var text: String { document.text() + "\n" }

  private static let tables = ConfigTables.all

  private static var document: JSON {
    .object([
      ("$schema", .string("http://json-schema.org/draft-07/schema#")),
      ("title", .string("flipclock's config")),
      ("type", .string("object")),
      ("additionalProperties", .raw("false")),
      (
        "properties",
        .object(
          [(ConfigTables.motion.name, property(ConfigTables.motion))]
            + tables.compactMap { table in
              switch table.title {
              case "widgets.NAME": ("widgets", widgets)
              case "pages.NAME": ("pages", pages)
              default: property(table)
              }
            })
      ),
      ("definitions", .object(definitions)),
    ])
  }

  /// The property for a table, or for tables such as `[outputs.NAME]`; nil for a table in another table.
  private static func property(_ table: TableReference) -> (String, JSON)? {
    guard let (name, form) = names(table.title) else {
      return table.title.contains(".") ? nil : (table.title, self.table(table))
    }
    guard !name.contains(".") else { return nil }
    return (name, .object(collection(definition(table), form, [description(table.text)])))
  }

  /// `outputs.NAME` as `outputs` and the form of its names; nil for a table whose name is fixed.
  private static func names(_ title: String) -> (String, NameForm)? {
    for form in [NameForm.name, .id] where title.hasSuffix(".\(form.placeholder)") {
      return (String(title.dropLast(form.placeholder.count + 1)), form)
    }
    return nil
  }

  /// The name of a table's definition: `output` for `outputs.NAME`, `words` for `locale.words`.
  private static func definition(_ table: TableReference) -> String {
    guard let (name, _) = names(table.title) else {
      return String(table.title.split(separator: ".").last ?? "")
    }
    let last = name.split(separator: ".").last ?? ""
    return String(last.hasSuffix("s") ? last.dropLast() : last)
  }

  // MARK: Tables

  private static func description(_ text: String) -> (String, JSON) {
    // The first paragraph is enough for a tooltip.
    ("description", .string(Markup(text.split(separator: "\n\n").first.map(String.init) ?? "").line))
  }

  private static func table(_ table: TableReference) -> JSON {
    closed(table.keys.map { ($0.name, property($0)) }, required(table.keys) + [description(table.text)])
  }

  private static func closed(_ properties: [(String, JSON)], _ more: [(String, JSON)] = []) -> JSON {
    .object(
      [
        ("type", .string("object")), ("additionalProperties", .raw("false")),
        ("properties", .object(properties)),
      ] + more)
  }

  private static func required(_ keys: [KeyReference]) -> [(String, JSON)] {
    let names = keys.filter(\.isRequired).map { JSON.string($0.name) }
    return names.isEmpty ? [] : [("required", .array(names))]
  }

  private static func reference(_ name: String) -> JSON {
    .object([("$ref", .string("#/definitions/\(name)"))])
  }

  private static var pages: JSON {
    .object([
      ("type", .string("object")),
      ("description", .string("Pages that are shown one at a time, instead of [layout].")),
      ("maxProperties", .number(PageSettings.maximumNumber)),
      ("patternProperties", .object([(NameForm.name.pattern, reference("page"))])),
      ("additionalProperties", .raw("false")),
    ])
  }

  private static var widgets: JSON {
    .object([
      ("type", .string("object")), description(ConfigTables.widget.text),
      ("propertyNames", .object([("pattern", .string(NameForm.name.pattern))])),
      (
        "properties",
        .object(
          ConfigTables.builtInWidgets.map { widget in
            (
              widget.name,
              .object([
                ("if", .object([("required", .array([.string("type")]))])),
                ("then", reference("widget")), ("else", reference(widget.typeName)),
              ])
            )
          })
      ),
      ("additionalProperties", reference("widget")),
    ])
  }

  private static var definitions: [(String, JSON)] {
    let seconds =
      "([0-9]+(\\.[0-9]+)?h)?([0-9]+(\\.[0-9]+)?m(in)?)?([0-9]+(\\.[0-9]+)?s)?([0-9]+(\\.[0-9]+)?ms)?"
    func pattern(_ pattern: String) -> JSON {
      .object([("type", .string("string")), ("pattern", .string(pattern))])
    }
    return [
      ("color", pattern("^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$")),
      ("duration", pattern("^(?=[0-9])\(seconds)$")),
      ("clock-time", pattern("^((?=[0-9])\(seconds)|[0-9]+:[0-5]?[0-9](:[0-5]?[0-9])?)$")),
    ]
      + tables.filter { $0.title.contains(".") }.map { table in
        switch table.title {
        case "widgets.NAME": ("widget", widget)
        case "input.keys": ("binding", binding(table))
        default: (definition(table), self.table(table))
        }
      } + ConfigTables.widgets.map { ($0.typeName, table(of: $0)) }
  }

  /// A widget of any type: its keys are those of the type.
  private static var widget: JSON {
    let types = ConfigTables.widgets.map(\.typeName)
    return .object([
      ("type", .string("object")), ("required", .array([.string("type")])),
      ("properties", .object([("type", .object([("enum", .array(types.map(JSON.string)))]))])),
      (
        "allOf",
        .array(
          types.map { type in
            let isType = JSON.object([("type", .object([("const", .string(type))]))])
            return .object([
              ("if", .object([("properties", isType), ("required", .array([.string("type")]))])),
              ("then", reference(type)),
            ])
          })
      ),
    ])
  }

  private static func table(of widget: WidgetReference) -> JSON {
    var properties = ConfigTables.widget.keys.map { ($0.name, property($0)) }
    properties[0].1 = .object([
      ("const", .string(widget.typeName)), description(widget.text),
    ])
    properties += (widget.keys + widget.cardKeys).map { ($0.name, property($0)) }
    return closed(properties, required(widget.keys))
  }

  /// A command, or a table with one.
  private static func binding(_ table: TableReference) -> JSON {
    .object([
      (
        "anyOf",
        .array([
          .object(shape(table.keys[0].shape)),
          closed(table.keys.map { ($0.name, property($0)) }, required(table.keys)),
        ])
      )
    ])
  }

  // MARK: Keys

  private static func property(_ key: KeyReference) -> JSON {
    var members = shape(key.shape)
    if key.name == "counters" { members = collection("counter", .id) }
    if key.name == "words" { members = [("$ref", .string("#/definitions/words"))] }
    if key.name == "keys" { members = collection("binding", nil) }
    if let standard = key.standard { members.append(("default", .raw(standard))) }
    members.append(("description", .string(Markup(key.boundedText).line)))
    return .object(members)
  }

  private static func collection(
    _ name: String, _ form: NameForm?, _ description: [(String, JSON)] = []
  ) -> [(String, JSON)] {
    var members = [("type", JSON.string("object"))] + description
    if let form { members.append(("propertyNames", .object([("pattern", .string(form.pattern))]))) }
    return members + [("additionalProperties", reference(name))]
  }

  private static func shape(_ shape: Shape) -> [(String, JSON)] {
    switch shape {
    case .boolean: return [("type", .string("boolean"))]
    case .text(let maximum): return [("type", .string("string")), ("maxLength", .number(maximum))]
    case .form(let pattern, let maximum, _):
      return [("type", .string("string"))] + (pattern.map { [("pattern", .string($0))] } ?? [])
        + (maximum.map { [("maxLength", .number($0))] } ?? [])
    case .color: return [("$ref", .string("#/definitions/color"))]
    case .duration: return [("$ref", .string("#/definitions/duration"))]
    case .clockTime: return [("$ref", .string("#/definitions/clock-time"))]
    case .percent(let range, let hasFraction):
      // From 0 or 1 to 10 or 100.
      let two = range.upperBound > 10 ? "|[1-9][0-9]" : ""
      let whole = "^([\(range.lowerBound)-9]\(two)|\(range.upperBound))%$"
      return [
        ("type", .string("string")), ("pattern", .string(hasFraction ? "^[0-9]+(\\.[0-9]+)?%$" : whole)),
      ]
    case .number(let range):
      return [
        ("type", .string("number")), ("minimum", .number(range.lowerBound)),
        ("maximum", .number(range.upperBound)),
      ]
    case .integer(let range, let word):
      let bounds = [("minimum", JSON.number(range.lowerBound)), ("maximum", .number(range.upperBound))]
      guard let word else { return [("type", .string("integer"))] + bounds }
      return [
        ("type", .array([.string("integer"), .string("string")])), ("pattern", .string("^\(word)$")),
      ] + bounds
    case .integers(let numbers): return [("enum", .array(numbers.map(JSON.number)))]
    case .choice(let words, let asNumbers):
      return [
        (
          "enum",
          .array((asNumbers ? words.filter { Int($0) != nil }.map(JSON.raw) : []) + words.map(JSON.string))
        )
      ]
    case .array(let element, let count, let isUnique):
      var members: [(String, JSON)] = [("type", .string("array")), ("items", .object(self.shape(element)))]
      if count.lowerBound > 0 { members.append(("minItems", .number(count.lowerBound))) }
      members.append(("maxItems", .number(count.upperBound)))
      if isUnique { members.append(("uniqueItems", .raw("true"))) }
      return members
    case .rows(let maximum):
      let name = JSON.object([("type", .string("string"))])
      let names = JSON.object([("type", .string("array")), ("minItems", .number(1)), ("items", name)])
      return [
        ("type", .string("array")), ("minItems", .number(1)), ("maxItems", .number(maximum)),
        ("items", .object([("oneOf", .array([name, names]))])),
      ]
    case .table: return [("type", .string("object"))]
    }
  }
}
