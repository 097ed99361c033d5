// SPDX-License-Identifier: Apache-2.0

@testable import CivilTime
import Settings
import Testing

@testable import Widgets

@Suite struct ClockTextTests {
  struct Case: CustomStringConvertible {
    var description: String
    var time: (Int, Int, Int)
    var change: @Sendable (inout FlipClockSettings) -> Void = { _ in }
    var groups: [[String]]
    var period: String?
    var text: String
  }

  private static func twelve(_ settings: inout FlipClockSettings) { settings.hours = .twelve }
  private static func bare(_ settings: inout FlipClockSettings) { settings.leadingZero = false }

  static let cases = [
    Case(description: "24 h", time: (9, 5, 7), groups: [["0", "9"], ["0", "5"]], text: "09:05"),
    Case(description: "midnight", time: (0, 0, 0), groups: [["0", "0"], ["0", "0"]], text: "00:00"),
    Case(
      description: "the last minute", time: (23, 59, 59), groups: [["2", "3"], ["5", "9"]], text: "23:59"),
    Case(
      description: "seconds", time: (23, 59, 8), change: { $0.seconds = true },
      groups: [["2", "3"], ["5", "9"], ["0", "8"]], text: "23:59:08"),
    Case(
      description: "12 h, midnight", time: (0, 7, 0), change: twelve, groups: [["1", "2"], ["0", "7"]],
      period: "AM",
      text: "12:07 AM"),
    Case(
      description: "12 h, morning", time: (9, 5, 0), change: twelve, groups: [["0", "9"], ["0", "5"]],
      period: "AM",
      text: "09:05 AM"),
    Case(
      description: "12 h, before noon", time: (11, 59, 0), change: twelve,
      groups: [["1", "1"], ["5", "9"]],
      period: "AM", text: "11:59 AM"),
    Case(
      description: "12 h, noon", time: (12, 0, 0), change: twelve, groups: [["1", "2"], ["0", "0"]],
      period: "PM",
      text: "12:00 PM"),
    Case(
      description: "12 h, evening", time: (23, 0, 0), change: twelve, groups: [["1", "1"], ["0", "0"]],
      period: "PM", text: "11:00 PM"),
    Case(
      description: "12 h without AM and PM", time: (13, 0, 0),
      change: {
        twelve(&$0)
        $0.amPM = false
      }, groups: [["0", "1"], ["0", "0"]], text: "01:00"),
    Case(
      description: "no leading zero, the card kept", time: (9, 5, 0), change: bare,
      groups: [["", "9"], ["0", "5"]],
      text: "9:05"),
    Case(
      description: "no leading zero at midnight", time: (0, 5, 0), change: bare,
      groups: [["", "0"], ["0", "5"]],
      text: "0:05"),
    Case(
      description: "no leading zero, two digits", time: (10, 0, 0), change: bare,
      groups: [["1", "0"], ["0", "0"]],
      text: "10:00"),
    Case(
      description: "no leading zero, 12 h after noon", time: (13, 0, 0),
      change: {
        twelve(&$0)
        bare(&$0)
      }, groups: [["", "1"], ["0", "0"]], period: "PM", text: "1:00 PM"),
    Case(
      description: "pairs", time: (9, 5, 30),
      change: {
        $0.cards = .pair
        $0.seconds = true
      }, groups: [["09"], ["05"], ["30"]], text: "09:05:30"),
    Case(
      description: "pairs without leading zero", time: (9, 5, 0),
      change: {
        $0.cards = .pair
        bare(&$0)
      }, groups: [["9"], ["05"]], text: "9:05"),
    Case(
      description: "AM and PM belong to 12 h", time: (9, 5, 0), change: { $0.amPM = true },
      groups: [["0", "9"], ["0", "5"]], text: "09:05"),
  ]

  @Test("a time is formatted as the symbols of the cards and as text", arguments: cases)
  func timeFormats(_ row: Case) {
    var settings = FlipClockSettings()
    row.change(&settings)
    let fields = CivilFields(
      year: 2026, month: 11, day: 20, hour: row.time.0, minute: row.time.1, second: row.time.2, weekday: 5)
    let clock = ClockText(fields, settings)
    #expect(clock.groups == row.groups)
    #expect(clock.period == row.period)
    #expect(clock.text == row.text)
    #expect(clock.symbols.map(\.text) == row.groups.flatMap { $0 } + (row.period.map { [$0] } ?? []))
  }

  @Test("every minute of a day has as many symbols as cards, with all settings")
  func symbolsPerMinute() {
    for hours in FlipClockSettings.Hours.allCases {
      for cards in FlipClockSettings.Cards.allCases {
        for zero in [true, false] {
          var settings = FlipClockSettings()
          (settings.hours, settings.cards, settings.leadingZero) = (hours, cards, zero)
          let counts = (0..<1440).map { minute in
            ClockText(
              CivilFields(year: 2026, month: 1, day: 1, hour: minute / 60, minute: minute % 60, weekday: 4),
              settings
            ).symbols.count
          }
          let expected = (cards == .digit ? 4 : 2) + (hours == .twelve ? 1 : 0)
          #expect(Set(counts) == [expected], "\(hours), \(cards), \(zero)")
        }
      }
    }
  }
}
