// SPDX-License-Identifier: Apache-2.0

import Languages
import TestSupport
import Testing

@Suite struct TagTests {
  static let tags: [(String, String?)] = [
    ("de", "de"), ("pt-BR", "pt-BR"), ("PT-br", "pt-BR"), ("zh-hant", "zh-Hant"),
    ("ZH-HANT-hk", "zh-Hant-HK"),
    ("sr-Latn-RS", "sr-Latn-RS"), ("es-419", "es-419"), ("de-1996", "de"), ("sl-rozaj-biske", "sl"),
    ("de-DE-1996", "de-DE"), ("en-u-hc-h12", "en"), ("ar-EG-u-nu-latn-x-private", "ar-EG"),
    ("zh-yue-HK", "zh-HK"),
    ("sl-IT-nedis", "sl-IT"), ("de-CH-1901-x-a", "de-CH"), ("deu", "deu"),
    ("", nil), ("d", nil), ("german", nil), ("de_DE", nil), ("de-", nil), ("-de", nil), ("de--DE", nil),
    ("de-D", nil), ("de-DE-u", nil), ("x-whatever", nil), ("de-DEU1", nil), ("dé", nil), ("de-Läti", nil),
    ("de DE", nil), ("de-DE-DE", nil), (String(repeating: "a-", count: 40), nil), ("12", nil),
    ("de-Latn-Latn", nil),
  ]

  @Test func everyLanguageHasItsNames() {
    let names = LanguageTable.languageNames
    #expect(names.count == 2 * Set(names.map(\.tag)).count)
    for (name, tag) in [("German", "de"), ("Deutsch", "de"), ("español", "es"), ("한국어", "ko")] {
      #expect(names.contains { $0 == (name, tag) })
    }
  }

  @Test(arguments: tags) func bcp47(_ text: String, _ expected: String?) {
    #expect(LanguageTag(bcp47: text)?.description == expected)
  }

  static let locales: [(String, String?)] = [
    ("de_AT.UTF-8@euro", "de-AT"), ("en_US", "en-US"), ("en_US.UTF-8", "en-US"), ("de", "de"),
    ("de.ISO-8859-1", "de"),
    ("sr_RS@latin", "sr-Latn-RS"), ("sr_ME.UTF-8", "sr-ME"), ("uz_UZ@cyrillic", "uz-Cyrl-UZ"),
    ("ks_IN@devanagari", "ks-Deva-IN"), ("ca_ES@valencia", "ca-ES"), ("fil_PH", "fil-PH"),
    ("ar_001", "ar-001"),
    ("C", nil), ("POSIX", nil), ("C.UTF-8", nil), ("", nil), ("_", nil), ("de_", nil), ("de_AT_", nil),
    ("@", nil),
    (".", nil), ("de-AT", "de-AT"), ("english", nil), ("/usr/lib/locale", nil), ("de_AUT", nil),
    ("é_FR", nil),
  ]

  @Test(arguments: locales) func posix(_ text: String, _ expected: String?) {
    #expect(LanguageTag(posix: text)?.description == expected)
  }

