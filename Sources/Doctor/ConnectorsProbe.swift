// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import Settings
import Spelling

/// Checks whether a display is connected and has modes, and whether it is the one that the config selects.
enum ConnectorsProbe: Probe {
  static let area = "Displays"

  static func findings(_ system: SystemView) -> [Finding] {
    let cards = system.cards.filter(\.drivesDisplays)
    guard !cards.isEmpty else { return [] }
    var findings: [Finding] = []
    for card in cards { findings += card.connectors.map { finding($0, card) } }
    let all = cards.flatMap(\.connectors)
    if !all.contains(where: { $0.status == "connected" }) {
      findings.append(nothingConnected(all, system))
    }
    if let settings = system.settings.configuration?.display {
      findings += wanted(settings.card, settings.connector, cards, system)
    }
    return findings + outputs(system.settings.configuration?.outputs ?? [], all)
  }

  /// Notes for tables `[outputs.NAME]` without a `match` whose connector does not exist.
  private static func outputs(_ settings: [OutputSettings], _ all: [Card.Connector]) -> [Finding] {
    let names = all.map(\.name)
    return settings.filter { $0.rule.match == nil && !names.contains($0.name) }.map { output in
      .note(
        "the config has [outputs.\(output.name)], but no card has a connector '\(output.name)'",
        remedy: Spelling.hint(for: output.name, among: names)
          ?? "the connectors are: \(names.joined(separator: ", ")); or add a 'match' to the table")
    }
  }

  private static func finding(_ connector: Card.Connector, _ card: Card) -> Finding {
    guard connector.status == "connected" else {
      return .ok("\(connector.name) on \(card.name): \(connector.status)")
    }
    guard let best = connector.modes.first else {
      return .problem(
        "\(connector.name) on \(card.name): connected, but the display reports no mode",
        remedy: "if it is on, set a mode on the kernel's command line: video=\(connector.name):1920x1080@60D"
      )
    }
    return .ok(
      "\(connector.name) on \(card.name): connected, \(best)"
        + (connector.modes.count > 1 ? ", the first of \(connector.modes.count) modes" : ""))
  }

  private static func nothingConnected(_ all: [Card.Connector], _ system: SystemView) -> Finding {
    // A television with an analogue cable is never reported as connected.
    if all.contains(where: { $0.status == "unknown" }) {
      return .note("no display is reported as connected; one of unknown state is used")
    }
    let name = all.first { $0.name.hasPrefix("HDMI") }?.name ?? all.first?.name ?? "HDMI-A-1"
    return .problem(
      "no display is connected",
      remedy: "plug one in and switch it on; the clock appears automatically. A display that is off when the "
        + "machine starts may need\nvideo=\(name):1920x1080@60D on the kernel's command line", .noDisplay)
  }

  /// Problems if the card or the connector that [display] selects does not exist.
  private static func wanted(
    _ card: String, _ connector: String, _ cards: [Card], _ system: SystemView
  ) -> [Finding] {
    var findings: [Finding] = []
    if card != "auto" {
      let isThere =
        card.hasPrefix("/")
        ? system.exists(card)
        : cards.contains { $0.driver == card } || system.cards.contains { $0.name == card }
      if !isThere {
        let known = cards.map { $0.driver ?? $0.path }
        findings.append(
          .problem(
            "the config selects the card '\(card)', which does not exist",
            remedy: "[display] card = \"auto\" uses any available card: \(known.joined(separator: ", "))"))
      }
    }
    if connector != "auto" {
      let names = cards.flatMap(\.connectors).map(\.name)
      if !names.contains(connector) {
        findings.append(
          .problem(
            "the config selects the connector '\(connector)', which no card has",
            remedy: Spelling.hint(for: connector, among: names)
              ?? "[display] connector = \"auto\" uses any connected one of: \(names.joined(separator: ", "))")
        )
      }
    }
    return findings
  }
}
