// SPDX-License-Identifier: Apache-2.0

import Scoreboard

extension ValueKind where Value == String {
  /// Text to be shown, in one line.
  static func text(maximum: Int) -> ValueKind {
    ValueKind(shape: .text(maximum: maximum)) { node, place, report in
      string(node, place, maximum: maximum, &report)
    }
  }

  /// A name of the board: what the socket takes too. While running, one that is longer is shown.
  static func name(maximum: Int) -> ValueKind {
    ValueKind(shape: .text(maximum: maximum)) { node, place, report in
      guard let text = string(node, place, maximum: 200, &report) else { return nil }
      switch ShownText.problem(in: text, maximum: maximum) {
      case nil: break
      case .empty:
        report.unfit(
          node.location, "\(place.description) is empty", hint: "write a letter, or leave the key out")
      case .tooLong(let length, _):
        report.unfit(
          node.location, "\(place.description) has \(length) characters; at most \(maximum) are allowed")
      case .tooManyMarks:
        report.unfit(node.location, "\(place.description) has more marks on a letter than can be shown")
      case .controlCharacter, .directionControl:
        report.unfit(node.location, "\(place.description) has a control character", hint: "leave it out")
      }
      return text
    }
  }

  /// The family of a font or the path of its file.
  static var font: ValueKind {
    let kind = form(maximum: 4_095, "the family or the file of a font", hint: "write \"Inter\" or a path") {
      !$0.isEmpty
    }
    return ValueKind(shape: kind.shape) { node, place, report in
      guard let text = kind.read(node, place, &report) else { return nil }
      report.report(report.checks.font(text), at: node.location)
      return text
    }
  }

  /// `auto`, a path below /dev or a driver's name.
  static var card: ValueKind {
    form(
      maximum: 4_095, "a card", hint: "write \"auto\", a path such as \"/dev/dri/card1\" or a driver's name"
    ) { text in
      text.hasPrefix("/") ? text.utf8.count > 1 : isWord(text, 1...64, also: "_-")
    }
  }

  /// `auto` or a connector's name as the kernel has it.
  static var connector: ValueKind {
    form(maximum: 64, "a connector", hint: "write \"auto\" or a name such as \"HDMI-A-1\"") { text in
      isWord(text, 1...64, also: "-")
    }
  }

  /// `auto`, `WxH` or `WxH@HZ`.
  static var mode: ValueKind {
    form(maximum: 32, "a mode", hint: "write \"auto\", \"1920x1080\" or \"1920x1080@60\"") { text in
      if text == "auto" { return true }
      let parts = text.split(separator: "@", omittingEmptySubsequences: false)
      let size = parts[0].split(separator: "x", omittingEmptySubsequences: false)
      guard parts.count <= 2, size.count == 2 else { return false }
      for length in size {
        guard let number = Units.decimal(length, fraction: false), (1...16_384).contains(number) else {
          return false
        }
      }
      guard parts.count == 2 else { return true }
      guard let rate = Units.decimal(parts[1], fraction: true) else { return false }
      return (1...1_000).contains(rate)
    }
  }

  /// `local` or an IANA name.
  static var zone: ValueKind {
    ValueKind(shape: .form) { node, place, report in
      guard let text = string(node, place, maximum: 255, &report) else { return nil }
      let problem = report.checks.zone(text)
      guard isZone(text) else {
        report.error(
          node.location, "\(place.description) must be a time zone, found \(text.quoted)",
          hint: problem?.hint ?? "write \"local\" or a name such as \"Europe/London\"")
        return nil
      }
      report.report(problem, at: node.location)
      return text
    }
  }

  static func isZone(_ text: String) -> Bool {
    guard text.utf8.count <= 255 else { return false }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    return parts.allSatisfy { isWord($0, 1...255, also: "_+-") }
  }

