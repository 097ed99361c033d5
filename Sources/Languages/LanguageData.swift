// SPDX-License-Identifier: Apache-2.0

/// What the table says about a language.
final class LanguageData: Sendable {
  /// The names from Sunday: as a part of a date, then alone; of each, the full names, then the short ones.
  let weekdays: [[[String]]]
  /// The names from January, in the same order.
  let months: [[[String]]]
  /// AM and PM.
  let periods: [String]
  let pattern: String
  let digits: [Character]
  let isRightToLeft: Bool
  /// The fields of a pattern whose names get a capital at the beginning of a line: `E`, `c`, `M`, `L`.
  let capitalized: Set<Character>
  /// The letters of the alphabet beyond a to z, in its order; small ones if there are capitals.
  let letters: [Character]
  /// The region where the language is mostly spoken.
  let region: String

  /// A list that is missing, or that has another number of parts than it should have, is replaced by numbers.
  init(_ lines: LanguageTable.Lines) {
    func line(_ letter: Unicode.Scalar) -> String? { lines[UInt8(ascii: letter)] }
    func list(_ text: String?, _ numbers: ClosedRange<Int>) -> [String] {
      let parts = text?.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
      return parts?.count == numbers.count ? parts ?? [] : numbers.map(String.init)
    }
    weekdays = [[line("W"), line("w")], [line("S") ?? line("W"), line("s") ?? line("w")]]
      .map { $0.map { list($0, 0...6) } }
    months = [[line("M"), line("m")], [line("L") ?? line("M"), line("l") ?? line("m")]]
      .map { $0.map { list($0, 1...12) } }
    periods = list(line("p") ?? "AM;PM", 0...1)
    pattern = line("d") ?? "EEEE d MMMM"
    digits = Array(line("0") ?? "0123456789")
    isRightToLeft = line("o") == "r"
    capitalized = Set(line("t") ?? "")
    letters = Array(line("x") ?? "")
    region = line("r") ?? ""
  }
}
