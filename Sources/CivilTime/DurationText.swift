// SPDX-License-Identifier: Apache-2.0

/// Lengths of time as people write them: `500ms`, `1.5s`, `5min`, `1h30min`, `7d`.
package enum DurationText {
  package enum Problem: Error, Hashable, Sendable {
    /// A bare number, which could be seconds or minutes.
    case noUnit
    case malformed
  }

  /// The units, largest first, in nanoseconds. `m` is read as `min`, and `d` as `24h`; they are not written.
  private static let units: [(name: String, length: Int64)] = [
    ("d", 86_400_000_000_000), ("h", 3_600_000_000_000), ("min", 60_000_000_000), ("m", 60_000_000_000),
    ("s", 1_000_000_000),
    ("ms", 1_000_000),
  ]

  /// Reads numbers with units, each unit smaller than the one before it. A number may have a fraction; signs
  /// and blanks are not allowed.
  ///
  /// - Returns: nanoseconds; `Int64.max` for anything longer.
  package static func nanoseconds(_ text: some StringProtocol) throws(Problem) -> Int64 {
    var rest = Array(text.utf8)[...]
    guard !rest.isEmpty, rest.count <= 64 else { throw .malformed }
    var total: Int64 = 0
    var last = Int64.max
    while !rest.isEmpty {
      let whole = digits(&rest)
      guard !whole.isEmpty else { throw .malformed }
      var fraction: [UInt8] = []
      if rest.first == UInt8(ascii: ".") {
        rest.removeFirst()
        fraction = digits(&rest)
        guard !fraction.isEmpty else { throw .malformed }
      }
      let letters = rest.prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
      rest = rest.dropFirst(letters.count)
      if letters.isEmpty { throw rest.isEmpty && last == .max ? .noUnit : .malformed }
      let name = String(decoding: letters, as: UTF8.self)
      guard let unit = units.first(where: { $0.name == name }), unit.length < last else { throw .malformed }
      last = unit.length
      total = saturating(total, length(whole, fraction, unit.length))
    }
    return total
  }

  private static func digits(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    rest = rest.dropFirst(digits.count)
    return Array(digits)
  }

  private static func length(_ whole: [UInt8], _ fraction: [UInt8], _ unit: Int64) -> Int64 {
    var number: Int64 = 0
    for digit in whole {
      let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
      if overflow { return .max }
      number = saturating(tens, Int64(digit - UInt8(ascii: "0")))
    }
    let (length, overflow) = number.multipliedReportingOverflow(by: unit)
    if overflow { return .max }
    var part = 0.0
    for digit in fraction.reversed() { part = (part + Double(digit - UInt8(ascii: "0"))) / 10 }
    return saturating(length, Int64((part * Double(unit)).rounded()))
  }

  private static func saturating(_ a: Int64, _ b: Int64) -> Int64 {
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow ? .max : sum
  }

  /// A duration in the largest unit that gives a whole number, such as `24h`, `90s`, `900ms`; else in
  /// milliseconds with decimals. `0s` for a negative duration.
  package static func text(_ nanoseconds: Int64) -> String {
    guard nanoseconds > 0 else { return "0s" }
    for unit in units where !["d", "m"].contains(unit.name) && nanoseconds % unit.length == 0 {
      return "\(nanoseconds / unit.length)\(unit.name)"
    }
    return "\(Double(nanoseconds) / 1e6)ms"
  }
}
