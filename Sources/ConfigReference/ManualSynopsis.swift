// SPDX-License-Identifier: Apache-2.0

import Commands

/// The synopses of flipclockctl(1), in mdoc(7).
enum ManualSynopsis {
  static var lines: [String] { forms.flatMap { [".Nm", "." + mdoc($0)] } }

  /// The heads of the entries that describe the commands, one for each form:
  /// `.It Cm set-score Ar team Ar score`.
  static var heads: [String] { forms.map { ".It " + mdoc($0) } }

  private static var forms: [String] { CommandTable.rows.filter { !$0.isHidden }.flatMap(\.forms) }

  /// `set-score <team> <score>` as `Cm set-score Ar team Ar score`.
  static func mdoc(_ form: String) -> String {
    var line: [String] = []
    var last = ""
    func add(_ macro: String, _ argument: String) {
      line += macro == last ? [argument] : [macro, argument]
      last = macro
    }
    for word in form.split(separator: " ") {
      var word = word
      if word.hasPrefix("[") {
        line.append("Oo")
        last = ""
        word = word.dropFirst()
      }
      let closes = word.hasSuffix("]")
      if closes { word = word.dropLast() }
      for (index, part) in word.split(separator: "|").enumerated() {
        if index > 0 { line.append("|") }
        if part.hasPrefix("--") {
          if index > 0 { last = "" }
          add("Fl", "-\(part.dropFirst(2))")
        } else if let angle = part.firstIndex(of: "<") {
          if angle > part.startIndex {
            add("Cm", "\(part[..<angle])")
            line.append("Ns")
            last = ""
          }
          add("Ar", "\(part[angle...].dropFirst().dropLast())")
        } else {
          add("Cm", String(part))
        }
      }
      if closes {
        line.append("Oc")
        last = ""
      }
    }
    return line.joined(separator: " ")
  }
}
