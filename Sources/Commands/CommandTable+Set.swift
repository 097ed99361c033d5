// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import Spelling

extension CommandTable {
  /// What `set` can set for a team, besides the counters of the config.
  private static let teamWords: [(word: String, help: String)] = [
    ("name", "the name on the display"), ("short-name", "for narrow displays"), ("color", "e.g. #ff8800"),
    ("score", "points"), ("period-score", "points in one period"),
  ]

  static let set = CommandSyntax(
    verb: "set",
    usage: [
      "period <n> [--anyway]", "serve <team>|none", "<team> name|short-name|color <text>",
      "<team> score <n> [--anyway]", "<team> period-score <period> <n> [--anyway]",
      "<team> <counter> <n> [--anyway]",
    ],
    summary: "Set a name, a colour, the period, the serve or a counter.",
    discussion: """
      A number with a sign is relative: 'set period +1', 'set home fouls +1'. The counters are in the config's [game]. \
      One more time-out begins it, as 'time-out' does; to correct the number alone, write it: 'set home timeouts 2'.
      Names and colour can be set together: 'set home name LIONS color #f80'. A set that is not \
      over is not ended, no period follows the end of the match, and a score that the rules make impossible is not set; \
      where the rules allow no more, nothing is counted. --anyway does it nevertheless.
      """,
    operands: [
      .init(name: "what", help: "What to set, and its value.", isOptional: true, isRepeated: true)
    ],
    options: [anyway],
    examples: [
      "set period +1", "set period 2", "set serve home", "set home name LIONS", "set home period-score 2 25",
      "set home fouls +1", "set home fouls 0",
    ], surfaces: .all, completion: completions,
    parse: { arguments throws(UsageError) in
      let action = try action(setting: arguments.operands)
      guard arguments.has(anyway.name) else { return match(action) }
      guard let anyway = action.overruling else {
        throw UsageError(
          "--anyway is for a period, a score, or one more of a counter: 'set home timeouts +1 --anyway'")
      }
      return match(anyway)
    })

  @Sendable private static func completions(_ words: [String]) -> [Completion.Item] {
    switch (words.count, words.first) {
    case (0, _):
      return [
        .word("period", "the period that is played"), .word("serve", "who serves"), .names(.teams, "team"),
      ]
    case (1, "period"): return steps
    case (1, "serve"): return [.names(.teams, "team"), .word("none", "nobody")]
    case (1, _): return teamWords.map { .word($0.word, $0.help) } + [.names(.counters, "counter")]
    case (2, "period"), (2, "serve"): return []
    case (2, _):
      return (lookWords + ["period-score"]).contains(words[1]) ? [] : steps
    default: return []
    }
  }

  private static func action(setting words: [String]) throws(UsageError) -> Scoreboard.Action {
    switch (words.first, words.count) {
    case ("period", 2):
      let number = try number(words[1], difference)
      return isRelative(words[1]) ? .addPeriod(by: number) : .setPeriod(to: number)
    case ("serve", 2): return .setServing(team: words[1] == "none" ? nil : words[1])
    case (let team?, 3): return try action(setting: words[1], to: words[2], of: team)
    case (let team?, 5...) where isLook(words): return try look(words, of: team)
    case (let team?, 4) where words[1] == "period-score":
      return .setPeriodScore(team: team, period: try absolute(words[2]), to: try absolute(words[3]))
    default: throw incomplete(words)
    }
  }

  private static let lookWords = ["name", "short-name", "color"]

  /// Whether the words set several of a team's names and colour: each word after the team is followed by its
  /// value.
  private static func isLook(_ words: [String]) -> Bool {
    words.count % 2 == 1
      && stride(from: 1, to: words.count, by: 2).allSatisfy { lookWords.contains(words[$0]) }
  }

  private static func look(_ words: [String], of team: String) throws(UsageError) -> Scoreboard.Action {
    var (name, shortName, color) = (String?.none, String?.none, UInt32?.none)
    for index in stride(from: 1, to: words.count, by: 2) {
      let part = try action(setting: words[index], to: words[index + 1], of: team)
      guard case .setTeam(_, let newName, let newShortName, let newColor) = part else { continue }
      (name, shortName, color) = (newName ?? name, newShortName ?? shortName, newColor ?? color)
    }
    return .setTeam(team: team, name: name, shortName: shortName, color: color)
  }

  private static func action(
    setting what: String, to value: String, of team: String
  ) throws(UsageError) -> Scoreboard.Action {
    switch what {
    case "name": return .setTeam(team: team, name: value, shortName: nil, color: nil)
    case "short-name": return .setTeam(team: team, name: nil, shortName: value, color: nil)
    case "color":
      guard let color = ColorText.color(value) else {
        throw UsageError("'\(value.printable)' is not a colour; write '#ff8800' or '#f80'")
      }
      return .setTeam(team: team, name: nil, shortName: nil, color: color)
    case "period-score": throw UsageError("'period-score' takes a period and a score: \(periodScore)")
    case "score":
      let score = try number(value, difference)
      return isRelative(value) ? .addScore(team: team, by: score) : .setScore(team: team, to: score)
    default:
      guard let number = Int(value) else {
        let names = teamWords.map(\.word)
        let hint = Spelling.hint(for: what, among: names).map { "; \($0)" } ?? ""
        throw UsageError(
          "'\(what.printable)' cannot be set to '\(value.printable)'\(hint) "
            + "(\(names.joined(separator: ", ")), or a counter and a number)")
      }
      return isRelative(value)
        ? .addCounter(team: team, counter: what, by: number)
        : .setCounter(team: team, counter: what, to: number)
    }
  }

  /// The error for `set` with too few or too many words.
  private static func incomplete(_ words: [String]) -> UsageError {
    let command = "'set \(words.joined(separator: " "))'".printable
    switch (words.first, words.count) {
    case ("period", 1): return UsageError("'set period' takes a number: 'set period 2', 'set period +1'")
    case ("serve", 1): return UsageError("'set serve' takes a team, or none: 'set serve home'")
    case (_?, 1): return UsageError("\(command) lacks what to set, and its value: 'set home name LIONS'")
    case ("period", _), ("serve", _): return UsageError("\(command) has too many words: one value is enough")
    case (_?, 2): return UsageError("\(command) lacks the value: 'set home name LIONS', 'set home fouls +1'")
    case (_?, _):
      return UsageError("\(command) has too many words; put a name with spaces in quotes: 'RED LIONS'")
    default:
      return UsageError(
        "'set' takes 'period N', 'serve TEAM', or a team, what to set, and a value: 'set home name LIONS'")
    }
  }

  private static let difference = "write 2, or +1 and -1 for a difference"
  private static let periodScore = "'set home period-score 2 25'"

  /// Reads an absolute number; `+` is refused. A minus is allowed, because a corrected score of a period may
  /// be less than 0.
  private static func absolute(_ word: String) throws(UsageError) -> Int {
    guard !word.hasPrefix("+") else {
      throw UsageError("'\(word.printable)' is relative; the score of a period is absolute: \(periodScore)")
    }
    return try number(word, difference)
  }
}
