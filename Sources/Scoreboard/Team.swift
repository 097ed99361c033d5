// SPDX-License-Identifier: Apache-2.0

import Languages

extension Scoreboard {
  package struct Team: Hashable, Sendable {
    package let id: String
    package var name: String
    /// Nil: derived from the name, see `shownShortName`.
    package var shortName: String?
    /// `0xRRGGBB`. Every team of a config has one: where the config has none, `TeamSettings` chooses it.
    package var color: UInt32?
    /// The current score: in the current period where periods are sets, in the current game where sets
    /// consist of games, else in the whole match. `Scoreboard.pointsText(of:)` gives it in the words of the
    /// game.
    package var score: Int
    /// Games won in the current set, where sets consist of games.
    package internal(set) var games = 0
    /// The score of each past period.
    package internal(set) var periodScores: [Int] = []
    /// The points in the tie-breaks that have decided sets, by the numbers of the sets. `Scoreboard.tieBreak`
    /// says whether the games of the set still fit.
    package internal(set) var tieBreaks: [Int: Int] = [:]
    /// Time-outs, fouls and whatever else the rules count, and the counts of parts of the match
    /// (`Counter.keys`); what is missing is 0.
    package internal(set) var counters: [String: Int] = [:]
    /// Oldest first.
    package internal(set) var penalties: [Penalty] = []
    /// The values that the config last declared.
    var declared: Declared

    struct Declared: Hashable, Sendable, Codable {
      var name: String
      var shortName: String?
      var color: UInt32?
    }

    package init(
      id: String, name: String, shortName: String? = nil, color: UInt32? = nil, score: Int = 0
    ) {
      self.id = id
      self.name = name
      self.shortName = shortName
      self.color = color
      self.score = score
      declared = Declared(name: name, shortName: shortName, color: color)
    }
  }
}

extension Scoreboard.Team {
  /// The short name, or else the first letters of the name, at most three, as capitals of a language.
  package func abbreviation(in language: Language) -> String {
    if let shortName { return shortName }
    let first = name.prefix(3)
    return language.uppercased(String(first.last?.isWhitespace == true ? first.dropLast() : first))
  }

  /// The short name, or else one derived from the name.
  package func shownShortName(in language: Language) -> String {
    shortName ?? derivedShortName(in: language)
  }

  /// The first word of 4 to 8 letters that looks like a name (`MILANO` of `FC INTERNAZIONALE MILANO`), else
  /// the initials, else the first letters. Two initials say too little: the beginning of a longer name
  /// replaces them (`UNTERHA.` of `TSV UNTERHACHING`). Scripts without capitals have no initials.
  private func derivedShortName(in language: Language) -> String {
    let longest = ShownText.shortNameLimit
    let words = name.prefix(200).split { $0.isWhitespace || $0 == "-" || $0 == "/" }
    let names = words.filter { word in
      word.count > 3 && word.first?.isLowercase == false && !NameWord(text: word).isGeneric
        && word.allSatisfy { $0.isLetter || $0 == "'" }
    }
    if let word = names.first(where: { $0.count <= longest }) { return String(word) }
    let hasCapitals = name.contains(where: \.isCased)
    guard hasCapitals else { return String((names.first ?? name.prefix(longest)).prefix(longest)) }
    let initials = words.filter { $0.first?.isLetter == true && $0.first?.isLowercase == false }.compactMap(
      \.first)
    if initials.count == 2, let word = names.first { return word.prefix(longest - 1) + "." }
    if initials.count > 1 { return String(initials.prefix(4)) }
    return abbreviation(in: language)
  }

  package func counter(_ id: String) -> Int { counters[id] ?? 0 }

  /// This team with the values that the config has changed: those that `other` declares and that differ from
  /// what the config declared for this team before. All other values stay, also those that were set by
  /// command.
  func adopting(_ other: Scoreboard.Team) -> Scoreboard.Team {
    var team = self
    if other.declared.name != declared.name { team.name = other.declared.name }
    let isChanged = (other.declared.name, other.declared.shortName) != (declared.name, declared.shortName)
    if isChanged, team.name == other.declared.name { team.shortName = other.declared.shortName }
    if other.declared.color != declared.color { team.color = other.declared.color }
    team.declared = other.declared
    return team
  }

  mutating func setCounter(_ id: String, to value: Int) {
    // Zero is not stored, so that equal states are equal values.
    counters[id] = value == 0 ? nil : value
  }

  /// - Parameter period: the current one.
  mutating func makeValid(period: Int, rules: GameRules) {
    score = min(max(score, Scoreboard.scores.lowerBound), Scoreboard.scores.upperBound)
    guard periodScores.count != period - 1 else { return }
    // A team that was declared during the game gets 0 for the earlier periods.
    periodScores = Array(periodScores.prefix(period - 1))
    periodScores += Array(repeating: 0, count: period - 1 - periodScores.count)
  }
}
