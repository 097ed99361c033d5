// SPDX-License-Identifier: Apache-2.0

import Scoreboard

extension ControlCommand {
  private static let penaltyUsage =
    "'penalty' takes a team and a time: 'penalty home 2:00 --number 17'; 'penalty home --end' ends the oldest one, "
    + "'penalty home --clear' all of them"

  /// `penalty home 2:00`, `penalty home --end`, `penalty home --clear`.
  ///
  /// - Parameter number: the player's, as it was written.
  public static func penalty(
    _ words: [String], number: String? = nil, ends: Bool = false, clears: Bool = false
  ) throws(UsageProblem) -> ControlCommand {
    let words = words.map(CommandLineWords.asWritten)
    guard let team = words.first, words.count <= 2 else { throw UsageProblem(penaltyUsage) }
    var parameters: [String: JSONValue] = ["team": .string(team)]
    if let number {
      guard let value = CommandLineWords.integer(number), Penalty.numbers.contains(value) else {
        throw UsageProblem(
          "'\(number.printable)' is not a player's number: 0 to \(Penalty.numbers.upperBound)")
      }
      parameters["number"] = .integer(Int64(value))
    }
    guard !ends, !clears else {
      guard words.count == 1, ends != clears, !clears || number == nil else {
        throw UsageProblem(
          "--end and --clear take a team, and --end a --number: 'penalty home --end --number 17'")
      }
      return .change(ends ? "EndPenalty" : "ClearPenalties", parameters)
    }
    if words.count == 2 {
      guard let milliseconds = milliseconds(words[1]), !isRelative(words[1]), milliseconds > 0 else {
        throw UsageProblem("'\(words[1].printable)' is not the time of a penalty; write '2:00' or '5:00'")
      }
      parameters["milliseconds"] = .integer(milliseconds)
    }
    return .change("AddPenalty", parameters)
  }

  /// The same in words of a key: `penalty home 2:00 --number 17`.
  static func penalty(keyWords words: [String]) throws(UsageProblem) -> ControlCommand {
    var plain: [String] = []
    var number: String?
    var flags: Set<String> = []
    var rest = words[...]
    while let word = rest.popFirst() {
      switch word {
      case "--number":
        guard let value = rest.popFirst() else { throw UsageProblem("--number takes a player's number") }
        number = value
      case "--end", "--clear": flags.insert(word)
      default: plain.append(word)
      }
    }
    return try penalty(
      plain, number: number, ends: flags.contains("--end"), clears: flags.contains("--clear"))
  }

  /// `undo`, `redo`, each with how many changes.
  public static func history(_ verb: String, _ words: [String]) throws(UsageProblem) -> ControlCommand {
    let method = verb == "undo" ? "Undo" : "Redo"
    guard let word = words.first else { return .change(method, [:]) }
    guard words.count == 1, let count = CommandLineWords.integer(word), count > 0 else {
      throw UsageProblem("'\(verb)' takes a number of changes from 1: '\(verb) 3'")
    }
    return .change(method, ["count": .integer(Int64(count))])
  }
}
