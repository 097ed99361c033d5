// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import Settings

extension GameRules {
  /// The preset of the config with what the config says otherwise.
  public init(_ settings: GameSettings) {
    self.init(Preset(rawValue: settings.preset.rawValue) ?? .free)
    let hasPeriodsToWin = periodsToWin > 0
    periods = settings.periods ?? periods
    periodName = settings.periodName ?? periodName
    overtimeName = settings.overtimeName ?? overtimeName
    shortOvertimeName = settings.shortOvertimeName ?? shortOvertimeName
    scoring = settings.scoring.flatMap { Scoring(rawValue: $0.rawValue) } ?? scoring
    startScore = settings.startScore ?? startScore
    better = settings.better.flatMap { Better(rawValue: $0.rawValue) } ?? better
    increments = settings.increments ?? increments
    setWinning(settings)
    // The best of as many as there are, where the preset is the best of some.
    periodsToWin = settings.periodsToWin ?? (hasPeriodsToWin ? periods / 2 + 1 : 0)
    setServe(settings)
    penalties = settings.penalties?.map(Self.nanoseconds) ?? penalties
    penaltiesRunning = settings.penaltiesRunning ?? penaltiesRunning
    setClock(settings)
    setShotClock(settings)
    for counter in settings.counters { set(counter) }
  }

  private mutating func setWinning(_ settings: GameSettings) {
    pointsToWin = settings.pointsToWin ?? pointsToWin
    // Another number of points is that of every set, unless the last has one of its own.
    pointsToWinDeciding =
      settings.pointsToWinDeciding ?? (settings.pointsToWin == nil ? pointsToWinDeciding : 0)
    lead = settings.lead ?? lead
    cap = settings.cap ?? (settings.pointsToWin == nil ? cap : 0)
    periodEnd = settings.periodEnd.flatMap { PeriodEnd(rawValue: $0.rawValue) } ?? periodEnd
    pointNames = settings.pointNames.flatMap { PointNames(rawValue: $0.rawValue) } ?? pointNames
    doubleOut = settings.doubleOut ?? doubleOut
    turnLimit = settings.turnLimit ?? turnLimit
    guard let toWin = settings.gamesToWin ?? games?.toWin, toWin > 0 else { return games = nil }
    games = Games(
      name: settings.gameName ?? games?.name ?? (countsDown ? "LEG" : "GAME"), toWin: toWin,
      lead: settings.gamesLead ?? games?.lead ?? 1,
      // A tie-break at six all is one in sets to six games.
      tieBreakAt: settings.tieBreakAt
        ?? (settings.gamesToWin == nil ? games?.tieBreakAt : games.map { _ in toWin }) ?? 0,
      tieBreakPoints: settings.tieBreakPoints ?? games?.tieBreakPoints ?? 7,
      matchTieBreak: settings.matchTieBreak ?? games?.matchTieBreak ?? 0)
  }

  private mutating func setServe(_ settings: GameSettings) {
    serve = settings.serve.flatMap { Serve(rawValue: $0.rawValue) } ?? serve
    serveRule = settings.serveRule.flatMap { ServeRule(rawValue: $0.rawValue) } ?? serveRule
    servesInRow = settings.servesInRow ?? servesInRow
    firstServe = settings.firstServe.flatMap { FirstServe(rawValue: $0.rawValue) } ?? firstServe
    firstServeDeciding =
      settings.firstServeDeciding.flatMap { FirstServe(rawValue: $0.rawValue) } ?? firstServeDeciding
    sideChange = settings.sideChange.flatMap { SideChange(rawValue: $0.rawValue) } ?? sideChange
    sideChangeAt = settings.sideChangeAt ?? sideChangeAt
  }

  private mutating func setClock(_ settings: GameSettings) {
    let direction: Timer.Direction
    switch settings.clock {
    case .none?: return game = nil
    case .up: direction = .up
    case .down: direction = .down
    case nil:
      guard let game else { return }
      direction = game.direction
    }
    // The preset's lengths are those of its direction.
    let old = game.flatMap { $0.direction == direction ? $0 : nil }
    let length = settings.clockLength.map(Self.nanoseconds) ?? old?.length
    game = Timer(
      direction, length: length ?? (direction == .down ? 10 * 60 * 1_000_000_000 : 0),
      overtimeLength: settings.overtimeLength.map(Self.nanoseconds)
        ?? (settings.clockLength == nil ? old?.overtimeLength : nil),
      warning: settings.clockWarning.map(Self.nanoseconds) ?? old?.warning ?? 0,
      end: settings.clockEnd.flatMap { Timer.End(rawValue: $0.rawValue) } ?? old?.end ?? .stop,
      continues: settings.clockContinues ?? old?.continues ?? false)
  }

  private mutating func setShotClock(_ settings: GameSettings) {
    shotFollows = settings.shotClockFollows ?? shotFollows
    secondShot = settings.shotClockSecond.map(Self.nanoseconds) ?? secondShot
    let length = settings.shotClock.map(Self.nanoseconds) ?? shot?.length ?? 0
    guard length > 0 else { return shot = nil }
    shot = Timer(
      .down, length: length, warning: settings.shotClockWarning.map(Self.nanoseconds) ?? shot?.warning ?? 0)
  }

  private mutating func set(_ settings: GameSettings.Counter) {
    let old = counter(settings.id)
    counters.removeAll { $0.id == settings.id && settings.limit == 0 }
    guard settings.limit != 0 else { return }
    let new = Counter(
      id: settings.id, name: settings.name ?? old?.name ?? settings.id.uppercased(),
      limit: settings.limit ?? old?.firstHalfLimit ?? 99,
      // A limit that the config gives holds for the whole game, unless it gives others too.
      secondHalf: settings.secondHalfLimit ?? (settings.limit == nil ? old?.secondHalfLimit : nil),
      overtime: settings.overtimeLimit ?? (settings.limit == nil ? old?.overtimeLimit : nil),
      reset: settings.reset.flatMap { Counter.Reset(rawValue: $0.rawValue) } ?? old?.reset ?? .game,
      keepsInOvertime: settings.keepsInOvertime ?? old?.keepsInOvertime ?? false)
    if let index = counters.firstIndex(where: { $0.id == settings.id }) {
      counters[index] = new
    } else {
      counters.append(new)
    }
  }

  /// Settings are up to 99:59:59.
  private static func nanoseconds(_ seconds: Double) -> Int64 { Int64((seconds * 1e9).rounded()) }
}
