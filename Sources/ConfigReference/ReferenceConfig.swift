// SPDX-License-Identifier: Apache-2.0

import MQTTConfig
import Settings
import TOMLConfig

/// The reference config: every key, with its default or an example.
struct ReferenceConfig {
  private static let width = 112
  private static let introduction = """
    #:schema ./flipclock.schema.json
    #
    # The config of flipclockd: every key, with what it does and what it accepts. This file changes nothing: all its
    # lines are comments. (It is generated: `make docs` writes it from the tables in Sources/Settings.)
    #
    # A line such as `#key = value` is a key with its default. To change it, remove the `#` from the line and from the
    # `#[table]` above it, and write another value.
    #
    # A line that begins with `# example: ` has a key that is not set by default, or whose default depends on other
    # keys. To use it, remove `# example: ` from the line, and `#` or `# example: ` from the table above it, and write
    # your own value.
    #
    # The config is read from /etc/flipclock/config.toml. To change only a few keys, and leave this file as it is, write
    # them into a file of their own, such as /etc/flipclock/config.toml.d/50-mine.toml; such files are read in the order
    # of their names. The picture changes when a file is saved, and `flipclockctl check` prints mistakes. Without any
    # file every key has its default.
    #
    # How values are written
    #   durations   "500ms", "0.5s", "5min", "1h30min" or "7d", always with the unit
    #   times       "10:00" or "1:30:00", or a duration
    #   colours     "#ff8800" or "#f80" (red, green, blue)
    #   yes or no   true, false
    """

  private var lines: [String]
  /// The texts of tables and keys that have been written; those of keys as `origin key`.
  private var explained: Set<String> = []

  /// A line `key = value`. Of several lines with the same origin and key, only the first has the key's text
  /// above it.
  private struct Line {
    var key: KeyReference
    /// The value of an example; nil: the key's own example, or without one its default.
    var value: String?
    /// The table that the key belongs to: keys of the same name in different tables may have different texts.
    var origin: String
  }

