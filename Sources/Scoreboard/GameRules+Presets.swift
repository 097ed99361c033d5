// SPDX-License-Identifier: Apache-2.0

import Languages

extension GameRules {
  package enum Preset: String, CaseIterable, Hashable, Sendable {
    case free
    case basketball
    case volleyball
    case tableTennis = "table-tennis"
    case football
    case darts
    case tennis
    case handball
    case iceHockey = "ice-hockey"
    case badminton
  }

  /// The rules of a common game, as far as a scoreboard needs them, with the words of a language.
  package init(_ preset: Preset, words: Words = .english) {
    self.init()
    self.preset = preset.rawValue
    setWords(words)
    switch preset {
    case .free: break
    case .basketball: setBasketball(words)
    case .volleyball: setVolleyball(words)
    case .tableTennis: setTableTennis(words)
    case .football: setFootball(words)
    case .darts: setDarts(words)
    case .tennis: setTennis(words)
    case .handball: setHandball(words)
    case .iceHockey: setIceHockey(words)
    case .badminton: setBadminton(words)
    }
  }

  private static let second: Int64 = 1_000_000_000
  private static let minute: Int64 = 60 * second

  /// FIBA's Official Basketball Rules: four quarters of ten minutes; overtimes of five, in which the team
  /// fouls of the last quarter still count; intervals of two minutes, also before every overtime, and
  /// half-time of 15 (article 8); 24 seconds for a shot and 14 after an offensive rebound (article 29). A
  /// time-out lasts a minute, with a signal after 50 seconds. Of the three time-outs of the second half, at
  /// most two can be taken in the last two minutes (article 18).
  private mutating func setBasketball(_ words: Words) {
    periods = 4
    (periodName, periodsName) = (words[.quarter], words[.quarters])
    increments = [1, 2, 3]
    serve = .possession
    var timeOuts = Counter(
      id: "timeouts", name: words[.timeOuts], limit: 2, secondHalf: 3, overtime: 1, reset: .half,
      startsTimeOut: true)
    (timeOuts.limitLate, timeOuts.late) = (2, 2 * Self.minute)
    counters = [
      Counter(
        id: "fouls", name: words[.fouls], limit: 5, reset: .period, keepsInOvertime: true, warnsAtLimit: true),
      timeOuts,
    ]
    game = Timer(.down, length: 10 * Self.minute, overtimeLength: 5 * Self.minute, warning: Self.minute)
    shot = Timer(.down, length: 24 * Self.second, warning: 5 * Self.second)
    secondShot = 14 * Self.second
    setBreaks(
      timeOut: Self.minute, interval: 2 * Self.minute, halfTime: 15 * Self.minute, warmUp: 20 * Self.minute)
    breaks.overtimeInterval = 2 * Self.minute
  }

  /// FIVB's Official Volleyball Rules: best of five sets to 25, the last to 15 (rule 6); the winner of a
  /// rally serves (rule 12). Two time-outs of 30 seconds in a set (rule 15); three minutes between sets, and
  /// a change of courts at 8 points of the last set (rule 18).
  private mutating func setVolleyball(_ words: Words) {
    setSets(5, points: 25, lead: 2, words)
    pointsToWinDeciding = 15
    serveRule = .rally
    firstServeDeciding = .toss
    sideChangeAt = 8
    counters = [
      Counter(id: "timeouts", name: words[.timeOuts], limit: 2, reset: .period, startsTimeOut: true),
      Counter(id: "substitutions", name: words[.substitutions], limit: 6, reset: .period),
    ]
    setBreaks(timeOut: 30 * Self.second, interval: 3 * Self.minute, warmUp: 6 * Self.minute)
  }

  /// ITTF's Laws of Table Tennis: best of five games to 11, two services each, and a change of ends at 5
  /// points of the last game (2.11 to 2.14); up to a minute between games, and one time-out of a minute in a
  /// match (regulation 3.4.4).
  private mutating func setTableTennis(_ words: Words) {
    setSets(5, points: 11, lead: 2, words)
    serveRule = .points
    sideChangeAt = 5
    counters = [
      Counter(id: "timeouts", name: words[.timeOuts], limit: 1, reset: .game, startsTimeOut: true)
    ]
    setBreaks(timeOut: Self.minute, interval: Self.minute, warmUp: 2 * Self.minute)
  }

  /// BWF's Laws of Badminton: best of three games to 21, capped at 30; the winner of a game serves first in
  /// the next (law 7), and the ends change at 11 points of the third (law 8). A minute at 11 points, and two
  /// minutes between games (law 16.2), of which the umpire calls the last 20 seconds.
  private mutating func setBadminton(_ words: Words) {
    setSets(3, points: 21, lead: 2, words)
    (periodName, periodsName) = (words[.badmintonGame], words[.badmintonGames])
    winningPointNames = WinningPointNames(
      set: words[.badmintonGamePoint], match: words[.badmintonMatchPoint])
    cap = 30
    serveRule = .rally
    firstServe = .winner
    sideChangeAt = 11
    setBreaks(interval: 2 * Self.minute, warning: 20 * Self.second)
    (breaks.inSet, breaks.inSetAt) = (Self.minute, 11)
  }

  /// ITF's Rules of Tennis: best of three sets of six games, with a tie-break to 7 at 6 : 6 (rules 5 to 7).
  /// 90 seconds at the change of ends, except after the first game of a set, and two minutes between sets
  /// (rule 29), of which the umpire calls the last 30 seconds.
  private mutating func setTennis(_ words: Words) {
    setSets(3, points: 4, lead: 2, words)
    games = Games(name: words[.game], plural: words[.games], toWin: 6, lead: 2, tieBreakAt: 6)
    pointNames = .tennis
    serveRule = .games
    periodEnd = .next
    setBreaks(interval: 2 * Self.minute, warmUp: 5 * Self.minute, warning: 30 * Self.second)
    breaks.inSet = 90 * Self.second
  }

