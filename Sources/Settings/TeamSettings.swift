// SPDX-License-Identifier: Apache-2.0

import Languages
import Scoreboard
import TOMLConfig

/// `[teams.ID]`
package struct TeamSettings: Hashable, Sendable {
  package var id: String
  package var name: String
  package var color: UInt32
  /// The short name; nil: derived from the name.
  package var shortName: String?
  /// The path of the logo; nil: there is none.
  package var logo: String?
}

extension ConfigTable where Draft == SettingsDraft {
  static var teams: ConfigTable {
    ConfigTable(
      "teams", manual: [TableReference(.team("ID"), standard: nil, heading: "Teams")], read: readTeams,
      check: { draft, _, report in
        let ids = draft.configuration.teams.map(\.id)
        report.resolve("team", among: ids) { _ in
          "declare it as [teams.ID]; known are \(ids.joined(separator: ", "))"
        }
      })
  }

  /// If only built-in teams are declared, or none, the teams are all built-in teams. Otherwise they are the
  /// declared teams in the order of the files. Before these come the built-in teams that are not declared,
  /// but that a widget names in its key `teams`.
  private static func readTeams(_ draft: inout SettingsDraft, _ files: ConfigFiles, _ report: inout Report) {
    let builtIn = draft.configuration.teams
    let declared = declaredTeams(builtIn, files, &report)
    let widgets = files.nodes("widgets").flatMap(\.entries).flatMap(\.value.entries)
    let named = Set(widgets.filter { $0.key == "teams" }.flatMap(\.value.elements).compactMap(\.string))
    let isBuiltIn = declared.allSatisfy { team in builtIn.contains { $0.id == team.id } }
    var teams = builtIn.compactMap { team in
      let declaration = declared.first { $0.id == team.id }
      return isBuiltIn ? declaration ?? team : declaration == nil && named.contains(team.id) ? team : nil
    }
    if !isBuiltIn { teams += declared }
    setColors(&teams) { id in
      builtIn.contains { $0.id == id } || !files.entries("teams", id, "color").isEmpty
    }
    draft.configuration.teams = teams
  }

  private static func declaredTeams(
    _ builtIn: [TeamSettings], _ files: ConfigFiles, _ report: inout Report
  ) -> [TeamSettings] {
    var names = NameForm.id
    names.hint = TeamSettings.tables
    let tables = NamedTables<TeamSettings>(
      "teams", noun: "a team", names: names, example: "home", maximum: 32,
      keys: Section.team("").keys.map(\.name))
    /// Returns false for a text in place of a table, and reports it.
    func mayBeTable(_ entry: Node.Entry, _ report: inout Report) -> Bool {
      guard let name = entry.value.string else { return true }
      report.error(
        entry.value.location, "[teams.\(entry.key)] must be a table, found \(entry.value.found)",
        hint: "write [teams.\(entry.key)], and in the next line name = \(Units.string(name))")
      return false
    }
    let language = report.language
    var declared: [TeamSettings] = []
    tables.read(
      files.nodes("teams"), order: files.names("teams"), into: &declared, name: \.id, &report,
      start: { entry, report in
        guard mayBeTable(entry, &report) else { return nil }
        return builtIn.first { $0.id == entry.key }
          ?? TeamSettings(id: entry.key, name: language.uppercased(entry.key), color: 0)
      },
      apply: { team, entry, report in
        guard mayBeTable(entry, &report) else { return }
        Section.team(entry.key).apply(entry.value, to: &team, &report)
      })
    return declared
  }

  /// Gives colours to teams that are declared without one, each a different one if possible.
  private static func setColors(_ teams: inout [TeamSettings], hasColor: (String) -> Bool) {
    let coloured = teams.map { hasColor($0.id) }
    var used = Set(zip(teams, coloured).filter(\.1).map(\.0.color))
    let colors = Configuration.teamColors
    for index in teams.indices where !coloured[index] {
      let turn = colors.indices.map { colors[(index + $0) % colors.count] }
      teams[index].color = turn.first { !used.contains($0) } ?? turn[0]
      used.insert(teams[index].color)
    }
  }
}

extension TeamSettings {
  /// The hint for a team whose name is written in place of its id: the lines to write.
  static func tables(for name: String) -> String {
    let form = NameForm.id
    let id = String(
      name.lowercased().map { $0 == " " ? "-" : $0 }.filter { form.accepts("a\($0)") }.prefix(32))
    guard form.accepts(id) else { return form.hint(name) }
    return "write [teams.\(id)], and in the next line name = \(Units.string(String(name.prefix(40))))"
  }
}

extension Section where Target == TeamSettings {
  static func team(_ id: String) -> Section {
    Section(
      title: "teams.\(id)",
      text: """
        A team. The word after `teams.` is its id, by which `flipclockctl` names it, as in
        `flipclockctl set-score home 7`: lowercase letters, digits, `-` and `_`, a letter first.

        `home` and `guest` are built in, and tables with these ids change them. As soon as a team with any other id is
        declared, the teams are exactly those that have a table, in that order; a built-in team that a score names in
        `teams` stays too. There are at most 32 teams.
        """,
      keys: [
        Key("name", \.name, .name(maximum: ShownText.nameLimit), "The name that is shown."),
        Key(
          "short-name", \.shortName, .name(maximum: ShownText.shortNameLimit),
          """
          What is shown if the name does not fit. Without it: a word of the name, its initials or its first letters, whatever
          fits.
          """,
          example: "\"HOM\""),
        Key(
          "color", \.color, .color,
          "The team's colour. Teams that are declared without one get different colours.",
          example: "\"#f5a524\""),
        Key(
          "logo", \.logo, .picture,
          """
          The file of the team's logo, which a score of the style `scoreboard` shows beside the name: a PNG, best with a
          transparent ground, with at most 4 MiB and 4096x4096 pixels. A relative path begins at the directory of the
          file in which it is written. Where space is short, logos are left out before anything of the match.
          """,
          example: "\"lions.png\""),
      ])
  }
}
