// SPDX-License-Identifier: Apache-2.0

/// Reads `[teams.ID]`: changes the teams there are by default and adds others.
struct TeamsDecoder {
  static let maximumTeams = 32

  private(set) var teams: [TeamSettings]

  init(_ defaults: [TeamSettings]) { teams = defaults }

  mutating func collect(_ node: Node, _ report: inout Report) {
    for entry in node.entries("teams", &report) ?? [] {
      guard Self.isID(entry.key) else {
        report.error(
          entry.keyLocation, "\(entry.key.quoted) is no id for a team",
          hint: "ids are 1 to 32 small letters, digits, '-' and '_', a letter first")
        continue
      }
      let section = Section.team(entry.key)
      if let index = teams.firstIndex(where: { $0.id == entry.key }) {
        section.apply(entry.value, to: &teams[index], &report)
      } else if teams.count < Self.maximumTeams {
        let color = Configuration.teamColors[teams.count % Configuration.teamColors.count]
        var team = TeamSettings(id: entry.key, name: entry.key.uppercased(), color: color)
        section.apply(entry.value, to: &team, &report)
        teams.append(team)
      } else {
        report.error(entry.keyLocation, "more than \(Self.maximumTeams) teams")
        return
      }
    }
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
