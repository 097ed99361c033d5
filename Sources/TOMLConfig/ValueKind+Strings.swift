// SPDX-License-Identifier: Apache-2.0

extension ValueKind where Value == String {
  /// One line of text to be shown.
  package static func text(maximum: Int) -> ValueKind {
    ValueKind(
      shape: .text(maximum: maximum),
      read: { node, place, report in string(node, place, maximum: maximum, &report) },
      write: { Units.string($0) })
  }

  /// A string of at most `maximum` characters, as readers count them, without control characters. Unless
  /// `isOneLine`, `\n` and `\t` are allowed.
  package static func string(
    _ node: Node, _ place: Place, maximum: Int, isOneLine: Bool = true, _ report: inout Report
  ) -> String? {
    guard case .string(let text) = node.value else {
      report.mismatch(node, place, "a string")
      return nil
    }
    let count = text.count
    guard count <= maximum else {
      report.error(node, place, "has \(count) characters; at most \(maximum) are allowed")
      return nil
    }
    // Limits the bytes too: a character can consist of any number of scalars.
    guard text.unicodeScalars.count <= maximum * scalarsPerCharacter else {
      report.error(node, place, "has more marks on a letter than can be shown")
      return nil
    }
    let controls = text.unicodeScalars.filter {
      $0.isControl && (isOneLine || ($0 != "\n" && $0 != "\t"))
    }
    guard let control = controls.first else { return text }
    if control.properties.isBidiControl {
      report.error(
        node.location, "\(place.description) has characters that change the direction of text",
        hint: "leave them out", mismatch: .directionControl)
    } else {
      report.error(
        node.location, "\(place.description) has a control character",
        hint: isOneLine ? "write it on one line, without tabs" : "write \\n between lines",
        mismatch: .controlCharacter)
    }
    return nil
  }

  /// The maximum number of Unicode scalars in a character. A family emoji with skin tones has eleven; letters
  /// of all scripts have fewer.
  package static var scalarsPerCharacter: Int { 16 }

  /// A host name or an IP address.
  package static var host: ValueKind {
    form(
      pattern: "^[A-Za-z0-9.:-]{1,253}$", maximum: 253, example: "192.168.1.20",
      "a host name or an IP address",
      hint: "write \"scores.example.org\" or \"192.168.1.20\", without the port"
    ) { text in
      text.isWord(1...253, also: ".:-")
    }
  }

  /// A text of a certain form, as in `form(pattern:maximum:_:hint:write:parse:)`.
  package static func form(
    pattern: String?, maximum: Int, example: String? = nil, _ what: String, hint: String,
    _ holds: @escaping (String) -> Bool
  ) -> ValueKind {
    form(pattern: pattern, maximum: maximum, example: example, what, hint: hint, write: { Units.string($0) })
    {
      holds($0) ? $0 : nil
    }
  }
}

extension ValueKind {
  /// A kind whose values are written as texts of a certain form.
  ///
  /// - Parameters:
  ///   - pattern: a regular expression for the form, as far as one can describe it.
  ///   - example: a value of the form.
  ///   - what: what the text must be, for messages.
  ///   - parse: reads the text; returns nil if it has another form.
  package static func form(
    pattern: String?, maximum: Int, example: String? = nil, _ what: String, hint: String,
    write: @escaping (Value) -> String?, parse: @escaping (String) -> Value?
  ) -> ValueKind {
    ValueKind(
      shape: .form(pattern: pattern, maximum: maximum, example: example),
      read: { node, place, report in
        guard let text = ValueKind<String>.string(node, place, maximum: maximum, &report) else { return nil }
        if let value = parse(text) { return value }
        report.error(node, place, "must be \(what), found \(text.quoted)", hint: hint)
        return nil
      }, write: write)
  }
}

extension Node {
  /// The elements of an array whose length is in a range. Nil if one of them is bad; all bad ones
  /// are reported.
  ///
  /// - Parameters:
  ///   - what: what the value must be, for messages: `an array of teams`.
  ///   - number: what the key must do, for messages: `must name 1 to 8 teams`.
  ///   - read: reads an element; reports a bad one, and then returns nil.
  package func elements<Element>(
    _ range: ClosedRange<Int>, _ what: String, _ number: String, hint: String, countHint: String? = nil,
    _ place: Place, _ report: inout Report, read: (Node, inout Report) -> Element?
  ) -> [Element]? {
    guard case .array(let nodes) = value else {
      report.mismatch(self, place, what, hint: hint)
      return nil
    }
    let elements = nodes.compactMap { read($0, &report) }
    guard range.contains(nodes.count) else {
      report.error(self, place, "\(number), found \(nodes.count)", hint: countHint)
      return nil
    }
    return elements.count == nodes.count ? elements : nil
  }
}
