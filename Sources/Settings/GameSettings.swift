// SPDX-License-Identifier: Apache-2.0

import Languages
import Scoreboard
import TOMLConfig

/// `[game]`: what is played.
package struct GameSettings: Hashable, Sendable {
  /// What a running clock does after a restart of the daemon.
  package enum Resume: String, CaseIterable, Hashable, Sendable {
    case paused
    case running
  }

  package var rules = GameRules()
  package var resume = Resume.paused

  package init() {}
}

extension ConfigTable where Draft == SettingsDraft {
  static var game: ConfigTable {
    ConfigTable(
      "game", keys: Section.game.keys.map(\.name),
      manual: [
        ConfigTables.game,
        TableReference(.counter("ID"), standard: nil, example: .init("game.counters.fouls")),
      ],
      read: { draft, files, report in
        let language = draft.configuration.language
        var game = GameDraft(files, language.words)
        for node in files.nodes("game") {
          Section.game.apply(node, to: &game, &report, elsewhere: GameDraft.otherWords)
        }
        draft.configuration.game.resume = game.resume
        draft.configuration.game.rules = game.finished(files, in: language)
      })
  }
}

/// `[game]` while it is read: the rules of the preset, and what the keys change in them.
struct GameDraft {
  enum Clock: String, CaseIterable {
    case none
    case up
    case down
  }

  var preset: GameRules.Preset
  var resume = GameSettings.Resume.paused
  var rules: GameRules
  /// The games of a set. A value that neither the preset nor a key sets is 0. If `toWin` is 0, a set consists
  /// of points.
  var games: GameRules.Games
  var clock: Clock
  /// The game clock, unless `clock` is `none`.
  var game: GameRules.Timer
  /// The shot clock; length 0: there is none.
  var shot: GameRules.Timer
  /// The counters that have a table, in the order of the files; limit 0: the counter is removed.
  var counters: [GameRules.Counter] = []

  /// The rules of a preset.
  ///
  /// - Parameter direction: the value of the key `clock`; nil: that of the preset.
  init(_ preset: GameRules.Preset, clock direction: Clock? = nil, words: Words = .english) {
    self.init(GameRules(preset, words: words), clock: direction)
  }

  /// The table whose keys have the values of these rules.
  init(_ rules: GameRules, clock direction: Clock? = nil) {
    preset = GameRules.Preset(rawValue: rules.preset) ?? .free
    self.rules = rules
    var none = GameRules.Games(name: "", toWin: 0)
    (none.toWin, none.lead, none.tieBreakPoints) = (0, 0, 0)
    games = rules.games ?? none
    clock = direction ?? rules.game.flatMap { Clock(rawValue: $0.direction.rawValue) } ?? .none
    let counted = GameRules.Timer.Direction(rawValue: clock.rawValue) ?? .up
    // The preset's clock is used only if it counts in the configured direction.
    game =
      rules.game.flatMap { $0.direction == counted ? $0 : nil }
      ?? GameRules.Timer(counted, length: counted == .down ? 10 * 60 * 1_000_000_000 : 0)
    shot = rules.shot ?? GameRules.Timer(.down, length: 0)
  }

  /// The preset and the clock determine what the other keys change, so they are read first. Values that
  /// cannot be used are reported when the tables are read.
  fileprivate init(_ files: ConfigFiles, _ words: Words) {
    func written(_ key: String) -> [String] { files.entries("game", key).compactMap(\.value.string) }
    self.init(
      written("preset").compactMap(GameRules.Preset.init).last ?? .free,
      clock: written("clock").compactMap(Clock.init).last, words: words)
  }

  /// The rules, with the values that depend on which keys the files have.
  fileprivate func finished(_ files: ConfigFiles, in language: Language) -> GameRules {
    var rules = rules
    let written = files.keys("game")
    if written.contains("period-name") {
      rules.periodsName = Self.plural(of: rules.periodName, in: language)
      rules.periodNames = []
      // A set that is called a game has game points.
      let words = language.words
      if rules.periodName == words[.badmintonGame], rules.periodName != words[.set] {
        rules.winningPointNames = GameRules.WinningPointNames(
          set: words[.badmintonGamePoint], match: words[.badmintonMatchPoint])
      }
    }
    // A configured number of points applies to every set, unless the config has another one for the last set.
    // It also removes the cap of the preset.
    if written.contains("points-to-win") {
      if !written.contains("points-to-win-deciding") { rules.pointsToWinDeciding = 0 }
      if !written.contains("cap") { rules.cap = 0 }
    }
    // A match of one set has no last one that is shorter than the others.
    if written.contains("periods"), rules.periods == 1, !written.contains("points-to-win-deciding") {
      rules.pointsToWinDeciding = 0
    }
    // If the preset has a number of sets to win, the default is the smallest majority of the periods.
    if rules.periodsToWin > 0, !written.contains("periods-to-win") {
      rules.periodsToWin = rules.periods / 2 + 1
    }
    rules.games = finishedGames(written, rules, language)
    var game = game
    if written.contains("clock-length"), !written.contains("overtime-length") {
      game.overtimeLength = game.length
    }
    rules.game = clock == .none ? nil : game
    rules.shot = shot.length > 0 ? .init(.down, length: shot.length, warning: shot.warning) : nil
    for counter in counters {
      let keys = files.entries("game", "counters", counter.id).flatMap(\.value.entries).map(\.key)
      Self.set(counter, written: Set(keys), in: &rules)
    }
    return rules
  }

