// SPDX-License-Identifier: Apache-2.0

import Spelling

/// A theme, and the keys of it that the config writes.
struct ThemeDraft {
  var settings = ThemeSettings()
  /// The names of the keys that are written.
  var written: Set<String> = []
}

extension Section where Target == ThemeDraft {
  static var theme: Section {
    theme(
      title: "theme", base: "name",
      text: """
        The fonts, the colours and the shape of the cards. `name` chooses a theme, and the other keys change it. The
        built-in themes are `"dark"`, the default; `"paper"`, dark on white; `"night"`, red on black with very little
        light; `"amber"`; `"solari"`, the departure boards of railway stations, yellow on black; and `"high-contrast"`.

        The small text should have a contrast of at least 4.5 with the background, and the symbols of at least 3 with
        the cards (WCAG 2.1); `flipclockctl check` warns if they have less.
        """,
      about: "The theme: a built-in one or one of `[themes.NAME]`.", standard: ThemeSettings.standardName)
  }

  /// `[themes.NAME]`
  static func theme(_ name: String) -> Section {
    theme(
      title: "themes.\(name)", base: "base",
      text: """
        A theme of your own, or changes to the built-in theme NAME. It has the keys of `[theme]`, and `base` instead of
        `name`. `[theme]` and the pages select it by its name. There are at most 32 of these tables.
        """,
      about: """
        The theme that is changed: a built-in one or another one of `[themes.NAME]`. Without it, the built-in theme NAME,
        or `"dark"` if there is none.
        """, standard: nil)
  }

  private static func theme(
    title: String, base: String, text: String, about: String, standard: String?
  ) -> Section {
    let kind = ValueKind<String>.themeName
    let key = Key<ThemeDraft>(
      name: base, shape: kind.shape, text: about, example: "\"paper\"",
      written: { _ in standard.map { Units.string($0) } }
    ) { _, node, place, report in
      // `ThemesDecoder` reads the name before it applies the table.
      _ = kind.read(node, place, &report)
    }
    let others = Section<ThemeSettings>.themeKeys.map { key in
      Key<ThemeDraft>(
        name: key.name, shape: key.shape, text: key.text, example: key.example,
        written: { key.written($0.settings) }
      ) { draft, node, place, report in
        draft.written.insert(key.name)
        key.apply(&draft.settings, node, place, &report)
      }
    }
    return Section(title: title, text: text, keys: [key] + others)
  }
}

extension ValueKind where Value == String {
  /// The name of a theme. Whether there is such a theme is known after all files have been read.
  static var themeName: ValueKind {
    ValueKind(
      shape: .form(pattern: ConfigTables.namePattern, maximum: nil), "the name of a theme",
      hint: "write \"paper\""
    ) {
      if case .string(let name) = $0 { name } else { nil }
    }
  }
}

/// Collects `[theme]` and `[themes.NAME]` of all files, then applies them to the themes that they change.
struct ThemesDecoder {
  static let maximumThemes = 32

  /// What all files write in the table of a theme, and where the theme is first named.
  private struct Table {
    var name: String
    var nodes: [Node] = []
    var location: Location
  }

  /// A theme while the tables are applied.
  private struct Resolved {
    var name: String
    var draft: ThemeDraft
  }

  private var nodes: [Node] = []
  private var tables: [Table] = []
  private var resolved: [Resolved] = ThemeSettings.builtIn.map {
    Resolved(name: $0.name, draft: ThemeDraft(settings: $0.settings))
  }
  /// Where `[theme]` is first written; nil: nowhere.
  private(set) var location: Location?

  mutating func collectTheme(_ entry: Node.Entry) {
    location = location ?? entry.keyLocation
    nodes.append(entry.value)
  }

  mutating func collect(_ node: Node, _ report: inout Report) {
    for entry in node.tables(
      "themes", example: "club", keys: Section<ThemeDraft>.theme("").keys.map(\.name), &report) ?? []
    {
      guard WidgetsDecoder.isName(entry.key) else {
        report.error(
          entry.keyLocation, "\(entry.key.quoted) is not a name for a theme",
          hint: "names are 1 to 32 letters, digits, '-' and '_'")
        continue
      }
      let known = tables.firstIndex { $0.name == entry.key }
      guard known != nil || tables.count < Self.maximumThemes else {
        report.tooMany("themes.NAME", Self.maximumThemes, at: entry.keyLocation)
        return
      }
      if known == nil { tables.append(Table(name: entry.key, location: entry.keyLocation)) }
      tables[known ?? tables.count - 1].nodes.append(entry.value)
    }
  }

