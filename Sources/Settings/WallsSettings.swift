// SPDX-License-Identifier: Apache-2.0

import TOMLConfig

/// `[walls]`: the match that this wall shares with others.
package struct WallsSettings: Hashable, Sendable {
  /// The match that this wall leads or follows; nil: none. At most one of `lead` and `follow` is set.
  package var lead: String?
  package var follow: String?

  package init() {}

  package var board: String? { lead ?? follow }
}

extension ConfigTable where Draft == SettingsDraft {
  static var walls: ConfigTable {
    ConfigTable(
      .walls, \.configuration.walls, standard: WallsSettings(), example: .init("walls")
    ) { draft, files, report in
      let walls = draft.configuration.walls
      guard walls.lead != nil, walls.follow != nil, let table = files.entries("walls").last else { return }
      report.error(
        table.keyLocation, "'lead' and 'follow' in [walls] exclude each other",
        hint: "leave one of them out")
    }
  }
}

extension Section where Target == WallsSettings {
  static var walls: Section {
    Section(
      title: "walls",
      text: """
        Several walls may show one match. One of them leads; the others follow: they show the leader's match, and send
        the commands of their own keys and remote controls to the leader. The walls are connected by an MQTT broker and
        flipclock-mqtt, which each wall runs.
        """,
      keys: [
        Key(
          "lead", \.lead, .board,
          "The name of the match that this wall leads: it is shown on all walls that follow it.",
          example: "\"hall-1\""),
        Key(
          "follow", \.follow, .board,
          """
          The name of the match that this wall follows. Its own match is kept, and returns when the key is removed.
          `flipclockctl lead` makes this wall the leader, for example because the other wall is broken.
          """,
          example: "\"hall-1\""),
      ])
  }
}

extension ValueKind where Value == String {
  /// The name of a shared match, which is a part of MQTT topics.
  static var board: ValueKind {
    form(
      pattern: "^[a-z0-9][a-z0-9-]{0,39}$", maximum: 40, "the name of a shared match",
      hint: "write small letters, digits and hyphens: \"hall-1\""
    ) { text in
      (1...40).contains(text.utf8.count) && text.first != "-"
        && text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
    }
  }
}
