// SPDX-License-Identifier: Apache-2.0

/// A date and a time of day, with its offset from UTC where it has one.
public struct CivilMoment: Hashable, Sendable {
  /// `2026-12-31T23:59:59`: a day that there is, a second below 60.
  public var civil: String
  /// `Z` or `±HH:MM`; nil: that of a zone.
  public var offset: String?

  /// Reads `2026-12-31`, `2026-12-31T18:00` or `2026-12-31T18:00:00`, with a space for the `T` where one
  /// likes, and behind a time perhaps `Z` or an offset such as `+01:00`.
  public init?(_ text: String) {
    var rest = Array(text.utf8)[...]
    func number(_ digits: Int) -> Int? {
      var value = 0
      for _ in 0..<digits {
        guard let byte = rest.popFirst(), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else {
          return nil
        }
        value = value * 10 + Int(byte - UInt8(ascii: "0"))
      }
      return value
    }
    func take(_ character: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: character) else { return false }
      rest.removeFirst()
      return true
    }
    guard let year = number(4), year > 0, take("-"), let month = number(2), (1...12).contains(month),
      take("-"),
      let day = number(2), (1...Self.days(inMonth: month, of: year)).contains(day)
    else { return nil }
    var time = (hour: 0, minute: 0, second: 0)
    if !rest.isEmpty {
      guard take("T") || take("t") || take(" "), let hour = number(2), hour < 24, take(":"),
        let minute = number(2), minute < 60
      else { return nil }
      time = (hour, minute, 0)
      if take(":") {
        guard let second = number(2), second < 60 else { return nil }
        time.second = second
      }
      if take("Z") || take("z") {
        offset = "Z"
      } else if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
        rest.removeFirst()
        guard let hours = number(2), hours < 24, take(":"), let minutes = number(2), minutes < 60 else {
          return nil
        }
        offset =
          (sign == UInt8(ascii: "-") ? "-" : "+") + Self.padded(hours, 2) + ":" + Self.padded(minutes, 2)
      }
    }
    guard rest.isEmpty else { return nil }
    let date = [Self.padded(year, 4), Self.padded(month, 2), Self.padded(day, 2)].joined(separator: "-")
    civil =
      date + "T" + [time.hour, time.minute, time.second].map { Self.padded($0, 2) }.joined(separator: ":")
  }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    if month == 2 { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28 }
    return [4, 6, 9, 11].contains(month) ? 30 : 31
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(width - digits.count, 0)) + digits
  }
}

extension ValueKind where Value == CivilMoment {
  static var moment: ValueKind {
    ValueKind(shape: .form) { node, place, report in
      switch node.value {
      case .string(let text), .date(let text), .dateTime(let text):
        if let moment = CivilMoment(text) { return moment }
      default: break
      }
      report.error(
        node.location, "\(place.description) must be a date and time, found \(node.found)",
        hint: "write \"2026-12-31T23:59:59\", or with an offset \"2026-12-31T23:59:59+01:00\"")
      return nil
    }
  }
}
