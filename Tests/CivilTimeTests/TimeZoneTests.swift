// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import CivilTime

struct WallTime: Sendable, CustomTestStringConvertible {
  var zone: String
  var utc: String
  var wall: String
  var testDescription: String { "\(zone) \(utc)" }

  init(_ zone: String, _ utc: String, _ wall: String) {
    self.zone = zone
    self.utc = utc
    self.wall = wall
  }
}

func describe(_ fields: CivilFields) -> String {
  func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
  let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  return "\(days[fields.weekday]) \(fields.year)-\(two(fields.month))-\(two(fields.day)) "
    + "\(two(fields.hour)):\(two(fields.minute)):\(two(fields.second)) "
    + "\(fields.abbreviation) \(fields.utcOffset)\(fields.isDST ? " dst" : "")"
}

@Suite struct TimeZoneTests {
  @Test(
    "The civil time of zones with a history is right, in the past and in the future",
    .enabled(if: ZoneDatabase.isPresent, "needs tzdata"),
    arguments: [
      WallTime("Europe/London", "2026-03-29T00:59:59Z", "Sun 2026-03-29 00:59:59 GMT 0"),
      WallTime("Europe/London", "2026-03-29T01:00:00Z", "Sun 2026-03-29 02:00:00 BST 3600 dst"),
      WallTime("Europe/London", "2026-10-25T01:00:00Z", "Sun 2026-10-25 01:00:00 GMT 0"),
      WallTime("Europe/London", "2500-07-01T12:00:00Z", "Thu 2500-07-01 13:00:00 BST 3600 dst"),
      WallTime("Europe/London", "1800-01-01T00:00:00Z", "Tue 1799-12-31 23:58:45 LMT -75"),
      WallTime("America/New_York", "2026-03-08T06:59:59Z", "Sun 2026-03-08 01:59:59 EST -18000"),
      WallTime("America/New_York", "2026-03-08T07:00:00Z", "Sun 2026-03-08 03:00:00 EDT -14400 dst"),
      WallTime("America/New_York", "9999-12-31T23:00:00Z", "Fri 9999-12-31 18:00:00 EST -18000"),
      WallTime("Australia/Lord_Howe", "2026-04-04T14:59:59Z", "Sun 2026-04-05 01:59:59 +11 39600 dst"),
      WallTime("Australia/Lord_Howe", "2026-04-04T15:00:00Z", "Sun 2026-04-05 01:30:00 +1030 37800"),
      WallTime("Asia/Kathmandu", "2026-01-01T00:00:00Z", "Thu 2026-01-01 05:45:00 +0545 20700"),
      WallTime("Europe/Dublin", "2026-07-01T12:00:00Z", "Wed 2026-07-01 13:00:00 IST 3600"),
      WallTime("Pacific/Apia", "2011-12-30T09:59:59Z", "Thu 2011-12-29 23:59:59 -10 -36000 dst"),
      WallTime("Pacific/Apia", "2011-12-30T10:00:00Z", "Sat 2011-12-31 00:00:00 +14 50400 dst"),
      WallTime("Asia/Gaza", "2026-03-28T00:00:00Z", "Sat 2026-03-28 03:00:00 EEST 10800 dst"),
      WallTime("America/Nuuk", "2060-03-28T01:00:00Z", "Sun 2060-03-28 00:00:00 -01 -3600 dst"),
      WallTime("Africa/Casablanca", "2026-02-20T12:00:00Z", "Fri 2026-02-20 12:00:00 +00 0 dst"),
      WallTime("Etc/GMT+5", "2026-02-20T12:00:00Z", "Fri 2026-02-20 07:00:00 -05 -18000"),
    ])
  func history(time: WallTime) throws {
    let zone = try TimeZone(named: time.zone)
    let instant = try #require(Instant(rfc3339: time.utc))
    // Databases disagree on whether the winter or the summer time of these zones is the daylight time, but
    // not on the civil time.
    let isTurned = ["Europe/Dublin", "Africa/Casablanca"].contains(time.zone)
    func withoutFlag(_ wall: String) -> String {
      isTurned && wall.hasSuffix(" dst") ? String(wall.dropLast(4)) : wall
    }
    #expect(withoutFlag(describe(zone.civil(instant))) == withoutFlag(time.wall))
    #expect(zone.name == time.zone)
  }

  @Test("`date` agrees in every zone of the database", .enabled(if: ZoneDatabase.isPresent, "needs tzdata"))
  func agreesWithDate() throws {
    var random = SplitMix(seed: 1)
    let names = ZoneDatabase.names()
    #expect(names.count > 300)
    var expected: [(zone: String, second: Int64, wall: String)] = []
    var script = "export LC_ALL=C\n"
    for name in names {
      let zone = try TimeZone(named: name)
      var seconds: [Int64] = (0..<12).map { _ in .random(in: -3_000_000_000...6_000_000_000, using: &random) }
      seconds += (0..<4).map { _ in .random(in: -62_135_596_800...250_000_000_000, using: &random) }
      var instant = Instant(seconds: .random(in: 0...4_000_000_000, using: &random))
      for _ in 0..<4 {
        guard let next = zone.nextTransition(after: instant) else { break }
        seconds += [next.seconds - 1, next.seconds]
        instant = next
      }
      script += "TZ=:\(name) date -f - '+%w %Y %m %d %H %M %S %::z %Z' <<end\n"
      for second in seconds {
        script += "@\(second)\n"
        expected.append((name, second, wall(zone.civil(Instant(seconds: second)))))
      }
      script += "end\n"
    }
    // Runs in a separate process, because all tests of this process share TZ.
    let lines = try output(ofShell: script)
    try #require(lines.count == expected.count)
    for (expected, line) in zip(expected, lines) where expected.wall != line {
      Issue.record("\(expected.zone) at \(expected.second): \(expected.wall), date says \(line)")
    }
  }

