// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import JSON
import Scoreboard

/// The match and the display as one JSON object without nesting, for programs that bind values to names.
///
/// docs/http.md lists the members. They keep their names and meanings (docs/compatibility.md).
struct StateSummary {
  private var members: [String: JSONValue] = [:]

  /// - Parameters:
  ///   - since: when the state of the match arrived, in nanoseconds of CLOCK_BOOTTIME.
  ///   - displaySince: the same for the state of the display.
  ///   - now: the same clock.
  init(
    _ match: MatchState, at since: Int64, _ display: DisplayState, at displaySince: Int64, now: Int64
  ) {
    add("name", display.name)
    add("page", display.page)
    add("message", display.message)
    add("blanked", display.blanked)
    add("brightness", display.brightness)
    for board in display.boards { add("board_\(board.name)", board.words) }
    for countdown in display.countdowns {
      add(clock: "countdown_\(countdown.name)", countdown.timer, displaySince, now)
      add("countdown_\(countdown.name)_label", countdown.label)
    }
    add("revision", match.revision)
    add("preset", match.preset)
    add("period", match.period)
    add("period_text", match.shownPeriod)
    add("period_over", match.periodOver ?? false)
    add("match_over", match.matchOver ?? false)
    add("winner", match.winner)
    add("serving", match.serving)
    add("break", match.gameBreak?.name)
    add("break_kind", match.gameBreak?.kind)
    add("break_team", match.gameBreak?.team)
    for id in GameTimer.ID.allCases {
      add(clock: "\(id.rawValue)_clock", match.timers[id.rawValue], since, now)
    }
    add("sides_swapped", match.sidesSwapped)
    // In the order of the config, so that a program shows a team always in the same place.
    let teams = match.sidesSwapped ? match.teams.reversed() : match.teams
    add("teams", teams.count)
    for (index, team) in teams.enumerated() { add(team, "team\(index + 1)_", match, since, now) }
  }

  var json: JSONValue { .object(members) }

  private mutating func add(_ name: String, _ text: String?) { members[name] = .string(text ?? "") }
  private mutating func add(_ name: String, _ flag: Bool) { members[name] = .bool(flag) }
  private mutating func add(_ name: String, _ number: Int?) {
    members[name] = number.map { .integer(Int64($0)) } ?? .null
  }

  private mutating func add(clock name: String, _ timer: MatchState.Timer?, _ since: Int64, _ now: Int64) {
    let clock = timer.map { MatchClock($0, at: since) }
    add(name, clock.map { Self.text($0, now) })
    add("\(name)_ms", clock?.milliseconds(at: now))
    add("\(name)_seconds", clock?.seconds(at: now))
    add("\(name)_running", timer?.running ?? false)
    add("\(name)_ended", timer?.ended ?? false)
  }

  /// The time with at least two digits for the minutes, so that its width does not change at ten minutes.
  private static func text(_ clock: MatchClock, _ now: Int64) -> String {
    let text = clock.text(at: now)
    return text.utf8.count < 5 ? "0\(text)" : text
  }

  private mutating func add(
    _ team: MatchState.Team, _ prefix: String, _ match: MatchState, _ since: Int64, _ now: Int64
  ) {
    add("\(prefix)id", team.id)
    add("\(prefix)name", team.name)
    add("\(prefix)short_name", team.shortName)
    add("\(prefix)color", team.color)
    add("\(prefix)score", team.score)
    add("\(prefix)score_text", team.pointsText ?? "\(team.score)")
    add("\(prefix)games", team.games)
    add("\(prefix)periods_won", team.periodsWon)
    add("\(prefix)period_scores", team.periodScores.map { "\($0)" }.joined(separator: " "))
    add("\(prefix)serving", team.id == match.serving)
    add("\(prefix)winner", team.id == match.winner)
    add("\(prefix)winning_point", team.winningPoint?.rawValue)
    let penalties = (team.penalties ?? []).map { Self.text(MatchClock(MatchState.Timer($0), at: since), now) }
    add("\(prefix)penalties", penalties.joined(separator: " "))
    for (id, count) in team.counters { add("\(prefix)counter_\(id)", count) }
  }
}
