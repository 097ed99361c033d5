// SPDX-License-Identifier: Apache-2.0

import Languages
import Scoreboard
import Testing

@testable import Settings
@testable import TOMLConfig

@Suite struct LocaleTests {
  private func load(_ text: String, _ environment: [String: String] = [:]) -> Configuration? {
    let result = SettingsLoader.load(
      texts: [("t.toml", Array(text.utf8))], mode: .check, environment: { environment[$0] })
    if !result.diagnostics.isEmpty { Issue.record("\(found(result))") }
    return result.configuration
  }

  @Test("The language is that of the config, else of the environment, else English")
  func choice() {
    let german = ["LC_ALL": "", "LANG": "de_AT.UTF-8"]
    #expect(load("")?.language.tag.description == "en")
    #expect(load("", german)?.language.tag.description == "de-AT")
    #expect(load("[locale]\nlanguage = \"auto\"\n", german)?.language.tag.description == "de-AT")
    #expect(load("[locale]\nlanguage = \"pt-BR\"\n", german)?.language.tag.description == "pt-BR")
    #expect(load("[locale]\nlanguage = \"ZH-hant-hk\"\n")?.language.tag.description == "zh-Hant-HK")
    #expect(load("", ["LANG": "C.UTF-8"])?.language == .english)
    #expect(load("")?.language.usesNativeDigits == false)
    #expect(load("[locale]\ndigits = \"native\"\n")?.language.usesNativeDigits == true)
  }

  @Test("Every language of the table is accepted, and written as it was read")
  func everyLanguage() {
    for name in LanguageTable.names {
      let text = "[locale]\nlanguage = \"\(name)\"\n"
      let configuration = load(text)
      #expect(configuration?.language.tag.description == name)
      #expect(Section.locale.keys[0].written(configuration?.locale ?? LocaleSettings()) == "\"\(name)\"")
    }
  }

  @Test("Teams, periods and counters have the words of the language, unless the config names them")
  func words() throws {
    let text = """
      [game]
      preset = "basketball"
      [locale]
      language = "de"
      [locale.words]
      fouls = "TEAMFOULS"
      guest = "GÄSTE"
      """
    let configuration = try #require(load(text))
    #expect(configuration.teams.map(\.name) == ["HEIM", "GÄSTE"])
    let rules = configuration.game.rules
    #expect(rules.periodText(3) == "3. VIERTEL")
    #expect(rules.periodText(5) == "VERLÄNGERUNG")
    #expect(rules.periodText(6) == "2. VERLÄNGERUNG")
    #expect(rules.periodText(6, short: true) == "VERL. 2")
    #expect(rules.counters.map(\.name) == ["TEAMFOULS", "AUSZEITEN"])
    let own = try #require(
      load(text + "\n[teams.home]\nname = \"Bonn\"\n[game.counters.fouls]\nname = \"F\"\n"))
    #expect(own.teams.map(\.name) == ["Bonn", "GÄSTE"])
    #expect(own.game.rules.counters.map(\.name) == ["F", "AUSZEITEN"])
    #expect(
      Configuration.builtIn(in: try #require(Language("fr"))).teams.map(\.name) == ["LOCAUX", "VISITEURS"])
  }

  @Test(
    "Headings of what a team has won are plurals",
    arguments: [
      ("en", "SETS", "GAMES", "RUNDES"), ("de", "SÄTZE", "SPIELE", "RUNDE"), ("pl", "SETY", "GEMY", "RUNDE"),
      ("ja", "セット", "ゲーム", "RUNDE"), ("fr", "SETS", "JEUX", "RUNDE"), ("sv", "SETS", "GAMES", "RUNDE"),
    ])
  func plurals(tag: String, sets: String, games: String, own: String) {
    let locale = "[locale]\nlanguage = \"\(tag)\"\n"
    let tennis = load(locale + "[game]\npreset = \"tennis\"\n")?.game.rules
    #expect(tennis?.periodsName == sets)
    #expect(tennis?.games?.plural == games)
    let other = load(locale + "[game]\npreset = \"tennis\"\nperiod-name = \"RUNDE\"\n")?.game.rules
    #expect(other?.periodsName == own)
  }

