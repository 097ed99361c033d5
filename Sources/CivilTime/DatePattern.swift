// SPDX-License-Identifier: Apache-2.0

import Languages

/// How a date is written: a subset of Unicode's date field patterns (UTS #35, "Date Field Symbol Table"). A
/// pattern consists of the fields in `Field`, text between apostrophes, and characters other than ASCII
/// letters, which are written unchanged. Two apostrophes in a row are written as one.
package struct DatePattern: Hashable, Sendable, CustomStringConvertible {
  package enum Field: String, CaseIterable, Hashable, Sendable {
    case weekday = "EEEE"
    case shortWeekday = "EEE"
    case aloneWeekday = "cccc"
    case shortAloneWeekday = "ccc"
    case paddedDay = "dd"
    case day = "d"
    case month = "MMMM"
    case shortMonth = "MMM"
    case aloneMonth = "LLLL"
    case shortAloneMonth = "LLL"
    case paddedMonthNumber = "MM"
    case monthNumber = "M"
    case year = "yyyy"
    case plainYear = "y"
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

  /// Removes an apostrophe, the text after it and the closing apostrophe; returns the text. Two apostrophes
  /// in a row are one apostrophe.
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

  /// A date in the words and digits of a language.
  package func string(_ fields: CivilFields, in language: Language = .english) -> String {
    let text = pieces.enumerated().map { index, piece in
      let form = Language.NameForm(beginsLine: index == 0)
      let short = Language.NameForm(isShort: true, beginsLine: index == 0)
      let alone = Language.NameForm(isAlone: true, beginsLine: index == 0)
      let shortAlone = Language.NameForm(isShort: true, isAlone: true, beginsLine: index == 0)
      return switch piece {
      case .text(let text): text
      case .field(.weekday): language.weekday(fields.weekday, form)
      case .field(.shortWeekday): language.weekday(fields.weekday, short)
      case .field(.aloneWeekday): language.weekday(fields.weekday, alone)
      case .field(.shortAloneWeekday): language.weekday(fields.weekday, shortAlone)
      case .field(.paddedDay): padded(fields.day)
      case .field(.day): String(fields.day)
      case .field(.month): language.month(fields.month, form)
      case .field(.shortMonth): language.month(fields.month, short)
      case .field(.aloneMonth): language.month(fields.month, alone)
      case .field(.shortAloneMonth): language.month(fields.month, shortAlone)
      case .field(.paddedMonthNumber): padded(fields.month)
      case .field(.monthNumber): String(fields.month)
      case .field(.year), .field(.plainYear): String(fields.year)
      }
    }.joined()
    return language.digits(in: text)
  }

  /// The language's own pattern of a weekday, a day and a month. The tests check that the patterns of all
  /// languages are valid.
  package static func date(of language: Language) -> DatePattern {
    (try? DatePattern(language.datePattern)) ?? DatePattern([.field(.weekday), .text(" "), .field(.day)])
  }
}
