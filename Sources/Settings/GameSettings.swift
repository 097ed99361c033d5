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

  init(_ draft: GameDraft, in language: Language) {
    rules = GameRules(draft, in: language)
    resume = draft.resume
  }
}

/// The keys of `[game]` as the files set them: a preset, and what differs from it. Lengths are in seconds. Nil: the
/// files do not set the key.
struct GameDraft {
  enum Clock: String, CaseIterable {
    case none
    case up
    case down
  }

  /// `[game.counters.ID]`
  struct Counter {
    var id: String
    var name: String?
    /// 0 removes the counter.
    var limit: Int?
    var secondHalfLimit: Int?
    var overtimeLimit: Int?
    var reset: GameRules.Counter.Reset?
    var keepsInOvertime: Bool?
  }

  static let maximumCounters = 16

  var preset = GameRules.Preset.free
  var resume = GameSettings.Resume.paused

  var periods: Int?
  var periodName: String?
  var scoring: GameRules.Scoring?
  var startScore: Int?
  var better: GameRules.Better?
  var increments: [Int]?
  var serve: GameRules.Serve?
  var overtimeName: String?
  var shortOvertimeName: String?
  var pointsToWin: Int?
  var pointsToWinDeciding: Int?
  var lead: Int?
  var cap: Int?
  var periodsToWin: Int?
  var periodEnd: GameRules.PeriodEnd?
  var pointNames: GameRules.PointNames?
  var doubleOut: Bool?
  var turnLimit: Int?
  /// 0: a set consists of points.
  var gamesToWin: Int?
  var gamesLead: Int?
  var gameName: String?
  var tieBreakAt: Int?
  var tieBreakPoints: Int?
  var matchTieBreak: Int?
  var serveRule: GameRules.ServeRule?
  var servesInRow: Int?
  var firstServe: GameRules.FirstServe?
  var firstServeDeciding: GameRules.FirstServe?
  var sideChange: GameRules.SideChange?
  var sideChangeAt: Int?
  var penalties: [Double]?
  var penaltiesRunning: Int?
  var clock: Clock?
  var clockLength: Double?
  var overtimeLength: Double?
  var clockWarning: Double?
  var clockEnd: GameRules.Timer.End?
  var clockContinues: Bool?
  /// 0: the game has no shot clock.
  var shotClock: Double?
  /// 0: the shot clock is reset to its length only.
  var shotClockSecond: Double?
  var shotClockWarning: Double?
  var shotClockFollows: Bool?
  /// The counters in the order of the files.
  var counters: [Counter] = []
}

extension GameRules {
  /// The rules of a preset in the words of a language, with what the config changes.
  init(_ draft: GameDraft, in language: Language) {
    self.init(draft.preset, words: language.words)
    let hasPeriodsToWin = periodsToWin > 0
    periods = draft.periods ?? periods
    if let name = draft.periodName {
      periodName = name
      periodsName = Self.plural(of: name, in: language)
      periodNames = []
    }
    overtimeName = draft.overtimeName ?? overtimeName
    shortOvertimeName = draft.shortOvertimeName ?? shortOvertimeName
    scoring = draft.scoring ?? scoring
    startScore = draft.startScore ?? startScore
    better = draft.better ?? better
    increments = draft.increments ?? increments
    setWinning(draft, language)
    // If the preset has a number of sets to win, the default is the smallest majority of the periods.
    periodsToWin = draft.periodsToWin ?? (hasPeriodsToWin ? periods / 2 + 1 : 0)
    setServe(draft)
    penalties = draft.penalties?.map(Self.nanoseconds) ?? penalties
    penaltiesRunning = draft.penaltiesRunning ?? penaltiesRunning
    setClock(draft)
    setShotClock(draft)
    for counter in draft.counters { set(counter, language) }
  }

  /// The heading for the number of periods or games with a configured name: the plural of the word of the display that
  /// it is, or else the name, to which English adds an S.
  private static func plural(of name: String, in language: Language) -> String {
    let pairs: [(Word, Word)] = [
      (.period, .periods), (.quarter, .quarters), (.half, .halves), (.third, .thirds), (.set, .sets),
      (.leg, .legs), (.game, .games), (.badmintonGame, .badmintonGames),
    ]
    if let known = pairs.first(where: { language.words[$0.0] == name }) { return language.words[known.1] }
    return language.tag.language == "en" ? name + "S" : name
  }

