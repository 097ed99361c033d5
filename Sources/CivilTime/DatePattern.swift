// SPDX-License-Identifier: Apache-2.0

/// How a date is written: a subset of Unicode's date field patterns (UTS #35, "Date Field Symbol Table"). A pattern
/// consists of the fields in `Field`, text between apostrophes, and characters other than ASCII letters, which are
/// written unchanged. Two apostrophes in a row are written as one.
package struct DatePattern: Hashable, Sendable, CustomStringConvertible {
  package enum Field: String, CaseIterable, Hashable, Sendable {
    case weekday = "EEEE"
    case shortWeekday = "EEE"
    case paddedDay = "dd"
    case day = "d"
    case month = "MMMM"
    case shortMonth = "MMM"
    case paddedMonthNumber = "MM"
    case monthNumber = "M"
    case year = "yyyy"
  }

  package enum Piece: Hashable, Sendable {
    case field(Field)
    case text(String)
  }

  /// Why a text is not a pattern.
  package enum Problem: Error, Hashable, Sendable {
    /// A run of the same ASCII letter that is not a field.
    case unknownField(String)
    case unclosedQuote
  }

  private var pieces: [Piece]

  package init(_ pieces: [Piece]) { self.pieces = pieces }

  /// Reads a pattern; reports its first mistake.
  package init(_ pattern: String) throws(Problem) {
    pieces = []
    var rest = Substring(pattern)
    while let first = rest.first {
      if first == "'" {
        append(try Self.takeQuoted(&rest))
      } else if first.isASCII, first.isLetter {
        let run = rest.prefix { $0 == first }
        guard let field = Field(rawValue: String(run)) else { throw .unknownField(String(run)) }
        pieces.append(.field(field))
        rest = rest.dropFirst(run.count)
      } else {
        append(String(rest.removeFirst()))
      }
    }
  }

  private mutating func append(_ text: String) {
    if case .text(let before)? = pieces.last {
      pieces[pieces.count - 1] = .text(before + text)
    } else {
      pieces.append(.text(text))
    }
  }

  /// The text from an apostrophe to the one that closes it.
  private static func takeQuoted(_ rest: inout Substring) throws(Problem) -> String {
    rest.removeFirst()
    if rest.first == "'" {
      rest.removeFirst()
      return "'"
    }
    var text = ""
    while let letter = rest.popFirst() {
      if letter != "'" {
        text.append(letter)
      } else if rest.first == "'" {
        text.append("'")
        rest.removeFirst()
      } else {
        return text
      }
    }
    throw .unclosedQuote
  }

  /// The pattern's text.
  package var description: String {
    pieces.map { piece in
      switch piece {
      case .field(let field): return field.rawValue
      case .text(let text):
        let text = text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
        return text.contains { $0.isASCII && $0.isLetter } ? "'\(text)'" : text
      }
    }.joined()
  }

  // MARK: Dates

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
  ]
  private static let weekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]

  /// A date in English words and figures.
  package func string(_ fields: CivilFields) -> String {
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
    let month = Self.months[min(max(fields.month - 1, 0), 11)]
    let weekday = Self.weekdays[min(max(fields.weekday, 0), 6)]
    return pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .field(.weekday): weekday
      case .field(.shortWeekday): String(weekday.prefix(3))
      case .field(.paddedDay): padded(fields.day)
      case .field(.day): String(fields.day)
      case .field(.month): month
      case .field(.shortMonth): String(month.prefix(3))
      case .field(.paddedMonthNumber): padded(fields.month)
      case .field(.monthNumber): String(fields.month)
      case .field(.year): String(fields.year)
      }
    }.joined()
  }
}
