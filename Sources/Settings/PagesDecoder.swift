// SPDX-License-Identifier: Apache-2.0

import Spelling

/// What `[rotation]` says before the pages are known.
struct RotationDraft {
  var pages: [(name: String, location: Location)]?
  var every: (seconds: Double, location: Location)?
}

extension Section where Target == RotationDraft {
  static var rotation: Section {
    let every = ValueKind<Double>.duration(maximum: 86_400, sensible: 1)
    return Section(
      title: "rotation",
      text: "Pages that are shown in turn, without a command.",
      keys: [
        Key(
          name: "every", shape: every.shape,
          text: """
            How long each page stays, at least `"1s"`. `"0s"`: pages change only by `flipclockctl show`.
            """,
          written: { every.write($0.every?.seconds ?? 0) }
        ) { draft, node, place, report in
          if let seconds = every.read(node, place, &report) { draft.every = (seconds, node.location) }
        },
        Key(
          "pages", \.pages, .pageNames,
          "The order of the pages. Without it all pages are shown, in the order of the config.",
          example: "[\"match\"]"),
      ])
  }
}

extension ValueKind where Value == [(name: String, location: Location)] {
  /// Names of pages. Whether there are such pages is known after all files have been read.
  static var pageNames: ValueKind {
    ValueKind(
      shape: .array(
        of: .form(pattern: nil, maximum: nil), count: 1...PagesDecoder.maximumPages, isUnique: true),
      read: { node, place, report in
        let hint = "write [\"clock\", \"match\"]"
        guard case .array(let nodes) = node.value else {
          report.mismatch(node, place, "an array of pages", hint: hint)
          return nil
        }
        guard (1...PagesDecoder.maximumPages).contains(nodes.count) else {
          let message =
            "\(place.description) must name 1 to \(PagesDecoder.maximumPages) pages, found \(nodes.count)"
          report.error(node.location, message, hint: hint)
          return nil
        }
        var names: [(name: String, location: Location)] = []
        for node in nodes {
          guard case .string(let name) = node.value else {
            report.error(node, place, "must hold names of pages, found \(node.found)", hint: hint)
            return nil
          }
          guard !names.contains(where: { $0.name == name }) else {
            report.error(node, place, "names \(name.quoted) twice")
            return nil
          }
          names.append((name, node.location))
        }
        return names
      })
  }
}

/// What `[pages.NAME]` says before the widgets and the themes are known.
struct PageDraft {
  var layout = LayoutDraft()
  /// The value of `theme` in each file that sets it.
  var themes: [(name: String, location: Location)] = []
}

extension Section where Target == PageDraft {
  static func page(_ name: String) -> Section {
    let layout = Section<LayoutDraft>.layout(title: "pages.\(name)")
    let kind = ValueKind<String>.themeName
    let theme = Key<PageDraft>(
      name: "theme", shape: kind.shape,
      text: "The theme of the page: a built-in one or one of `[themes.NAME]`. Without it, that of `[theme]`.",
      example: "\"night\"", written: { _ in nil }
    ) { draft, node, place, report in
      if let name = kind.read(node, place, &report) { draft.themes.append((name, node.location)) }
    }
    return Section(
      title: layout.title, text: layout.text, keys: layout.keys.map { $0.part(of: \.layout) } + [theme])
  }
}

/// Reads `[pages.NAME]` and `[rotation]` of all files, then checks the pages against the widgets, and the rotation
/// against the pages.
struct PagesDecoder {
  static let maximumPages = 32

  private struct Draft {
    var name: String
    var page = PageDraft()
    var location: Location
  }

  private var drafts: [Draft] = []
  private var rotation = RotationDraft()
  private var rotationLocation: Location?

  var isEmpty: Bool { drafts.isEmpty }

  /// Where a page is first named.
  func location(of name: String) -> Location? { drafts.first { $0.name == name }?.location }