  /// Where a file first names a theme; nil: no file changes it.
  func location(of name: String) -> Location? { tables.first { $0.name == name }?.location }

  /// The theme of `[theme]`, and all themes that can be selected by name.
  ///
  /// A font that `[theme]` changes applies to all themes that no table gives a font of their own.
  mutating func decode(_ report: inout Report) -> (theme: ThemeSettings, themes: [NamedTheme]) {
    var open = tables.map(\.name)
    while let name = open.first { define(name, &open, [], &report) }
    let base = Self.base(of: nodes, key: "name")
    if let base { check(base.name, at: base.location, in: "theme", &report) }
    let chosen = settings(of: base?.name ?? ThemeSettings.standardName)
    var theme = ThemeDraft(settings: chosen)
    for node in nodes { Section.theme.apply(node, to: &theme, &report) }
    let themes = resolved.map { entry in
      var named = NamedTheme(name: entry.name, settings: entry.draft.settings)
      func take(_ font: WritableKeyPath<ThemeSettings, String>, _ key: String) {
        guard theme.settings[keyPath: font] != chosen[keyPath: font], !entry.draft.written.contains(key)
        else {
          return
        }
        named.settings[keyPath: font] = theme.settings[keyPath: font]
      }
      take(\.symbolFont, "symbol-font")
      take(\.labelFont, "label-font")
      return named
    }
    return (theme.settings, themes)
  }

  /// Reports a theme that the table `title` names and that does not exist.
  func check(_ name: String, at location: Location, in title: String, _ report: inout Report) {
    let builtIn = ThemeSettings.builtIn.map(\.name)
    let known = builtIn + tables.map(\.name).filter { !builtIn.contains($0) }
    guard !known.contains(name) else { return }
    report.error(
      location, "unknown theme \(name.quoted) in [\(title)]",
      hint: Spelling.hint(for: name, among: known) ?? "known are \(known.joined(separator: ", "))")
  }

  private func settings(of name: String) -> ThemeSettings {
    resolved.first { $0.name == name }?.draft.settings ?? ThemeSettings()
  }

  /// Defines the theme of a table, after the theme that it changes.
  ///
  /// - Parameters:
  ///   - open: the names of the tables whose themes are not defined yet.
  ///   - path: the themes that wait for this one, because they change it.
  private mutating func define(
    _ name: String, _ open: inout [String], _ path: [String], _ report: inout Report
  ) {
    open.removeAll { $0 == name }
    guard let table = tables.first(where: { $0.name == name }) else { return }
    var draft = ThemeDraft(settings: settings(of: name))
    if let base = Self.base(of: table.nodes, key: "base"), base.name != name || !isBuiltIn(name) {
      if (path + [name]).contains(base.name) {
        report.error(
          base.location, "the theme \(name.quoted) is based on itself",
          hint: "name another base, such as \"\(ThemeSettings.standardName)\"")
      } else {
        check(base.name, at: base.location, in: "themes.\(name)", &report)
        if open.contains(base.name) { define(base.name, &open, path + [name], &report) }
        draft = ThemeDraft(settings: settings(of: base.name))
        // A font that the base's table names is the theme's own, too.
        draft.written = resolved.first { $0.name == base.name }?.draft.written ?? []
      }
    }
    for node in table.nodes { Section.theme(name).apply(node, to: &draft, &report) }
    if let index = resolved.firstIndex(where: { $0.name == name }) {
      resolved[index].draft = draft
    } else {
      resolved.append(Resolved(name: name, draft: draft))
    }
  }

  private func isBuiltIn(_ name: String) -> Bool { ThemeSettings.builtIn.contains { $0.name == name } }

  /// The theme that the last of these tables with a `key` names. Anything but a string is reported when the tables are
  /// applied.
  private static func base(of nodes: [Node], key: String) -> (name: String, location: Location)? {
    var base: (name: String, location: Location)?
    for case .table(let entries) in nodes.map(\.value) {
      for entry in entries where entry.key == key {
        if case .string(let name) = entry.value.value { base = (name, entry.value.location) }
      }
    }
    return base
  }
}
