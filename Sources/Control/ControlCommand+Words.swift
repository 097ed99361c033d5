// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Scoreboard
import Spelling

/// Words of a command line that are no command; one line for a person.
public struct UsageProblem: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}

extension ControlCommand {
  /// What `set` can set of a team, besides what the config counts.
  static let teamWords = ["name", "short-name", "color", "score", "period-score"]
  static let timerWords = ["start", "pause", "reset", "set", "add"]

  /// `set WHAT VALUE` or `set TEAM WHAT VALUE`; numbers with a sign are relative.
  public static func set(_ words: [String]) throws(UsageProblem) -> ControlCommand {
    let words = words.map(CommandLineWords.asWritten)
    switch (words.first, words.count) {
    case ("period"?, 2):
      let (number, isRelative) = try number(words[1])
      return isRelative
        ? .change("AddPeriod", ["periods": number]) : .change("SetPeriod", ["period": number])
    case ("serve"?, 2):
      return .change("SetServing", words[1] == "none" ? [:] : ["team": .string(words[1])])
    case (let team?, 3): return try set(words[1], to: words[2], of: .string(team))
    case (let team?, 4) where words[1] == "period-score":
      return .change(
        "SetPeriodScore",
        ["team": .string(team), "period": try outright(words[2]), "score": try outright(words[3])])
    default: throw incomplete(words)
    }
  }

  /// What is missing, or too much, after `set`.
  private static func incomplete(_ words: [String]) -> UsageProblem {
    let said = "'set \(words.joined(separator: " "))'".printable
    switch (words.first, words.count) {
    case ("period"?, 1): return UsageProblem("'set period' takes a number: 'set period 2', 'set period +1'")
    case ("serve"?, 1): return UsageProblem("'set serve' takes a team, or none: 'set serve home'")
    case (_?, 1): return UsageProblem("\(said) lacks what to set, and its value: 'set home name LIONS'")
    case ("period"?, _), ("serve"?, _): return UsageProblem("\(said) has too many words: one value is enough")
    case (_?, 2): return UsageProblem("\(said) lacks the value: 'set home name LIONS', 'set home fouls +1'")
    case (_?, _):
      return UsageProblem("\(said) has too many words; a name with spaces stands in quotes: 'RED LIONS'")
    default:
      return UsageProblem(
        "'set' takes 'period N', 'serve TEAM', or a team, what of it, and a value: 'set home name LIONS'")
    }
  }

  private static func set(
    _ what: String, to value: String, of team: JSONValue
  ) throws(UsageProblem) -> ControlCommand {
    switch what {
    case "name": return .change("SetTeam", ["team": team, "name": .string(value)])
    case "short-name": return .change("SetTeam", ["team": team, "shortName": .string(value)])
    case "color":
      guard ColorText.color(value) != nil else {
        throw UsageProblem("'\(value.printable)' is not a colour; write '#ff8800' or '#f80'")
      }
      return .change("SetTeam", ["team": team, "color": .string(value)])
    case "period-score":
      throw UsageProblem("'period-score' takes a period and a score: \(periodScore)")
    case "score":
      let (score, isRelative) = try number(value)
      guard let id = team.string, let points = score.integer else { break }
      return isRelative ? .addScore(team: id, points: points) : .setScore(team: id, score: points)
    default: break
    }
    guard let number = CommandLineWords.integer(value) else {
      let hint = Spelling.hint(for: what, among: teamWords).map { "; \($0)" } ?? ""
      throw UsageProblem(
        "'\(what.printable)' is nothing that can be '\(value.printable)'\(hint) "
          + "(\(teamWords.joined(separator: ", ")), or a counter and a number)")
    }
    return .change(
      isRelative(value) ? "AddCounter" : "SetCounter",
      ["team": team, "counter": .string(what), "value": .integer(Int64(number))])
  }

  /// `timer start`, `timer set 10:00`, `timer add -0:30`.
  public static func timer(_ words: [String], isShot: Bool) throws(UsageProblem) -> ControlCommand {
    let words = words.map(CommandLineWords.asWritten)
    var parameters: [String: JSONValue] = ["timer": .string(isShot ? "shot" : "game")]
    guard let verb = words.first else {
      throw UsageProblem("what of the timer? start, pause, reset, set or add")
    }
    guard timerWords.contains(verb) else {
      throw UsageProblem(Spelling.unknown("timer command", verb.printable, among: timerWords))
    }
    if verb == "reset", isShot, words.count == 2 {
      guard let milliseconds = milliseconds(words[1]), !isRelative(words[1]) else {
        throw UsageProblem("'\(words[1].printable)' is not a time; write 'timer reset --shot 14'")
      }
      parameters["milliseconds"] = .integer(milliseconds)
      return .change("ResetTimer", parameters)
    }
    guard verb == "set" || verb == "add" else {
      guard words.count == 1 else {
        throw UsageProblem(
          "'timer \(verb)' takes no time; 'timer set 10:00' sets one, and --shot stands for the shot clock")
      }
      return .change("\(verb.prefix(1).uppercased())\(verb.dropFirst())Timer", parameters)
    }
    guard words.count == 2, let milliseconds = milliseconds(words[1]) else {
      let wrong = words.count == 2 ? "'\(words[1].printable)' is no time; " : ""
      throw UsageProblem("\(wrong)'timer \(verb)' takes '10:00', '5min' or '24' (seconds), up to 99:59:59")
    }
    parameters["milliseconds"] = .integer(milliseconds)
    return .change(verb == "add" || isRelative(words[1]) ? "AddTimer" : "SetTimer", parameters)
  }

  static func isRelative(_ word: String) -> Bool { word.hasPrefix("+") || word.hasPrefix("-") }

  private static func number(
    _ word: String
  ) throws(UsageProblem) -> (value: JSONValue, isRelative: Bool) {
    guard let number = CommandLineWords.integer(word) else {
      throw UsageProblem("'\(word.printable)' is not a whole number: write 2, or +1 and -1 for a difference")
    }
    return (.integer(Int64(number)), isRelative(word))
  }

  /// A number that the interface has no difference for. Below zero is what a correction may leave of a period.
  private static func outright(_ word: String) throws(UsageProblem) -> JSONValue {
    guard !word.hasPrefix("+") else {
      throw UsageProblem("'\(word.printable)' is relative; a period's score is said outright: \(periodScore)")
    }
    return try number(word).value
  }

  private static let periodScore = "'set home period-score 2 25'"

  static func milliseconds(_ word: String) -> Int64? {
    let digits = isRelative(word) ? String(word.dropFirst()) : word
    guard let time = (try? DurationText.nanoseconds(digits)) ?? GameTimeText.nanoseconds(digits),
      time <= GameTimer.limit
    else { return nil }
    return (word.hasPrefix("-") ? -1 : 1) * (time / 1_000_000)
  }
}
