// SPDX-License-Identifier: Apache-2.0

import JSON

/// A match that is finished: the interface's type `FinishedMatch`.
package struct FinishedMatch: Codable, Hashable, Sendable {
  package struct Team: Codable, Hashable, Sendable {
    package var id: String
    package var name: String
    package var shortName: String?
    /// `#rrggbb`.
    package var color: String?
    /// The sets or legs that the team has won, or its points.
    package var score: Int
    /// What the team has scored in each period.
    package var periods: [Int]
    /// The points in the tie-breaks that decided sets, by the numbers of the sets; nil: none.
    package var tieBreaks: [String: Int]?
    /// What the team had in the game or the tie-break within which the match ended, as it was displayed; nil:
    /// it did not end within one.
    package var points: String?

    package init(
      id: String, name: String, shortName: String?, color: String?, score: Int, periods: [Int],
      tieBreaks: [String: Int]? = nil, points: String? = nil
    ) {
      self.id = id
      self.name = name
      self.shortName = shortName
      self.color = color
      self.score = score
      self.periods = periods
      self.tieBreaks = tieBreaks
      self.points = points
    }
  }

  package var id: String
  /// RFC 3339 with the offset of the wall's zone.
  package var started: String
  package var ended: String
  /// From `started` to `ended`.
  package var seconds: Int
  /// The preset of the game.
  package var game: String
  /// Whether it was over by the rules, or because the time was up and a team led.
  package var over: Bool
  /// Whether a new game replaced it before its end; nil: no.
  package var abandoned: Bool?
  /// The id of the team that was ahead of all others; nil: none was, or the match was abandoned.
  package var winner: String?
  package var teams: [Team]

  package init(
    id: String, started: String, ended: String, seconds: Int, game: String, over: Bool,
    abandoned: Bool? = nil, winner: String?, teams: [Team]
  ) {
    self.id = id
    self.started = started
    self.ended = ended
    self.seconds = seconds
    self.game = game
    self.over = over
    self.abandoned = abandoned
    self.winner = winner
    self.teams = teams
  }
}

/// The reply to GetMatches.
package struct MatchLists: Encodable, Hashable, Sendable {
  package var matches: [AsideMatch]
  package var finished: [FinishedMatch]

  /// - Parameter finished: the oldest first.
  package init(matches: [AsideMatch], finished: [FinishedMatch]) {
    self.matches = matches
    self.finished = finished.reversed()
  }
}

extension FinishedMatch {
  /// `25:20 20:25`, the result of each period; `7:6(5)` if a tie-break decided it, in which the loser had 5
  /// points; `6:6(1:0)` if the match ended within a tie-break or a game, at 1:0.
  package var periodsText: String {
    let points = teams.compactMap(\.points)
    return (0..<(teams.map(\.periods.count).min() ?? 0)).map { period in
      let lost = teams.compactMap { lostTieBreak(of: $0, inPeriod: period) }.first ?? ""
      return teams.map { String($0.periods[period]) }.joined(separator: ":") + lost
    }.joined(separator: " ") + (points.isEmpty ? "" : "(\(points.joined(separator: ":")))")
  }

  /// `(5)`, the points with which one of two teams lost the tie-break of a period, counted from 0; nil: it
  /// did not.
  private func lostTieBreak(of team: Team, inPeriod period: Int) -> String? {
    let number = String(period + 1)
    guard teams.count == 2, let points = team.tieBreaks?[number],
      let most = teams.compactMap({ $0.tieBreaks?[number] }).max(), points < most
    else { return nil }
    return "(\(points))"
  }

  /// The matches as CSV (RFC 4180, in UTF-8) with a header, in the order given. There are columns for as many
  /// teams as one match has at most, and at least for two.
  package static func csv(_ matches: [FinishedMatch]) -> String {
    let count = max(matches.map(\.teams.count).max() ?? 2, 2)
    let columns = ["team", "name", "short_name", "color", "score", "periods"]
    let header =
      ["id", "started", "ended", "seconds", "game", "over", "winner"]
      + (1...count).flatMap { number in columns.map { "\($0)_\(number)" } }
    let rows = matches.map { match -> [String] in
      let gaps = Array(repeating: "", count: columns.count * (count - match.teams.count))
      return match.fields + match.teams.flatMap { match.fields(of: $0) } + gaps
    }
    return ([header] + rows).map { $0.joined(separator: ",") + "\r\n" }.joined()
  }

  private var fields: [String] {
    let start = [id, started, ended].map(Self.field)
    return start + [String(seconds), Self.field(game), over ? "yes" : "no", Self.field(winner ?? "")]
  }

  private func fields(of team: Team) -> [String] {
    let look = [team.id, team.name, team.shortName ?? "", team.color ?? ""].map(Self.field)
    let periods = team.periods.enumerated().map { index, score in
      "\(score)\(lostTieBreak(of: team, inPeriod: index) ?? "")"
    }
    return look + [
      String(team.score), periods.joined(separator: " ") + (team.points.map { "(\($0))" } ?? ""),
    ]
  }

  /// What a spreadsheet takes for the beginning of a formula, also in quotation marks; the wide forms are
  /// those of East Asian input methods.
  private static let formulas = "=+-@\t\r\n\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}".unicodeScalars

  /// A text as a field of CSV. An apostrophe precedes what a spreadsheet would take for a formula.
  private static func field(_ text: String) -> String {
    let isFormula = text.unicodeScalars.first.map(formulas.contains) ?? false
    let text = isFormula ? "'\(text)" : text
    guard isFormula || text.unicodeScalars.contains(where: { "\",\r\n".unicodeScalars.contains($0) }) else {
      return text
    }
    return "\"" + text.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
  }

  /// The finished matches in a reply to GetMatches, the newest first; an older daemon has none.
  package static func all(in reply: [String: JSONValue]) -> [FinishedMatch] {
    (reply["finished"]?.array ?? []).compactMap { try? $0.decoded(as: FinishedMatch.self) }
  }
}
