// SPDX-License-Identifier: Apache-2.0

import Spelling
import TOMLConfig

extension ConfigTable where Draft == SettingsDraft {
  static var widgets: ConfigTable {
    ConfigTable(
      "widgets", manual: [ConfigTables.widget],
      read: { draft, files, report in
        draft.configuration.widgets = WidgetsDecoder(files, &report).decode(&report)
      },
      check: { draft, files, report in
        WidgetPlacement(files: files).apply(to: &draft.configuration, &report)
        for index in draft.configuration.widgets.indices {
          let name = draft.configuration.widgets[index].name
          let table = WidgetTable(files: files, name: name, teams: draft.configuration.teams)
          draft.configuration.widgets[index].reportMissing(in: files, &report)
          draft.configuration.widgets[index].content.complete(table, &report)
        }
      })
  }
}

/// Reads `[widgets.NAME]`. A widget may have tables in several files, and its keys depend on its type, so the
/// types are read first.
struct WidgetsDecoder {
  private struct Declared {
    var name: String
    var type: (any WidgetContent.Type)?
    /// Whether there is a `type` that cannot be used, which was reported.
    var hasBadType = false
  }

  private let files: ConfigFiles
  private var declared: [Declared] = []

  init(_ files: ConfigFiles, _ report: inout Report) {
    self.files = files
    let tables = NamedTables<Declared>(
      "widgets", noun: "a widget", example: "clock", maximum: 64, keys: ["type"])
    tables.read(
      files.nodes("widgets"), order: files.names("widgets"), into: &declared, name: \.name, &report,
      start: { entry, report in
        entry.value.entries("widgets.\(entry.key)", &report).map { _ in Declared(name: entry.key) }
      },
      apply: { widget, entry, report in
        let title = "widgets.\(entry.key)"
        guard let entries = entry.value.entries(title, &report) else { return }
        for entry in entries where entry.key == "type" {
          let word = ValueKind.widgetType.read(entry.value, Place(key: "type", section: title), &report)
          widget.type = WidgetSettings.kinds.first { $0.typeName == word }
          widget.hasBadType = widget.type == nil
        }
      })
  }

  /// The widgets of the configuration.
  func decode(_ report: inout Report) -> [WidgetSettings] {
    // The built-in widgets stay if no table has a `type`. With a `[game]`, and without rows and pages in the
    // files, they are those of a game.
    let keepsBuiltIn = !declared.contains { $0.type != nil || $0.hasBadType }
    let isGamePage =
      keepsBuiltIn && !files.nodes("game").isEmpty && files.entries("layout", "rows").isEmpty
      && files.nodes("pages").allSatisfy(\.entries.isEmpty)
    // A table for the time that says nothing about its place is about the time on the scoreboard.
    let showsTime = ["weight", "max-height"].allSatisfy { files.entries("widgets", "time", $0).isEmpty }
    let builtIn =
      isGamePage
      ? Configuration.gameWidgets(Set(declared.map(\.name)), showsTime: showsTime)
      : Configuration.builtInWidgets
    var widgets = keepsBuiltIn ? builtIn : []
    for table in declared where !table.hasBadType {
      let known = builtIn.first { $0.name == table.name }
      let start = table.type.map { WidgetSettings(name: table.name, weight: 1, content: $0.init()) } ?? known
      guard var widget = start else {
        reportMissingType(table.name, &report)
        continue
      }
      for entry in files.entries("widgets", table.name) {
        if case .table = entry.value.value { widget.apply(entry.value, &report) }
      }
      if let index = widgets.firstIndex(where: { $0.name == table.name }) {
        widgets[index] = widget
      } else {
        widgets.append(widget)
      }
    }
    if isGamePage { Self.moveTime(into: &widgets) }
    return widgets
  }

  /// Removes the widget for the time of day if the scoreboard shows the time, and has it do so like the
  /// widget.
  private static func moveTime(into widgets: inout [WidgetSettings]) {
    guard let time = widgets.firstIndex(where: { $0.name == "time" }),
      let score = widgets.firstIndex(where: { $0.name == "score" }),
      var settings = widgets[score].content as? ScoreSettings, settings.showTime,
      let clock = widgets[time].content as? FlipClockSettings
    else { return }
    settings.clock = clock
    widgets[score].content = settings
    widgets.remove(at: time)
  }

  private func reportMissingType(_ name: String, _ report: inout Report) {
    guard let table = files.entries("widgets", name).first else { return }
    let builtIn = Configuration.builtInWidgets.map(\.name)
    let types = WidgetSettings.kinds.map { "\"\($0.typeName)\"" }.joined(separator: ", ")
    report.error(
      table.keyLocation, "the widget \(name.quoted) has no type",
      hint: Spelling.hint(for: name, among: builtIn) ?? "write type = one of \(types)")
  }
}
