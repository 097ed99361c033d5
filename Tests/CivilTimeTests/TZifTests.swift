// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import CivilTime

@Suite struct TZifTests {
  /// A zone like London's, with a rule.
  static let sample: TZifWriter = {
    var file = TZifWriter()
    file.transitions = [-1_000, 0, 1_000]
    file.indices = [1, 2, 1]
    file.types = [(-75, 0, 0), (0, 0, 4), (3_600, 1, 8)]
    file.characters = Array("LMT\0GMT\0BST\0".utf8)
    file.footer = "\nGMT0BST,M3.5.0/1,M10.5.0\n"
    return file
  }()

  @Test("Each transition applies from its second on, and the footer after the last one")
  func transitions() throws {
    let zone = try TimeZone(tzif: Self.sample.bytes())
    let shown = [-1_001, -1_000, -1, 0, 999, 1_000].map { zone.civil(Instant(seconds: $0)).abbreviation }
    #expect(shown == ["LMT", "GMT", "GMT", "BST", "BST", "GMT"])
    let summer = try #require(Instant(rfc3339: "2026-07-01T00:00:00Z"))
    #expect(zone.civil(summer).abbreviation == "BST")
    #expect(zone.nextTransition(after: Instant(seconds: -1_000)) == Instant(seconds: 0))
    #expect(zone.nextTransition(after: Instant(seconds: 1_000))?.rfc3339UTC == "1970-03-29T01:00:00Z")
  }

  @Test("Version 1 and an empty footer keep the last type forever")
  func withoutFooter() throws {
    var file = Self.sample
    let far = try #require(Instant(rfc3339: "2026-07-01T00:00:00Z"))
    for version in [0, UInt8(ascii: "2"), UInt8(ascii: "3"), UInt8(ascii: "4")] {
      file.version = version
      file.footer = "\n\n"
      let zone = try TimeZone(tzif: file.bytes())
      #expect(zone.civil(far).abbreviation == "GMT")
      #expect(zone.nextTransition(after: Instant(seconds: 1_000)) == nil)
    }
  }

  @Test("Transitions that change nothing are skipped")
  func noChange() throws {
    var file = Self.sample
    file.indices = [1, 1, 1]
    file.footer = "\n\n"
    let zone = try TimeZone(tzif: file.bytes())
    #expect(zone.nextTransition(after: Instant(seconds: .min)) == Instant(seconds: -1_000))
    #expect(zone.nextTransition(after: Instant(seconds: -1_000)) == nil)
  }

  @Test("Of the transitions that change nothing, only the last is kept, after which the rule applies")
  func manyWithoutChange() throws {
    var file = Self.sample
    file.transitions = Array(0..<50_000)
    file.indices = [UInt8](repeating: 0, count: 20_000) + [UInt8](repeating: 1, count: 30_000)
    let zone = try TimeZone(tzif: file.bytes())
    #expect(zone.data.transitions == [20_000, 49_999] && zone.data.transitionTypes == [1, 1])
    #expect(zone.nextTransition(after: Instant(seconds: .min)) == Instant(seconds: 20_000))
    #expect(zone.civil(Instant(seconds: 19_999)).abbreviation == "LMT")
    #expect(zone.nextTransition(after: Instant(seconds: 20_000))?.rfc3339UTC == "1970-03-29T01:00:00Z")
  }

  @Test("Leap seconds are removed from the times")
  func leapSeconds() throws {
    var file = Self.sample
    file.leapSeconds = [(-500, 1), (500, 2)]
    let zone = try TimeZone(tzif: file.bytes())
    #expect(zone.nextTransition(after: Instant(seconds: -1_000)) == Instant(seconds: -1))
    #expect(zone.nextTransition(after: Instant(seconds: -1)) == Instant(seconds: 998))
  }

  @Test("Transitions at the ends of time are handled")
  func extremes() throws {
    var file = Self.sample
    file.transitions = [.min, 0, .max]
    let zone = try TimeZone(tzif: file.bytes())
    #expect(zone.civil(Instant(seconds: .min)).abbreviation == "GMT")
    #expect(zone.nextTransition(after: Instant(seconds: .min)) == Instant(seconds: 0))
    #expect(zone.nextTransition(after: Instant(seconds: .max)) == nil)
    #expect(zone.nextBoundary(after: Instant(seconds: .max - 10), unit: .day).seconds == .max)
  }

  @Test("Malformed files are rejected")
  func malformed() {
    var cases: [(String, [UInt8])] = []
    func add(_ name: String, _ change: (inout TZifWriter) -> Void) {
      var file = Self.sample
      change(&file)
      cases.append((name, file.bytes()))
    }
    add("index beyond the types") { $0.indices[1] = 3 }
    add("no types") { $0.types = [] }
    add("offset too far") { $0.types[1].offset = 100_000 }
    add("offset of −2³¹") { $0.types[1].offset = .min }
    add("daylight flag of 2") { $0.types[1].isDST = 2 }
    add("abbreviation beyond the characters") { $0.types[1].abbreviation = 200 }
    add("unterminated abbreviation") { $0.characters.removeLast() }
    add("abbreviation with control characters") { $0.characters[5] = 7 }
    add("transitions out of order") { $0.transitions = [0, -1, 5] }
    add("transitions twice") { $0.transitions = [0, 0, 5] }
    add("footer that is not a rule") { $0.footer = "\nnonsense!\n" }
    add("footer without an end") { $0.footer = "\nGMT0" }
    add("footer without a start") { $0.footer = "GMT0\n" }
    cases += [("empty", []), ("another kind", Array(repeating: 0x41, count: 200))]
    let whole = Self.sample.bytes()
    let minimum = whole.count - Self.sample.footer.utf8.count
    for length in 0..<minimum { cases.append(("cut at \(length)", Array(whole.prefix(length)))) }
    for (name, bytes) in cases {
      #expect(throws: TimeZoneError.self, "\(name)") { try TimeZone(tzif: bytes) }
    }
  }

  @Test("Files with random changes never crash the reader, and what can be read can be used")
  func mutations() {
    var random = SplitMix(seed: 8536)
    var seeds = [Self.sample.bytes()]
    if ZoneDatabase.isPresent { seeds += ["Europe/London", "Africa/Casablanca"].map(ZoneDatabase.bytes) }
    var accepted = 0
    for round in 0..<6_000 {
      var bytes = seeds[round % seeds.count]
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        // At least half of the changes are in the first 130 bytes, which include the first header.
        let place = Bool.random(using: &random) ? bytes.count : min(bytes.count, 130)
        bytes[Int.random(in: 0..<place, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if Int.random(in: 0..<8, using: &random) == 0 {
        bytes.removeLast(Int.random(in: 0..<40, using: &random))
      }
      guard let zone = try? TimeZone(tzif: bytes) else { continue }
      accepted += 1
      for seconds in [Int64.min, -3_000_000_000, 0, 1_777_629_598, 100_000_000_000, .max] {
        let instant = Instant(seconds: seconds)
        let next = zone.nextBoundary(after: instant, unit: .day)
        if next <= instant { Issue.record("no progress at \(seconds)") }
        if !(1...31).contains(zone.civil(instant).day) { Issue.record("no date at \(seconds)") }
      }
    }
    #expect(accepted > 100)
  }
}

extension TimeZone {
  fileprivate init(tzif bytes: [UInt8]) throws(TimeZoneError) {
    self.init(name: "TZif", data: try TZif(parsing: bytes))
  }
}
