// SPDX-License-Identifier: Apache-2.0

import Commands
import Scoreboard

/// A change as an example for the tests of all modules.
package struct CommandSample: Sendable {
  package let change: Change
  /// Commands that are this change; none if only programs make it.
  package let words: [String]
  /// What was done to a match of basketball before.
  package let before: [Scoreboard.Action]
  /// What the history then says; nil: the change is not in the history.
  package let summary: String?

  fileprivate static func display(_ change: Change, _ words: String...) -> CommandSample {
    CommandSample(change: change, words: words, before: [], summary: nil)
  }

  fileprivate static func match(
    _ action: Scoreboard.Action, _ words: String..., after before: [Scoreboard.Action] = [],
    is summary: String? = nil
  ) -> CommandSample {
    CommandSample(change: .match(action), words: words, before: before, summary: summary)
  }

  /// The action of the match; nil for a change of the display.
  package var action: Scoreboard.Action? { if case .match(let action) = change { action } else { nil } }
}

/// At least one sample of every kind of change. The switches below have no default, so a new case must be
/// added here. It is then parsed, sent, performed, described, drawn at random and said on the phone's page.
package enum CommandSamples {
  package static let all: [CommandSample] = {
    var samples: [CommandSample] = []
    var next: CommandSample? = .match(
      .setScore(team: "home", to: 7), "set-score home 7", "set home score 7", is: "score of home: 0 → 7")
    while let sample = next {
      samples.append(sample)
      next = successor(of: sample.change)
    }
    return samples + more
  }()
  package static let changes = all.map(\.change)
  package static let actions = all.compactMap(\.action)

  /// The name of the case.
  package static func name(_ value: Any) -> String {
    Mirror(reflecting: value).children.first?.label ?? "\(value)"
  }

  private static func successor(of change: Change) -> CommandSample? {
    switch change {
    case .match(let action): successor(of: action) ?? .display(.show(page: "main"), "show main")
    case .show: .display(.message("TIME OUT", milliseconds: 30_000), "message TIME OUT --for 30s")
    case .message: .display(.clearMessage, "message --clear")
    case .clearMessage:
      .display(
        .setBoard("hall", PushedText("DOORS OPEN", milliseconds: 600_000, showsPage: true, isPlain: true)),
        "board hall DOORS OPEN --for 10min --show --plain")
    case .setBoard: .display(.clearBoard("hall"), "board hall --clear")
    case .clearBoard:
      .display(.reportProblem(board: "hall", "no connection"), "board hall --failed no connection")
    case .reportProblem:
      .display(
        .setCountdown("doors", CountdownSetting(.after(900_000), label: "DOORS OPEN", showsPage: true)),
        "countdown doors 15:00 --label DOORS OPEN --show", "countdown doors 15min --show DOORS OPEN")
    case .setCountdown: .display(.controlCountdown("doors", .pause), "countdown doors --pause")
    case .controlCountdown: .display(.clearCountdown("doors"), "countdown doors --clear")
    case .clearCountdown: .display(.blank(), "blank")
    case .blank: .display(.unblank(), "unblank")
    case .unblank: .display(.toggleBlank(), "blank --toggle")
    case .toggleBlank: .display(.setBrightness(percent: 60), "brightness 60%", "brightness 60")
    case .setBrightness: .display(.addBrightness(percent: 10), "brightness +10%")
    case .addBrightness: .display(.invite(.scorer), "remote")
    case .invite: .display(.endInvitation, "remote close")
    case .endInvitation: .display(.lead(anyway: false), "lead")
    case .lead: .display(.restore(match: "4f3a"), "match restore 4f3a")
    case .restore: .display(.held(.show(page: "main"), milliseconds: 7_200_000), "show main --for 2h")
    case .held: nil
    }
  }

  private static func successor(of action: Scoreboard.Action) -> CommandSample? {
    switch action {
    case .setScore:
      .match(.addScore(team: "home", by: 1), "add-score home +1", is: "score of home: 0 → 1")
    case .addScore:
      .match(
        .setPeriodScore(team: "home", period: 1, to: 5), "set home period-score 1 5",
        is: "score of home in period 1: 5")
    case .setPeriodScore: .match(.setPeriod(to: 2), "set period 2", is: "period: 1 → 2")
    case .setPeriod: .match(.addPeriod(by: 1), "set period +1", is: "period: 1 → 2")
    case .addPeriod:
      .match(
        .setTeam(team: "home", name: "LIONS", shortName: nil, color: nil), "set home name LIONS",
        is: "home: named LIONS")
    case .setTeam: .match(.setServing(team: "home"), "set serve home", is: "ball: home")
    case .setServing:
      .match(
        .setCounter(team: "home", counter: "fouls", to: 3), "set home fouls 3", is: "fouls of home: 0 → 3")
    case .setCounter:
      .match(
        .addCounter(team: "home", counter: "fouls", by: 1), "set home fouls +1",
        is: "fouls of home: 0 → 1")
    case .addCounter: .match(.startTimer(.game), "timer start", is: "game timer started")
    case .startTimer:
      .match(
        .pauseTimer(.game), "timer pause", "timer stop", after: [.startTimer(.game)], is: "game timer paused")
    case .pauseTimer: .match(.toggleTimer(.game), "timer toggle", is: "game timer started")
    case .toggleTimer:
      .match(.resetTimer(.game), "timer reset", after: [.startTimer(.game)], is: "game timer reset")
    case .resetTimer:
      .match(.resetShot(to: 2_000_000_000), "timer reset --shot 2", is: "shot timer reset to 0:02")
    case .resetShot:
      .match(.setTimer(.game, to: 95_000_000_000), "timer set 1:35", is: "game timer set to 1:35")
    case .setTimer: .match(.addTimer(.game, by: -1_000_000_000), "timer add -0:01", is: "game timer -0:01")
    case .addTimer:
      .match(.addPenalty(team: "home", length: nil, number: nil), "penalty home", is: "penalty of home")
    case .addPenalty:
      .match(
        .endPenalty(team: "home", number: nil), "penalty home --end",
        after: [.addPenalty(team: "home", length: nil, number: nil)], is: "penalty of home ended")
    case .endPenalty:
      .match(
        .clearPenalties(team: "home"), "penalty home --clear",
        after: [.addPenalty(team: "home", length: nil, number: nil)], is: "penalties of home cleared")
    case .clearPenalties:
      .match(.startBreak(.halfTime, length: nil), "break half-time", is: "half-time started")
    case .startBreak:
      .match(.endBreak, "break end", after: [.startBreak(.warmUp, length: nil)], is: "warm-up ended")
    case .endBreak: .match(.swapSides, "swap", is: "sides swapped")
    case .swapSides:
      .match(
        .endMatch, "end-match",
        after: [.setScore(team: "home", to: 2), .setScore(team: "guest", to: 2)], is: "match ended")
    case .endMatch: .match(.newGame, "new-game", after: [.setPeriod(to: 2)], is: "new game")
    case .newGame: .match(.reset, "reset", after: [.setPeriod(to: 2)], is: "reset")
    case .reset:
      .match(
        .restore(Scoreboard(teams: [.init(id: "home", name: "A"), .init(id: "guest", name: "B")])),
        is: "match restored")
    case .restore: .match(.undo, "undo")
    case .undo: .match(.redo, "redo")
    case .redo: .match(.undoSteps(3), "undo 3")
    case .undoSteps: .match(.redoSteps(3), "redo 3")
    case .redoSteps: nil
    }
  }

  private static let more: [CommandSample] = [
    .match(
      .setScore(team: "home", to: 7, anyway: true), "set-score home 7 --anyway", "set home score 7 --anyway",
      is: "score of home: 0 → 7"),
    .match(
      .setPeriodScore(team: "home", period: 1, to: 5, anyway: true),
      "set home period-score 1 5 --anyway", is: "score of home in period 1: 5"),
    .match(.setPeriod(to: 2, anyway: true), "set period 2 --anyway", is: "period: 1 → 2"),
    .match(.addPeriod(by: 1, anyway: true), "set period +1 --anyway", is: "period: 1 → 2"),
    .match(
      .addCounter(team: "home", counter: "timeouts", by: 1, anyway: true), "set home timeouts +1 --anyway",
      is: "timeouts of home: 0 → 1, time-out of home"),
    .match(
      .startBreak(.timeOut(team: "home"), length: nil), "time-out home",
      is: "timeouts of home: 0 → 1, time-out of home"),
    .match(
      .startBreak(.timeOut(team: "guest"), length: 30_000_000_000, anyway: true),
      "time-out guest 30 --anyway",
      is: "timeouts of guest: 0 → 1, time-out of guest"),
    .match(.startBreak(.warmUp, length: nil), "break warm-up", is: "warm-up started"),
    .match(
      .startBreak(.interval, length: nil, anyway: true), "break interval --anyway", is: "interval started"),
    .match(
      .pauseTimer(.breakClock), "timer pause --break", after: [.startBreak(.interval, length: nil)],
      is: "break timer paused"),
    .match(
      .setTeam(team: "home", name: nil, shortName: "LIO", color: nil), "set home short-name LIO",
      is: "home: short name LIO"),
    .match(
      .setTeam(team: "home", name: nil, shortName: nil, color: 0xff8800), "set home color #f80",
      is: "home: colour #ff8800"),
    .match(
      .setServing(team: nil), "set serve none", after: [.setServing(team: "home")], is: "ball: nobody"),
    .match(
      .addPenalty(team: "home", length: 120_000_000_000, number: 17), "penalty home 2:00 --number 17",
      is: "penalty of home, number 17: 2:00"),
    .match(
      .endPenalty(team: "home", number: 4), "penalty home --end --number 4",
      after: [.addPenalty(team: "home", length: nil, number: 4)], is: "penalty of home, number 4 ended"),
    .display(
      .setCountdown("talk", CountdownSetting(.timeOfDay(70_215), source: "desk")),
      "countdown talk --until 19:30:15 --from desk"),
    .display(.controlCountdown("doors", .resume), "countdown doors --resume"),
    .display(.controlCountdown("doors", .toggle), "countdown doors --toggle"),
    .display(
      .controlCountdown("doors", .add(300_000)), "countdown doors --add 5:00", "countdown doors --add +5min"),
    .display(.controlCountdown("doors", .add(-60_000)), "countdown doors --add -1:00"),
    .display(.invite(.viewer), "remote viewer"),
    .display(.held(.invite(.owner), milliseconds: 900_000), "remote owner --for 15min"),
    .display(.message("TIME OUT", milliseconds: nil), "message TIME OUT"),
    .display(.setBrightness(percent: nil), "brightness default"),
    .display(.blank(output: "HDMI-A-1"), "blank --output HDMI-A-1"),
    .display(.unblank(output: "HDMI-A-1"), "unblank --output HDMI-A-1"),
    .display(.toggleBlank(output: "left"), "blank --output=left --toggle"),
    .display(.setBrightness(percent: 60, output: "left"), "brightness 60% --output left"),
    .display(.setBrightness(percent: nil, output: "left"), "brightness default --output left"),
    .display(.addBrightness(percent: -10, output: "left"), "brightness --output left -10%"),
    .display(.held(.blank(output: "left"), milliseconds: 1_000), "blank --output left --for 1s"),
    .display(.held(.unblank(), milliseconds: 1_000), "unblank --for 1s"),
    .display(.held(.toggleBlank(), milliseconds: 1_000), "blank --toggle --for=1s"),
    .display(.held(.setBrightness(percent: 60), milliseconds: 1_000), "brightness 60% --for 1s"),
    .display(.held(.addBrightness(percent: 5), milliseconds: 1_000), "brightness +5% --for 1s"),
  ]
}
