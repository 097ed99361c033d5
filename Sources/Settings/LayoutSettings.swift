// SPDX-License-Identifier: Apache-2.0

import TOMLConfig

/// Rows of widgets, from top to bottom; the widgets of a row are side by side.
package struct LayoutSettings: Hashable, Sendable {
  package var rows: [[String]] = []
  /// Whether the widgets of a row are stacked on a display that is taller than wide.
  package var stackInPortrait = true
  /// Whether rows may be side by side on a display that is much wider than 16:9.
  package var columnsWhenWide = true

  static let maximumRows = 32

  package init() {}
}

extension Section where Target == LayoutSettings {
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
          the middle of the display; with `false`, each row is in the middle.
          """),
      ])
  }
}

extension ValueKind where Value == [[String]] {
  /// An array of rows, each the name of a widget or an array of names. Whether the widgets exist is checked
  /// after all files have been read.
  static var rows: ValueKind {
    let count = 1...LayoutSettings.maximumRows
    return ValueKind(
      shape: .rows(maximum: count.upperBound),
      read: { node, place, report in
        let hint = "write [\"time\", [\"date\", \"score\"]]"
        return node.elements(
          count, "an array of rows", "must have 1 to \(count.upperBound) rows", hint: hint, countHint: hint,
          place, &report
        ) { row, report in
          var nodes = [row]
          if case .array(let elements) = row.value { nodes = elements }
          if nodes.isEmpty { report.error(row, place, "has an empty row", hint: hint) }
          let names = nodes.compactMap { name in
            if name.string == nil {
              report.error(name, place, "must contain names of widgets, found \(name.found)", hint: hint)
            }
            return name.string
          }
          return names.isEmpty || names.count < nodes.count ? nil : names
        }
      })
  }
}
