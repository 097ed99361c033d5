// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import JSON

extension WallReport {
  /// The values of the entities, by their objects.
  ///
  /// - Parameter now: nanoseconds of CLOCK_BOOTTIME.
  package func values(at now: Int64) -> [String: String] {
    var values = displayValues.merging(healthValues) { first, _ in first }
    for team in teams {
      values["\(team.id)_score"] = String(team.score)
      if hasWinningPoints { values["\(team.id)_winning_point"] = team.winningPoint?.rawValue ?? Self.none }
    }
    values["last_change"] = Self.sensorText(match.undo)
    values["match_over"] = Self.flag(match.matchOver ?? false)
    if match.periods > 1 || match.period > 1 {
      values["period"] = String(match.period)
      values["period_name"] = Self.sensorText(match.shownPeriod)
    }
    for (object, timer) in timers {
      values[object] = Self.flag(timer.running)
      values["\(object)_time"] = clock(timer).text(at: now)
    }
    if !breaks.isEmpty {
      values["break"] = Self.sensorText(match.gameBreak?.kind)
      values["break_time"] = match.timers["break"].map { clock($0).text(at: now) } ?? Self.none
    }
    for countdown in countdowns where countdown.milliseconds == nil {
      values["countdown_\(countdown.name)_time"] = Self.none
    }
    return values.merging(clockValues(at: now)) { first, _ in first }
  }

  /// The values of the clocks alone.
  package func clockValues(at now: Int64) -> [String: String] {
    Dictionary(
      clocks.map { ("\($0.object)_time", $0.clock.text(at: now)) }, uniquingKeysWith: { first, _ in first })
  }

  /// The timers, the clock of the break, and the countdowns that are set.
  private var clocks: [(object: String, clock: MatchClock)] {
    let timers = timers + (match.timers["break"].map { [("break", $0)] } ?? [])
    return timers.map { ($0.object, clock($0.timer)) }
      + countdowns.compactMap { countdown in
        countdown.timer.map { ("countdown_\(countdown.name)", MatchClock($0, at: displayInstant)) }
      }
  }

  private func clock(_ timer: MatchState.Timer) -> MatchClock { MatchClock(timer, at: matchInstant) }

  /// Nanoseconds until the time of a running clock changes; nil if none runs.
  package func untilClockChanges(at now: Int64) -> Int64? {
    // At least a millisecond, because a wakeup that is a little early would see no change.
    clocks.compactMap { $0.clock.nextChange(after: now) }.min().map { max($0 - now, 1_000_000) }
  }

  private static func flag(_ isOn: Bool) -> String { isOn ? "ON" : "OFF" }

  /// What Home Assistant reads as no value.
  private static let none = "None"

  /// A text for a sensor, whose value has at most 255 characters.
  private static func sensorText(_ text: String?) -> String {
    guard let text, !text.isEmpty else { return none }
    return text.count <= 255 ? text : text.prefix(254) + "…"
  }

  /// The maximum length of a text entity of Home Assistant.
  static let textLimit = 255

  /// The beginning of a text, on one line.
  private static func line(_ text: String) -> String {
    let line = text.map { $0.isNewline || $0 == "\t" ? " " : $0 }
    return line.count <= textLimit ? String(line) : String(line.prefix(textLimit - 1)) + "…"
  }

  private var displayValues: [String: String] {
    var values = [
      "light": Self.flag(!display.blanked), Entity.brightness: String(min(max(display.brightness, 1), 100)),
      "page": display.page,
      // An empty payload would remove the retained value.
      "message": JSONValue.object(["text": .string(display.message ?? "")]).text,
    ]
    for board in boards {
      values["board_\(board.name)"] = JSONValue.object(["text": .string(Self.line(board.text))]).text
    }
    for countdown in countdowns {
      let object = "countdown_\(countdown.name)"
      // The entity only takes words.
      values[object] = JSONValue.object(["text": .string("")]).text
      values["\(object)_running"] = Self.flag(countdown.running)
    }
    if !display.messages.isEmpty {
      values["message_preset"] =
        display.message.flatMap { display.messages.prefix(64).contains($0) ? $0 : nil } ?? Self.none
    }
    return values
  }

  private var healthValues: [String: String] {
    guard let health else { return [:] }
    let hundredths = health.processor / 6_000
    let tenths = health.memory * 10 / (1 << 20)
    return [
      "version": health.version,
      "processor": Self.decimal(hundredths, digits: 2),
      "memory": Self.decimal(tenths, digits: 1),
      "missed_flips": String(health.missedFlips),
      "problem": Self.flag(!health.problems.isEmpty),
      "problem_details":
        JSONValue.object(["problems": .array(health.problems.prefix(20).map { .string($0) })]).text,
    ]
  }

  /// A number with a point before its last digits.
  private static func decimal(_ number: Int, digits: Int) -> String {
    let text = String(max(number, 0))
    let padded = String(repeating: "0", count: max(digits + 1 - text.count, 0)) + text
    return "\(padded.dropLast(digits)).\(padded.suffix(digits))"
  }
}