  private init(_ introduction: String) {
    lines = introduction.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private var text: String { lines.joined(separator: "\n") + "\n" }

  static var text: String {
    var file = ReferenceConfig(introduction)
    file.heading("Motion")
    file.lines.append("")
    file.add([Line(key: ConfigTables.motion, origin: "")], isExample: false)
    for table in ConfigTables.all { file.add(table) }
    return file.text
  }

  private static let mqttIntroduction = """
    # The config of flipclock-mqtt: every key, with what it does and what it accepts. This file changes nothing: all its
    # lines are comments. (It is generated: `make docs` writes it from the tables in Sources/MQTTConfig.)
    #
    # A line such as `#key = value` is a key with its default. To change it, remove the `#` from the line and from the
    # `#[table]` above it, and write another value. A line that begins with `# example: ` has a key that is not set by
    # default; to use it, remove `# example: `.
    #
    # The config is read from /etc/flipclock/mqtt.toml when flipclock-mqtt starts, and `flipclock-mqtt --check` prints
    # mistakes. Without the file every key has its default: a broker on this machine is used, without a password.
    """

  /// The reference config of flipclock-mqtt.
  static var mqttText: String {
    var file = ReferenceConfig(mqttIntroduction)
    for table in MQTTSettingsLoader.format.manual { file.add(table) }
    return file.text
  }

  // MARK: Parts

  private mutating func heading(_ title: String) {
    let line = "# ── \(title) "
    lines += ["", "", line + String(repeating: "─", count: max(Self.width - line.count, 3))]
  }

  /// Adds an empty line and a comment, unless the comment has been written before.
  private mutating func explain(_ text: String) {
    if explained.insert(text).inserted { lines += [""] + comment(text) }
  }

  private func comment(_ text: String) -> [String] {
    Markup(text).lines(width: Self.width - 2).map { $0.isEmpty ? "#" : "# \($0)" }
  }

  /// Adds a table below its text.
  private mutating func add(_ table: TableReference) {
    if let heading = table.heading { self.heading(heading) }
    explain(table.text)
    switch table.title {
    case "teams.ID": addTeams()
    case "widgets.NAME": addWidgets()
    case "input.keys": addBindings()
    default:
      let example = table.example
      let keys = table.keys.filter { $0.shape != .table && (example?.keys?.contains($0.name) ?? true) }
      let lines = keys.map {
        Line(key: $0, value: example?.values[$0.name], origin: table.base ?? table.title)
      }
      self.table(example?.title ?? table.title, lines, isExample: example != nil)
    }
  }

  private mutating func table(_ title: String, _ keys: [Line], isExample: Bool) {
    lines += ["", (isExample ? "# example: " : "#") + "[\(title)]"]
    add(keys, isExample: isExample)
  }

  private mutating func add(_ keys: [Line], isExample: Bool) {
    for line in keys {
      let key = line.key
      if explained.insert("\(line.origin) \(key.name)").inserted {
        // An example's value may differ from the default, so the text names the default.
        lines += comment(isExample ? key.fullText : key.boundedText)
      }
      if !isExample, let standard = key.standard {
        lines.append("#\(key.name) = \(standard)")
      } else if let value = line.value ?? key.example ?? key.standard {
        lines.append("# example: \(key.name) = \(value)")
      }
    }
  }

  private mutating func addTeams() {
    for (index, team) in ConfigTables.builtInTeams().enumerated() {
      // The tables after the first have only the keys with a default, such as the name and the colour.
      let keys = index == 0 ? team.keys : team.keys.filter { $0.standard != nil }
      table("teams.\(team.id)", keys.map { Line(key: $0, origin: "teams") }, isExample: false)
    }
  }

  private mutating func addWidgets() {
    let kinds = ConfigTables.widgets
    for widget in ConfigTables.builtInWidgets {
      guard let kind = kinds.first(where: { $0.typeName == widget.typeName }) else { continue }
      explain(kind.text)
      table("widgets.\(widget.name)", lines(of: kind, widget.keys), isExample: false)
    }
    for kind in kinds where !ConfigTables.builtInWidgets.contains(where: { $0.typeName == kind.typeName }) {
      explain(kind.text)
      var common = ConfigTables.widget.keys
      common[0].standard = "\"\(kind.typeName)\""
      let keys = lines(of: kind, common + kind.keys + kind.cardKeys)
      guard kind.typeName == "timer" else {
        table("widgets.my-\(kind.typeName)", keys, isExample: true)
        continue
      }
      // Countdowns have keys that no other timer has.
      let countdown = ["countdown", "until", "zone", "warning", "seconds", "overtime"]
      table("widgets.my-timer", keys.filter { !countdown.contains($0.key.name) }, isExample: true)
      let named = ["type", "source"] + countdown
      table(
        "widgets.my-countdown",
        keys.filter { named.contains($0.key.name) }.map { line in
          var line = line
          if line.key.name == "source" { line.value = "\"countdown\"" }
          return line
        }, isExample: true)
    }
  }

  /// The keys of a widget. The common keys and those of cards are explained at their first use.
  private func lines(of kind: WidgetReference, _ keys: [KeyReference]) -> [Line] {
    keys.map { key in
      let isOwn = kind.keys.contains { $0.name == key.name }
      return Line(key: key, origin: isOwn ? kind.typeName : "widgets")
    }
  }

  private mutating func addBindings() {
    lines += [
      "",
      "# example: [input.keys]",
      "# example: KP1 = \"add-score home +1\"",
      "# example: KP4 = \"add-score home -1\"",
      "# example: KPENTER = \"timer toggle\"",
      "# example: KP0 = \"message TIME OUT --for 30s\"",
      "# example: PAGEDOWN = \"show match\"",
      "# example: B = \"blank --toggle\"",
      "# example: F9 = \"network open\"",
      "# example: VOLUMEUP = { do = \"add-score guest +1\", repeat = true }",
    ]
  }
}
