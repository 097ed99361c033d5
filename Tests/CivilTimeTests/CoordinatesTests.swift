// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CivilTime

struct CoordinatesTests {
  @Test("Coordinates are read in both forms of tzdata's tables")
  func forms() throws {
    let berlin = try #require(Coordinates(iso6709: "+5230+01322"))
    #expect(abs(berlin.latitude - 52.5) < 1e-9 && abs(berlin.longitude - (13 + 22.0 / 60)) < 1e-9)
    let newYork = try #require(Coordinates(iso6709: "+404251-0740023"))
    #expect(abs(newYork.latitude - 40.714167) < 1e-6 && abs(newYork.longitude + 74.006389) < 1e-6)
    #expect(Coordinates(iso6709: "-9000+18000") == Coordinates(latitude: -90, longitude: 180))
  }

  @Test(
    "Anything else is refused: each prefix, each changed byte that is not a digit, and degrees out of range")
  func malformed() {
    for text in ["+5230+01322", "+404251-0740023"] {
      for count in 0..<text.utf8.count {
        #expect(Coordinates(iso6709: text.prefix(count)) == nil, "\(text.prefix(count))")
      }
      for index in text.utf8.indices {
        let changed = text.replacingCharacter(at: index, with: "x")
        #expect(Coordinates(iso6709: changed) == nil, "\(changed)")
      }
    }
    for text in [
      "+9001+00000", "+0000+18001", "+0060+00000", "+5230-01360", "+5230+0132", "52305+01322", "+5230+01322 ",
    ] {
      #expect(Coordinates(iso6709: text) == nil, "\(text)")
    }
  }

  @Test("A zone is found in a table by its whole name")
  func tables() {
    let table = Array(
      "#DE\t+0000+00000\tEurope/Berlin\nbroken\nDE,DK\t+5230+01322\tEurope/Berlin\tmost\nXX\tx\tA/B".utf8)
    #expect(TimeZone.coordinates(of: "Europe/Berlin", in: table)?.latitude == 52.5)
    #expect(TimeZone.coordinates(of: "Berlin", in: table) == nil)
    #expect(TimeZone.coordinates(of: "A/B", in: table) == nil)
    #expect(
      TimeZone.target(of: "Asia/Calcutta", in: Array("L Asia/Kolkata Asia/Calcutta\n".utf8)) == "Asia/Kolkata"
    )
    #expect(TimeZone.target(of: "Asia/Kolkata", in: Array("L Asia/Kolkata Asia/Calcutta\n".utf8)) == nil)
    #expect(TimeZone.target(of: "A/B", in: Array("L ../../etc/passwd A/B\n".utf8)) == nil)
  }

  @Test(
    "The zones of the machine's tables have coordinates",
    .enabled(if: ZoneDatabase.isPresent, "needs tzdata"))
  func database() throws {
    for name in ["Europe/Berlin", "Europe/Oslo", "Asia/Calcutta", "America/Argentina/Ushuaia"] {
      #expect(TimeZone.coordinates(of: name) != nil, "\(name)")
    }
    #expect(TimeZone.coordinates(of: "Etc/UTC") == nil)
  }
}

extension String {
  fileprivate func replacingCharacter(at index: Index, with character: Character) -> String {
    String(self[..<index]) + String(character) + String(self[self.index(after: index)...])
  }
}
