// SPDX-License-Identifier: Apache-2.0

import CommandSamples
import Commands
import ControlCalls
import Languages
import Remotes
import Scoreboard
import Testing

@testable import WebRemote

@Suite struct PageWordsTests {
  /// All pages.
  static let page = String(
    decoding: WebPage.scorers + WebPage.spectators + WebPage.settings + WebPage.setup, as: UTF8.self)

  private static let tables = "\(PageWords.table)\n\(PageWords.settingsTable)\n\(PageWords.setupTable)"
  /// The lines of the tables, each divided into the key and the columns.
  static let lines = lines(of: tables)

  private static func lines(of tables: String) -> [[String]] {
    tables.split(separator: "\n").map { line in
      line.split(separator: "|", omittingEmptySubsequences: false).map { part in
        String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
      }
    }
  }
  /// A text may have several keys.
  private static func keys(of line: [String]) -> [String] { line[0].split(separator: " ").map(String.init) }
  static let keys = lines.flatMap(keys)

  /// The texts between `start` and `end` in the page.
  private static func texts(from start: String, to end: Character) -> [String] {
    var found: [String] = []
    var rest = page[...]
    while let range = rest.firstRange(of: start) {
      rest = rest[range.upperBound...]
      found.append(String(rest.prefix { $0 != end }))
    }
    return found
  }

  /// The keys that the page uses: in attributes of its elements, and in strings of its script.
  static let used: Set<String> = {
    // In several statements, because Swift 6.0.3 does not find the types of one expression.
    var used = Set(texts(from: "data-word=\"", to: "\""))
    used.formUnion(texts(from: "data-label=\"", to: "\""))
    used.formUnion(keys.filter { page.contains("\"\($0)\"") || isOfSettings($0) })
    used.formUnion(Fact.Kind.allCases.map { "did-\($0.rawValue)" })
    used.formUnion((errors + problems).map { "why-\($0)" }.filter(keys.contains))
    return used
  }()

  /// Whether a key names a setting, or what the settings page offers for one.
  private static func isOfSettings(_ key: String) -> Bool {
    guard let dash = key.firstIndex(of: "-") else { return false }
    let name = key[key.index(after: dash)...]
    switch key[..<dash] {
    case "set", "section", "theme": return page.contains("\"\(name)\"")
    case "role": return DeviceRole(rawValue: String(name)) != nil
    case "found": return Finding.Kind(rawValue: String(name)) != nil
    case "match": return MatchEffect(rawValue: String(name)) != nil
    case "layout": return page.contains("\(name):")
    case "mqtt":
      return name == "absent" || MQTTInterface.Phase(rawValue: String(name)) != nil
        || MQTTInterface.Problem(rawValue: String(name)) != nil
    case "choice":
      return ["12", "24", "auto"].contains(name) || GameRules.Preset(rawValue: String(name)) != nil
    default: return false
    }
  }