  @Test("Every word of every language is in the rules of some preset or in another part of the display")
  func everyPreset() throws {
    for name in Words.languages {
      let language = try #require(Language(name))
      for preset in GameRules.Preset.allCases {
        let rules = GameRules(preset, words: language.words)
        let texts =
          [rules.periodName, rules.periodsName, rules.overtimeName, rules.penaltiesName, rules.periodText(1)]
          + rules.breaks.names.values + rules.counters.map(\.name)
          + [rules.games?.name, rules.games?.plural].compactMap { $0 }
          + [rules.winningPointNames.set, rules.winningPointNames.match]
        for text in texts { #expect(language.uppercased(text) == text && !text.isEmpty, "\(name) \(preset)") }
        #expect(rules.shortOvertimeName.count <= 8)
        // Nothing but the words depends on the language.
        var plain = rules
        let english = GameRules(preset)
        (plain.periodName, plain.periodsName, plain.periodNames) = (
          english.periodName, english.periodsName, english.periodNames
        )
        (plain.overtimeName, plain.shortOvertimeName) = (english.overtimeName, english.shortOvertimeName)
        (plain.numbered, plain.penaltiesName) = (english.numbered, english.penaltiesName)
        (plain.advantageName, plain.breaks.names) = (english.advantageName, english.breaks.names)
        plain.winningPointNames = english.winningPointNames
        for index in plain.counters.indices { plain.counters[index].name = english.counters[index].name }
        plain.games?.name = english.games?.name ?? ""
        plain.games?.plural = english.games?.plural
        #expect(plain == english)
      }
    }
    let japanese = GameRules(.football, words: try #require(Language("ja")).words)
    #expect([1, 2, 3, 4].map { japanese.periodText($0) } == ["前半", "後半", "延長", "第2延長"])
  }

  @Test("The language is read before the tables that depend on it, from all files")
  func order() throws {
    func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
    let result = SettingsLoader.load(
      texts: [
        ("a.toml", bytes("[teams.izmir]\n[teams.b]\n[game.counters.iki]\n[locale]\nlanguage = \"de\"\n")),
        (
          "b.toml",
          bytes(
            "[locale]\nlanguage = \"tr\"\n[widgets.c]\ntype = \"world-clock\"\ncities = [\"Europe/Berlin\"]\n"
          )
        ),
      ], mode: .check)
    #expect(found(result) == [])
    let configuration = try #require(result.configuration)
    #expect(configuration.language.tag.description == "tr")
    #expect(configuration.teams.map(\.name) == ["İZMİR", "B"])
    #expect(configuration.game.rules.counters.map(\.name) == ["İKİ"])
    let cities = (configuration.widgets.first?.content as? WorldClockSettings)?.cities
    #expect(cities?.map(\.name) == ["BERLİN"])
  }

  @Test(
    "Mistakes are located and explained",
    arguments: [
      ("language = \"german\"", "has the unknown language 'german'; did you mean \"de\" (German)?"),
      ("language = \"Deutsch\"", "did you mean \"de\" (Deutsch)?"),
      ("language = \"francais\"", "did you mean \"fr\" (français)?"),
      ("language = \"日本語\"", "did you mean \"ja\" (日本語)?"),
      ("language = \"Portugese\"", "did you mean \"pt\" (Portuguese)?"),
      ("language = \"de_DE.UTF-8\"", "did you mean \"de-DE\"?"),
      ("language = \"pt_BR\"", "did you mean \"pt-BR\"?"),
      ("language = \"zh-Hamt-TW\"", "'zh-Hamt-TW'"),
      ("language = \"tlh\"", "write \"auto\" or a language tag"),
      ("language = \"C\"", "unknown language 'C'"),
      ("language = \"\"", "unknown language ''"),
      ("language = 12", "'language' in [locale]"),
      ("digits = \"arabic\"", "'digits' in [locale]"),
      ("words = 3", "[locale.words] must be a table"),
      ("words = { quater = \"X\" }", "unknown key 'quater' in [locale.words]; did you mean 'quarter'?"),
      ("words = { numbered = \"{name}\" }", "write {name} and {number}"),
      ("words = { advantage = \"ADV\" }", "at most 2 are allowed"),
      ("words = { home = \"\" }", "'home' in [locale.words] is empty"),
      ("words = { days = 3 }", "'days' in [locale.words]"),
      ("lang = \"de\"", "unknown key 'lang' in [locale]"),
    ])
  func mistakes(line: String, words: String) {
    let result = loadText("[locale]\n\(line)\n")
    #expect(result.configuration == nil)
    let messages = found(result)
    #expect(messages.count == 1 && messages[0].hasPrefix("error 2:"), "\(messages)")
    #expect(messages.first?.contains(words) == true, "\(messages)")
  }

  @Test("A key of [locale] above all tables is explained")
  func loose() {
    #expect(found(loadText("language = \"de\"\n")).first?.contains("write it below [locale]") == true)
  }
}

/// `load` of this target, which the suite's own function hides.
private func loadText(_ text: String) -> LoadResult { load(text) }