  /// Best of five legs. A leg counts down from 501 and ends with a double.
  private mutating func setDarts(_ words: Words) {
    setSets(5, points: 0, lead: 1, words)
    (periodName, periodsName) = (words[.leg], words[.legs])
    startScore = 501
    better = .lower
    increments = [-180, -140, -100, -60, -26, -1]
    doubleOut = true
    turnLimit = 180
    serveRule = .turns
    periodEnd = .next
  }

  /// IFAB's Laws of the Game: two halves of 45 minutes, and a half-time of up to 15 (law 7). The clock
  /// continues through stoppage time, and the second half starts at 45:00. Extra time has two halves of 15.
  private mutating func setFootball(_ words: Words) {
    periods = 2
    setHalves(words)
    overtimeName = words[.extraTime]
    shortOvertimeName = words[.extraTimeShort]
    overtime.periods = 2
    counters = [
      Counter(id: "yellow-cards", name: words[.yellowCards], limit: 99, reset: .game),
      Counter(id: "red-cards", name: words[.redCards], limit: 99, reset: .game),
      Counter(id: "substitutions", name: words[.substitutions], limit: 6, reset: .game),
    ]
    game = Timer(
      .up, length: 45 * Self.minute, overtimeLength: 15 * Self.minute, end: .countOn, continues: true)
    setBreaks(halfTime: 15 * Self.minute)
  }

  /// IHF's Rules of the Game: two halves of 30 minutes with a half-time of ten, overtimes of two halves of
  /// five, after both of which the leading team has won (rule 2), suspensions of two minutes (rule 16). Three
  /// time-outs of a minute in a match, at most two in a half and one in the last five minutes, none in
  /// overtime; a signal after 50 seconds. A tied match need not have an overtime, so no interval before it
  /// begins by itself.
  private mutating func setHandball(_ words: Words) {
    periods = 2
    setHalves(words)
    var timeOuts = Counter(
      id: "timeouts", name: words[.timeOuts], limit: 3, reset: .game, startsTimeOut: true)
    (timeOuts.limitPerHalf, timeOuts.limitPerOvertime) = (2, 0)
    (timeOuts.limitLate, timeOuts.late) = (1, 5 * Self.minute)
    counters = [timeOuts]
    setBreaks(timeOut: Self.minute, halfTime: 10 * Self.minute)
    game = Timer(.up, length: 30 * Self.minute, overtimeLength: 5 * Self.minute, continues: true)
    overtime.periods = 2
    penalties = [2 * Self.minute]
    penaltiesName = words[.suspensions]
  }

  /// IIHF's Official Rule Book: three periods of 20 minutes with 15 between them, overtimes of five after
  /// three minutes, in which the first goal wins; at most two penalties of a team run at the same time. One
  /// time-out of 30 seconds.
  private mutating func setIceHockey(_ words: Words) {
    periods = 3
    (periodName, periodsName) = (words[.third], words[.thirds])
    counters = [
      Counter(id: "timeouts", name: words[.timeOuts], limit: 1, reset: .game, startsTimeOut: true)
    ]
    setBreaks(timeOut: 30 * Self.second, interval: 15 * Self.minute, warmUp: 20 * Self.minute)
    breaks.overtimeInterval = 3 * Self.minute
    overtime.goalWins = true
    game = Timer(.down, length: 20 * Self.minute, overtimeLength: 5 * Self.minute, warning: Self.minute)
    penalties = [2 * Self.minute, 5 * Self.minute]
    penaltiesRunning = 2
  }

  private mutating func setSets(_ count: Int, points: Int, lead: Int, _ words: Words) {
    periods = count
    periodsToWin = count / 2 + 1
    (periodName, periodsName) = (words[.set], words[.sets])
    scoring = .sets
    pointsToWin = points
    self.lead = lead
    serve = .serve
    game = Timer(.up, length: 0)
  }

  /// Sets the lengths of the breaks. 0: there is no such break.
  private mutating func setBreaks(
    timeOut: Int64 = 0, interval: Int64 = 0, halfTime: Int64 = 0, warmUp: Int64 = 0, warning: Int64? = nil
  ) {
    breaks.timeOut = timeOut
    breaks.intervals = interval > 0 ? [interval] : []
    breaks.halfTime = halfTime
    breaks.warmUp = warmUp
    if let warning { breaks.warning = warning }
  }

  private mutating func setWords(_ words: Words) {
    for (name, word) in zip(GameBreak.Kind.names, [Word.timeOut, .interval, .halfTime, .warmUp]) {
      breaks.names[name] = words[word]
    }
    (periodName, periodsName) = (words[.period], words[.periods])
    (overtimeName, shortOvertimeName) = (words[.overtime], words[.overtimeShort])
    numbered = words[.numbered]
    penaltiesName = words[.penalties]
    advantageName = words[.advantage]
    winningPointNames = WinningPointNames(set: words[.setPoint], match: words[.matchPoint])
  }

  /// A word with a slash consists of the names of the first and the second half.
  private mutating func setHalves(_ words: Words) {
    (periodName, periodsName) = (words[.half], words[.halves])
    let names = words[.half].split(separator: "/").map(String.init)
    guard names.count == periods else { return }
    periodNames = names
    periodName = words[.halves]
  }
}