  @Test("The settings page has words for each sport, and offers the languages with words of their own")
  func settings() {
    for preset in GameRules.Preset.allCases { #expect(Self.keys.contains("choice-\(preset.rawValue)")) }
    let languages = Words.languages.map { "\"\($0)\"" }.joined(separator: ", ")
    #expect(Self.page.contains("[\(languages)]"))
  }

  @Test("What an examination finds has words")
  func findings() {
    for kind in Finding.Kind.allCases where ![.switchedOff, .unsaved].contains(kind) {
      #expect(Self.keys.contains("found-\(kind.rawValue)"))
    }
  }

  @Test("What a change of the settings does to the match has words")
  func effects() {
    for effect in MatchEffect.allCases { #expect(Self.keys.contains("match-\(effect.rawValue)")) }
  }

  /// What follows `start` in the lines of the interface file.
  private static func declared(_ start: String) -> [Substring] {
    ControlInterface.description.split(separator: "\n").filter { $0.hasPrefix(start) }.map {
      $0.dropFirst(start.count)
    }
  }
  /// The errors of the daemon, and those of flipclock-web itself.
  static let errors = declared("error ").map { String($0.prefix { $0 != " " }) } + ["NotOwner", "NoMQTT"]
  static let problems: [String] = ["TextProblem", "BreakProblem", "PeriodProblem", "SettingProblem"].flatMap {
    declared("type \($0) (").flatMap { $0.dropLast().split(separator: ", ").map(String.init) }
  }

  /// Errors that the page's own commands do not meet, those that have a status of their own, and those that
  /// say nothing to a scorer.
  static let withoutWords: Set = [
    "UnknownTeam", "OtherTeams", "BadText", "UnknownCounter", "UnknownTimer", "GameTimerPaused",
    "TooManySteps",
    "PeriodOver", "MatchOver", "Bust", "NoPenalties", "NoSuchBreak", "BreakNotNow", "PeriodNotNow",
    "UnknownPage",
    "DurationOutOfRange",
    "HoldOutOfRange",
    "BrightnessOutOfRange", "UnknownMatch", "OtherGame", "TooLate", "MayCount", "MatchChanged", "NoAddress",
    "NoRemote", "PairingRefused", "NoSharedBoard", "LeaderSilent", "TakeoverUnconfirmed", "NeverReceived",
    "NoDisplay", "NoSuchOutput", "StateNotSaved", "Failed", "ProtocolViolation", "TooManyClients",
    "TooManySubscribers", "UnknownBoard", "BoardNotShown", "TooManyTexts", "UnknownCountdown",
    "BadCountdownName", "TooManyCountdowns", "CountdownOutOfRange", "CountdownNotShown", "TooManyChanges",
  ]

  @Test("Every error has words for a scorer, or needs none")
  func everyErrorHasWords() {
    let described = Set(Self.errors.filter { Self.keys.contains("why-\($0)") })
    #expect(described.isDisjoint(with: Self.withoutWords))
    for name in Set(Self.errors).subtracting(described).symmetricDifference(Self.withoutWords) {
      Issue.record("Sources/WebRemote/PageWords.swift: add 'why-\(name)', or list it in 'withoutWords'")
    }
  }

  @Test func everyTextIsUsedAndEveryUsedTextExists() {
    #expect(Set(Self.keys) == Self.used)
    #expect(Self.keys.count == Set(Self.keys).count)
    // Direct look-ups, `word("key")` and `say("key")`.
    for call in ["word(\"", "say(\""] {
      for key in Self.texts(from: call, to: "\"") { #expect(Self.keys.contains(key), "\(call)\(key)") }
    }
  }

  @Test func everyLanguageHasEveryText() {
    for line in Self.lines {
      #expect(line.count == Words.languages.count + 1, "\(line[0])")
      for (language, text) in zip(Words.languages, line.dropFirst()) {
        // Only a variant with a region may lack a text, and then has that of the language without a region.
        #expect(!text.isEmpty || language.contains("-"), "\(line[0]) in \(language)")
      }
    }
  }

  /// The names in braces, sorted.
  private static func placeholders(_ text: String) -> [String] {
    text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().map {
      String($0.prefix { $0 != "}" })
    }.sorted()
  }

  /// The facts of whole matches with all presets and of every action.
  static let facts: Set<Fact> = {
    var facts: Set<Fact> = []
    for preset in GameRules.Preset.allCases {
      for id in ["home", "guest"] {
        let rules = GameRules(preset)
        var scoreboard = Scoreboard(teams: [
          .init(id: "home", name: "HOME"), .init(id: "guest", name: "GUEST"),
        ])
        scoreboard.adopt(scoreboard.teams, rules: rules)
        var match = Match(scoreboard)
        func perform(_ action: Scoreboard.Action) -> Bool {
          guard let outcome = try? match.apply(action) else { return false }
          if case .changed(let step) = outcome { facts.formUnion(step.facts) }
          return true
        }
        for _ in 0..<300 {
          if !perform(.addScore(team: id, by: rules.countsDown ? -20 : 1)) {
            _ = perform(.addPeriod(by: 1, anyway: true))
          }
        }
        for action in CommandSamples.actions + [
          .clearPenalties(team: "home"), .restore(scoreboard),
        ] { _ = perform(action) }
        _ = perform(.newGame)
        for points in [0, -180, 3] { _ = perform(.addScore(team: id, by: points)) }
        for action: Scoreboard.Action in [.setScore(team: id, to: 20), .setServing(team: id)] {
          _ = perform(action)
        }
        _ = perform(.addScore(team: id, by: -180))
      }
    }
    return facts
  }()

  @Test("Each fact in the history has words that say all its members")
  func everyFactHasWords() {
    #expect(Set(Self.facts.map(\.what)) == Set(Fact.Kind.allCases.map(\.rawValue)))
    for fact in Self.facts {
      guard let line = Self.lines.first(where: { Self.keys(of: $0).contains("did-\(fact.what)") }) else {
        Issue.record("no words for \(fact.what)")
        continue
      }
      let members: [(name: String, isGiven: Bool)] = [
        ("team", fact.team != nil), ("counter", fact.counter != nil), ("timer", fact.timer != nil),
        ("period", fact.period != nil), ("player", fact.player != nil), ("name", fact.name != nil),
        ("change", (fact.from ?? fact.to ?? fact.by) != nil && fact.what != "bust"),
      ]
      for (name, isGiven) in members where isGiven {
        #expect(Self.placeholders(line[1]).contains(name), "\(fact)")
      }
    }
  }

  @Test func placeholdersAgree() {
    for line in Self.lines {
      for text in line.dropFirst() where !text.isEmpty {
        #expect(Self.placeholders(text) == Self.placeholders(line[1]), "\(line[0]): \(text)")
        #expect(text.filter { $0 == "{" }.count == text.filter { $0 == "}" }.count, "\(line[0]): \(text)")
      }
      for name in Self.placeholders(line[1]) {
        #expect(
          Self.page.contains("\(name):") || Self.page.contains("{ \(name) }")
            || line[0].contains("why-") && ControlInterface.description.contains("\(name): "),
          "{\(name)} of \(line[0]) is not replaced")
      }
    }
  }

  /// Texts in a button with a fixed width, and how many characters fit.
  static let limits = [
    "undo": 16, "redo": 16, "start": 9, "pause": 9, "show": 10, "clear": 11, "serve": 12, "possession": 13,
    "penalty": 12, "turn": 20, "seconds-ago": 15, "minutes-ago": 16,
  ]

  @Test func textsFit() {
    for line in Self.lines {
      // A sentence may be longer in another language, but not much.
      let limit = Self.limits[line[0]] ?? max(line[1].count * 2, line[1].count + 24)
      for text in line.dropFirst() {
        // Soft hyphens are shown only at the end of a line.
        #expect(text.count { $0 != "\u{ad}" } <= limit, "\(line[0]): \(text)")
      }
    }
    for key in Self.limits.keys { #expect(Self.keys.contains(key)) }
  }

  static let tags: [(tag: String, language: String, undo: String)] = [
    ("en", "en", "Undo"), ("en-US", "en", "Undo"), ("de-AT", "de", "Rückgängig"), ("pt", "pt", "Desfazer"),
    ("pt-BR", "pt", "Desfazer"), ("pt-PT", "pt-PT", "Anular"), ("pt-AO", "pt-PT", "Anular"),
    ("ja-JP", "ja", "元に戻す"), ("sv", "en", "Undo"), ("zh-Hant", "en", "Undo"), ("", "en", "Undo"),
    ("not a tag", "en", "Undo"),
  ]

  @Test(arguments: tags) func languagesAreFoundLikeWords(_ tag: String, _ language: String, _ undo: String) {
    let found = PageWords.words(for: tag)
    #expect(found.language == language)
    #expect(found.words["undo"] == undo)
    let others = Set(Self.lines(of: "\(PageWords.setupTable)").flatMap(Self.keys))
    #expect(Set(found.words.keys) == Set(Self.keys).subtracting(others))
    #expect(found.words.values.allSatisfy { !$0.isEmpty })
  }

  @Test func thePagesAndTheDisplaysWordsAreInTheSameLanguage() {
    for tag in Words.languages + ["pt-AO", "de-CH", "nl-BE", "sv"] {
      guard let language = Language(tag) else { continue }
      let column = Words.languages.firstIndex(of: PageWords.words(for: tag).language) ?? 0
      let words = Words.languages.indices.first { Language(Words.languages[$0])?.words == language.words }
      #expect(column == words ?? 0, "\(tag)")
    }
  }

  /// The page's texts are in the table, not in its elements.
  @Test func elementsHaveNoEnglish() {
    for text in ["Undo", "Start", "Reset", "Message", "Connection", "wall does"] {
      #expect(!Self.page.contains(">\(text)"), "\(text)")
    }
  }

  @Test(
    "The page for the network is in the phone's language, or else in the display's",
    arguments: [
      (nil, "de", "de"), ("fr-CH, fr;q=0.9, en;q=0.8", "de", "fr"), ("en;q=0.5, ja", "de", "ja"),
      ("sv, fi;q=0.9, it;q=0.1", "de", "it"), ("sv, *;q=0.5", "tr", "tr"), ("pt-PT", "de", "pt-PT"),
      ("pt-BR", "de", "pt"), ("de;q=0, ", "pl", "pl"), ("q=1;;,;,=", "nl", "nl"),
      ("x;q=nan, es;q=x", "en", "es"),
    ])
  func accepted(field: String?, display: String, expected: String) {
    let found = PageWords.setupWords(accepting: field, else: display)
    #expect(found.language == expected)
    #expect(found.words["wifi-join"]?.isEmpty == false && found.words["time-given"]?.isEmpty == false)
    #expect(found.words["undo"] == nil)
  }

  @Test(
    "A page is one small file for a strict policy",
    arguments: [
      (WebPage.scorers, 60_000), (WebPage.spectators, 30_000), (WebPage.settings, 100_000),
      (WebPage.setup, 20_000),
    ])
  func size(source: [UInt8], limit: Int) {
    let size = WebPage.compact(source).count
    #expect(size < limit, "\(size) bytes")
    let text = String(decoding: source, as: UTF8.self)
    for part in ["<style>", "<script>"] { #expect(text.ranges(of: part).count == 1) }
    for forbidden in [
      " style=\"", " onclick=\"", "innerHTML", "insertAdjacentHTML", "eval(", "http:", "https:", "src=",
      "@import",
    ] {
      // The namespace of SVG is an identifier, not an address.
      let page = text.replacing("http://www.w3.org/2000/svg", with: "")
      #expect(!page.contains(forbidden), "\(forbidden)")
    }
  }
}
