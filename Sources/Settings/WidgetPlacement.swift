// SPDX-License-Identifier: Apache-2.0

import Spelling
import TOMLConfig

/// Checks which widgets are on which page, when all tables have been read.
struct WidgetPlacement {
  let files: ConfigFiles

  /// Removes a built-in widget if no file has a table for it and no row shows it. A layout without rows gets
  /// a row for every widget.
  func apply(to configuration: inout Configuration, _ report: inout Report) {
    var layouts = [("layout", configuration.layout)]
    if !configuration.pages.isEmpty {
      // `[layout]` and `[pages]` exclude each other, which is reported elsewhere.
      guard files.entries("layout").isEmpty else { return }
      layouts = configuration.pages.map { ("pages.\($0.name)", $0.layout) }.filter { !$0.1.rows.isEmpty }
    } else if configuration.layout.rows.isEmpty {
      configuration.layout.rows = configuration.widgets.map { [$0.name] }
      return
    }
    check(layouts.map(\.0), configuration.widgets.map(\.name), &report)
    let placed = Set(layouts.flatMap { $0.1.rows.joined() })
    for widget in configuration.widgets where !placed.contains(widget.name) {
      guard let table = files.entries("widgets", widget.name).first else { continue }
      let tables = layouts.count == 1 ? "[\(layouts[0].0)]" : "one of the [pages]"
      report.warning(
        table.keyLocation, "the widget \(widget.name.quoted) is in no row",
        hint: "name it in rows below \(tables)")
    }
    configuration.widgets.removeAll {
      !placed.contains($0.name) && files.entries("widgets", $0.name).isEmpty
    }
  }

  /// Checks that every name in the rows of these tables is that of a widget and occurs once in its table.
  private func check(_ titles: [String], _ widgets: [String], _ report: inout Report) {
    // A widget that could not be read was already reported, and is not reported as unknown.
    let declared = files.nodes("widgets").flatMap(\.entries).map(\.key).filter(NameForm.name.accepts)
    var known: [String] = []
    for name in widgets + declared where !known.contains(name) { known.append(name) }
    for title in titles {
      let rows = files.entries(title.split(separator: ".").map(String.init) + ["rows"]).last
      var here: Set<String> = []
      for node in rows?.value.elements.flatMap({ $0.string == nil ? $0.elements : [$0] }) ?? [] {
        guard let name = node.string else { continue }
        if !known.contains(name) {
          report.error(
            node.location, "unknown widget \(name.quoted) in [\(title)]", hint: hint(for: name, known))
        } else if !here.insert(name).inserted {
          let place = title == "layout" ? "the layout" : "[\(title)]"
          report.error(node.location, "the widget \(name.quoted) is in \(place) twice")
        }
      }
    }
  }

  private func hint(for name: String, _ known: [String]) -> String {
    if Configuration.builtInWidgets.contains(where: { $0.name == name }) {
      return "the built-in widgets are there only while no other has a type; add [widgets.\(name)]"
    }
    return Spelling.hint(for: name, among: known) ?? "known are \(known.joined(separator: ", "))"
  }
}
