// SPDX-License-Identifier: Apache-2.0

import Languages
import Scoreboard

/// A part of a scoreboard. Teams are numbered in the order in which they are shown.
enum MatchPart: Hashable {
  /// A team's name, with a bar in its colour beneath.
  case name(Int)
  /// A team's name in a row of its own, with a bar in its colour before it. Beneath it is shown that the team
  /// needs one point to win the set or the match.
  case rowName(Int)
  /// A team's logo, before its name.
  case logo(Int)
  /// A team's points.
  case score(Int)
  /// The number of periods that a team has won, on a card.
  case periodsWon(Int)
  /// The number of games that a team has won in the current set, on a card.
  case games(Int)
  /// A team's points in the past periods, side by side.
  case periodPoints(Int)
  /// Both teams' points in the past periods, one period a line.
  case periodTable
  /// One of a team's figures, with its name before it.
  case line(Figure, Int)
  /// A counter of two teams, with its name above.
  case duel(GameRules.Counter)
  /// A team's penalized players and their remaining times.
  case penalties(Int)
  /// The current period: its name, and its number on a card.
  case period
  case clock(GameTimer.ID)
  /// The name of the break whose clock runs, and of the team that has taken it.
  case breakName
  /// The name and the number of the period, as text.
  case periodName
  /// What a clock shows, above it.
  case clockName(GameTimer.ID)
  /// The name of a figure above the column of a part of this height; as wide as that part.
  indirect case caption(Figure, over: MatchPart, Double)
  /// The name of a figure of two teams, above the cards between their scores. While one of them needs one
  /// point to win the set or the match, this instead, with a bar in its colour at its side.
  case winningCaption(Figure?)
  /// That a team needs one point to win the set or the match; otherwise nothing.
  case winningPoint(Int)
  case time
  /// That the score is final.
  case result

  /// A figure that each team has.
  enum Figure: Hashable {
    case counter(GameRules.Counter)
    case periodsWon
    case games
    case periodPoints
    case points
  }
}

extension MatchPart {
  /// The team whose part it is; nil: a part of the match or of all teams.
  var team: Int? {
    switch self {
    case .name(let team), .rowName(let team), .logo(let team), .score(let team), .periodsWon(let team),
      .games(let team), .periodPoints(let team), .line(_, let team), .penalties(let team),
      .winningPoint(let team):
      team
    case .periodTable, .duel, .period, .clock, .breakName, .periodName, .clockName, .caption, .winningCaption,
      .time,
      .result:
      nil
    }
  }
}

extension MatchPart.Figure {
  func name(_ rules: GameRules, in language: Language) -> String {
    switch self {
    case .counter(let counter): counter.name
    case .periodsWon, .periodPoints: rules.periodsName
    case .games: rules.games?.plural ?? rules.games?.name ?? ""
    case .points: language.words[.points]
    }
  }
}
