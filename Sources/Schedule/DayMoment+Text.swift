// SPDX-License-Identifier: Apache-2.0

import CivilTime

extension DayMoment: CustomStringConvertible {
  /// Why a text is not a time of a schedule.
  package enum Problem: Error, Hashable, Sendable {
    case malformed
    /// `24:00`, `12:60`.
    case noSuchTime
    /// An offset without its unit.
    case noUnit
    /// An offset that is not whole minutes, or that is more than 12 hours.
    case offset
  }

  /// Reads `22:30`, `sunrise`, `sunset+30m` or `sunrise-1h30min`.
  package init(_ text: String) throws(Problem) {
    if let event = SunEvent.allCases.first(where: { text.hasPrefix($0.rawValue) }) {
      self = .sun(event, minutes: try Self.offset(text.dropFirst(event.rawValue.count)))
      return
    }
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
      let hour = Self.number(parts[0]), let minute = Self.number(parts[1])
    else { throw .malformed }
    guard hour < 24, minute < 60 else { throw .noSuchTime }
    self = .clock(minutes: hour * 60 + minute)
  }

  private static func number(_ digits: Substring.UTF8View) -> Int? {
    digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      ? Int(String(Substring(digits))) : nil
  }

  /// Reads a sign and a duration, and returns minutes; 0 for an empty text.
  private static func offset(_ text: Substring) throws(Problem) -> Int {
    guard let sign = text.first else { return 0 }
    guard sign == "+" || sign == "-" else { throw .malformed }
    let nanoseconds: Int64
    do throws(DurationText.Problem) { nanoseconds = try DurationText.nanoseconds(text.dropFirst()) } catch {
      throw error == .noUnit ? .noUnit : .malformed
    }
    let (minutes, rest) = nanoseconds.quotientAndRemainder(dividingBy: 60_000_000_000)
    guard rest == 0, minutes <= Int64(maximumOffset) else { throw .offset }
    return sign == "-" ? -Int(minutes) : Int(minutes)
  }

  /// The text that `init` reads.
  package var description: String {
    switch self {
    case .clock(let minutes):
      let (hour, minute) = minutes.quotientAndRemainder(dividingBy: 60)
      return "\(padded(hour)):\(padded(minute))"
    case .sun(let event, 0): return event.rawValue
    case .sun(let event, let minutes):
      let text = DurationText.text(Int64(minutes.magnitude) * 60_000_000_000)
      return "\(event.rawValue)\(minutes < 0 ? "-" : "+")\(text)"
    }
  }
}
