// SPDX-License-Identifier: Apache-2.0

/// Prepares flipclockctl's words for a parser that takes `-1` for an option and wants the verb first.
public enum CommandLineWords {
  /// Options before the verb that take a value.
  static let valueOptions: Set<String> = ["--socket", "--generate-completion-script"]

  /// The verb first, then the options that stood before it, then the rest; and a space before every
  /// negative number, so that `add-score guest -1` needs no `--`. Numbers are read with `integer`.
  public static func arranged(_ words: [String]) -> [String] {
    let (options, verb) = split(words)
    guard let verb else { return words }
    let rest = words[(options.count + 1)...]
    let end = rest.firstIndex(of: "--") ?? rest.endIndex
    return [verb] + options + rest[..<end].map { isNegative($0) ? " " + $0 : $0 } + rest[end...]
  }

  /// The first word that is neither an option nor an option's value.
  public static func verb(of words: [String]) -> String? { split(words).verb }

  private static func split(_ words: [String]) -> (options: [String], verb: String?) {
    var index = words.startIndex
    while index < words.endIndex, words[index].hasPrefix("-"), words[index] != "--" {
      index += valueOptions.contains(words[index]) ? 2 : 1
    }
    guard index < words.endIndex, words[index] != "--" else { return (words, nil) }
    return (Array(words[..<index]), words[index])
  }

  private static func isNegative(_ word: String) -> Bool {
    guard word.hasPrefix("-"), let digit = word.dropFirst().utf8.first else { return false }
    return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit)
  }

  /// A word as it was before `arranged`.
  static func asWritten(_ word: String) -> String {
    word.hasPrefix(" ") && isNegative(String(word.dropFirst())) ? String(word.dropFirst()) : word
  }

  /// A whole number as written by a person, `+1` and `-1` too; nil if it is none or does not fit.
  public static func integer(_ word: String) -> Int? {
    Int(word.hasPrefix(" ") ? String(word.dropFirst()) : word)
  }
}
