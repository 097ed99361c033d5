// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import Scoreboard

/// A number that is being typed in `flipclockctl score`: the points of a turn, or a score.
struct ScoreEntry: Hashable, Sendable {
  static let digitLimit = 3

  private enum Kind: Hashable {
    /// The points of a turn, where scores count down.
    case turn
    /// A new score.
    case score
  }

  private var kind = Kind.score
  private var digits = ""

  /// The effect of a key.
  enum Outcome: Hashable, Sendable {
    case typing(ScoreEntry)
    case done(Scoreboard.Action)
    /// The number is discarded; the operator is shown this reason.
    case dropped(String)
  }

  /// A new score without digits yet.
  init() {}

  /// The points of a turn; nil if the key is not a digit.
  init?(beginningWith key: TerminalKey) {
    guard Self.isDigit(key), case .character(let digit) = key else { return nil }
    kind = .turn
    digits = String(digit)
  }

  static func isDigit(_ key: TerminalKey) -> Bool {
    guard case .character(let character) = key else { return false }
    return ("0"..."9").contains(character)
  }

  /// The prompt: what was typed so far, and the keys that complete it.
  func prompt(_ match: MatchState) -> String {
    let hands = "\(ScoreKeyboard.leftPoints[0]) or \(ScoreKeyboard.rightPoints[0])"
    let teams = match.teams.count == 2 ? "\(hands) for the team" : "Enter"
    switch kind {
    case .turn:
      let name = match.teams.first { $0.id == match.serving }?.name
      return "turn\(name.map { " of \($0.printable)" } ?? ""): \(digits)_  "
        + (match.serving == nil && match.teams.count > 1 ? teams : "Enter takes it")
    case .score: return "new score: \(digits)_  digits, then \(teams)"
    }
  }

  /// The effect of a key while the number is typed.
  func typing(_ key: TerminalKey, _ match: MatchState, selected: String?) -> Outcome {
    var entry = self
    switch key {
    case .character(let digit) where Self.isDigit(key):
      guard digits.count < Self.digitLimit else { return .typing(self) }
      entry.digits.append(digit)
      return .typing(entry)
    case .backspace where !digits.isEmpty:
      entry.digits.removeLast()
      return .typing(entry)
    default: break
    }
    guard let team = team(key, match, selected: selected) else {
      return .dropped(key == .enter ? "no team was chosen: the number was ignored" : "the number was ignored")
    }
    guard let number = Int(digits) else { return .dropped("no number was typed: nothing was done") }
    return switch kind {
    case .turn: .done(.addScore(team: team, by: 0 - number))
    case .score: .done(.setScore(team: team, to: number))
    }
  }

  /// The team that `key` selects when the number is complete; nil if the key selects none.
  private func team(_ key: TerminalKey, _ match: MatchState, selected: String?) -> String? {
    let teams = match.teams
    switch key {
    case .enter where teams.count == 1: return teams.first?.id
    case .enter where kind == .turn: return match.serving
    case .enter where teams.count > 2: return match.countsDown == true ? match.serving : selected
    case .character(ScoreKeyboard.leftPoints[0]) where teams.count == 2: return teams.first?.id
    case .character(ScoreKeyboard.rightPoints[0]) where teams.count == 2: return teams.last?.id
    default: return nil
    }
  }
}
