// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// A place on the Earth, in degrees.
package struct Coordinates: Hashable, Sendable {
  /// North of the equator, −90 … 90.
  package var latitude: Double
  /// East of Greenwich, −180 … 180.
  package var longitude: Double

  package init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

extension Coordinates {
  /// Reads ISO 6709 as in tzdata's tables: `+5230+01322` in degrees and minutes, `+404251-0740023` with
  /// seconds. Nil for anything else.
  init?(iso6709 text: some StringProtocol) {
    let bytes = Array(text.utf8)
    let isSign = { (byte: UInt8) in byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") }
    guard bytes.count <= 15, let middle = bytes.dropFirst().firstIndex(where: isSign), isSign(bytes[0]),
      let latitude = Self.degrees(bytes[..<middle], digits: 2, maximum: 90),
      let longitude = Self.degrees(bytes[middle...], digits: 3, maximum: 180),
      // Both have seconds, or neither.
      bytes.count - middle == middle + 1
    else { return nil }
    self.init(latitude: latitude, longitude: longitude)
  }

  /// Reads a sign, `digits` digits of degrees, two of minutes and perhaps two of seconds.
  private static func degrees(_ text: ArraySlice<UInt8>, digits: Int, maximum: Double) -> Double? {
    let figures = text.dropFirst().compactMap { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int(byte) - 0x30 : nil
    }
    guard figures.count == text.count - 1, figures.count == digits + 2 || figures.count == digits + 4 else {
      return nil
    }
    func number(_ range: Range<Int>) -> Double { Double(figures[range].reduce(0) { $0 * 10 + $1 }) }
    let minutes = number(digits..<(digits + 2))
    let seconds = figures.count == digits + 4 ? number((digits + 2)..<(digits + 4)) : 0
    let degrees = number(0..<digits) + minutes / 60 + seconds / 3_600
    guard minutes < 60, seconds < 60, degrees <= maximum else { return nil }
    return text.first == UInt8(ascii: "-") ? -degrees : degrees
  }
}

// MARK: The places of time zones

extension TimeZone {
  /// The coordinates of the zone's principal location, from tzdata's `zone1970.tab`, or from `zone.tab` if
  /// only that has the zone. For an alias (`Asia/Calcutta`), those of the zone that it stands for. Nil if the
  /// tables do not have the zone or are missing.
  package static func coordinates(of name: String) -> Coordinates? {
    for directory in directories {
      func find(_ name: String) -> Coordinates? {
        for table in ["zone1970.tab", "zone.tab"] {
          guard let bytes = try? readFile("\(directory)/\(table)", limit: tableSize) else { continue }
          if let found = coordinates(of: name, in: bytes) { return found }
        }
        return nil
      }
      if let found = find(name) { return found }
      guard let links = try? readFile("\(directory)/tzdata.zi", limit: tableSize) else { continue }
      if let found = target(of: name, in: links).flatMap(find) { return found }
    }
    return nil
  }

  /// The maximum size of a table, in bytes; the largest has about 110 KiB.
  private static let tableSize = 1 << 20

  /// Looks up a zone in a table of lines `COUNTRIES ⇥ COORDINATES ⇥ ZONE`, perhaps with a comment after
  /// another tab. Lines that begin with `#` and lines of another form are skipped.
  static func coordinates(of name: String, in table: [UInt8]) -> Coordinates? {
    for line in table.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
      let fields = line.split(separator: UInt8(ascii: "\t"), maxSplits: 3, omittingEmptySubsequences: false)
      guard fields.count >= 3, fields[2].elementsEqual(name.utf8) else { continue }
      return Coordinates(iso6709: String(decoding: fields[1], as: UTF8.self))
    }
    return nil
  }
}