  mutating func collect(_ node: Node, _ report: inout Report) {
    for entry in node.tables("pages", example: "main", keys: Section.page("").keys.map(\.name), &report) ?? []
    {
      guard WidgetsDecoder.isName(entry.key) else {
        report.error(
          entry.keyLocation, "\(entry.key.quoted) is not a name for a page",
          hint: "names are 1 to 32 letters, digits, '-' and '_'")
        continue
      }
      let known = drafts.firstIndex { $0.name == entry.key }
      guard known != nil || drafts.count < Self.maximumPages else {
        report.tooMany("pages.NAME", Self.maximumPages, at: entry.keyLocation)
        return
      }
      if known == nil { drafts.append(Draft(name: entry.key, location: entry.keyLocation)) }
      Section.page(entry.key).apply(entry.value, to: &drafts[known ?? drafts.count - 1].page, &report)
    }
  }

  mutating func collectRotation(_ entry: Node.Entry, _ report: inout Report) {
    rotationLocation = rotationLocation ?? entry.keyLocation
    Section.rotation.apply(entry.value, to: &rotation, &report)
  }

  /// The pages. Removes a built-in widget from `settings` if no file has a table for it and no page shows it.
  ///
  /// - Parameter layout: where `[layout]` is written, for the error that it excludes `[pages]`; nil: there is none.
  func decode(
    _ widgets: WidgetsDecoder, _ settings: inout [WidgetSettings], layout: Location?, _ themes: ThemesDecoder,
    _ report: inout Report
  ) -> [PageSettings] {
    if let layout {
      report.error(
        layout, "[layout] and [pages] exclude each other",
        hint: "move the rows of [layout] into a page, [pages.\(Configuration.onlyPage)]")
      return []
    }
    var rows: [RowsDraft] = []
    for draft in drafts {
      for theme in draft.page.themes {
        themes.check(theme.name, at: theme.location, in: "pages.\(draft.name)", &report)
      }
      guard let named = draft.page.layout.rows else {
        report.error(
          draft.location, "the page \(draft.name.quoted) has no rows",
          hint: "write rows = [\"time\", \"date\"]")
        continue
      }
      rows.append(RowsDraft(title: "pages.\(draft.name)", rows: named))
    }
    RowsDraft.check(rows, widgets, &settings, &report)
    return drafts.map { draft in
      var layout = LayoutSettings()
      layout.stackInPortrait = draft.page.layout.stackInPortrait
      layout.columnsWhenWide = draft.page.layout.columnsWhenWide
      layout.rows = (draft.page.layout.rows ?? []).map { $0.map(\.name) }
      return PageSettings(name: draft.name, layout: layout, theme: draft.page.themes.last?.name)
    }
  }

  /// Reports a page that the table `title` names and that does not exist.
  func check(_ name: String, at location: Location, in title: String, _ report: inout Report) {
    let known = drafts.map(\.name)
    guard !known.contains(name) else { return }
    let hint =
      known.isEmpty
      ? WidgetsDecoder.isName(name) ? "declare it as [pages.\(name)]" : "declare [pages.NAME]"
      : Spelling.hint(for: name, among: known) ?? "known are \(known.joined(separator: ", "))"
    report.error(location, "unknown page \(name.quoted) in [\(title)]", hint: hint)
  }

  func decodeRotation(_ report: inout Report) -> RotationSettings {
    var settings = RotationSettings()
    guard let rotationLocation else { return settings }
    for (name, location) in rotation.pages ?? [] { check(name, at: location, in: "rotation", &report) }
    if let every = rotation.every {
      if every.seconds > 0, every.seconds < 1 {
        report.error(
          every.location, "'every' in [rotation] must be at least \"1s\", or \"0s\" for never")
      }
      if every.seconds > 0, drafts.isEmpty {
        report.error(rotationLocation, "[rotation] has no pages to go through", hint: "declare [pages.NAME]")
      }
      settings.every = every.seconds
    }
    settings.pages = (rotation.pages ?? []).map(\.name)
    return settings
  }
}
