// SPDX-License-Identifier: Apache-2.0

import Schedule
import Spelling

extension ValueKind where Value == DayMoment {
  /// `"22:30"`, `"sunset"`, `"sunrise-1h"`.
  static var dayMoment: ValueKind {
    ValueKind(
      shape: .form(
        pattern: "^([0-9]{1,2}:[0-9]{2}|(sunrise|sunset)([+-][0-9.]+(h|min|m)([0-9.]+(min|m))?)?)$",
        maximum: 32),
      read: { node, place, report in
        let forms = "write \"22:30\", \"sunset\" or \"sunrise-1h\""
        guard case .string(let text) = node.value else {
          report.mismatch(node, place, "a time", hint: forms)
          return nil
        }
        do throws(DayMoment.Problem) { return try DayMoment(text) } catch {
          switch error {
          case .malformed:
            let word = text.split(whereSeparator: { $0 == "+" || $0 == "-" }).first.map(String.init) ?? ""
            let hint = Spelling.hint(for: word, among: DayMoment.SunEvent.allCases.map(\.rawValue))
            report.mismatch(node, place, "a time", hint: text.contains(":") ? forms : hint ?? forms)
          case .noSuchTime:
            report.mismatch(node, place, "a time from \"00:00\" to \"23:59\"")
          case .noUnit:
            report.error(
              node, place, "needs a unit, found \(node.found)",
              hint: "write \"\(text.prefix(24))m\" or \"\(text.prefix(24))h\"")
          case .offset:
            report.error(
              node, place,
              "must be whole minutes, at most 12 hours, from sunrise or sunset, found \(node.found)",
              hint: "write \"sunset+30m\"")
          }
          return nil
        }
      }, write: { Units.string($0.description) })
  }
}

extension ValueKind where Value == Weekdays {
  /// Names of weekdays, or ranges of them.
  static var weekdays: ValueKind {
    let names = Weekdays.names.joined(separator: "|")
    return ValueKind(
      shape: .array(
        of: .form(pattern: "^(\(names))(-(\(names)))?$", maximum: nil), count: 1...7, isUnique: true),
      read: { node, place, report in
        let hint = "write [\"mon-fri\"] or [\"sat\", \"sun\"]"
        guard case .array(let nodes) = node.value, (1...7).contains(nodes.count) else {
          report.mismatch(node, place, "1 to 7 weekdays in brackets", hint: hint)
          return nil
        }
        var days = Weekdays()
        for node in nodes {
          guard case .string(let text) = node.value, let some = Weekdays(text) else {
            report.mismatch(
              node, place, "weekdays", hint: "they are \(Weekdays.names.joined(separator: ", ")); \(hint)")
            return nil
          }
          days.formUnion(some)
        }
        return days
      })
  }
}
