// SPDX-License-Identifier: Apache-2.0

import Commands
import JSON
import Scoreboard

/// Describes a match in text. Reads the JSON of a daemon, which may be older or newer than this program.
package enum MatchText {
  /// The match on one line, such as `HOME 3 : 2 GUEST  QUARTER 2  game 9:59, running`.
  package static func line(of state: MatchState) -> String {
    (try? JSONValue(encoding: state)).map { line(of: $0) } ?? ""
  }

  package static func line(of state: JSONValue) -> String {
    let teams = state["teams"]?.array ?? []
    var parts = [
      teams.enumerated().map { team($0.element, at: $0.offset, of: teams.count, state) }.joined(
        separator: " : ")
    ]
    if let period = state["period"]?.integer, period > 1 || (state["periods"]?.integer ?? 1) > 1 {
      let text = state["periodText"]?.string
      parts.append(text ?? "\(state["periodName"]?.string ?? "PERIOD") \(period)")
    }
    if state["tieBreak"]?.bool == true { parts.append("tie-break") }
    if state["matchOver"]?.bool == true { parts.append("match over") }
    parts += clocks(of: state) + counts(of: state, includesZero: false)
    return parts.joined(separator: "  ").printable
  }

  /// The clocks of the match, such as `game 9:59, running` and `time-out of LIONS 0:58, running`.
  package static func clocks(of state: JSONValue) -> [String] {
    (state["timers"]?.object ?? [:]).sorted(by: { $0.key < $1.key }).compactMap { id, timer in
      guard let milliseconds = timer["milliseconds"]?.integer else { return nil }
      let face = face(milliseconds, isLeft: timer["direction"]?.string == "down")
      let name = id == "break" ? breakName(of: state) : id
      let isRunning = timer["running"]?.bool == true
      // The clock of a break usually runs.
      let isPaused = id == "break" && !isRunning && timer["ended"]?.bool != true
      return "\(name) \(face)\(isRunning ? ", running" : isPaused ? ", paused" : "")"
    }
  }

  private static func breakName(of state: JSONValue) -> String {
    let team = state["gameBreak"]?["team"]?.string.map { id in
      (state["teams"]?.array ?? []).first { $0["id"]?.string == id }?["name"]?.string ?? id
    }
    return GameBreak.Kind.text(state["gameBreak"]?["kind"]?.string ?? "break", team: team)
  }

  /// The counters and the penalties, such as `fouls 3 : 2` and `penalty home #7 1:45`.
  ///
  /// - Parameter includesZero: whether counters are included that are 0 for all teams.
  package static func counts(of state: JSONValue, includesZero: Bool) -> [String] {
    let teams = state["teams"]?.array ?? []
    let counters = (state["counters"]?.array ?? []).compactMap { counter -> String? in
      guard let id = counter["id"]?.string else { return nil }
      let counts = teams.map { $0["counters"]?[id]?.integer ?? 0 }
      guard includesZero || counts.contains(where: { $0 != 0 }) else { return nil }
      return "\(id) \(counts.map(String.init).joined(separator: " : "))"
    }
    let penalties = teams.flatMap { team in
      (team["penalties"]?.array ?? []).map { penalty in
        let face = face(penalty["milliseconds"]?.integer ?? 0, isLeft: true)
        let number = penalty["number"]?.integer.map { " #\($0)" } ?? ""
        return "penalty \(team["id"]?.string ?? "?")\(number) \(face)"
      }
    }
    return counters + penalties
  }

  /// `9:59`, without tenths, which change too fast to be read. The time is clamped to twice the limit of
  /// timers, so that the multiplication cannot overflow.
  private static func face(_ milliseconds: Int, isLeft: Bool) -> String {
    let limit = Int(2 * GameTimer.limit / 1_000_000)
    let nanoseconds = Int64(min(max(milliseconds, -limit), limit)) * 1_000_000
    return GameTimeText.seconds(of: nanoseconds, isLeft: isLeft)
  }

  private static func team(_ team: JSONValue, at index: Int, of count: Int, _ state: JSONValue) -> String {
    let name = team["name"]?.string ?? "?"
    let points = team["pointsText"]?.string ?? "\(team["score"]?.integer ?? 0)"
    let isRight = count == 2 && index == 1
    let games = team["games"]?.integer.map { "\($0)" }
    let score = (isRight ? [points, games] : [games, points]).compactMap { $0 }.joined(separator: " ")
    let serve = state["serving"]?.string != nil && state["serving"]?.string == team["id"]?.string ? "*" : ""
    let won = state["scoring"]?.string == "sets" ? " (\(team["periodsWon"]?.integer ?? 0))" : ""
    // If there are two teams, their scores are next to each other.
    return isRight
      ? "\(score)\(won) \(serve)\(name)" : "\(name)\(serve)\(won) \(score)"
  }
}

extension GameBreak.Kind {
  /// `time-out of LIONS`, or the name of the kind alone.
  package static func text(_ kind: String, team: String?) -> String {
    team.map { "\(kind) of \($0)" } ?? kind
  }
}
