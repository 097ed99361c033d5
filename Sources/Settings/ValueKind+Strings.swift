// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Scoreboard
import TOMLConfig

extension ValueKind where Value == String {
  /// A name on the scoreboard. The same names are valid as on the control socket. Any other name of up to 200
  /// characters without control characters is an error in `check`, but the daemon shows it.
  static func name(maximum: Int) -> ValueKind {
    ValueKind(
      shape: .text(maximum: maximum),
      read: { node, place, report in
        guard let text = string(node, place, maximum: 200, &report) else { return nil }
        switch ShownText.problem(in: text, maximum: maximum) {
        case nil: break
        case .empty:
          report.unfit(
            node.location, "\(place.description) is empty", hint: "write a letter, or leave the key out",
            mismatch: .empty)
        case .tooLong(let length, _):
          report.unfit(
            node.location, "\(place.description) has \(length) characters; at most \(maximum) are allowed")
        case .tooManyMarks:
          tooManyMarks(node, place, &report)
        // `string` has refused it.
        case .controlCharacter, .directionControl: break
        }
        return text
      }, write: { Units.string($0) })
  }

  private static func tooManyMarks(_ node: Node, _ place: Place, _ report: inout Report) {
    report.unfit(node.location, "\(place.description) has more marks on a letter than can be shown")
  }

  /// Lines of text, separated by `\n`.
  static func lines(maximum: Int) -> ValueKind {
    ValueKind(
      shape: .text(maximum: maximum),
      read: { node, place, report in
        guard let text = string(node, place, maximum: maximum, isOneLine: false, &report) else { return nil }
        if !text.allSatisfy({ $0.unicodeScalars.count <= scalarsPerCharacter }) {
          tooManyMarks(node, place, &report)
        }
        return text
      }, write: { Units.string($0) })
  }

  /// The family of a font or the path of its file.
  static var font: ValueKind {
    let form = form(
      pattern: "^.", maximum: 4_095, "the family or the file of a font", hint: "write \"Inter\" or a path"
    ) { !$0.isEmpty }
    return ValueKind(
      shape: form.shape,
      read: { node, place, report in
        guard let text = form.read(node, place, &report) else { return nil }
        report.report(report.checks.font(text), at: node.location)
        return text
      }, write: form.write)
  }

  /// `local` or an IANA name.
  static var zone: ValueKind {
    ValueKind(
      shape: .form(pattern: "^[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*$", maximum: nil, example: "Europe/Berlin"),
      read: { node, place, report in
        guard let text = string(node, place, maximum: 255, &report) else { return nil }
        let problem = report.checks.zone(text)
        guard TimeZone.isZoneName(text) else {
          report.error(
            node, place, "must be a time zone, found \(text.quoted)",
            hint: problem?.hint ?? "write \"local\" or a name such as \"Europe/London\"")
          return nil
        }
        report.report(problem, at: node.location)
        return text
      }, write: { Units.string($0) })
  }
}
