// SPDX-License-Identifier: Apache-2.0

import Languages
import Scoreboard

/// `[teams.ID]`
package struct TeamSettings: Hashable, Sendable {
  package var id: String
  package var name: String
  package var color: UInt32
  /// The short name; nil: derived from the name.
  package var shortName: String?
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
      ])
  }
}

/// Reads `[teams.ID]`. A table with the id of a built-in team changes that team. As soon as any other team is
/// declared, the teams are the declared ones and the built-in ones that a score names.
struct TeamsDecoder {
  static let maximumTeams = 32

  private let builtIn: [TeamSettings]
  private let language: Language
  private var declared: [TeamSettings] = []
  private var locations: [String: Location] = [:]
  private var coloured: Set<String>

  init(_ builtIn: [TeamSettings], in language: Language) {
    self.builtIn = builtIn
    self.language = language
    coloured = Set(builtIn.map(\.id))
  }

  mutating func collect(_ node: Node, _ report: inout Report) {
    for entry in node.tables("teams", example: "home", keys: Section.team("").keys.map(\.name), &report) ?? []
    {
      guard Self.isID(entry.key) else {
        report.error(
          entry.keyLocation, "\(entry.key.quoted) is not an id for a team", hint: Self.tables(for: entry.key))
        continue
      }
      if case .string(let name) = entry.value.value {
        report.error(
          entry.value.location, "[teams.\(entry.key)] must be a table, found \(entry.value.found)",
          hint: "write [teams.\(entry.key)], and in the next line name = \(Units.string(name))")
        continue
      }
      if !declared.contains(where: { $0.id == entry.key }) {
        guard declared.count < Self.maximumTeams else {
          report.tooMany("teams.ID", Self.maximumTeams, at: entry.keyLocation)
          return
        }
        declared.append(
          builtIn.first { $0.id == entry.key }
            ?? TeamSettings(id: entry.key, name: language.uppercased(entry.key), color: 0))
        locations[entry.key] = entry.keyLocation
      }
      guard let index = declared.firstIndex(where: { $0.id == entry.key }) else { continue }
      Section.team(entry.key).apply(entry.value, to: &declared[index], &report)
      if case .table(let entries) = entry.value.value, entries.contains(where: { $0.key == "color" }) {
        coloured.insert(entry.key)
      }
    }
  }

  /// The teams of the match. If only built-in teams are declared, or none, the result is all built-in teams. Otherwise
  /// it is the built-in teams in `named` that are not declared, then the declared teams in the order of the files.
  ///
  /// - Parameter named: the ids in the `teams` keys of widgets.
  func teams(named: Set<String>) -> [TeamSettings] {
    let isBuiltIn = declared.allSatisfy { team in builtIn.contains { $0.id == team.id } }
    var teams: [TeamSettings] = []
    for team in builtIn {
      let declaration = declared.first { $0.id == team.id }
      if isBuiltIn {
        teams.append(declaration ?? team)
      } else if declaration == nil, named.contains(team.id) {
        teams.append(team)
      }
    }
    if !isBuiltIn { teams += declared }
    var used = Set(teams.filter { coloured.contains($0.id) }.map(\.color))
    let colors = Configuration.teamColors
    for index in teams.indices where !coloured.contains(teams[index].id) {
      let turn = colors.indices.map { colors[(index + $0) % colors.count] }
      teams[index].color = turn.first { !used.contains($0) } ?? turn[0]
      used.insert(teams[index].color)
    }
    return teams
  }

  /// Where a team is first declared.
  func location(of id: String) -> Location? { locations[id] }

  /// The lines to write for a team whose name was taken for an id.
  static func tables(for name: String) -> String {
    let id = String(name.lowercased().map { $0 == " " ? "-" : $0 }.filter { isID("a\($0)") }.prefix(32))
    guard isID(id) else { return "ids are 1 to 32 small letters, digits, '-' and '_', a letter first" }
    return "write [teams.\(id)], and in the next line name = \(Units.string(String(name.prefix(40))))"
  }

  /// `[a-z][a-z0-9_-]{0,31}`
  static func isID(_ text: String) -> Bool {
    guard let first = text.utf8.first, (1...32).contains(text.utf8.count) else { return false }
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    return letters.contains(first)
      && text.utf8.allSatisfy { byte in
        letters.contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
      }
  }
}
