// SPDX-License-Identifier: Apache-2.0

/// The synopses of flipclockctl(1), in mdoc(7). `make docs` writes them.
package enum ManualSynopsis {
  package static let begin =
    ".\\\" BEGIN SYNOPSES: written by `make docs` from Sources/Commands/CommandTable*.swift"
  package static let end = ".\\\" END SYNOPSES"

  /// The manual with its synopses replaced; nil: the markers are missing.
  package static func replacing(in manual: String) -> String? {
    let lines = manual.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let first = lines.firstIndex(of: begin), let last = lines.firstIndex(of: end), first < last else {
      return nil
    }
    return (Array(lines[...first]) + synopses + Array(lines[last...])).joined(separator: "\n")
  }

  private static var synopses: [String] {
    CommandTable.rows.filter { !$0.isHidden }.flatMap { row in
      row.forms.flatMap { [".Nm", "." + mdoc($0)] }
    }
  }

  /// The heads of the entries that describe the commands, one for each form: `.It Cm set-score Ar team Ar score`.
  package static var heads: [String] {
    CommandTable.rows.filter { !$0.isHidden }.flatMap(\.forms).map { ".It " + mdoc($0) }
  }

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