  /// A pattern of `DateSettings.format`.
  static var dateFormat: ValueKind {
    ValueKind(shape: .form) { node, place, report in
      guard let text = string(node, place, maximum: 200, &report) else { return nil }
      switch DatePattern.problem(in: text) {
      case nil: return text
      case .unknown(let letters):
        report.error(
          node.location, "\(place.description) has the unknown field \(letters.quoted)",
          hint: "known are \(DatePattern.fields.joined(separator: ", ")); other letters go between ' and '")
      case .openQuote:
        report.error(
          node.location, "\(place.description) has a quote without its end",
          hint: "write '' for an apostrophe")
      }
      return nil
    }
  }

  /// Lines of text, parted by `\n`.
  static func lines(maximum: Int) -> ValueKind {
    ValueKind(shape: .text(maximum: maximum)) { node, place, report in
      string(node, place, maximum: maximum, isOneLine: false, &report)
    }
  }

  /// The symbols on a drum's flaps: each once, a blank among them.
  static var drum: ValueKind {
    ValueKind(shape: .text(maximum: 200)) { node, place, report in
      guard let text = string(node, place, maximum: 200, &report) else { return nil }
      if let twice = text.first(where: { letter in text.filter { $0 == letter }.count > 1 }) {
        report.error(node.location, "\(place.description) has \(String(twice).quoted) twice")
        return nil
      }
      guard text.contains(" ") else {
        report.error(
          node.location, "\(place.description) has no blank", hint: "begin it with a space: \" ABC\"")
        return nil
      }
      return text
    }
  }

  /// A string of at most `maximum` characters without controls.
  fileprivate static func string(
    _ node: Node, _ place: Place, maximum: Int, isOneLine: Bool = true, _ report: inout Report
  ) -> String? {
    guard case .string(let text) = node.value else {
      report.error(node.location, "\(place.description) must be a string, found \(node.found)")
      return nil
    }
    // Scalars bound the bytes too: a character can be any number of them.
    guard text.unicodeScalars.count <= maximum else {
      report.error(
        node.location,
        "\(place.description) has \(text.unicodeScalars.count) characters; at most \(maximum) are allowed")
      return nil
    }
    guard !text.unicodeScalars.contains(where: { $0.isControl && (isOneLine || $0 != "\n") }) else {
      report.error(
        node.location, "\(place.description) has a control character",
        hint: isOneLine ? "write it on one line, without tabs" : "write \\n between lines, and no tabs")
      return nil
    }
    return text
  }

  private static func form(
    maximum: Int, _ what: String, hint: String, _ holds: @escaping (String) -> Bool
  ) -> ValueKind {
    ValueKind(shape: .form) { node, place, report in
      guard let text = string(node, place, maximum: maximum, &report) else { return nil }
      if holds(text) { return text }
      report.error(node.location, "\(place.description) must be \(what), found \(text.quoted)", hint: hint)
      return nil
    }
  }

  private static func isWord(_ text: some StringProtocol, _ count: ClosedRange<Int>, also: String) -> Bool {
    count.contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: also.utf8.contains(byte)
        }
      }
  }
}

extension ValueKind where Value == [String] {
  /// Ids of teams, each once. Whether there are such teams is known when all files are read.
  static var teamIDs: ValueKind {
    ValueKind(shape: .array) { node, place, report in
      guard case .array(let nodes) = node.value else {
        report.error(
          node.location, "\(place.description) must be an array of teams, found \(node.found)",
          hint: "write [\"home\", \"guest\"]")
        return nil
      }
      guard (1...8).contains(nodes.count) else {
        report.error(node.location, "\(place.description) must name 1 to 8 teams, found \(nodes.count)")
        return nil
      }
      var ids: [String] = []
      for node in nodes {
        guard let id = ValueKind<String>.string(node, place, maximum: 32, &report) else { return nil }
        guard !ids.contains(id) else {
          report.error(node.location, "\(place.description) names \(id.quoted) twice")
          return nil
        }
        ids.append(id)
      }
      return ids
    }
  }
}
