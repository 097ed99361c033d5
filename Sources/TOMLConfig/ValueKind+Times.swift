// SPDX-License-Identifier: Apache-2.0

import CivilTime

extension ValueKind where Value == Double {
  /// A string with its unit, `"250ms"`, `"1.5s"`, `"5min"` or `"2h"`, in seconds.
  ///
  /// - Parameter sensible: the shortest duration that a message suggests; nil: `minimum`.
  package static func duration(minimum: Double = 0, maximum: Double, sensible: Double? = nil) -> ValueKind {
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
              "must be from \"\(Units.duration(minimum))\" to \"\(Units.duration(maximum))\", found \(text.quoted)",
              hint: nearest(seconds, in: sensible...maximum).map { "write \"\(Units.duration($0))\"" })
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

  /// What to write, with at most two examples. They are `number` with a unit; if none of these is in `range`,
  /// they are common durations in `range`.
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
  package static var clockTime: ValueKind {
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
