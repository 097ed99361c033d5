// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Glibc
import Testing

@testable import Schedule

@Suite(.enabled(if: access("/usr/share/zoneinfo/Australia/Lord_Howe", R_OK) == 0, "needs tzdata"))
struct ScheduleTests {
  struct Case: Sendable {
    var zone: String
    var from: String
    var to: String
    var days: String? = nil
    /// Between these instants the switches are exactly `switches`.
    var start: String
    var end: String
    var switches: [String]
  }

  /// The instants were computed by hand from the zones' rules.
  static let cases: [Case] = [
    // An ordinary night, and one across the new year.
    Case(
      zone: "Europe/Berlin", from: "22:30", to: "06:00", start: "2026-12-31T12:00:00Z",
      end: "2027-01-01T12:00:00Z",
      switches: ["2026-12-31T21:30:00Z", "2027-01-01T05:00:00Z"]),
    // Clocks go forward from 02:00 to 03:00: 02:30 does not exist, so the switch is at the change.
    Case(
      zone: "Europe/Berlin", from: "22:30", to: "02:30", start: "2026-03-28T12:00:00Z",
      end: "2026-03-29T12:00:00Z",
      switches: ["2026-03-28T21:30:00Z", "2026-03-29T01:00:00Z"]),
    Case(
      zone: "Europe/Berlin", from: "02:30", to: "04:00", start: "2026-03-28T12:00:00Z",
      end: "2026-03-29T12:00:00Z",
      switches: ["2026-03-29T01:00:00Z", "2026-03-29T02:00:00Z"]),
    // Both ends are skipped: the entry has no effect on that day.
    Case(
      zone: "Europe/Berlin", from: "02:15", to: "02:45", start: "2026-03-28T12:00:00Z",
      end: "2026-03-30T12:00:00Z",
      switches: ["2026-03-30T00:15:00Z", "2026-03-30T00:45:00Z"]),
    // Clocks go back from 03:00 to 02:00: the first 02:30 counts.
    Case(
      zone: "Europe/Berlin", from: "22:30", to: "02:30", start: "2026-10-24T12:00:00Z",
      end: "2026-10-25T12:00:00Z",
      switches: ["2026-10-24T20:30:00Z", "2026-10-25T00:30:00Z"]),
    Case(
      zone: "Europe/Berlin", from: "02:30", to: "03:00", start: "2026-10-24T12:00:00Z",
      end: "2026-10-25T12:00:00Z",
      switches: ["2026-10-25T00:30:00Z", "2026-10-25T02:00:00Z"]),
    Case(
      zone: "America/New_York", from: "01:30", to: "01:45", start: "2026-11-01T00:00:00Z",
      end: "2026-11-02T00:00:00Z",
      switches: ["2026-11-01T05:30:00Z", "2026-11-01T05:45:00Z"]),
    Case(
      zone: "America/New_York", from: "02:00", to: "03:00", start: "2026-03-08T00:00:00Z",
      end: "2026-03-09T00:00:00Z",
      switches: []),
    // Clocks go half an hour forward, and back.
    Case(
      zone: "Australia/Lord_Howe", from: "02:15", to: "05:00", start: "2026-10-03T12:00:00Z",
      end: "2026-10-04T12:00:00Z", switches: ["2026-10-03T15:30:00Z", "2026-10-03T18:00:00Z"]),
    Case(
      zone: "Australia/Lord_Howe", from: "01:45", to: "02:00", start: "2026-04-04T12:00:00Z",
      end: "2026-04-05T12:00:00Z", switches: ["2026-04-04T14:45:00Z", "2026-04-04T15:30:00Z"]),
    // Clocks go forward from 23:00 to midnight.
    Case(
      zone: "America/Nuuk", from: "23:00", to: "06:00", start: "2026-03-28T12:00:00Z",
      end: "2026-03-29T12:00:00Z",
      switches: ["2026-03-29T01:00:00Z", "2026-03-29T07:00:00Z"]),
    // Samoa had no 30 December 2011, a Friday.
    Case(
      zone: "Pacific/Apia", from: "08:00", to: "20:00", start: "2011-12-29T10:00:00Z",
      end: "2011-12-31T10:00:00Z",
      switches: [
        "2011-12-29T18:00:00Z", "2011-12-30T06:00:00Z", "2011-12-30T18:00:00Z", "2011-12-31T06:00:00Z",
      ]),
    Case(
      zone: "Pacific/Apia", from: "22:00", to: "06:00", days: "fri", start: "2011-12-29T10:00:00Z",
      end: "2012-01-01T00:00:00Z", switches: ["2011-12-30T10:00:00Z", "2011-12-30T16:00:00Z"]),
    // An offset with a quarter of an hour.
    Case(
      zone: "Asia/Kathmandu", from: "18:00", to: "18:01", start: "2026-05-01T00:00:00Z",
      end: "2026-05-02T00:00:00Z",
      switches: ["2026-05-01T12:15:00Z", "2026-05-01T12:16:00Z"]),
    // The weekday is that of the beginning; 2028-02-29 is a Tuesday.
    Case(
      zone: "UTC", from: "23:00", to: "01:00", days: "tue", start: "2028-02-26T00:00:00Z",
      end: "2028-03-05T00:00:00Z",
      switches: ["2028-02-29T23:00:00Z", "2028-03-01T01:00:00Z"]),
    Case(
      zone: "UTC", from: "06:00", to: "05:00", days: "sat-sun", start: "2026-01-01T00:00:00Z",
      end: "2026-01-08T00:00:00Z",
      switches: [
        "2026-01-03T06:00:00Z", "2026-01-04T05:00:00Z", "2026-01-04T06:00:00Z", "2026-01-05T05:00:00Z",
      ]),
  ]

