// SPDX-License-Identifier: Apache-2.0

import Spelling

/// What `[layout]` says before the widgets are known.
struct LayoutDraft {
  /// The names of each row and where they stand; nil when nothing is said about rows.
  var rows: [[(name: String, location: Location)]]?
  var stackInPortrait = LayoutSettings().stackInPortrait
}

extension Section where Target == LayoutDraft {
  static var layout: Section {
    Section(
      title: "layout",
      keys: [
        Key("rows", \.rows, .rows),
        Key("stack-in-portrait", \.stackInPortrait, .boolean),
      ])
  }
}

extension ValueKind where Value == [[(name: String, location: Location)]] {
  /// An array of rows, each a widget's name or an array of such.
  static var rows: ValueKind {
    ValueKind(shape: .array) { node, place, report in
      let hint = "write [\"time\", [\"date\", \"score\"]]"
      guard case .array(let nodes) = node.value else {
        report.error(
          node.location, "\(place.description) must be an array of rows, found \(node.found)", hint: hint)
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
          report.error(row.location, "\(place.description) has an empty row", hint: hint)
          isGood = false
        }
        rows.append([])
        for name in names {
          guard case .string(let text) = name.value else {
            report.error(
              name.location, "\(place.description) must hold names of widgets, found \(name.found)",
              hint: hint)
            isGood = false
            continue
          }
          rows[rows.count - 1].append((text, name.location))
        }
      }
      return isGood ? rows : nil
    }
  }
}

/// Reads `[layout]` of all files, then checks it against the widgets.
struct LayoutDecoder {
  static let maximumRows = 32

  private var draft = LayoutDraft()

  mutating func collect(_ node: Node, _ report: inout Report) {
    Section.layout.apply(node, to: &draft, &report)
  }

  /// The layout; built-in widgets that no file names and no row shows leave `settings`.
  func decode(
    _ widgets: WidgetsDecoder, _ settings: inout [WidgetSettings], _ report: inout Report
  ) -> LayoutSettings {
    var layout = LayoutSettings()
    layout.stackInPortrait = draft.stackInPortrait
    guard let rows = draft.rows else {
      layout.rows = settings.map { [$0.name] }
      return layout
    }
    var placed: Set<String> = []
    // A widget that could not be read is not also unknown.
    let known = settings.map(\.name) + widgets.names
    for (name, location) in rows.joined() {
      if !known.contains(name) {
        reportUnknown(name, location, known, &report)
      } else if !placed.insert(name).inserted {
        report.error(location, "the widget \(name.quoted) stands in the layout twice")
      }
    }
    for widget in settings where !placed.contains(widget.name) {
      guard let location = widgets.location(of: widget.name) else { continue }
      report.warning(
        location, "the widget \(widget.name.quoted) is in no row", hint: "name it in rows below [layout]")
    }
    settings.removeAll { !placed.contains($0.name) && widgets.location(of: $0.name) == nil }
    layout.rows = rows.map { $0.map(\.name) }
    return layout
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
    report.error(location, "unknown widget \(name.quoted) in [layout]", hint: hint)
  }
}
