// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Glibc
import TestSupport
import Testing

@testable import Schedule

/// A place in the table of sunrises and sunsets that `Tables/sun.py` writes.
struct SunTable {
  enum Event: Equatable {
    case up, down
    /// Seconds after 00:00 UTC.
    case at(Int64)
  }

  var name: String
  var place: Coordinates
  var days: [(sunrise: Event, sunset: Event)] = []

  static let all: [SunTable] = {
    let path = "\(#filePath)".split(separator: "/").dropLast().joined(separator: "/")
    var tables: [SunTable] = []
    for line in text("/\(path)/Tables/sun-2026.txt").split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      if words[0] == "=" {
        let place = Coordinates(latitude: Double(words[2]) ?? 0, longitude: Double(words[3]) ?? 0)
        tables.append(SunTable(name: words[1], place: place))
      } else {
        tables[tables.count - 1].days.append((event(words[0]), event(words[1])))
      }
    }
    return tables
  }()

  private static func event(_ word: String) -> Event {
    word == "up" ? .up : word == "down" ? .down : .at(Int64(word) ?? .min)
  }

  private static func text(_ path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, 1 << 20, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}

struct SolarDayTests {
  /// 2026-01-01T00:00:00Z.
  static let year: Int64 = 1_767_225_600

  @Test("Sunrise and sunset are within a minute of the tables of 12 places on each day of a year")
  func tables() {
    #expect(SunTable.all.count == 12)
    var worst: [String: Int64] = [:]
    for table in SunTable.all {
      #expect(table.days.count == 365)
      for (number, expected) in table.days.enumerated() {
        let midnight = Self.year + Int64(number) * 86_400
        let noon = Instant(seconds: midnight + 43_200 - Int64(table.place.longitude * 240))
        let day = SolarDay(nearest: noon, at: table.place)
        for (found, expected) in [(day.sunrise, expected.sunrise), (day.sunset, expected.sunset)] {
          switch (found, expected) {
          case (.staysUp, .up), (.staysDown, .down): break
          case (.at(let instant), .at(let seconds)):
            let error = abs(instant.seconds - midnight - seconds)
            worst[table.name] = max(worst[table.name] ?? 0, error)
            #expect(error <= 60, "\(table.name), day \(number): \(error) s")
          default: Issue.record("\(table.name), day \(number): \(found), expected \(expected)")
          }
        }
      }
    }
    print("sun, worst error in seconds:", worst.sorted { $0.key < $1.key })
  }
}
