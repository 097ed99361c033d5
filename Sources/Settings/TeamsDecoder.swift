// SPDX-License-Identifier: Apache-2.0

/// Reads `[teams.ID]`. The tables of the built-in teams change those; as soon as another team is declared,
/// the teams are exactly those that are.
struct TeamsDecoder {
  static let maximumTeams = 32

  private let builtIn: [TeamSettings]
  private var declared: [TeamSettings] = []
  private var locations: [String: Location] = [:]
  private var coloured: Set<String>

  init(_ builtIn: [TeamSettings]) {
    self.builtIn = builtIn
    coloured = Set(builtIn.map(\.id))
  }

  mutating func collect(_ node: Node, _ report: inout Report) {
    for entry in node.entries("teams", &report) ?? [] {
      guard Self.isID(entry.key) else {
        report.error(
          entry.keyLocation, "\(entry.key.quoted) is no id for a team",
          hint: "ids are 1 to 32 small letters, digits, '-' and '_', a letter first")
        continue
      }
      if !declared.contains(where: { $0.id == entry.key }) {
        guard declared.count < Self.maximumTeams else {
          report.error(entry.keyLocation, "more than \(Self.maximumTeams) teams")
          return
        }
        declared.append(
          builtIn.first { $0.id == entry.key }
            ?? TeamSettings(id: entry.key, name: entry.key.uppercased(), color: 0))
        locations[entry.key] = entry.keyLocation
      }
      guard let index = declared.firstIndex(where: { $0.id == entry.key }) else { continue }
      Section.team(entry.key).apply(entry.value, to: &declared[index], &report)
      if case .table(let entries) = entry.value.value, entries.contains(where: { $0.key == "color" }) {
        coloured.insert(entry.key)
      }
    }
  }

  /// The teams that there are, in their order.
  ///
  /// - Parameter named: ids that a score names: the built-in teams among them stay beside declared ones.
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
