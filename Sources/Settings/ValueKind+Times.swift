// SPDX-License-Identifier: Apache-2.0

import CivilTime

extension ValueKind where Value == Double {
  /// A string with its unit, `"250ms"`, `"1.5s"`, `"5min"` or `"2h"`, in seconds.
  ///
  /// - Parameter sensible: the shortest duration that a message suggests; nil: `minimum`.
  static func duration(minimum: Double = 0, maximum: Double, sensible: Double? = nil) -> ValueKind {
    let sensible = sensible ?? minimum
    return ValueKind(
      shape: .duration(maximum: maximum),
      read: { node, place, report in
        switch node.value {
        case .string(let text):
          let seconds: Double
          do throws(DurationText.Problem) { seconds = try Units.seconds(text) } catch {
            let what = error == .noUnit ? "needs a unit" : "must be a duration"
            report.error(
              node, place, "\(what), found \(node.found)",
              hint: durationHint(error == .noUnit ? text : nil, sensible...maximum))
            return nil
          }
          guard (minimum...maximum).contains(seconds) else {
            report.error(
              node, place,
              "must be from \"\(Units.duration(minimum))\" to \"\(Units.duration(maximum))\", found \(text.quoted)"
            )
            return nil
          }
          return seconds
        case .integer(let number):
          report.error(
            node, place, "needs a unit, found \(node.found)",
            hint: durationHint("\(number)", sensible...maximum))
        case .float(let number):
          report.error(
            node, place, "needs a unit, found \(node.found)",
            hint: durationHint("\(number)", sensible...maximum))
        default:
          report.mismatch(node, place, "a duration", hint: durationHint(nil, sensible...maximum))
        }
        return nil
      }, write: { "\"\(Units.duration($0))\"" })
  }

  /// What to write, with at most two examples. They are `number` with a unit; if none of these is in `range`, they are
  /// common durations in `range`.
  private static func durationHint(_ number: String?, _ range: ClosedRange<Double>) -> String {
    var examples = number.map { number in ["s", "ms", "min"].map { number + $0 } } ?? []
    func fitting() -> [String] {
      examples.filter { example in
        (try? Units.seconds(example)).map { $0 > 0 && range.contains($0) } ?? false
      }
    }
    if fitting().isEmpty { examples = ["500ms", "2s", "30s", "5min", "1h"] }
    return "write " + fitting().prefix(2).map { "\"\($0)\"" }.joined(separator: " or ")
  }

  /// `"10:00"`, `"1:30:00"` or a duration such as `"24s"` and `"10min"`, in seconds; at most 99:59:59.
  static var clockTime: ValueKind {
    ValueKind(
      shape: .clockTime,
      read: { node, place, report in
        if case .string(let text) = node.value,
          let seconds = (try? Units.seconds(text)) ?? Units.clock(text), seconds <= 359_999
        {
          return seconds
        }
        var hint = "write \"10:00\" or \"10min\" for ten minutes, or \"24s\""
        if case .integer(let number) = node.value, (1...99).contains(number) {
          hint = "write \"\(number)min\" or \"\(number)s\""
        }
        report.mismatch(node, place, "a time up to 99:59:59", hint: hint)
        return nil
      })
  }
}

extension ValueKind where Value == [Double] {
  /// At most 8 lengths of penalties, in seconds; none: the game has no penalty clocks.
  static var penalties: ValueKind {
    ValueKind(
      shape: .array(of: .clockTime, count: 0...8, isUnique: false),
      read: { node, place, report in
        guard case .array(let nodes) = node.value, nodes.count <= 8 else {
          report.mismatch(node, place, "up to 8 times in brackets", hint: "write [\"2:00\", \"5:00\"]")
          return nil
        }
        var lengths: [Double] = []
        for node in nodes {
          guard let seconds = ValueKind<Double>.clockTime.read(node, place, &report) else { return nil }
          guard seconds > 0 else {
            report.error(node.location, "a penalty in \(place.description) must last longer than 0 seconds")
            return nil
          }
          lengths.append(seconds)
        }
        return lengths
      })
  }
}

extension ValueKind where Value == CivilMoment {
  static var moment: ValueKind {
    ValueKind(
      shape: .form(
        pattern:
          "^[0-9]{4}-[0-9]{2}-[0-9]{2}([Tt ][0-9]{2}:[0-9]{2}(:[0-9]{2})?([Zz]|[+-][0-9]{2}:[0-9]{2})?)?$",
        maximum: nil),
      read: { node, place, report in
        switch node.value {
        case .string(let text), .date(let text), .dateTime(let text):
          if let moment = CivilMoment(text) { return moment }
        default: break
        }
        report.mismatch(
          node, place, "a date and time",
          hint: "write \"2026-12-31T23:59:59\", or with an offset \"2026-12-31T23:59:59+01:00\"")
        return nil
      })
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
