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

  /// The lines of a file beside this one.
  static func lines(_ file: String) -> [Substring] {
    let path = "\(#filePath)".split(separator: "/").dropLast().joined(separator: "/")
    return text("/\(path)/Tables/\(file)").split(separator: "\n")
  }

  static let all: [SunTable] = {
    var tables: [SunTable] = []
    for line in lines("sun-2026.txt") {
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

  /// Every term of the equations counts: the smallest changes the declination by 0.0002°.
  @Test("The sun is where Meeus computes it in his examples 25.a and 28.b: 1992-10-13, 0 h")
  func position() {
    let sun = SunEquations(at: 718_934_400)
    #expect(abs(sun.declination * 180 / .pi - -7.78507) < 0.00001)
    #expect(abs(sun.equationOfTime - 3.427752 * 240) < 0.02)
  }

  /// The file has rows of the tables "Rise and Set for the Sun" of the Astronomical Applications Department
  /// of the U.S. Naval Observatory (aa.usno.navy.mil). A row is for a day of the month: rise and set in each
  /// month, as HHMM of the zone's standard time. A line before the rows has the year, the coordinates, the
  /// zone and the name of the place.
  @Test("Sunrise and sunset are within a minute of those that the U.S. Naval Observatory published")
  func published() throws {
    var (place, header, compared, worst) = (Coordinates(latitude: 0, longitude: 0), [Substring](), 0, 0.0)
    for line in SunTable.lines("usno.txt") {
      let words = line.split(separator: " ")
      if words[0] == "=" {
        header = words
        place = Coordinates(
          latitude: try #require(Double(words[2])), longitude: try #require(Double(words[3])))
        continue
      }
      let (year, zone) = (try #require(Int(header[1])), try #require(Int64(header[4])))
      for month in 1...12 {
        var date = tm()
        (date.tm_year, date.tm_mon) = (Int32(year - 1900), Int32(month - 1))
        date.tm_mday = try #require(Int32(words[0]))
        let midnight = Int64(timegm(&date)) - zone * 3600
        let day = SolarDay(nearest: Instant(seconds: midnight + 43_200), at: place)
        for (word, found) in [(words[2 * month - 1], day.sunrise), (words[2 * month], day.sunset)] {
          let time = try #require(Int64(word))
          guard case .at(let instant) = found else {
            Issue.record("\(header): no event in month \(month), day \(words[0])")
            continue
          }
          // The tables have whole minutes.
          let error = Double(instant.seconds - midnight - (time / 100 * 3600 + time % 100 * 60)) / 60
          worst = max(worst, abs(error))
          #expect(abs(error) <= 1, "\(header.dropFirst(5)), month \(month), day \(words[0]): \(error) min")
          compared += 1
        }
      }
    }
    #expect(compared == 3 * 6 * 12 * 2)
    print("sun, worst difference from the published minutes:", worst)
  }
}
