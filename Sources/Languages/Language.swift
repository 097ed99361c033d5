// SPDX-License-Identifier: Apache-2.0

/// A language of the display: how it writes dates, numbers and the display's own words.
package struct Language: Hashable, Sendable {
  package enum Hours: Hashable, Sendable {
    case twelve
    case twentyFour
  }

  /// The tag as it was asked for: `de-AT`, even if the table has no difference from `de`. Only an alias of a
  /// language is replaced.
  package let tag: LanguageTag
  package var words: Words
  /// Whether `digits(in:)` writes the digits of the language's script instead of 0 … 9.
  package var usesNativeDigits = false
  private let data: LanguageData
  /// The letters of the alphabet beyond a to z, in its order; small ones if there are capitals. Empty for a
  /// language with more letters than an alphabet has, such as Chinese.
  package var letters: [Character] { data.letters }

  /// Nil if the table does not have the language. For a variant that is not in the table, uses the variant
  /// with fewer parts.
  package init?(_ tag: LanguageTag) {
    var tag = tag
    if let other = LanguageTable.value(of: tag.language, in: LanguageTable.aliases) {
      guard let replacement = LanguageTag(bcp47: other) else { return nil }
      tag.language = replacement.language
      tag.script = tag.script ?? replacement.script
      tag.region = tag.region ?? replacement.region
    }
    let names = Self.names(of: tag)
    guard let lines = LanguageTable.lines(names) else { return nil }
    self.tag = tag
    data = LanguageData(lines)
    // CLDR's `parentLocales`: Portuguese outside of Brazil is like that of Portugal.
    let isEuropean = tag.language == "pt" && tag.region != nil && tag.region != "BR"
    words = Words(isEuropean ? ["pt", "pt-PT"] : names)
  }

  /// Whether the table has the language, and in this script if the tag has one.
  package static func isKnown(_ tag: LanguageTag) -> Bool {
    guard let language = Language(tag) else { return false }
    let names = names(of: LanguageTag(language: language.tag.language, script: tag.script))
    return names.count == 1 || LanguageTable.names.contains(names[1])
  }

  /// Reads a BCP 47 tag. Nil if it is not one, or the table has no such language.
  package init?(_ text: String) {
    guard let tag = LanguageTag(bcp47: text) else { return nil }
    self.init(tag)
  }

  /// English without a region: dates as `Sunday 22 November`, and 24 hours.
  package static let english = Language(english: ())

  private init(english: ()) {
    tag = LanguageTag(language: "en")
    words = Words(["en"])
    data = LanguageData(LanguageTable.lines(["en"]) ?? [:])
  }

  /// The language of the environment: that of the first of LC_ALL, LC_TIME and LANG that is not empty.
  /// English if there is none, or if it is not in the table.
  package static func fromEnvironment(_ variable: (String) -> String?) -> Language {
    for name in ["LC_ALL", "LC_TIME", "LANG"] {
      guard let value = variable(name), !value.isEmpty else { continue }
      return LanguageTag(posix: value).flatMap(Language.init) ?? .english
    }
    return .english
  }

  /// The names of the records of a language, from the general to the special: `zh`, `zh-Hant`, `zh-Hant-HK`.
  /// A script that follows from the language, or from the language and the region, may be left out of the
  /// tag.
  private static func names(of tag: LanguageTag) -> [String] {
    var script = tag.script
    if script == nil, let region = tag.region {
      script = LanguageTable.value(of: "\(tag.language)-\(region)", in: LanguageTable.regionalScripts)
    }
    if script == LanguageTable.value(of: tag.language, in: LanguageTable.scripts) { script = nil }
    var names = [tag.language]
    if let script { names.append("\(tag.language)-\(script)") }
    if let region = tag.region { names.append("\(names[names.count - 1])-\(region)") }
    return names
  }

  package static func == (a: Language, b: Language) -> Bool {
    a.tag == b.tag && a.usesNativeDigits == b.usesNativeDigits && a.words == b.words
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(tag)
    hasher.combine(usesNativeDigits)
    hasher.combine(words)
  }
}

// MARK: Dates

extension Language {
  /// Whether the language is English without a region, for which the formats of dates and times are the
  /// program's own.
  private var isPlainEnglish: Bool { tag == LanguageTag(language: "en") }

  /// The pattern of a weekday, a day and a month, in the language's order. UTS #35 describes patterns.
  package var datePattern: String { isPlainEnglish ? "EEEE d MMMM" : data.pattern }

  /// The form of the name of a weekday or a month.
  package struct NameForm: Hashable, Sendable {
    package var isShort: Bool
    /// Whether the name is written on its own instead of as a part of a date. Slavic languages then use the
    /// nominative of a month instead of the genitive.
    package var isAlone: Bool
    /// Whether the name begins a line: some languages then give it a capital.
    package var beginsLine: Bool

    package init(isShort: Bool = false, isAlone: Bool = false, beginsLine: Bool = false) {
      self.isShort = isShort
      self.isAlone = isAlone
      self.beginsLine = beginsLine
    }
  }

  /// - Parameter weekday: 0 (Sunday) … 6; clamped.
  package func weekday(_ weekday: Int, _ form: NameForm = NameForm()) -> String {
    let names = data.weekdays[form.isAlone ? 1 : 0][form.isShort ? 1 : 0]
    let name = names[min(max(weekday, 0), 6)]
    let letter: Character = form.isAlone ? "c" : "E"
    return form.beginsLine && data.capitalized.contains(letter) ? capitalized(name) : name
  }

  /// - Parameter month: 1 … 12; clamped.
  package func month(_ month: Int, _ form: NameForm = NameForm()) -> String {
    let names = data.months[form.isAlone ? 1 : 0][form.isShort ? 1 : 0]
    let name = names[min(max(month, 1), 12) - 1]
    let letter: Character = form.isAlone ? "L" : "M"
    return form.beginsLine && data.capitalized.contains(letter) ? capitalized(name) : name
  }

  /// AM and PM as on the cards of a clock: in capitals and without spaces.
  package var dayPeriods: (am: String, pm: String) {
    func shown(_ period: String) -> String {
      String(uppercased(period).filter { !$0.isWhitespace })
    }
    return (shown(data.periods[0]), shown(data.periods[1]))
  }

  /// How many hours a clock has in the region of the tag or, without a region, where the language is mostly
  /// spoken. Plain English has 24 hours.
  package var hours: Hours {
    guard !isPlainEnglish else { return .twentyFour }
    let region = tag.region ?? data.region
    return LanguageTable.hasTwelveHours(tag.language, region: region) ? .twelve : .twentyFour
  }
}

// MARK: Script

extension Language {
  package var isRightToLeft: Bool { data.isRightToLeft }

  /// A text with its digits 0 … 9 replaced by native ones, if `usesNativeDigits` is set.
  package func digits(in text: String) -> String {
    guard usesNativeDigits, text.utf8.contains(where: { (0x30...0x39).contains($0) }) else { return text }
    return String(
      text.map { character in
        guard let value = character.asciiValue, (0x30...0x39).contains(value) else { return character }
        return data.digits[Int(value) - 0x30]
      })
  }
}
