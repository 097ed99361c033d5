// SPDX-License-Identifier: Apache-2.0

@testable import CivilTime
import Languages
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
      ("EE d", .unknownField("EE")), ("d MMMMM", .unknownField("MMMMM")), ("yy", .unknownField("yy")),
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

  static let samples: [(String, String)] = [
    ("en", "Sunday 22 November"),
    ("en-US", "Sunday, November 22"),
    ("en-GB", "Sunday, 22 November"),
    ("de", "Sonntag, 22. November"),
    ("fr", "Dimanche 22 novembre"),
    ("es", "domingo, 22 de noviembre"),
    ("it", "Domenica 22 novembre"),
    ("pt-BR", "domingo, 22 de novembro"),
    ("nl", "zondag 22 november"),
    ("pl", "niedziela, 22 listopada"),
    ("tr", "22 Kasım Pazar"),
    ("ja", "11月22日日曜日"),
    ("zh-TW", "11月22日 星期日"),
    ("ko", "11월 22일 일요일"),
    ("uk", "неділя, 22 листопада"),
    ("fi", "sunnuntai 22. marraskuuta"),
    ("el", "Κυριακή 22 Νοεμβρίου"),
    ("he", "יום ראשון, 22 בנובמבר"),
  ]

  @Test("Each language has its own form of the date", arguments: samples)
  func ownDates(tag: String, expected: String) throws {
    let language = try #require(Language(tag))
    let fields = CivilFields(year: 2026, month: 11, day: 22, weekday: 0)
    // Whether the first letter is a capital is tested by CLDRTests.
    func folded(_ text: String) -> String { text.prefix(1).lowercased() + text.dropFirst() }
    #expect(folded(DatePattern.date(of: language).string(fields, in: language)) == folded(expected))
  }

  @Test("Every language has a valid pattern; each day of a year has its names, its order and its digits")
  func everyLanguage() throws {
    for tag in LanguageTable.names {
      var language = try #require(Language(tag))
      let pattern = try DatePattern(language.datePattern)
      #expect(pattern == DatePattern.date(of: language), "\(tag)")
      // Examines the pattern's text instead of using `DatePattern`.
      let form = language.datePattern
      for isNative in [false, true] {
        language.usesNativeDigits = isNative
        var seen: Set<String> = []
        for day in 0..<366 {
          let fields = CivilFields(year: 2028, month: day / 31 + 1, day: day % 31 + 1, weekday: day % 7)
          let text = pattern.string(fields, in: language)
          #expect(seen.insert(text).inserted, "\(tag): \(text)")
          let alone = Language.NameForm(
            isAlone: form.contains("cccc"), beginsLine: text.first.map { !$0.isNumber } ?? false)
          let names = [
            language.weekday(fields.weekday, alone),
            form.contains("MMMM") || form.contains("LLLL")
              ? language.month(fields.month, .init(isAlone: form.contains("LLLL"))) : String(fields.month),
            form.contains("dd") && fields.day < 10 ? "0\(fields.day)" : String(fields.day),
          ]
          for name in names {
            let shown = language.digits(in: name)
            #expect(text.lowercased().contains(shown.lowercased()), "\(tag): \(text) has no \(shown)")
          }
          if isNative, language.digits(in: "0") != "0" {
            #expect(!text.contains { ("0"..."9").contains($0) }, "\(tag): \(text)")
          }
        }
      }
    }
  }
}