  /// Random texts cause no trap. If a text is read as a tag, the description of the tag is read as the same
  /// tag.
  @Test func randomTexts() {
    var random = SplitMix(seed: 14)
    let letters = Array("deEUAT-_@.1419zh\u{0}äم\u{301}")
    for _ in 0..<20_000 {
      let text = String((0..<random.int(0...14)).map { _ in letters[random.int(0...letters.count - 1)] })
      if let tag = LanguageTag(bcp47: text) { #expect(LanguageTag(bcp47: tag.description) == tag) }
      if let tag = LanguageTag(posix: text) { #expect(LanguageTag(bcp47: tag.description) == tag) }
    }
  }
}

@Suite struct LookUpTests {
  /// The variant that is used is recognized by a month, a weekday or a pattern that the others lack.
  @Test func byTruncationAndLikelyScripts() {
    func weekday(_ tag: String) -> String? { Language(tag)?.weekday(1) }
    func month(_ tag: String) -> String? { Language(tag)?.month(1) }
    #expect(month("de-AT") == "Jänner")
    #expect(month("de-CH") == "Januar")
    #expect(month("de-Latn-AT") == "Jänner")
    #expect(month("de-XX") == "Januar")
    #expect(weekday("sr") == "понедељак")
    #expect(weekday("sr-Latn") == "ponedeljak")
    #expect(weekday("sr-ME") == Language("sr-Latn-ME")?.weekday(1))
    #expect(weekday("sr-Cyrl-ME") == "понедељак")
    #expect(month("zh-Hans") == "一月")
    for tag in ["zh-TW", "zh-HK", "zh-Hant-XX", "zh-Hant-TW"] { #expect(month(tag) == "1月", "\(tag)") }
    for tag in ["zh-SG", "zh-Hans-SG", "zh-CN"] { #expect(month(tag) == "一月", "\(tag)") }
    #expect(Language("zh-HK")?.datePattern == "M月d日EEEE")
    #expect(Language("zh-TW")?.datePattern == "M月d日 EEEE")
    #expect(weekday("no") == weekday("nb"))
    #expect(weekday("deu") == "Montag")
    #expect(weekday("iw") == weekday("he"))
    #expect(weekday("sh") == "ponedeljak")
    for tag in ["xx", "tlh", "qaa"] { #expect(Language(tag) == nil) }
  }

  @Test func ofTheEnvironment() {
    func language(_ variables: [String: String]) -> String {
      Language.fromEnvironment { variables[$0] }.tag.description
    }
    #expect(language([:]) == "en")
    #expect(language(["LANG": "de_DE.UTF-8"]) == "de-DE")
    #expect(language(["LANG": "de_DE.UTF-8", "LC_TIME": "fr_FR"]) == "fr-FR")
    #expect(language(["LANG": "de_DE", "LC_TIME": "fr_FR", "LC_ALL": "pl_PL"]) == "pl-PL")
    #expect(language(["LANG": "de_DE", "LC_TIME": "", "LC_ALL": ""]) == "de-DE")
    // The first variable that is not empty decides, even if its value is not a language.
    for plain in ["C", "POSIX", "C.UTF-8", "tlh_XX", "nonsense", "\u{301}"] {
      #expect(language(["LC_ALL": plain, "LANG": "de_DE"]) == "en", "\(plain)")
    }
    // Other variables do not count.
    #expect(language(["LANGUAGE": "de", "LC_MESSAGES": "de_DE", "LC_CTYPE": "de_DE"]) == "en")
  }

  @Test func plainEnglishKeepsTheProgramsOwnFormats() {
    #expect(Language("en") == .english)
    #expect(Language.english.hours == .twentyFour)
    #expect(Language.english.datePattern == "EEEE d MMMM")
    #expect(Language("en-US")?.hours == .twelve)
    #expect(Language("en-US")?.datePattern == "EEEE, MMMM d")
    #expect(Language("en-GB")?.hours == .twentyFour)
    #expect(Language("en-IN")?.hours == .twelve)
    #expect(Language("fr-CA")?.hours == .twentyFour)
    #expect(Language("en-CA")?.hours == .twelve)
  }

  @Test func namesAreClamped() {
    for language in LanguageTable.names.compactMap(Language.init) {
      for number in [Int.min, -1, 0, 1, 6, 7, 12, 13, Int.max] {
        #expect(!language.weekday(number).isEmpty)
        #expect(!language.month(number).isEmpty)
      }
      #expect(!language.dayPeriods.am.isEmpty)
      #expect(!language.dayPeriods.am.contains { $0.isWhitespace })
      #expect(language.dayPeriods.am != language.dayPeriods.pm)
    }
  }

  @Test func digits() {
    var arabic = Language("ar-EG")
    #expect(arabic?.digits(in: "12:05") == "12:05")
    arabic?.usesNativeDigits = true
    #expect(arabic?.digits(in: "12:05 a٣") == "١٢:٠٥ a٣")
    var german = Language("de")
    german?.usesNativeDigits = true
    #expect(german?.digits(in: "12:05") == "12:05")
    var hindi = Language("hi")
    hindi?.usesNativeDigits = true
    #expect(hindi?.digits(in: "0123456789") == "०१२३४५६७८९")
  }
}

@Suite struct CaseTests {
  static let samples: [(String, String, String)] = [
    ("tr", "ilık kış, iğne", "ILIK"), ("en", "straße", "STRASSE"),
    ("de", "Weißer Sonntag", "WEISSER SONNTAG"),
    ("de", "ﬂügel", "FLÜGEL"), ("az", "iyun ilı", "İYUN İLI"), ("tr", "İstanbul ve Işık", "İSTANBUL VE IŞIK"),
    ("en", "İstanbul", "İSTANBUL"), ("en", "iı", "II"),
    ("lt", "i\u{307}\u{301} j\u{307}", "I\u{301} J"), ("lt", "sekmadienis, liepos", "SEKMADIENIS, LIEPOS"),
    ("lt", "į\u{307}", "Į"), ("lt", "e\u{307}", "E\u{307}"), ("en", "i\u{307}", "I\u{307}"),
    ("el", "Μαΐου", "ΜΑΪΟΥ"), ("el", "Μάιος", "ΜΑΪΟΣ"), ("el", "Κυριακή", "ΚΥΡΙΑΚΗ"), ("el", "ή", "Ή"),
    ("el", "ναι ή όχι", "ΝΑΙ Ή ΟΧΙ"), ("el", "ΰ ΐ", "Ϋ Ϊ"), ("el", "άυλος", "ΑΫΛΟΣ"),
    ("el", "Φεβρουαρίου", "ΦΕΒΡΟΥΑΡΙΟΥ"),
    ("el", "ώρα a ç", "ΩΡΑ A Ç"), ("el", "α\u{301}", "Α"), ("en", "άνθρωπος", "ΆΝΘΡΩΠΟΣ"),
    ("el", "τέλος", "ΤΕΛΟΣ"),
    ("nl", "ijs, vrijdag", "IJS, VRIJDAG"), ("nl", "ĳs", "ĲS"), ("fr", "dimanche à août", "DIMANCHE À AOÛT"),
    ("ka", "კვირა", "კვირა"), ("hy", "և", "ԵՎ"), ("en", "և", "ԵՒ"), ("he", "יום", "יום"),
    ("ar", "الأحد", "الأحد"),
    ("hi", "रविवार", "रविवार"), ("ja", "日曜日", "日曜日"), ("th", "วันอาทิตย์", "วันอาทิตย์"),
    ("ru", "воскресенье", "ВОСКРЕСЕНЬЕ"),
    ("en", "", ""), ("el", "", ""), ("tr", "", ""),
  ]

  @Test(arguments: samples.dropFirst()) func capitals(_ tag: String, _ text: String, _ expected: String)
    throws
  {
    #expect(
      Array(try #require(Language(tag)).uppercased(text).unicodeScalars) == Array(expected.unicodeScalars))
  }

  @Test func firstLetters() throws {
    #expect(try #require(Language("nl")).capitalized("ijsland") == "IJsland")
    #expect(try #require(Language("tr")).capitalized("istanbul") == "İstanbul")
    #expect(try #require(Language("fr")).capitalized("dimanche") == "Dimanche")
    #expect(try #require(Language("el")).capitalized("έτος") == "Έτος")
    #expect(try #require(Language("el")).capitalized("") == "")
  }

  /// Capitals of capitals are the same, for all names of all languages. In English they are those of Swift's
  /// `uppercased`.
  @Test func capitalsAreStable() {
    for language in LanguageTable.names.compactMap(Language.init) {
      for text in (0..<7).map({ language.weekday($0) }) + (1...12).map({ language.month($0) }) {
        let capitals = language.uppercased(text)
        #expect(language.uppercased(capitals) == capitals, "\(language.tag)")
        if language.tag.language == "en" { #expect(capitals == text.uppercased()) }
      }
    }
  }
}

@Suite struct WordsTests {
  @Test func everyLanguageHasEveryWord() {
    for name in Words.languages {
      guard let language = Language(name) else {
        Issue.record("\(name) is not in the table of languages")
        continue
      }
      for word in Word.allCases {
        let text = language.words[word]
        #expect(!text.isEmpty, "\(name) \(word)")
        #expect(text.count <= word.maximumLength, "\(name) \(word)")
        #expect(word.problem(with: text) == nil, "\(name) \(word)")
        #expect(!text.contains("|") && !text.hasPrefix(" ") && !text.hasSuffix(" "), "\(name) \(word)")
        if ![.numbered, .scan, .leadAgain].contains(word) {
          #expect(language.uppercased(text) == text, "\(name) \(word)")
        }
      }
    }
    // No two languages have the same words.
    let languages = Words.languages.compactMap(Language.init)
    #expect(languages.count == 11)
    for (index, language) in languages.enumerated() {
      for other in languages[..<index] { #expect(language.words != other.words) }
    }
  }

  @Test func variantsAndOtherLanguages() throws {
    #expect(Language("de-AT")?.words[.quarter] == "VIERTEL")
    #expect(Language("pt-BR")?.words[.half] == "TEMPO")
    #expect(Language("pt-PT")?.words[.half] == "PARTE")
    #expect(Language("pt-AO")?.words[.half] == "PARTE")
    #expect(Language("pt-PT")?.words[.sets] == Language("pt")?.words[.sets])
    #expect(Language("sv")?.words == Words.english)
  }

  @Test func numberedPeriods() {
    #expect(Words.numbered("{name} {number}", name: "SET", number: "3") == "SET 3")
    #expect(Words.numbered("{number}. {name}", name: "SATZ", number: "3") == "3. SATZ")
    #expect(Words.numbered("第{number}{name}", name: "セット", number: "3") == "第3セット")
    // Placeholders in a name are not replaced.
    #expect(Words.numbered("{name}{number}", name: "{number}", number: "1") == "{number}1")
    for text in ["", "{name}", "{number}", "{nam} {number}"] {
      #expect(Word.numbered.problem(with: text) != nil)
    }
  }
}
