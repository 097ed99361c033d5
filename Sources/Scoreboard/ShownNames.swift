// SPDX-License-Identifier: Apache-2.0

import Languages

extension Scoreboard.Team {
  /// The texts that may be shown for each of the teams of a board, from the fullest to the shortest: the
  /// name, the short name if there is one, parts of the name, and abbreviations. Teams with different names
  /// have no text in common.
  ///
  /// - Parameter isShort: leaves out the name of a team that has a short name.
  package static func shownNames(
    of teams: [Scoreboard.Team], isShort: Bool = false, in language: Language
  ) -> [[String]] {
    let texts = teams.map { team in
      team.texts(beside: teams.filter { $0.name != team.name }, isShort: isShort, in: language)
    }
    let sets = texts.map(Set.init)
    return teams.indices.map { index in
      let others = teams.indices.filter { teams[$0].name != teams[index].name }.map { sets[$0] }
      return texts[index].filter { text in !others.contains { $0.contains(text) } }
        // If everything else is ambiguous.
        + [language.uppercased(String(teams[index].name.prefix(2))) + String(index + 1)]
    }
  }

  private func texts(
    beside others: [Scoreboard.Team], isShort: Bool, in language: Language
  ) -> [String] {
    let full = isShort && shortName != nil ? [] : [name]
    let shared = Set(others.flatMap { NameWord.words(of: $0.name[...]).map(\.key) })
    let players = name.prefix(NameWord.limit).split(separator: "/")
    var texts = full + (shortName.map { [$0] } ?? [])
    if players.count == 2 {
      let parts = players.map { NameWord.parts(of: $0, shared: shared) + [$0.trimmed.prefix(3)] }
      texts += (0..<(parts.map(\.count).max() ?? 0)).map { index in
        parts.map { String($0[min(index, $0.count - 1)]) }.joined(separator: " / ")
      }
    }
    texts += NameWord.parts(of: name.prefix(NameWord.limit), shared: shared).map(String.init)
    texts += cuts(beside: others, shared: shared)
    let initials = NameWord.words(of: name.prefix(NameWord.limit)).filter(\.isCapitalized).compactMap(
      \.text.first)
    if initials.count > 2 { texts.append(String(initials.prefix(4))) }
    return texts + [abbreviation(in: language)]
  }

  /// The beginnings of the word that distinguishes the team, and the beginning of the name with the letters
  /// in which it differs from another one.
  private func cuts(beside others: [Scoreboard.Team], shared: Set<String>) -> [String] {
    let word =
      NameWord.words(of: name.prefix(NameWord.limit)).first { $0.isStrong(shared) }?.text ?? name[...]
    let end = name.contains(where: \.isCased) ? "." : ""
    let letters = Array(name.prefix(NameWord.limit))
    let same = others.map { zip(letters, $0.name).prefix { $0 == $1 }.count }.max() ?? 0
    let rest = letters.dropFirst(same).drop(while: \.isWhitespace).prefix(3)
    return stride(from: Self.longestCut, to: 0, by: -1).flatMap { count -> [String] in
      let beginning = count > 3 && count < word.count ? [String(word.prefix(count)) + end] : []
      let ending = count < same && !rest.isEmpty ? [String(letters.prefix(count)) + "…" + String(rest)] : []
      return beginning + ending
    }
  }

  private static let longestCut = 24
}

/// A word of a team's name.
struct NameWord {
  let text: Substring

  /// Characters of a name; longer ones fit no display.
  static let limit = 200
  /// Words of a name that are combined.
  private static let mostWords = 10

  /// Words that do not distinguish a team, in lower case.
  private static let generic: Set<String> = [
    "club", "clube", "klub", "klubi", "klubben", "kulübü", "kulüp", "клуб", "клубу", "σύλλογος", "نادي",
    "النادي",
    "باشگاه", "מועדון", "クラブ", "俱乐部", "俱樂部", "클럽", "क्लब", "สโมสร", "verein", "sportverein",
    "team", "teamet", "equipe", "équipe", "equipo", "squadra", "mannschaft", "команда", "drużyna", "takım",
    "takımı",
    "チーム", "football", "futbol", "fútbol", "futebol", "fußball", "basketball", "handball", "volleyball",
    "hockey",
  ]

  /// As it is compared with those of other names.
  var key: String { text.lowercased() }
  var isCapitalized: Bool { text.first?.isLetter == true && text.first?.isLowercase == false }
  private var isLong: Bool { text.count > 3 && text.first?.isLowercase == false }
  var isGeneric: Bool { Self.generic.contains(key) }

  /// Whether the word alone stands for the team.
  func isStrong(_ shared: Set<String>) -> Bool { isLong && !isGeneric && !shared.contains(key) }

  static func words(of name: Substring) -> [NameWord] {
    name.split { $0.isWhitespace || $0 == "-" || $0 == "/" }.map { NameWord(text: $0) }
  }

  /// The parts of a name, in whole words: those with the most words that stand for the team first, and of
  /// these the longest. Where no long word distinguishes the team, short words do (`B` of `LIONS B`).
  static func parts(of name: Substring, shared: Set<String>) -> [Substring] {
    let words = Array(words(of: name).prefix(mostWords))
    var strong = words.map { $0.isStrong(shared) }
    if !strong.contains(true) { strong = words.map { !shared.contains($0.key) && !$0.isGeneric } }
    let ends = zip(words, strong).map { $0.isLong || $1 }
    var parts: [(text: Substring, strong: Int)] = []
    for first in words.indices where ends[first] {
      for last in first..<words.count where ends[last] {
        let count = strong[first...last].count { $0 }
        guard count > 0 else { continue }
        parts.append((name[words[first].text.startIndex..<words[last].text.endIndex], count))
      }
    }
    return parts.sorted { ($0.strong, $0.text.count) > ($1.strong, $1.text.count) }.map(\.text)
  }
}

extension Substring {
  /// Without white space at the ends.
  fileprivate var trimmed: Substring {
    let end = lastIndex { !$0.isWhitespace }.map(index(after:)) ?? startIndex
    return self[..<end].drop(while: \.isWhitespace)
  }
}