  @Test("The switches of one entry", arguments: cases)
  func switches(_ example: Case) throws {
    let schedule = Schedule(
      [try Schedule.Entry("night", example.from, example.to, example.days)],
      zone: try TimeZone(named: example.zone))
    let found = schedule.switches(from: try instant(example.start), to: try instant(example.end))
    let wanted = try example.switches.map(instant)
    // If `start` were in the middle of an entry, the end of that entry would be found too.
    #expect(found.map(\.time.rfc3339UTC) == wanted.map(\.rfc3339UTC))
    for (index, time) in wanted.enumerated() {
      let isOn = index % 2 == 0
      #expect((schedule.state(at: time).brightness != nil) == isOn)
      #expect((schedule.state(at: Instant(seconds: time.seconds - 1)).brightness == nil) == isOn)
    }
  }

  @Test("Of several entries the one that began last counts, for each property")
  func overlap() throws {
    let schedule = Schedule([
      try Schedule.Entry(
        "evening", "18:00", "23:00", values: .init(brightness: 50, page: "clock", light: .init(.on))),
      try Schedule.Entry("night", "22:00", "06:00", values: .init(brightness: 5)),
      try Schedule.Entry("a", "20:00", "20:30", values: .init(brightness: 1, page: "a")),
      try Schedule.Entry("b", "20:00", "20:10", values: .init(brightness: 2)),
    ])
    let table: [(time: String, brightness: Int?, page: String?, entries: [String])] = [
      ("17:59", nil, nil, []), ("18:00", 50, "clock", ["evening"]), ("20:00", 2, "a", ["evening", "a", "b"]),
      ("20:10", 1, "a", ["evening", "a"]), ("20:30", 50, "clock", ["evening"]),
      ("22:00", 5, "clock", ["evening", "night"]), ("23:00", 5, nil, ["night"]), ("05:59", 5, nil, ["night"]),
      ("06:00", nil, nil, []),
    ]
    for row in table {
      let state = schedule.state(at: try instant("2026-05-05T\(row.time):00Z"))
      #expect(state.brightness?.value == row.brightness, "\(row.time)")
      #expect(state.page?.value == row.page, "\(row.time)")
      #expect(state.entries == row.entries, "\(row.time)")
    }
    let evening = try instant("2026-05-05T21:00:00Z")
    #expect(schedule.nextSwitch(after: evening)?.properties == [.brightness])
    let next = try instant("2026-05-05T23:00:00Z")
    #expect(schedule.nextSwitch(after: evening, of: .page)?.time == next)
    #expect(schedule.nextSwitch(after: evening, of: .theme) == nil)
  }

  @Test("Whether an entry ends on the day after it begins")
  func ends() throws {
    let table: [(String, String, Bool)] = [
      ("22:00", "06:00", true), ("06:00", "22:00", false), ("06:00", "06:00", true),
      ("sunset", "sunrise", true),
      ("sunset+30m", "sunrise-1h", true), ("sunset-6h", "sunrise+6h", true), ("sunrise", "sunset", false),
      ("sunrise+6h", "sunset-8h", false), ("sunset", "sunset+1h", false), ("sunset+1h", "sunset", true),
      ("sunrise", "sunrise-1h", true), ("sunset", "23:00", false), ("sunset", "06:00", true),
      ("sunset", "17:00", false), ("sunset", "14:00", true), ("06:30", "sunrise", false),
      ("05:00", "sunrise", false),
      ("22:00", "sunrise", true), ("09:00", "sunrise", true), ("16:00", "sunset", false),
      ("22:00", "sunset", true),
      ("sunrise", "09:00", false), ("sunrise", "00:30", true), ("sunrise-2h", "02:00", false),
    ]
    for (from, to, next) in table {
      #expect(try Schedule.Entry("", from, to).endsNextDay == next, "\(from) to \(to)")
    }
  }