  private func wall(_ fields: CivilFields) -> String {
    func padded(_ number: Int, _ width: Int = 2) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let offset = abs(fields.utcOffset)
    // The abbreviation `-00` means that local time is not specified; date(1) then prints a minus sign.
    let isNegative = fields.utcOffset < 0 || fields.abbreviation == "-00"
    return "\(fields.weekday) \(padded(fields.year, 4)) \(padded(fields.month)) \(padded(fields.day)) "
      + "\(padded(fields.hour)) \(padded(fields.minute)) \(padded(fields.second)) "
      + "\(isNegative ? "-" : "+")\(padded(offset / 3600)):\(padded(offset / 60 % 60)):"
      + "\(padded(offset % 60)) \(fields.abbreviation)"
  }

  private func output(ofShell script: String) throws -> [Substring] {
    let path = "/tmp/flipclock-date-\(getpid()).sh"
    defer { unlink(path) }
    let file = try #require(fopen(path, "w"))
    #expect(fputs(script, file) >= 0)
    fclose(file)
    let pipe = try #require(popen("sh \(path)", "r"))
    defer { pclose(pipe) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&chunk, 1, chunk.count, pipe)
      if count == 0 { break }
      bytes += chunk.prefix(count)
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }

  @Test(
    "The machine's zone is from TZ, else from the file", .enabled(if: ZoneDatabase.isPresent, "needs tzdata"))
  func local() throws {
    let london = "\(ZoneDatabase.root)/Europe/London"
    for (variable, file, name) in [
      (nil, london, "Europe/London"), (nil, "/nonexistent/localtime", "UTC"), ("", london, "UTC"),
      (":", london, "UTC"), ("Asia/Tokyo", london, "Asia/Tokyo"), (":Asia/Tokyo", london, "Asia/Tokyo"),
      (london, "/nonexistent", "Europe/London"), (":\(london)", "/nonexistent", "Europe/London"),
      ("CET-1CEST,M3.5.0,M10.5.0/3", london, "CET-1CEST,M3.5.0,M10.5.0/3"), ("<+03>-3", london, "<+03>-3"),
    ] as [(String?, String, String)] {
      #expect(try TimeZone.local(variable, file: file).name == name)
    }
    for variable in ["nonsense", ":Europe/Londn", "/nonexistent/zone", "../../etc/passwd", "Europe"] {
      #expect(throws: TimeZoneError.unknownZone(variable.replacing(":", with: ""))) {
        try TimeZone.local(variable, file: london)
      }
    }
  }

  @Test("A file that is not a zone is an error, and reading it never blocks")
  func strangeFiles() {
    let fifo = "/tmp/flipclock-zone-\(getpid())"
    #expect(mkfifo(fifo, 0o600) == 0)
    defer { unlink(fifo) }
    for path in [fifo, "/tmp", "/dev/zero", "/etc/passwd"] {
      #expect(throws: TimeZoneError.self) { try TimeZone.local(nil, file: path) }
    }
  }

  @Test(
    "Names that lead out of the database are rejected",
    arguments: [
      "../../../etc/passwd", "/etc/localtime", "", ".", "..", "Europe/../UTC", "Europe//London", "Europe/",
      "/", "Europe/London\u{0}", "Europe\\London", "Local Time", "Zürich", String(repeating: "A", count: 256),
    ])
  func refusesNames(name: String) {
    #expect(throws: TimeZoneError.invalidName(name)) { try TimeZone(named: name) }
  }

  @Test("A name has at most 255 bytes")
  func longNames() {
    #expect(TimeZone.isZoneName(String(repeating: "A", count: 255)))
    #expect(!TimeZone.isZoneName(String(repeating: "A", count: 256)))
  }

  @Test(
    "Unknown names, directories and files of another kind are rejected",
    arguments: ["Europe/Londn", "Nowhere", "Europe"])
  func refusesUnknown(name: String) {
    #expect(throws: TimeZoneError.self) { try TimeZone(named: name) }
  }

  @Test("A name without a file is an alias if the database says so, and only then")
  func aliases() throws {
    let directory = try TemporaryDirectory()
    directory.write(
      "tzdata.zi", "# version 2025b\nZ Asia/Kolkata 5:53:28 - LMT 1854 Jun 28\nL Asia/Kolkata Asia/Calcutta\n"
    )
    let root = directory.path
    let paths = { (name: String) in TimeZone.databaseFiles(name, in: [root]) }
    #expect(paths("Asia/Calcutta") == ["\(root)/Asia/Calcutta", "\(root)/Asia/Kolkata"])
    #expect(paths("Asia/Nowhere") == ["\(root)/Asia/Nowhere"])
    #expect(paths("../etc") == [])
    directory.write("Calcutta", "")
    #expect(paths("Calcutta") == ["\(root)/Calcutta"])
  }

  @Test("UTC needs no database")
  func utc() throws {
    #expect(try TimeZone(named: "UTC").civil(Instant(seconds: 0)).utcOffset == 0)
    #expect(TimeZone.utc.nextTransition(after: Instant(seconds: 0)) == nil)
    #expect(describe(TimeZone.utc.civil(Instant(seconds: 951_782_400))) == "Tue 2000-02-29 00:00:00 UTC 0")
  }

  @Test("The errors say what to do")
  func errors() {
    #expect(TimeZoneError.unknownZone("X").description.contains("timedatectl"))
    #expect(TimeZoneError.invalidName("..").description.contains("Europe/London"))
    #expect(TimeZoneError.unreadable(path: "/p", errno: EACCES).description == "/p: Permission denied")
    #expect(TimeZoneError.malformed("cut").description == "malformed time zone: cut")
  }
}