  private mutating func setWinning(_ draft: GameDraft, _ language: Language) {
    pointsToWin = draft.pointsToWin ?? pointsToWin
    // A configured number of points applies to every set, unless the config has another one for the last set.
    pointsToWinDeciding =
      draft.pointsToWinDeciding ?? (draft.pointsToWin == nil ? pointsToWinDeciding : 0)
    lead = draft.lead ?? lead
    cap = draft.cap ?? (draft.pointsToWin == nil ? cap : 0)
    periodEnd = draft.periodEnd ?? periodEnd
    pointNames = draft.pointNames ?? pointNames
    doubleOut = draft.doubleOut ?? doubleOut
    turnLimit = draft.turnLimit ?? turnLimit
    guard let toWin = draft.gamesToWin ?? games?.toWin, toWin > 0 else { return games = nil }
    let words = language.words
    let plural = draft.gameName.map { Self.plural(of: $0, in: language) } ?? games?.plural
    games = Games(
      name: draft.gameName ?? games?.name ?? words[countsDown ? .leg : .game],
      plural: plural ?? words[countsDown ? .legs : .games], toWin: toWin,
      lead: draft.gamesLead ?? games?.lead ?? 1,
      // A changed number of games to win also moves the tie-break: in sets to four games it is played at 4 : 4.
      tieBreakAt: draft.tieBreakAt
        ?? (draft.gamesToWin == nil ? games?.tieBreakAt : games.map { _ in toWin }) ?? 0,
      tieBreakPoints: draft.tieBreakPoints ?? games?.tieBreakPoints ?? 7,
      matchTieBreak: draft.matchTieBreak ?? games?.matchTieBreak ?? 0)
  }

  private mutating func setServe(_ draft: GameDraft) {
    serve = draft.serve ?? serve
    serveRule = draft.serveRule ?? serveRule
    servesInRow = draft.servesInRow ?? servesInRow
    firstServe = draft.firstServe ?? firstServe
    firstServeDeciding = draft.firstServeDeciding ?? firstServeDeciding
    sideChange = draft.sideChange ?? sideChange
    sideChangeAt = draft.sideChangeAt ?? sideChangeAt
  }

  private mutating func setClock(_ draft: GameDraft) {
    let direction: Timer.Direction
    switch draft.clock {
    case .some(.none): return game = nil
    case .some(.up): direction = .up
    case .some(.down): direction = .down
    case nil:
      guard let game else { return }
      direction = game.direction
    }
    // The preset's timer is used only if it counts in the configured direction.
    let old = game.flatMap { $0.direction == direction ? $0 : nil }
    let length = draft.clockLength.map(Self.nanoseconds) ?? old?.length
    game = Timer(
      direction, length: length ?? (direction == .down ? 10 * 60 * 1_000_000_000 : 0),
      overtimeLength: draft.overtimeLength.map(Self.nanoseconds)
        ?? (draft.clockLength == nil ? old?.overtimeLength : nil),
      warning: draft.clockWarning.map(Self.nanoseconds) ?? old?.warning ?? 0,
      end: draft.clockEnd ?? old?.end ?? .stop,
      continues: draft.clockContinues ?? old?.continues ?? false)
  }

  private mutating func setShotClock(_ draft: GameDraft) {
    shotFollows = draft.shotClockFollows ?? shotFollows
    secondShot = draft.shotClockSecond.map(Self.nanoseconds) ?? secondShot
    let length = draft.shotClock.map(Self.nanoseconds) ?? shot?.length ?? 0
    guard length > 0 else { return shot = nil }
    shot = Timer(
      .down, length: length, warning: draft.shotClockWarning.map(Self.nanoseconds) ?? shot?.warning ?? 0)
  }

  private mutating func set(_ draft: GameDraft.Counter, _ language: Language) {
    let old = counter(draft.id)
    counters.removeAll { $0.id == draft.id && draft.limit == 0 }
    guard draft.limit != 0 else { return }
    let new = Counter(
      id: draft.id, name: draft.name ?? old?.name ?? language.uppercased(draft.id),
      limit: draft.limit ?? old?.firstHalfLimit ?? 99,
      // A configured limit applies to the whole game, unless the config also limits its parts.
      secondHalf: draft.secondHalfLimit ?? (draft.limit == nil ? old?.secondHalfLimit : nil),
      overtime: draft.overtimeLimit ?? (draft.limit == nil ? old?.overtimeLimit : nil),
      reset: draft.reset ?? old?.reset ?? .game,
      keepsInOvertime: draft.keepsInOvertime ?? old?.keepsInOvertime ?? false)
    if let index = counters.firstIndex(where: { $0.id == draft.id }) {
      counters[index] = new
    } else {
      counters.append(new)
    }
  }

  /// Seconds as nanoseconds. There is no overflow, because settings are at most 99:59:59.
  private static func nanoseconds(_ seconds: Double) -> Int64 { Int64((seconds * 1e9).rounded()) }
}
