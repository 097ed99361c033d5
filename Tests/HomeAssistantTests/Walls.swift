// SPDX-License-Identifier: Apache-2.0

import DaemonDouble
import Scoreboard

@testable import HomeAssistant

let topics = EntityTopics(board: "hall")

/// A wall with the teams `home` and `guest`.
func makeWall(
  _ preset: GameRules.Preset = .basketball, _ actions: [Scoreboard.Action] = [], health: Health? = nil
) -> WallReport {
  let handler = RefereeHandler(preset)
  for action in actions { handler.perform(.match(action)) { _ in } }
  return WallReport(
    match: handler.matchState(), matchInstant: 1_000_000_000_000, display: handler.displayState(),
    health: health)
}
