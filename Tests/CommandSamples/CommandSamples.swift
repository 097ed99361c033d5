// SPDX-License-Identifier: Apache-2.0

import Commands
import Scoreboard

/// At least one sample of every kind of change. The switches below have no default, so a new case must be
/// added here.
package enum CommandSamples {
  package static let changes: [Change] = {
    var changes: [Change] = actions.map { .match($0) }
    var next: Change? = .show(page: "main")
    while let change = next {
      changes.append(change)
      next = successor(of: change)
    }
    return changes
      + [.invite(.viewer), .message("TIME OUT", milliseconds: nil), .setBrightness(percent: nil)]
      + [
        .blank(output: "HDMI-A-1"), .unblank(output: "HDMI-A-1"), .toggleBlank(output: "left"),
        .setBrightness(percent: 60, output: "left"), .setBrightness(percent: nil, output: "left"),
        .addBrightness(percent: -10, output: "left"), .held(.blank(output: "left"), milliseconds: 1_000),
        .held(.unblank(), milliseconds: 1_000), .held(.toggleBlank(), milliseconds: 1_000),
        .held(.setBrightness(percent: 60), milliseconds: 1_000),
        .held(.addBrightness(percent: 5), milliseconds: 1_000),
      ]
  }()

  package static let actions: [Scoreboard.Action] = {
    var actions: [Scoreboard.Action] = []
    var next: Scoreboard.Action? = .setScore(team: "home", to: 7)
    while let action = next {
      actions.append(action)
      next = successor(of: action)
    }
    return actions + [
      .setTeam(team: "home", name: nil, shortName: "LIO", color: nil),
      .setTeam(team: "home", name: nil, shortName: nil, color: 0xff8800), .setServing(team: nil),
      .addPenalty(team: "home", length: 120_000_000_000, number: 17), .endPenalty(team: "home", number: 4),
    ]
  }()

  /// The name of the case.
  package static func name(_ value: Any) -> String {
    Mirror(reflecting: value).children.first?.label ?? "\(value)"
  }

  private static func successor(of change: Change) -> Change? {
    switch change {
    // The actions of the match are in a separate list.
    case .match, .show: .message("TIME OUT", milliseconds: 30_000)
    case .message: .clearMessage
    case .clearMessage: .blank()
    case .blank: .unblank()
    case .unblank: .toggleBlank()
    case .toggleBlank: .setBrightness(percent: 60)
    case .setBrightness: .addBrightness(percent: 10)
    case .addBrightness: .invite(.scorer)
    case .invite: .endInvitation
    case .endInvitation: .lead(anyway: false)
    case .lead: .restore(match: "4f3a")
    case .restore: .held(.show(page: "main"), milliseconds: 7_200_000)
    case .held: nil
    }
  }

  private static func successor(of action: Scoreboard.Action) -> Scoreboard.Action? {
    switch action {
    case .setScore: .addScore(team: "home", by: 1)
    case .addScore: .setPeriodScore(team: "home", period: 2, to: 25)
    case .setPeriodScore: .setPeriod(to: 2)
    case .setPeriod: .addPeriod(by: 1)
    case .addPeriod: .setTeam(team: "home", name: "LIONS", shortName: nil, color: nil)
    case .setTeam: .setServing(team: "home")
    case .setServing: .setCounter(team: "home", counter: "fouls", to: 0)
    case .setCounter: .addCounter(team: "home", counter: "fouls", by: 1)
    case .addCounter: .startTimer(.game)
    case .startTimer: .pauseTimer(.shot)
    case .pauseTimer: .toggleTimer(.game)
    case .toggleTimer: .resetTimer(.game)
    case .resetTimer: .resetShot(to: 14_000_000_000)
    case .resetShot: .setTimer(.game, to: 600_000_000_000)
    case .setTimer: .addTimer(.game, by: -30_000_000_000)
    case .addTimer: .addPenalty(team: "home", length: nil, number: nil)
    case .addPenalty: .endPenalty(team: "home", number: nil)
    case .endPenalty: .clearPenalties(team: "home")
    case .clearPenalties: .swapSides
    case .swapSides: .newGame
    case .newGame: .reset
    case .reset: .restore(Scoreboard(teams: []))
    case .restore: .undo
    case .undo: .redo
    case .redo: .undoSteps(3)
    case .undoSteps: .redoSteps(3)
    case .redoSteps: nil
    }
  }
}
