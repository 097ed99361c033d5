// SPDX-License-Identifier: Apache-2.0

import Languages
import Spelling

extension SettingsLoader {
  /// The names of the tables.
  static let sections = [
    "locale", "display", "outputs", "burn-in", "theme", "themes", "flip", "teams", "game", "widgets",
    "layout",
    "pages", "rotation", "page-transition", "place", "schedule", "input", "remote", "walls",
  ]

  /// Reads the files one after another into one configuration. Each key is set by the last file that has it: tables
  /// merge deeply, and arrays replace one another. A mistake is reported even if a later file sets the key again.
  static func decode(
    _ documents: [Node], _ report: inout Report, _ environment: (String) -> String? = { _ in nil }
  ) -> Configuration {
    // Other tables depend on the language, so it is read first, from all files.
    let locale = locale(documents, &report)
    var configuration = Configuration(in: locale.resolved(environment))
    configuration.locale = locale
    report.language = configuration.language
    var outputs = OutputsDecoder()
    var themes = ThemesDecoder()
    var widgets = WidgetsDecoder()
    var layout = LayoutDecoder()
    var pages = PagesDecoder()
    var teams = TeamsDecoder(configuration.teams, in: configuration.language)
    var place = PlaceDraft()
    var schedule = ScheduleDecoder()
    var walls = WallsDraft()
    var game = GameDraft()
    var hasGame = false
    var (tables, keys): ([String: Location], [String: Location]) = ([:], [:])
    for document in documents {
      guard case .table(let entries) = document.value else { continue }
      for entry in entries {
        tables[entry.key] = tables[entry.key] ?? entry.keyLocation
        if case .table(let inner) = entry.value.value {
          for key in inner { keys["\(entry.key).\(key.key)"] = key.keyLocation }
        }
        switch entry.key {
        case "locale": break
        case "display": Section.display.apply(entry.value, to: &configuration.display, &report)
        case "outputs": outputs.collect(entry.value, &report)
        case "burn-in": Section.burnIn.apply(entry.value, to: &configuration.burnIn, &report)
        case "theme": themes.collectTheme(entry)
        case "themes": themes.collect(entry.value, &report)
        case "flip": Section.flip.apply(entry.value, to: &configuration.flip, &report)
        case "teams": teams.collect(entry.value, &report)
        case "game":
          hasGame = true
          Section.game.apply(entry.value, to: &game, &report, elsewhere: GameDraft.otherWords)
        case "widgets": widgets.collect(entry.value, &report)
        case "layout": layout.collect(entry, &report)
        case "pages": pages.collect(entry.value, &report)
        case "rotation": pages.collectRotation(entry, &report)
        case "page-transition":
          Section.pageTransition.apply(entry.value, to: &configuration.pageTransition, &report)
        case "place": place.collect(entry, &report)
        case "schedule": schedule.collect(entry.value, &report)
        case "input": Section.input.apply(entry.value, to: &configuration.input, &report)
        case "remote": Section.remote.apply(entry.value, to: &configuration.remote, &report)
        case "walls": walls.collect(entry, &report)
        case "motion":
          Key.motion.apply(&configuration, entry.value, Place(key: "motion", section: ""), &report)
        default: reportUnknown(entry, &report)
        }
      }
    }
    (configuration.theme, configuration.themes) = themes.decode(&report)
    configuration.game = GameSettings(game, in: configuration.language)
    configuration.teams = teams.teams(named: widgets.namedTeams)
    let isGamePage = hasGame && widgets.keepsBuiltIn && !layout.hasRows && pages.isEmpty
    configuration.widgets = widgets.decode(
      teams: configuration.teams.map(\.id), isGamePage: isGamePage, &report)
    if pages.isEmpty {
      configuration.layout = layout.decode(widgets, &configuration.widgets, &report)
    } else {
      configuration.pages = pages.decode(
        widgets, &configuration.widgets, layout: layout.location, themes, &report)
    }
    widgets.showTeams(of: &configuration, declaredBy: teams, &report)
    configuration.rotation = pages.decodeRotation(&report)
    configuration.outputs = outputs.decode(pages, &report)
    configuration.schedule = schedule.decode(pages, themes, &report)
    configuration.place = place.decode(sun: schedule.sunLocation, &report)
    configuration.walls = walls.decode(&report)
    report.check(configuration) { subject in
      switch subject {
      case .widget(let name): widgets.location(of: name)
      case .page(let name): pages.location(of: name)
      case .theme(let name): name.map { themes.location(of: $0) } ?? themes.location
      case .key(let table, let name): keys["\(table).\(name)"]
      case .team(let id): teams.location(of: id)
      case .entry(let name): schedule.location(of: name)
      case .table(let name): tables[name]
      }
    }
    return configuration
  }

  private static func locale(_ documents: [Node], _ report: inout Report) -> LocaleSettings {
    var locale = LocaleSettings()
    for document in documents {
      guard case .table(let entries) = document.value else { continue }
      for entry in entries where entry.key == "locale" {
        Section.locale.apply(entry.value, to: &locale, &report)
      }
    }
    return locale
  }

  private static func reportUnknown(_ entry: Node.Entry, _ report: inout Report) {
    if case .table = entry.value.value {
      report.unknownKey(
        entry.keyLocation, "unknown table [\(entry.key.withoutControls.prefix(48))]",
        hint: Spelling.hint(for: entry.key, among: sections)
          ?? "known are \(sections.joined(separator: ", "))")
      return
    }
    report.unknownKey(
      entry.keyLocation, "unknown key \(entry.key.quoted) outside of any table",
      hint: hint(forLoose: entry.key))
  }

  /// A hint for a key above the first header, which is a common mistake.
  private static func hint(forLoose key: String) -> String? {
    let owners: [(String, [String])] = [
      ("locale", Section.locale.keys.map(\.name)), ("display", Section.display.keys.map(\.name)),
      ("theme", Section.theme.keys.map(\.name)), ("burn-in", Section.burnIn.keys.map(\.name)),
      ("flip", Section.flip.keys.map(\.name)), ("game", Section.game.keys.map(\.name)),
      ("layout", Section.layout.keys.map(\.name)),
      ("rotation", Section.rotation.keys.map(\.name)),
      ("page-transition", Section.pageTransition.keys.map(\.name)),
      ("place", Section.place.keys.map(\.name)),
      ("input", Section.input.keys.map(\.name)),
    ]
    if let owner = owners.first(where: { $0.1.contains(key) }) { return "write it below [\(owner.0)]" }
    return Spelling.hint(for: key, among: sections + ["motion"])
  }
}
