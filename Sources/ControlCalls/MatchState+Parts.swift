// SPDX-License-Identifier: Apache-2.0

import Scoreboard

extension MatchState {
  /// What a scoreboard of the match shows besides names and points: the interface's type `MatchParts`.
  package struct Parts: Codable, Hashable, Sendable {
    package struct Period: Codable, Hashable, Sendable {
      package var name: String
      package var number: Int
    }

    package struct PastPeriod: Codable, Hashable, Sendable {
      package var number: Int
      /// In the order of the teams.
      package var points: [Int]
      /// The id of the team that has won the period; nil: there is none.
      package var best: String?
      /// The points of the teams in the tie-break that decided the period; nil: there was none.
      package var tieBreak: [Int]?
      /// What the teams had in the game or the tie-break within which the match has ended; nil: it has not.
      package var brokenOff: [String]?
    }

    /// A name of `ScoreboardParts.Kind`.
    package var kind: String
    /// The number of digits that scores usually have.
    package var digits: Int
    /// Names of timers.
    package var clocks: [String]
    /// Nil: the current period is not shown.
    package var period: Period?
    /// What the numbers of periods won are called; nil: they are not shown. The same with games.
    package var periodsWon: String?
    package var games: String?
    /// What the past periods are called; nil: they are not shown.
    package var pastName: String?
    package var past: [PastPeriod]?
    /// What set points and match points are called, by the names of `WinningPoint`; nil: the next point of a
    /// team cannot win a set or the match, or the daemon is older.
    package var winningPoints: [String: String]?
    /// The id of the team with a frame around its score.
    package var framed: String?
    /// The ids of the counters that are shown; nil: the daemon is older.
    package var counters: [String]?
    /// Whether penalties are shown; nil: the daemon is older.
    package var penalties: Bool?
  }

  /// A command that the match would refuse now: the interface's type `RefusedCommand`.
  package struct Refused: Codable, Hashable, Sendable {
    package var command: String
    /// The name of the error.
    package var error: String
    /// Whether the command is performed with `--anyway`; nil: no.
    package var anyway: Bool?
  }
}

extension MatchState.Parts {
  /// - Parameter teams: the teams as they are shown.
  init(_ scoreboard: Scoreboard, _ teams: [Scoreboard.Team], at now: Int64) {
    let rules = scoreboard.rules
    let parts = ScoreboardParts(
      rules, scoreboard, isOver: scoreboard.gameBreak == nil && scoreboard.isFinished(at: now))
    kind = parts.kind.rawValue
    digits = rules.usualDigits
    clocks = parts.clocks.map(\.rawValue)
    if parts.hasPeriodsWon {
      periodsWon = rules.periodsName
    } else if parts.hasPeriods {
      let (name, number) = scoreboard.periodParts
      period = Period(name: name, number: number)
    }
    games = rules.games.map { $0.plural ?? $0.name }
    if parts.hasPeriodPoints {
      pastName = rules.periodsName
      past = scoreboard.pastPeriods(of: teams, at: now).map { past in
        PastPeriod(
          number: past.number, points: past.points, best: past.best.map { teams[$0].id },
          tieBreak: past.tieBreak, brokenOff: past.brokenOff)
      }
    }
    if rules.hasWinningPoints {
      winningPoints = Dictionary(
        uniqueKeysWithValues: WinningPoint.allCases.map { ($0.rawValue, rules.winningPointNames[$0]) })
    }
    framed = scoreboard.framed(at: now)?.id
    (counters, penalties) = (parts.counters.map(\.id), parts.hasPenalties)
  }
}

extension MatchState {
  /// The command that continues the match after the end of a period, or that begins another match.
  static func next(_ scoreboard: Scoreboard, at now: Int64) -> String? {
    if scoreboard.isFinished(at: now) { return "new-game" }
    let clock = scoreboard.reading(of: .game, at: now)
    let isTimeUp = scoreboard.rules.scoring == .total && clock.map { $0.hasEnded && !$0.isRunning } ?? false
    guard scoreboard.isPeriodOver || isTimeUp, scoreboard.hasNextPeriod else { return nil }
    return "set period \(scoreboard.period + 1)"
  }

  /// Those of the usual commands that would be refused: each is tried on a copy of the scoreboard.
  static func refused(_ scoreboard: Scoreboard, at now: Int64) -> [Refused] {
    func error(_ action: Scoreboard.Action) -> Scoreboard.Refusal? {
      var tried = scoreboard
      do throws(Scoreboard.Refusal) { try tried.apply(action, at: now) } catch { return error }
      return nil
    }
    return usual(scoreboard).compactMap { command, action in
      error(action).map { refusal in
        let name = ControlError.refused(refusal).wire.name.dropFirst(ControlInterface.name.count + 1)
        return Refused(
          command: command, error: String(name),
          anyway: action.overruling.flatMap { error($0) == nil ? true : nil })
      }
    }
  }

  /// The commands of keys and buttons that depend on the state of the match, as they are written.
  private static func usual(_ scoreboard: Scoreboard) -> [(command: String, action: Scoreboard.Action)] {
    let rules = scoreboard.rules
    var commands: [(command: String, action: Scoreboard.Action)] = []
    for id in scoreboard.teams.map(\.id) {
      for points in rules.increments + (rules.increments.contains(-1) ? [] : [-1]) {
        commands.append(("add-score \(id) \(points)", .addScore(team: id, by: points)))
      }
      for counter in rules.counters.map(\.id) {
        for step in [1, -1] {
          commands.append(
            (
              "set \(id) \(counter) \(step > 0 ? "+1" : "-1")",
              .addCounter(team: id, counter: counter, by: step)
            ))
        }
      }
      if rules.breaks.timeOut > 0 {
        commands.append(("time-out \(id)", .startBreak(.timeOut(team: id), length: nil)))
      }
      if !rules.penalties.isEmpty {
        commands.append(("penalty \(id)", .addPenalty(team: id, length: nil, number: nil)))
      }
    }
    if rules.game != nil { commands.append(("timer start", .startTimer(.game))) }
    for kind in [GameBreak.Kind.interval, .halfTime, .warmUp]
    where rules.length(of: kind, inPeriod: scoreboard.period) > 0 {
      commands.append(("break \(kind.name)", .startBreak(kind, length: nil)))
    }
    commands.append(("set period \(scoreboard.period + 1)", .setPeriod(to: scoreboard.period + 1)))
    return commands
  }
}
