// SPDX-License-Identifier: Apache-2.0

extension Match.Step {
  /// Describes the change for the operator: `score of home: 7 → 8`.
  public var summary: String {
    if let note { return note }
    return switch action {
    case .setScore(let team, _), .addScore(let team, _): "score of \(team)" + change
    case .setPeriodScore(let team, let period, let to): "score of \(team) in period \(period): \(to)"
    case .setPeriod, .addPeriod: "period" + change
    case .setTeam(let team, let name, let shortName, let color): team + looks(name, shortName, color)
    case .setServing(let team): "serve: \(team ?? "nobody")"
    case .setCounter(let team, let counter, _), .addCounter(let team, let counter, _):
      "\(counter) of \(team)" + counterChange(counter)
    case .startTimer(let id): "\(id.rawValue) timer started"
    case .pauseTimer(let id): "\(id.rawValue) timer paused"
    case .resetShot(let to): "shot timer reset to \(GameTimeText.text(to))"
    case .resetTimer(let id): "\(id.rawValue) timer reset"
    case .setTimer(let id, let to): "\(id.rawValue) timer set to \(GameTimeText.text(to))"
    case .addTimer(let id, let by):
      "\(id.rawValue) timer \(by < 0 ? "-" : "+")\(GameTimeText.text(by < 0 ? 0 - max(by, -.max) : by))"
    case .addPenalty(let team, let length, let number):
      "penalty of \(team)\(player(number))" + (length.map { ": \(GameTimeText.text($0))" } ?? "")
    case .endPenalty(let team, let number): "penalty of \(team)\(player(number)) ended"
    case .clearPenalties(let team): "penalties of \(team) cleared"
    case .swapSides: "sides swapped"
    case .newGame: "new game"
    case .reset: "reset"
    case .undo, .redo, .undoSteps, .redoSteps: ""
    }
  }

  private func player(_ number: Int?) -> String { number.map { ", number \($0)" } ?? "" }

  /// `: 7 → 8`
  private var change: String {
    for patch in patches {
      switch (patch, action) {
      case (.score(_, let from, let to), .setScore), (.score(_, let from, let to), .addScore),
        (.period(let from, let to), .setPeriod), (.period(let from, let to), .addPeriod):
        return ": \(from) → \(to)"
      default: continue
      }
    }
    // There is no patch, because the action restored the stored value, from which the clock had moved on in the
    // meantime.
    return switch action {
    case .setScore(_, let to), .setPeriod(let to): ": \(to)"
    case .addScore(_, let by), .addPeriod(let by): by < 0 ? " \(by)" : " +\(by)"
    default: ""
    }
  }

  private func counterChange(_ counter: String) -> String {
    for case .counters(_, let from, let to) in patches {
      return ": \(from[counter] ?? 0) → \(to[counter] ?? 0)"
    }
    return ""
  }

  private func looks(_ name: String?, _ shortName: String?, _ color: UInt32?) -> String {
    var parts: [String] = []
    if let name { parts.append("named \(name)") }
    if let shortName { parts.append("short name \(shortName.isEmpty ? "derived from the name" : shortName)") }
    if let color { parts.append("colour \(ColorText.hex(color))") }
    return parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
  }
}
