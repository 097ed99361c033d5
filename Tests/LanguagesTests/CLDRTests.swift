// SPDX-License-Identifier: Apache-2.0

import Languages
import Testing

/// Compares the table with CLDR's XML, for every locale of every language, whether or not the table has an
/// entry for it. Runs where the package unicode-cldr-core is installed in the table's version.
@Suite(
  .enabled(
    if: CLDRReader.version == LanguageTable.version,
    "needs unicode-cldr-core in the version of the language table"))
struct CLDRTests {
  private let reader = CLDRReader.shared

  /// The locales with their languages: all files of the table's languages that have dates. Those of pa_Arab
  /// and uz_Arab have only some names and no patterns, so the table leaves them out.
  private var locales: [(locale: String, language: Language)] {
    reader.locales.compactMap { locale in
      guard reader.text(locale, "months/monthContext[format]/monthWidth[wide]/month[1]") != "M01",
        !["pa_Arab", "uz_Arab"].contains(where: locale.hasPrefix)
      else { return nil }
      return Language(String(locale.map { $0 == "_" ? "-" : $0 })).map { (locale, $0) }
    }
  }

  @Test func everyLocaleIsKnown() {
    #expect(locales.count > 450)
    #expect(Set(LanguageTable.names.map { $0.prefix { $0 != "-" } }).count >= 80)
    for name in LanguageTable.names { #expect(Language(name)?.tag.description == name) }
  }

  @Test func namesAreThoseOfCLDR() {
    let days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
    for (locale, language) in locales {
      func day(_ context: String, _ width: String, _ day: Int) -> String {
        "days/dayContext[\(context)]/dayWidth[\(width)]/day[\(days[day])]"
      }
      func month(_ context: String, _ width: String, _ month: Int) -> String {
        "months/monthContext[\(context)]/monthWidth[\(width)]/month[\(month)]"
      }
      // Names that are missing are replaced by others as root's aliases specify.
      for number in 0..<7 {
        let wide = [day("format", "wide", number), day("format", "abbreviated", number)]
        #expect(language.weekday(number) == reader.text(locale, wide[0], wide[1]), "\(locale)")
        #expect(
          language.weekday(number, .init(isShort: true)) == reader.text(locale, wide[1]), "\(locale)")
        #expect(
          language.weekday(number, .init(isAlone: true))
            == reader.text(locale, day("stand-alone", "wide", number), wide[0], wide[1]), "\(locale)")
        #expect(
          language.weekday(number, .init(isShort: true, isAlone: true))
            == reader.text(locale, day("stand-alone", "abbreviated", number), wide[1]), "\(locale)")
      }
      for number in 1...12 {
        let (wide, short) = (month("format", "wide", number), month("format", "abbreviated", number))
        #expect(language.month(number) == reader.text(locale, wide), "\(locale)")
        #expect(
          language.month(number, .init(isShort: true)) == reader.text(locale, short, wide), "\(locale)")
        #expect(
          language.month(number, .init(isAlone: true))
            == reader.text(locale, month("stand-alone", "wide", number), wide), "\(locale)")
        #expect(
          language.month(number, .init(isShort: true, isAlone: true))
            == reader.text(locale, month("stand-alone", "abbreviated", number), short, wide), "\(locale)")
      }
      func periods(_ width: String) -> [String] {
        ["am", "pm"].compactMap {
          reader.text(locale, "dayPeriods/dayPeriodContext[format]/dayPeriodWidth[\(width)]/dayPeriod[\($0)]")
        }
      }
      /// Returns the day periods as a clock's cards show them.
      func cards(_ periods: [String]) -> [String] {
        periods.map { language.uppercased($0).filter { !$0.isWhitespace } }
      }
      let shown = [language.dayPeriods.am, language.dayPeriods.pm]
      // If they are too long for a card, the narrow ones are used.
      let isLong = periods("abbreviated").contains { $0.unicodeScalars.count > 4 }
      #expect(
        shown == cards(periods("abbreviated")) || isLong && shown == cards(periods("narrow")), "\(locale)")
    }
  }

  @Test func capitalsAtTheBeginningOfALineAreThoseOfCLDR() {
    var changed = 0
    for (locale, language) in locales {
      func isCapital(_ usage: String) -> Bool {
        reader.text(
          locale, "contextTransforms/contextTransformUsage[\(usage)]/contextTransform[stand-alone]")
          == "titlecase-firstword"
      }
      func expected(_ name: String, _ usage: String) -> String {
        isCapital(usage) ? language.capitalized(name) : name
      }
      for isAlone in [false, true] {
        let suffix = isAlone ? "standalone-except-narrow" : "format-except-narrow"
        let form = Language.NameForm(isAlone: isAlone, beginsLine: true)
        let plain = Language.NameForm(isAlone: isAlone)
        #expect(
          language.weekday(0, form) == expected(language.weekday(0, plain), "day-\(suffix)"), "\(locale)")
        #expect(language.month(1, form) == expected(language.month(1, plain), "month-\(suffix)"), "\(locale)")
        if language.weekday(0, form) != language.weekday(0, plain) { changed += 1 }
      }
    }
    #expect(changed > 20)
  }

  @Test func patternsAreThoseOfCLDR() {
    for (locale, language) in locales {
      let formats = "dateTimeFormats/availableFormats/dateFormatItem"
      // The nearest of these formats that the locale or one of its parents has; root's formats are
      // placeholders.
      let near = ["MMMMEEEEd", "MMMMEd", "MMMEEEEd", "MMMEd"].map { "\(formats)[\($0)]" }
      let day = reader.text(locale, near[0], near[1], near[2], near[3]) ?? ""
      if language.tag != LanguageTag(language: "en") {
        #expect(Self.fields(language.datePattern) == Self.fields(day), "\(locale)")
      }
    }
  }

  /// Splits a pattern into its fields and the single letters of its text. Short names become full names.
  private static func fields(_ pattern: String) -> [String] {
    var fields: [String] = []
    var isQuoted = false
    var rest = pattern[...]
    while let letter = rest.first {
      if letter == "'" {
        rest.removeFirst()
        if rest.first == "'" {
          fields.append("text '")
          rest.removeFirst()
        } else {
          isQuoted.toggle()
        }
      } else if !isQuoted, letter.isASCII, letter.isLetter {
        let run = rest.prefix { $0 == letter }
        rest = rest.dropFirst(run.count)
        switch letter {
        case "E": fields.append("EEEE")
        case "c": fields.append("cccc")
        case "M" where run.count > 2, "L" where run.count > 2:
          fields.append(String(repeating: letter, count: 4))
        default: fields.append(String(run))
        }
      } else {
        fields.append("text \(letter)")
        rest.removeFirst()
      }
    }
    return fields
  }

  @Test func numbersAndDirectionAreThoseOfCLDR() {
    var digits: [String: String] = [:]
    for element in reader.elements("supplemental/numberingSystems.xml") {
      if let id = element.attributes["id"], let shapes = element.attributes["digits"] { digits[id] = shapes }
    }
    for (locale, language) in locales {
      let native = reader.text(locale, "numbers/otherNumberingSystems/native") ?? "latn"
      var inNativeDigits = language
      inNativeDigits.usesNativeDigits = true
      #expect(inNativeDigits.digits(in: "0123456789") == digits[native] ?? "0123456789", "\(locale)")
      let order = reader.text(locale, "layout/orientation/characterOrder")
      #expect(language.isRightToLeft == (order == "right-to-left"), "\(locale)")
    }
  }

  @Test func lettersAreThoseOfCLDR() throws {
    for (locale, language) in locales {
      let text = try #require(reader.text(locale, "characters/exemplarCharacters"))
      var expected: Set<Character> = []
      // Skips digraphs, which are in braces, and escapes, which are marks. Only Chinese and Korean have
      // ranges.
      for word in text.dropFirst().dropLast().split(separator: " ")
      where !word.contains(where: { "{\\".contains($0) }) {
        for scalar in word.unicodeScalars {
          switch scalar.properties.generalCategory {
          case .uppercaseLetter, .lowercaseLetter, .otherLetter:
            // A letter that joins with the previous one has no flap of its own.
            if "x\(scalar)".count == 2 { expected.insert(Character(scalar)) }
          default: break
          }
        }
      }
      expected.subtract((UInt8(ascii: "a")...UInt8(ascii: "z")).map { Character(Unicode.Scalar($0)) })
      let isAlphabet = expected.count <= 150 && !text.contains("-")
      #expect(Set(language.letters) == (isAlphabet ? expected : []), "\(locale)")
      #expect(language.letters.count == Set(language.letters).count)
    }
  }

  @Test func hoursAreThoseOfCLDR() {
    var preferred: [String: String] = [:]
    for element in reader.elements("supplemental/supplementalData.xml") where element.name == "hours" {
      for region in (element.attributes["regions"] ?? "").split(whereSeparator: \.isWhitespace) {
        preferred[String(region)] = element.attributes["preferred"]
      }
    }
    var likely: [String: String] = [:]
    for element in reader.elements("supplemental/likelySubtags.xml") where element.name == "likelySubtag" {
      likely[element.attributes["from"] ?? ""] = element.attributes["to"]
    }
    for (locale, language) in locales where locale != "en" {
      let region =
        language.tag.region ?? likely[language.tag.language]?.split(separator: "_").last.map(String.init)
      let hours =
        preferred["\(language.tag.language)_\(region ?? "")"] ?? preferred[region ?? ""] ?? preferred["001"]
      #expect(
        language.hours == (hours == "h" || hours == "K" ? .twelve : .twentyFour), "\(locale) \(region ?? "")")
    }
  }
}
