// SPDX-License-Identifier: Apache-2.0

import Scoreboard

/// A match for people, read as it came from a daemon older or newer than this.
enum MatchText {
  /// `HOME 3 : 2 GUEST  SET 2  9:59, running`
  static func line(of state: JSONValue) -> String {
    let teams = state["teams"]?.array ?? []
    var parts = [
      teams.enumerated().map { team($0.element, at: $0.offset, of: teams.count, state) }.joined(
        separator: " : ")
    ]
    if let period = state["period"]?.integer, period > 1 || (state["periods"]?.integer ?? 1) > 1 {
      let text = state["periodText"]?.string
      parts.append(text ?? "\(state["periodName"]?.string ?? "PERIOD") \(period)")
    }
    if state["matchOver"]?.bool == true { parts.append("match over") }
    for (name, timer) in (state["timers"]?.object ?? [:]).sorted(by: { $0.key < $1.key }) {
      guard let milliseconds = timer["milliseconds"]?.integer else { continue }
      // Tenths change too fast to be read here.
      let face = GameTimeText.text(Int64(clamping: milliseconds / 1000) * 1_000_000_000)
      parts.append("\(name) \(face)\(timer["running"]?.bool == true ? ", running" : "")")
    }
    for counter in state["counters"]?.array ?? [] {
      guard let id = counter["id"]?.string else { continue }
      let counts = teams.map { $0["counters"]?[id]?.integer ?? 0 }
      if counts.contains(where: { $0 != 0 }) {
        parts.append("\(id) \(counts.map(String.init).joined(separator: " : "))")
      }
    }
    for team in teams {
      for penalty in team["penalties"]?.array ?? [] {
        let face = GameTimeText.text(
          Int64(clamping: (penalty["milliseconds"]?.integer ?? 0) / 1000) * 1_000_000_000)
        let number = penalty["number"]?.integer.map { " #\($0)" } ?? ""
        parts.append("penalty \(team["id"]?.string ?? "?")\(number) \(face)")
      }
    }
    return parts.joined(separator: "  ").printable
  }

  /// What was done last, in words.
  static func change(from before: JSONValue?, to state: JSONValue) -> String {
    // Undoing puts the change in front of those that can be redone.
    if let redo = state["redo"]?.string, before?["redo"]?.string != redo {
      return "undone: \(redo)".printable
    }
    return (state["undo"]?.string ?? "as it was").printable
  }

  private static func team(_ team: JSONValue, at index: Int, of count: Int, _ state: JSONValue) -> String {
    let name = team["name"]?.string ?? "?"
    let points = team["pointsText"]?.string ?? "\(team["score"]?.integer ?? 0)"
    let isRight = count == 2 && index == 1
    let games = team["games"]?.integer.map { "\($0)" }
    let score = (isRight ? [points, games] : [games, points]).compactMap { $0 }.joined(separator: " ")
    let serve = state["serving"]?.string != nil && state["serving"]?.string == team["id"]?.string ? "*" : ""
    let won = state["scoring"]?.string == "sets" ? " (\(team["periodsWon"]?.integer ?? 0))" : ""
    // The scores of two teams stand side by side.
    return isRight
      ? "\(score)\(won) \(serve)\(name)" : "\(name)\(serve)\(won) \(score)"
  }

  /// The latest change last; below it what was undone, the next to be redone first.
  static func history(_ reply: [String: JSONValue]) -> String {
    func lines(_ list: String, _ mark: String) -> [String] {
      (reply[list]?.array ?? []).map { step in
        "\(mark)\(LocalTime.text(step["time"]?.string ?? ""))  \(step["what"]?.string ?? "")".printable + "\n"
      }
    }
    let text = lines("past", "      ").reversed() + lines("future", "undone ")
    return text.isEmpty ? "nothing has been changed\n" : text.joined()
  }
}
