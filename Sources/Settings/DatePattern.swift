// SPDX-License-Identifier: Apache-2.0

/// The patterns of `DateSettings.format`, a part of Unicode's (UTS #35): runs of ASCII letters are fields,
/// what stands between apostrophes is literal, two apostrophes are one, all else stands for itself.
enum DatePattern {
  static let fields = ["EEEE", "EEE", "dd", "d", "MMMM", "MMM", "MM", "M", "yyyy"]

  enum Problem: Hashable {
    case unknown(String)
    case openQuote
  }

  /// The first thing that is wrong.
  static func problem(in pattern: String) -> Problem? {
    var rest = Substring(pattern)
    while let first = rest.first {
      if first == "'" {
        // Two apostrophes in a row open and close at once here, which comes to the same.
        guard let end = rest.dropFirst().firstIndex(of: "'") else { return .openQuote }
        rest = rest[rest.index(after: end)...]
      } else if first.isASCII, first.isLetter {
        let field = rest.prefix { $0 == first }
        guard fields.contains(String(field)) else { return .unknown(String(field)) }
        rest = rest.dropFirst(field.count)
      } else {
        rest.removeFirst()
      }
    }
    return nil
  }
}
