// SPDX-License-Identifier: Apache-2.0

import TOMLConfig

extension ConfigTable where Draft == SettingsDraft {
  static var theme: ConfigTable {
    ConfigTable(
      "theme", keys: Section.theme.keys.map(\.name),
      manual: [TableReference(.theme, standard: ThemeSettings(), heading: "Fonts and colours")],
      // It changes a theme, which may be one of `themes`, so it is read with them.
      read: { _, _, _ in })
  }

  static var themes: ConfigTable {
    ConfigTable(
      "themes",
      manual: [
        TableReference(
          .theme("NAME"), standard: nil,
          example: .init(
            "themes.my-theme", keys: ["base", "symbol"], values: ["symbol": "\"#b3261e\""]), base: "theme")
      ],
      read: { draft, files, report in
        let tables = NamedTables<String>(
          "themes", noun: "a theme", example: "club", maximum: 32,
          keys: Section<ThemeSettings>.theme("").keys.map(\.name))
        tables.read(
          files.nodes("themes"), order: files.names("themes"), into: &draft.themes, name: \.self, &report,
          start: { entry, _ in entry.key }, apply: { _, _, _ in })
        var decoder = ThemesDecoder(files)
        (draft.configuration.theme, draft.configuration.themes) = decoder.decode(draft.themes, &report)
      },
      check: { draft, _, report in
        let builtIn = ThemeSettings.builtIn.map(\.name)
        report.resolve("theme", among: builtIn + draft.themes.filter { !builtIn.contains($0) })
      })
  }
}

extension Section where Target == ThemeSettings {
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
    let key = Key<ThemeSettings>(
      name: base, shape: kind.shape, text: about, example: "\"paper\"",
      written: { _ in standard.map { Units.string($0) } }
    ) { _, node, place, report in
      // `ThemesDecoder` reads the name before it applies the table.
      _ = kind.read(node, place, &report)
    }
    return Section(title: title, text: text, keys: [key] + themeKeys)
  }
}

/// Applies `[theme]` and `[themes.NAME]` of all files to the themes that they change.
struct ThemesDecoder {
  /// A theme while the tables are applied.
  private struct Resolved {
    var named: NamedTheme
    /// The names of the keys in the tables of the theme and of its bases.
    var written: Set<String> = []
  }

  private let files: ConfigFiles
  private var resolved: [Resolved]

  init(_ files: ConfigFiles) {
    self.files = files
    resolved = ThemeSettings.builtIn.map { Resolved(named: $0) }
  }

  /// The theme of `[theme]`, and all themes that can be selected by name.
  ///
  /// A font that `[theme]` changes also applies to every other theme, unless a table sets that font for it.
  ///
  /// - Parameter names: the names of the tables.
  mutating func decode(
    _ names: [String], _ report: inout Report
  ) -> (theme: ThemeSettings, themes: [NamedTheme]) {
    var open = names
    while let name = open.first { define(name, &open, [], &report) }
    let chosen = settings(of: base(in: ["theme"], key: "name")?.string ?? ThemeSettings.standardName)
    var theme = chosen
    for node in files.nodes("theme") { Section.theme.apply(node, to: &theme, &report) }
    let themes = resolved.map { entry in
      var named = entry.named
      func take(_ font: WritableKeyPath<ThemeSettings, String>, _ key: String) {
        guard theme[keyPath: font] != chosen[keyPath: font], !entry.written.contains(key) else { return }
        named.settings[keyPath: font] = theme[keyPath: font]
      }
      take(\.symbolFont, "symbol-font")
      take(\.labelFont, "label-font")
      return named
    }
    return (theme, themes)
  }

  private func settings(of name: String) -> ThemeSettings {
    resolved.first { $0.named.name == name }?.named.settings ?? ThemeSettings()
  }

  /// Defines the theme of a table, after the theme that it changes.
  ///
  /// - Parameters:
  ///   - open: the names of the tables whose themes are not defined yet.
  ///   - path: the themes whose definition waits for this one, because they change it.
  private mutating func define(
    _ name: String, _ open: inout [String], _ path: [String], _ report: inout Report
  ) {
    open.removeAll { $0 == name }
    let nodes = files.entries("themes", name).map(\.value)
    var theme = Resolved(named: NamedTheme(name: name, settings: settings(of: name)))
    let isBuiltIn = ThemeSettings.builtIn.contains { $0.name == name }
    if let node = base(in: ["themes", name], key: "base"), let base = node.string, base != name || !isBuiltIn
    {
      if (path + [name]).contains(base) {
        report.error(
          node.location, "the theme \(name.quoted) is based on itself",
          hint: "name another base, such as \"\(ThemeSettings.standardName)\"")
      } else {
        if open.contains(base) { define(base, &open, path + [name], &report) }
        theme.named.settings = settings(of: base)
        // A key in the table of the base counts as a key of this theme.
        theme.written = resolved.first { $0.named.name == base }?.written ?? []
      }
    }
    for node in nodes { Section.theme(name).apply(node, to: &theme.named.settings, &report) }
    theme.written.formUnion(nodes.flatMap(\.entries).map(\.key))
    if let index = resolved.firstIndex(where: { $0.named.name == name }) {
      resolved[index] = theme
    } else {
      resolved.append(theme)
    }
  }

  /// The last name of a theme that the files have at a key. Anything but a string is reported when the tables
  /// are applied.
  private func base(in table: [String], key: String) -> Node? {
    files.entries(table + [key]).map(\.value).last { $0.string != nil }
  }
}
