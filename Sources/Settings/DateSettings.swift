// SPDX-License-Identifier: Apache-2.0

import CivilTime
import TOMLConfig

/// The date in one line.
package struct DateSettings: Hashable, Sendable {
  package enum Format: Hashable, Sendable {
    /// A weekday, a day and a month in the order of the language.
    case auto
    case pattern(DatePattern)
  }

  package var format = Format.auto
  package var uppercase = true
  /// `local` or an IANA name.
  package var zone = "local"

  package init() {}
}

extension DateSettings: WidgetContent {
  package static let typeName = "date"
  package static let text = "The date in one line."

  package static var keys: [Key<DateSettings>] {
    [
      Key(
        "format", \.format, .datePattern,
        """
        `"auto"` is the weekday, the day and the month in the order of the language. Otherwise a pattern: `EEEE` is the
        weekday and `EEE` its short form; `d` or `dd` the day; `MMMM` the month, `MMM` its short form, `M` or `MM` its
        number; `yyyy` or `y` the year. Other letters go between apostrophes: `"d MMMM 'in' yyyy"`. Without a day, the
        month is `LLLL` or `LLL` and the weekday `cccc` or `ccc`, because some languages then write them differently.
        """),
      Key(
        "uppercase", \.uppercase, .boolean, "Whether the date is in capitals, by the rules of the language."),
      Key("zone", \.zone, .zone, .zoneText),
    ]
  }
}

extension ValueKind where Value == DateSettings.Format {
  static var datePattern: ValueKind {
    ValueKind(
      shape: .form(pattern: nil, maximum: 200),
      read: { node, place, report in
        guard let text = ValueKind<String>.string(node, place, maximum: 200, &report) else { return nil }
        if text == "auto" { return .auto }
        do throws(DatePattern.Problem) { return .pattern(try DatePattern(text)) } catch {
          switch error {
          case .unknownField(let letters):
            let fields = DatePattern.Field.allCases.map(\.rawValue).joined(separator: ", ")
            report.error(
              node, place, "has the unknown field \(letters.quoted)",
              hint: "known are \(fields); other letters go between ' and '")
          case .unclosedQuote:
            report.error(node, place, "has a quote without its end", hint: "write '' for an apostrophe")
          }
          return nil
        }
      },
      write: { format in
        switch format {
        case .auto: "\"auto\""
        case .pattern(let pattern): Units.string(pattern.description)
        }
      })
  }
}
