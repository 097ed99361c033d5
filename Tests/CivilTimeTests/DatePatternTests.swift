// SPDX-License-Identifier: Apache-2.0

@testable import CivilTime
import Testing

@Suite struct DatePatternTests {
  @Test(
    "A pattern's fields are replaced, everything else stays",
    arguments: [
      ("EEEE d MMMM", "Friday 6 November"), ("EEE dd MMM yyyy", "Fri 06 Nov 2026"),
      ("dd.MM.yyyy", "06.11.2026"),
      ("d/M", "6/11"), ("yyyy-MM-dd", "2026-11-06"), ("'the' d", "the 6"), ("d 'o''clock'", "6 o'clock"),
      ("''", "'"), ("'d'd", "d6"), ("'''d'", "'d"), ("", ""), ("· – 日", "· – 日"), ("dMMM", "6Nov"),
    ])
  func dates(text: String, expected: String) throws {
    let pattern = try DatePattern(text)
    #expect(pattern.string(CivilFields(year: 2026, month: 11, day: 6, weekday: 5)) == expected)
    // The description of a pattern may be written differently, but means the same.
    let again = try DatePattern(pattern.description)
    #expect(again == pattern)
  }

  @Test(
    "A text that is not a pattern is refused by its first mistake",
    arguments: [
      ("EE d", .unknownField("EE")), ("d MMMMM", .unknownField("MMMMM")), ("y", .unknownField("y")),
      ("d 'open", .unclosedQuote), ("'''", .unclosedQuote), ("'a'' h", .unclosedQuote),
    ] as [(String, DatePattern.Problem)])
  func mistakes(text: String, problem: DatePattern.Problem) {
    #expect(throws: problem) { try DatePattern(text) }
  }

  @Test("Every weekday and month has its name")
  func names() throws {
    let weekday = try DatePattern("EEEE")
    #expect(
      (0...6).map { weekday.string(CivilFields(year: 2026, month: 1, day: 1, weekday: $0)) }
        == ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"])
    let month = try DatePattern("MMM M")
    #expect(
      (1...12).map { month.string(CivilFields(year: 2026, month: $0, day: 1, weekday: 0)) } == [
        "Jan 1", "Feb 2", "Mar 3", "Apr 4", "May 5", "Jun 6", "Jul 7", "Aug 8", "Sep 9", "Oct 10", "Nov 11",
        "Dec 12",
      ])
  }
}
