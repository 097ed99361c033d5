// SPDX-License-Identifier: Apache-2.0

import Display
import Scoreboard

extension ValueKind where Value == String {
  /// One line of text to be shown.
  static func text(maximum: Int) -> ValueKind {
    ValueKind(
      shape: .text(maximum: maximum),
      read: { node, place, report in string(node, place, maximum: maximum, &report) },
      write: { Units.string($0) })
  }

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
            node.location, "\(place.description) is empty", hint: "write a letter, or leave the key out")
        case .tooLong(let length, _):
          report.unfit(
            node.location, "\(place.description) has \(length) characters; at most \(maximum) are allowed")
        case .tooManyMarks:
          tooManyMarks(node, place, &report)
        case .controlCharacter, .directionControl:
          report.unfit(node.location, "\(place.description) has a control character", hint: "leave it out")
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
        if !text.allSatisfy({ $0.unicodeScalars.count <= ShownText.scalarsPerCharacter }) {
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

  /// `auto`, a path or a driver's name.
  static var card: ValueKind {
    form(
      pattern: nil, maximum: 4_095, "a card",
      hint: "write \"auto\", a path such as \"/dev/dri/card1\" or a driver's name"
    ) { text in
      text.hasPrefix("/") ? text.utf8.count > 1 : isWord(text, 1...64, also: "_-")
    }
  }

  /// `auto` or the kernel's name of a connector.
  static var connector: ValueKind {
    form(
      pattern: "^[A-Za-z0-9-]{1,64}$", maximum: 64, "a connector",
      hint: "write \"auto\" or a name such as \"HDMI-A-1\""
    ) { text in
      isWord(text, 1...64, also: "-")
    }
  }

  /// The make, model or serial number of a display, or several of them.
  static var displayIdentity: ValueKind {
    form(
      pattern: "^\\S(.*\\S)?$", maximum: 64, "the make, model or serial number of a display",
      hint: "write \"GSM LG ULTRAGEAR\""
    ) { text in
      // The names of a display neither begin nor end with a space.
      !text.isEmpty && text.first != " " && text.last != " "
    }
  }

  /// `local` or an IANA name.
  static var zone: ValueKind {
    ValueKind(
      shape: .form(pattern: "^[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*$", maximum: nil),
      read: { node, place, report in
        guard let text = string(node, place, maximum: 255, &report) else { return nil }
        let problem = report.checks.zone(text)
        guard isZone(text) else {
          report.error(
            node, place, "must be a time zone, found \(text.quoted)",
            hint: problem?.hint ?? "write \"local\" or a name such as \"Europe/London\"")
          return nil
        }
        report.report(problem, at: node.location)
        return text
      }, write: { Units.string($0) })
  }

  static func isZone(_ text: String) -> Bool {
    guard text.utf8.count <= 255 else { return false }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    return parts.allSatisfy { isWord($0, 1...255, also: "_+-") }
  }

  /// A string of at most `maximum` characters, as readers count them, without control characters. Unless `isOneLine`,
  /// `\n` is allowed.
  static func string(
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
    guard text.unicodeScalars.count <= maximum * ShownText.scalarsPerCharacter else {
      report.error(node, place, "has more marks on a letter than can be shown")
      return nil
    }
    guard !text.unicodeScalars.contains(where: { $0.isControl && (isOneLine || $0 != "\n") }) else {
      report.error(
        node, place, "has a control character",
        hint: isOneLine ? "write it on one line, without tabs" : "write \\n between lines, and no tabs")
      return nil
    }
    return text
  }

  /// A host name or an IP address.
  static var host: ValueKind {
    form(
      pattern: "^[A-Za-z0-9.:-]{1,253}$", maximum: 253, "a host name or an IP address",
      hint: "write \"scores.example.org\" or \"192.168.1.20\", without the port"
    ) { text in
      isWord(text, 1...253, also: ".:-")
    }
  }

  /// One level of an MQTT topic.
  static var topicLevel: ValueKind {
    form(
      pattern: "^[A-Za-z0-9_-]{1,64}$", maximum: 64, "the name of a board",
      hint: "write letters, digits, '-' and '_', such as \"hall-1\""
    ) { isWord($0, 1...64, also: "_-") }
  }

  /// Some levels of an MQTT topic.
  static var topic: ValueKind {
    form(
      pattern: "^[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*$", maximum: 64, "the beginning of a topic",
      hint: "write \"homeassistant\""
    ) { text in
      text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
        isWord($0, 1...64, also: "_-")
      }
    }
  }

  /// The name of an MQTT client.
  static var clientID: ValueKind {
    form(
      pattern: "^[A-Za-z0-9._:-]{1,64}$", maximum: 64, "the name of an MQTT client",
      hint: "write letters, digits, '-', '_', '.' and ':'"
    ) { isWord($0, 1...64, also: "._:-") }
  }

  static func form(
    pattern: String?, maximum: Int, _ what: String, hint: String, _ holds: @escaping (String) -> Bool
  ) -> ValueKind {
    ValueKind(
      shape: .form(pattern: pattern, maximum: maximum),
      read: { node, place, report in
        guard let text = string(node, place, maximum: maximum, &report) else { return nil }
        if holds(text) { return text }
        report.error(node, place, "must be \(what), found \(text.quoted)", hint: hint)
        return nil
      }, write: { Units.string($0) })
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

extension ValueKind where Value == BoardSettings.Drum {
  /// `"auto"`, or the symbols on a drum's flaps: each once, a blank among them.
  static var drum: ValueKind {
    ValueKind(
      shape: .text(maximum: 200),
      read: { node, place, report in
        guard let text = ValueKind<String>.string(node, place, maximum: 200, &report) else { return nil }
        if text == "auto" { return .auto }
        if let twice = text.first(where: { letter in text.filter { $0 == letter }.count > 1 }) {
          report.error(node, place, "has \(String(twice).quoted) twice")
          return nil
        }
        guard text.contains(" ") else {
          report.error(node, place, "has no blank", hint: "begin it with a space: \" ABC\"")
          return nil
        }
        return .flaps(text)
      },
      write: { drum in
        switch drum {
        case .auto: "\"auto\""
        case .flaps(let flaps): Units.string(flaps)
        }
      })
  }
}

extension ValueKind where Value == ModePreference {
  /// `auto`, `WxH` or `WxH@HZ`.
  static var mode: ValueKind {
    ValueKind(
      shape: .form(pattern: "^(auto|[0-9]+x[0-9]+(@[0-9]+(\\.[0-9]+)?)?)$", maximum: 32),
      read: { node, place, report in
        guard let text = ValueKind<String>.string(node, place, maximum: 32, &report) else { return nil }
        if let mode = ModePreference(text) { return mode }
        report.error(
          node, place, "must be a mode, found \(text.quoted)",
          hint: "write \"auto\", \"1920x1080\" or \"1920x1080@60\"")
        return nil
      },
      write: { mode in
        switch mode {
        case .auto: "\"auto\""
        case .size(let size, nil): "\"\(size.width)x\(size.height)\""
        case .size(let size, let rate?):
          "\"\(size.width)x\(size.height)@\(Units.number(Double(rate) / 1_000))\""
        }
      })
  }
}

extension ValueKind where Value == BacklightPreference {
  /// `auto`, `none` or a name in /sys/class/backlight.
  static var backlight: ValueKind {
    ValueKind(
      shape: .form(pattern: "^[^/\\s]{1,64}$", maximum: 64),
      read: { node, place, report in
        guard let text = ValueKind<String>.string(node, place, maximum: 64, &report) else { return nil }
        switch text {
        case "auto": return .auto
        case "none": return .unused
        case _ where !text.isEmpty && !text.contains { $0 == "/" || $0.isWhitespace }: return .named(text)
        default:
          report.error(
            node, place, "must be the name of a backlight, found \(text.quoted)",
            hint: "write \"auto\", \"none\" or a name from \(Backlight.directory), such as \"10-0045\"")
          return nil
        }
      },
      write: { preference in
        switch preference {
        case .auto: "\"auto\""
        case .unused: "\"none\""
        case .named(let name): Units.string(name)
        }
      })
  }
}
