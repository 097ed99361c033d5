// SPDX-License-Identifier: Apache-2.0

import Languages
import Spelling
import TOMLConfig

/// `[locale]`: the language and the time zone of the display.
package struct LocaleSettings: Hashable, Sendable {
  package enum Choice: Hashable, Sendable {
    /// The language of the environment.
    case auto
    case tag(LanguageTag)
  }
  package enum Digits: String, CaseIterable, Hashable, Sendable {
    case latin
    case native
  }

  package var language = Choice.auto
  package var digits = Digits.latin
  /// The zone that `local` means in the rest of the config; `local` is the machine's.
  package var zone = "local"
  /// The words that the config replaces.
  package var words: [Word: String] = [:]

  package init() {}

  /// The zone that a name in the rest of the config means; `local` is the machine's.
  package func meaning(ofZone name: String) -> String { name == "local" ? zone : name }

  /// The language of the display. This is the only place where the environment's language is looked up.
  ///
  /// - Parameter environment: the value of an environment variable.
  package func resolved(_ environment: (String) -> String?) -> Language {
    var language: Language
    switch self.language {
    case .auto: language = .fromEnvironment(environment)
    case .tag(let tag): language = Language(tag) ?? .english
    }
    language.usesNativeDigits = digits == .native
    for (word, text) in words { language.words[word] = text }
    return language
  }
}

extension Section where Target == LocaleSettings {
  static var locale: Section {
    Section(
      title: "locale",
      text: """
        The language of the display: the names and the order of dates, whether clocks have 12 or 24 hours, and the words
        of the display itself. Languages from right to left also mirror the rows of a page. Messages of the programs are
        English. And the time zone of the display.
        """,
      keys: [
        Key(
          "language", \.language, .language,
          """
          `"auto"` is the language of the environment, from the first of `LC_ALL`, `LC_TIME` and `LANG` that is set; it
          is English if there is none. Otherwise write a language tag: `"de"`, `"pt-BR"`, `"zh-Hant"`. `"en"` has dates
          such as Sunday 22 November and 24 hours; a tag with a region, such as `"en-US"` and `"en-GB"`, has those of
          the region. The display's own words are translated to German, French, Spanish, Italian, Portuguese, Dutch,
          Polish, Turkish and Japanese; in the other languages they are English.
          """),
        Key(
          "digits", \.digits, .choice(),
          """
          `"latin"`: 0 to 9. `"native"`: the digits of the language's script, such as those of Arabic, Persian, Hindi
          and Thai, if it has any.
          """),
        Key(
          "zone", \.zone, .zone,
          """
          The time zone of the display: of its clocks, unless `zone` in their tables names another one, of the times in
          `[schedule.NAME]`, of countdowns to a time of day, of the times of finished matches, and of the daily refresh
          in `[burn-in]`. `"local"` is that of the machine (`timedatectl`); otherwise write a name such as
          `"Europe/Zurich"`.
          """),
        Key(
          name: "words", shape: .table, text: "Other words: the table `[locale.words]`."
        ) { locale, node, _, report in
          Section.words.apply(node, to: &locale, &report)
        },
      ])
  }

  static var words: Section {
    Section(
      title: "locale.words",
      text: """
        Words that replace those of the language on the display. Names that the config gives to teams, periods and
        counters elsewhere take precedence.
        """,
      keys: Word.allCases.map { word in
        Key(
          name: word.rawValue, shape: .text(maximum: word.maximumLength), text: word.text,
          example: Units.string(Words.english[word]), written: { $0.words[word].map(Units.string) }
        ) { locale, node, place, report in
          guard let text = ValueKind<String>.name(maximum: word.maximumLength).read(node, place, &report)
          else {
            return
          }
          if let hint = word.problem(with: text) {
            report.error(node, place, "lacks the name or the number", hint: hint)
            return
          }
          locale.words[word] = text
        }
      })
  }
}

extension ConfigTable where Draft == SettingsDraft {
  static var locale: ConfigTable {
    let standard = LocaleSettings()
    return ConfigTable(
      "locale", keys: Section.locale.keys.map(\.name),
      manual: [
        TableReference(.locale, standard: standard, heading: "The language"),
        TableReference(.words, standard: standard, example: .init("locale.words")),
      ],
      // `SettingsLoader` reads it before the others, which depend on the language.
      read: { _, _, _ in })
  }
}

extension ValueKind where Value == LocaleSettings.Choice {
  /// `auto` or a language tag.
  static var language: ValueKind {
    ValueKind(
      shape: .form(pattern: "^(auto|[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*)$", maximum: 64, example: "pt-BR"),
      read: { node, place, report in
        guard let text = ValueKind<String>.string(node, place, maximum: 64, &report) else { return nil }
        if text == "auto" { return .auto }
        if let tag = LanguageTag(bcp47: text), Language.isKnown(tag) { return .tag(tag) }
        report.error(node, place, "has the unknown language \(text.quoted)", hint: hint(for: text))
        return nil
      },
      write: { choice in
        switch choice {
        case .auto: "\"auto\""
        case .tag(let tag): "\"\(tag)\""
        }
      })
  }

  /// Suggests the tag for the name of a locale, such as `de_DE.UTF-8`; otherwise that of a language with a
  /// similar name; otherwise a similar tag.
  private static func hint(for text: String) -> String {
    if let tag = LanguageTag(posix: text), Language(tag) != nil { return "did you mean \"\(tag)\"?" }
    let names = LanguageTable.languageNames
    if let near = Spelling.nearest(to: text, among: names.map(\.name)),
      let tag = names.first(where: { $0.name == near })?.tag
    {
      return "did you mean \"\(tag)\" (\(near))?"
    }
    // Tags are so short that any other is similar, so they are suggested only for a typing error in a longer
    // one.
    if text.utf8.count > 3, let near = Spelling.nearest(to: text, among: LanguageTable.names) {
      return "did you mean \"\(near)\"?"
    }
    return "write \"auto\" or a language tag such as \"de\", \"pt-BR\" or \"zh-Hant\""
  }
}
