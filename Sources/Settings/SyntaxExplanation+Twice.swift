// SPDX-License-Identifier: Apache-2.0

/// Keys and tables that are there twice.
extension SyntaxExplanation {
  var redefinition: SyntaxError? {
    guard scan.brackets.isEmpty else {
      return at(end, "a key is there twice in one table", hint: "remove one of the two")
    }
    let text = rest(from: Point(line: end.line, column: 0))
    // The parser stops at a header before it has read it, and after a key.
    if text.hasPrefix("[") {
      let name = text.filter { !"[]".contains($0) }
      let path = SyntaxScan.path(Array(name.unicodeScalars))
      return twice(SyntaxScan.Definition(path: path, point: end, header: text))
    }
    guard let last = scan.definitions.last, last.point.line == end.line else { return nil }
    return twice(last)
  }

  func twice(_ new: SyntaxScan.Definition) -> SyntaxError? {
    let old = scan.definitions.first { $0.path.starts(with: new.path) && $0.point != new.point }
    guard let old else { return nil }
    let holdsKeys = message.contains("existing table") || message.contains("existing array")
    let hint = holdsKeys && new.header != nil ? "put its keys there" : "remove one of the two"
    let name = old.path == new.path ? old.header?.withoutControls : nil
    let isSet = name == nil ? "already set" : "already"
    return at(
      new.point,
      "\(name ?? new.path.joined(separator: ".").quoted) is \(isSet) in line \(old.point.line + 1)",
      hint: hint)
  }
}