  @Test("In the polar night it is night all the time, in the polar day never")
  func poles() throws {
    let tromso = Coordinates(latitude: 69.65, longitude: 18.95)
    let schedule = Schedule(
      [try Schedule.Entry("night", "sunset", "sunrise")], zone: try TimeZone(named: "Europe/Oslo"),
      place: tromso)
    let short = Schedule(
      [try Schedule.Entry("night", "sunset+30m", "sunrise-1h")], zone: schedule.zone, place: tromso)
    func dark(_ schedule: Schedule, _ text: String) throws -> Bool {
      schedule.state(at: try instant(text)).brightness != nil
    }
    for hour in 10...21 {
      #expect(try dark(schedule, "2026-12-21T\(hour):17:00Z"))
      #expect(try !dark(schedule, "2026-06-21T\(hour):17:00Z"))
      #expect(try !dark(short, "2026-06-21T\(hour):17:00Z"))
      #expect(try dark(short, "2026-12-21T\(hour):17:00Z") == !(["10"].contains("\(hour)")))
    }
    // The polar day of 2026 there is from 18 May to 26 July, the polar night from 27 November to 15 January.
    let spring = try #require(schedule.nextSwitch(after: try instant("2026-06-01T12:00:00Z")))
    #expect(spring.time.rfc3339UTC.hasPrefix("2026-07-2"))
    let winter = try #require(schedule.nextSwitch(after: try instant("2026-12-01T12:00:00Z")))
    #expect(winter.time.rfc3339UTC.hasPrefix("2027-01-1"))
  }

  @Test("Without a place, entries that need the sun are never in effect, and the others are")
  func noPlace() throws {
    let sun = try Schedule.Entry("sun", "sunset", "sunrise")
    let schedule = Schedule([sun])
    #expect(schedule.nextSwitch(after: Instant(seconds: 0)) == nil)
    #expect(
      Schedule([sun, try Schedule.Entry("a", "01:00", "02:00")]).nextSwitch(after: Instant(seconds: 0))?.time
        .seconds == 3_600)
    for seconds in [Int64.min, -(1 << 50), 1 << 50, .max] {
      let instant = Instant(seconds: seconds)
      #expect(schedule.state(at: instant) == Schedule.State())
      #expect(schedule.nextSwitch(after: instant) == nil)
    }
  }

  @Test("Times are read, and written in their usual form")
  func texts() throws {
    let table: [(String, DayMoment, String)] = [
      ("22:30", .clock(minutes: 1_350), "22:30"), ("0:00", .clock(minutes: 0), "00:00"),
      ("23:59", .clock(minutes: 1_439), "23:59"), ("sunrise", .sun(.sunrise, minutes: 0), "sunrise"),
      ("sunset+30m", .sun(.sunset, minutes: 30), "sunset+30min"),
      ("sunrise-1h30min", .sun(.sunrise, minutes: -90), "sunrise-90min"),
      ("sunset-12h", .sun(.sunset, minutes: -720), "sunset-12h"),
    ]
    for (text, moment, written) in table {
      #expect(try DayMoment(text) == moment)
      #expect(moment.description == written)
      #expect(try DayMoment(written) == moment)
    }
    let bad: [(String, DayMoment.Problem)] = [
      ("", .malformed), ("22", .malformed), ("22:3", .malformed), ("22:300", .malformed),
      ("22:30:00", .malformed),
      ("24:00", .noSuchTime), ("12:60", .noSuchTime), ("-1:00", .malformed), ("+1:00", .malformed),
      ("noon", .malformed), ("sunset30m", .malformed), ("sunset+", .malformed), ("sunset+30", .noUnit),
      ("sunset+30s", .offset), ("sunset+13h", .offset), ("sunset+99999999999h", .offset),
      ("sunset++1h", .malformed),
      ("sunset 1h", .malformed), ("Sunset", .malformed), ("٢٢:٣٠", .malformed),
    ]
    for (text, problem) in bad {
      #expect(throws: problem, "\(text)") { try DayMoment(text) }
    }
    #expect(Weekdays("mon") == Weekdays(1))
    #expect(Weekdays("mon-fri") == Weekdays(rawValue: 0b011_1110))
    #expect(Weekdays("sat-sun") == Weekdays(rawValue: 0b100_0001))
    #expect(Weekdays("sun-sat") == .all)
    for bad in ["", "Mon", "monday", "mon-", "-mon", "mon-tue-wed", "mon - fri", "mon,tue"] {
      #expect(Weekdays(bad) == nil, "\(bad)")
    }
  }
}
