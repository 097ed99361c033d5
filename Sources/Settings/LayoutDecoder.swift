// SPDX-License-Identifier: Apache-2.0

import Spelling

/// What `[layout]` or a page says before the widgets are known.
struct LayoutDraft {
  /// The names of each row and where they are written; nil: there is no `rows`.
  var rows: [[(name: String, location: Location)]]?
  var stackInPortrait = LayoutSettings().stackInPortrait
  var columnsWhenWide = LayoutSettings().columnsWhenWide
}

extension Section where Target == LayoutDraft {
  static var layout: Section { layout(title: "layout") }

  /// The keys of a layout, in a table with this title.
  static func layout(title: String) -> Section {
    Section(
      title: title,
      text: """
        Where the widgets are. There is either one `[layout]` or several pages, `[pages.NAME]`, of which one is shown at
        a time: the first one at the start, then another by `flipclockctl show NAME` or in turn. The names are yours to
        choose, and a widget may be on several pages.

        The widgets of a page are made as small as necessary. A widget that still does not fit is left out; the log,
        `flipclockctl status` and `flipclockctl check` name it.
        """,
      keys: [
        Key(
          "rows", \.rows, .rows,
          """
          The rows from top to bottom. A row is the name of a widget, or an array of names for several side by side. A
          layout without it has a row for every widget; a page needs it.
          """, example: "[\"time\", [\"date\", \"score\"]]"),
        Key(
          "stack-in-portrait", \.stackInPortrait, .boolean,
          """
          Whether the widgets of a row are stacked on a display that is taller than wide. Widgets keep their proportions
          there, so that some space stays empty above, between and below them.
          """),
        Key(
          "columns-when-wide", \.columnsWhenWide, .boolean,
          """
          Whether rows are placed side by side on a display that is more than 2.1 times as wide as high, such as 21:9, if
          that makes the widgets larger. The columns have equal distances, so a scoreboard beside the time of day is not in
          the middle of the display; with `false` it is, above the time.
          """),
      ])
  }
}

extension ValueKind where Value == [[(name: String, location: Location)]] {
  /// An array of rows, each the name of a widget or an array of names.
  static var rows: ValueKind {
    ValueKind(
      shape: .rows(maximum: LayoutDecoder.maximumRows),
      read: { node, place, report in
        let hint = "write [\"time\", [\"date\", \"score\"]]"
        guard case .array(let nodes) = node.value else {
          report.mismatch(node, place, "an array of rows", hint: hint)
          return nil
        }
        guard (1...LayoutDecoder.maximumRows).contains(nodes.count) else {
          let message =
            "\(place.description) must have 1 to \(LayoutDecoder.maximumRows) rows, found \(nodes.count)"
          report.error(node.location, message, hint: hint)
          return nil
        }
        var rows: [[(name: String, location: Location)]] = []
        var isGood = true
        for row in nodes {
          var names = [row]
          if case .array(let nodes) = row.value { names = nodes }
          if names.isEmpty {
            report.error(row, place, "has an empty row", hint: hint)
            isGood = false
          }
          rows.append([])
          for name in names {
            guard case .string(let text) = name.value else {
              report.error(name, place, "must hold names of widgets, found \(name.found)", hint: hint)
              isGood = false
              continue
            }
            rows[rows.count - 1].append((text, name.location))
          }
        }
        return isGood ? rows : nil
      })
  }
}

/// Reads `[layout]` of all files, then checks it against the widgets.
struct LayoutDecoder {
  static let maximumRows = 32

  private var draft = LayoutDraft()
  /// Where the table is first written.
  private(set) var location: Location?

  var hasRows: Bool { draft.rows != nil }

  mutating func collect(_ entry: Node.Entry, _ report: inout Report) {
    location = location ?? entry.keyLocation
    Section.layout.apply(entry.value, to: &draft, &report)
  }

  /// The layout. Removes a built-in widget from `settings` if no file has a table for it and no row shows it.
  func decode(
    _ widgets: WidgetsDecoder, _ settings: inout [WidgetSettings], _ report: inout Report
  ) -> LayoutSettings {
    var layout = LayoutSettings()
    layout.stackInPortrait = draft.stackInPortrait
    layout.columnsWhenWide = draft.columnsWhenWide
    guard let rows = draft.rows else {
      layout.rows = settings.map { [$0.name] }
      return layout
    }
    RowsDraft.check([RowsDraft(title: "layout", rows: rows)], widgets, &settings, &report)
    layout.rows = rows.map { $0.map(\.name) }
    return layout
  }
}

/// The rows of a layout or a page, whose names are still to be checked.
struct RowsDraft {
  /// The name of the table.
  var title: String
  var rows: [[(name: String, location: Location)]]

  /// Checks that every name is that of a widget and occurs once on its page, and that every widget is on a page.
  /// Removes a built-in widget from `settings` if no file has a table for it and no row shows it.
  static func check(
    _ drafts: [RowsDraft], _ widgets: WidgetsDecoder, _ settings: inout [WidgetSettings],
    _ report: inout Report
  ) {
    // A widget that could not be read was already reported, and is not reported as unknown.
    let known = settings.map(\.name) + widgets.names
    var placed: Set<String> = []
    for draft in drafts {
      var here: Set<String> = []
      for (name, location) in draft.rows.joined() {
        if !known.contains(name) {
          draft.reportUnknown(name, location, known, &report)
        } else if !here.insert(name).inserted {
          let place = draft.title == "layout" ? "the layout" : "[\(draft.title)]"
          report.error(location, "the widget \(name.quoted) is in \(place) twice")
        }
      }
      placed.formUnion(here)
    }
    for widget in settings where !placed.contains(widget.name) {
      guard let location = widgets.location(of: widget.name) else { continue }
      let tables = drafts.count == 1 ? "[\(drafts.first?.title ?? "layout")]" : "one of the [pages]"
      report.warning(
        location, "the widget \(widget.name.quoted) is in no row", hint: "name it in rows below \(tables)")
    }
    settings.removeAll { !placed.contains($0.name) && widgets.location(of: $0.name) == nil }
  }

  private func reportUnknown(
    _ name: String, _ location: Location, _ known: [String], _ report: inout Report
  ) {
    var names: [String] = []
    for name in known where !names.contains(name) { names.append(name) }
    let isBuiltIn = Configuration.builtInWidgets.contains { $0.name == name }
    let hint =
      isBuiltIn
      ? "the built-in widgets are there only while no other has a type; add [widgets.\(name)]"
      : Spelling.hint(for: name, among: names) ?? "known are \(names.joined(separator: ", "))"
    report.error(location, "unknown widget \(name.quoted) in [\(title)]", hint: hint)
  }
}
