// SPDX-License-Identifier: Apache-2.0

/// What the table says about a language.
final class LanguageData: Sendable {
  /// The names as a part of a date and alone; of each the full and the short ones, from Sunday.
  let weekdays: [[[String]]]
  /// Likewise, from January.
  let months: [[[String]]]
  /// AM and PM.
  let periods: [String]
  let pattern: String
  let patternWithYear: String
  let digits: [Character]
  let prefersNativeDigits: Bool
  let isRightToLeft: Bool
  /// The fields of a pattern whose names get a capital at the beginning of a line: `E`, `c`, `M`, `L`.
  let capitalized: Set<Character>
  /// The letters of the alphabet beyond a to z, in its order; small ones if there are capitals.
  let letters: [Character]
  /// The region where the language is mostly spoken.
  let region: String

  /// Nil if a line is missing or has another number of parts than it should have.
  init?(_ lines: LanguageTable.Lines) {
    func line(_ letter: Unicode.Scalar) -> String? { lines[UInt8(ascii: letter)] }
    func list(_ text: String?, _ count: Int) -> [String]? {
      guard let parts = text?.split(separator: ";", omittingEmptySubsequences: false).map(String.init),
        parts.count == count
      else { return nil }
      return parts
    }
    guard let weekdays = list(line("W"), 7), let shortWeekdays = list(line("w"), 7),
      let aloneWeekdays = list(line("S") ?? line("W"), 7),
      let shortAloneWeekdays = list(line("s") ?? line("w"), 7),
      let months = list(line("M"), 12), let shortMonths = list(line("m"), 12),
      let aloneMonths = list(line("L") ?? line("M"), 12),
      let shortAloneMonths = list(line("l") ?? line("m"), 12),
      let periods = list(line("p") ?? "AM;PM", 2), let pattern = line("d"), let patternWithYear = line("y")
    else { return nil }
    let digits = Array(line("0") ?? "0123456789")
    guard digits.count == 10 else { return nil }
    self.weekdays = [[weekdays, shortWeekdays], [aloneWeekdays, shortAloneWeekdays]]
    self.months = [[months, shortMonths], [aloneMonths, shortAloneMonths]]
    self.periods = periods
    self.pattern = pattern
    self.patternWithYear = patternWithYear
    self.digits = digits
    prefersNativeDigits = line("u") == "native"
    isRightToLeft = line("o") == "r"
    capitalized = Set(line("t") ?? "")
    letters = Array(line("x") ?? "")
    region = line("r") ?? ""
  }

  /// Numbers instead of names, in case the table lacks a language.
  init() {
    weekdays = Array(repeating: Array(repeating: (0..<7).map(String.init), count: 2), count: 2)
    months = Array(repeating: Array(repeating: (1...12).map(String.init), count: 2), count: 2)
    periods = ["AM", "PM"]
    pattern = "EEEE d MMMM"
    patternWithYear = "EEEE d MMMM y"
    digits = Array("0123456789")
    prefersNativeDigits = false
    isRightToLeft = false
    capitalized = []
    letters = []
    region = ""
  }
}