  private func finishedGames(
    _ written: Set<String>, _ rules: GameRules, _ language: Language
  ) -> GameRules.Games? {
    guard games.toWin > 0 else { return nil }
    var games = games
    if written.contains("game-name") {
      games.plural = Self.plural(of: games.name, in: language)
    } else if rules.games == nil {
      games.name = language.words[rules.countsDown ? .leg : .game]
      games.plural = language.words[rules.countsDown ? .legs : .games]
    }
    // A changed number of games to win also moves the tie-break: in sets to four games it is played at 4 : 4.
    if rules.games != nil, written.contains("games-to-win"), !written.contains("tie-break-at") {
      games.tieBreakAt = games.toWin
    }
    return GameRules.Games(
      name: games.name, plural: games.plural, toWin: games.toWin, lead: games.lead,
      tieBreakAt: games.tieBreakAt, tieBreakPoints: games.tieBreakPoints > 0 ? games.tieBreakPoints : 7,
      tieBreakPointsDeciding: games.tieBreakPointsDeciding, matchTieBreak: games.matchTieBreak)
  }

  /// The heading for a number of periods or games with a configured name. If the name is one of the display's
  /// own words, the heading is the plural of that word. Otherwise it is the name, in English with an S.
  private static func plural(of name: String, in language: Language) -> String {
    let pairs: [(Word, Word)] = [
      (.period, .periods), (.quarter, .quarters), (.half, .halves), (.third, .thirds), (.set, .sets),
      (.leg, .legs), (.game, .games), (.badmintonGame, .badmintonGames),
    ]
    if let known = pairs.first(where: { language.words[$0.0] == name }) { return language.words[known.1] }
    return language.tag.language == "en" ? name + "S" : name
  }

  /// Replaces, adds or removes a counter.
  private static func set(_ counter: GameRules.Counter, written: Set<String>, in rules: inout GameRules) {
    let index = rules.counters.firstIndex { $0.id == counter.id }
    guard counter.firstHalfLimit > 0 else {
      if let index { rules.counters.remove(at: index) }
      return
    }
    var counter = counter
    // A configured limit applies to the whole game, unless the config also limits its parts.
    if index == nil || written.contains("limit") {
      if !written.contains("limit-second-half") { counter.secondHalfLimit = counter.firstHalfLimit }
      if !written.contains("limit-overtime") { counter.overtimeLimit = counter.secondHalfLimit }
    }
    if let index { rules.counters[index] = counter } else { rules.counters.append(counter) }
  }
}

extension GameRules.Counter {
  /// The limits as the keys have them: nil where a part of the game has the limit of the part before it.
  var ownSecondHalfLimit: Int? {
    get { secondHalfLimit == firstHalfLimit ? nil : secondHalfLimit }
    set { secondHalfLimit = newValue ?? firstHalfLimit }
  }

  var ownOvertimeLimit: Int? {
    get { overtimeLimit == secondHalfLimit ? nil : overtimeLimit }
    set { overtimeLimit = newValue ?? secondHalfLimit }
  }
}

// MARK: The manual

extension ConfigTables {
  /// `[game]`, without the defaults that depend on the preset.
  static var game: TableReference {
    var table = TableReference(.game, standard: GameDraft(.free), heading: "The game")
    for index in table.keys.indices where table.keys[index].example != nil {
      table.keys[index].standard = nil
    }
    return table
  }

  /// The keys in which a preset differs from `free`, with their values.
  package static func keys(of preset: GameRules.Preset) -> [(name: String, value: String)] {
    let (draft, free) = (GameDraft(preset), GameDraft(.free))
    return Section.game.keys.compactMap { key in
      guard key.name != "preset", let value = key.written(draft), value != key.written(free) else {
        return nil
      }
      return (key.name, value)
    }
  }

  /// The keys of a counter's table, with their values.
  package static func keys(of counter: GameRules.Counter) -> [(name: String, value: String)] {
    Section.counter(counter.id).keys.compactMap { key in
      key.written(counter).flatMap { $0 == "false" ? nil : (key.name, $0) }
    }
  }
}
