// SPDX-License-Identifier: Apache-2.0

extension Scoreboard {
  /// The state of a timer at an instant.
  package struct TimerReading: Hashable, Sendable {
    /// Nanoseconds; negative once a timer has counted down past zero.
    package var value: Int64
    package var isRunning: Bool
    /// Whether the end is near but not reached.
    package var isWarning: Bool
    /// Whether the end is reached or passed.
    package var hasEnded: Bool
    package var direction: GameRules.Timer.Direction
    /// The value at which the timer stops by itself; nil: it runs until it is paused.
    package var limit: Int64?
    /// The value from which the timer warns; nil: it does not.
    package var warnsAt: Int64?
  }

  /// The state of a timer at `now`; nil if the rules have no such timer.
  package func reading(of id: GameTimer.ID, at now: Int64) -> TimerReading? {
    let scoreboard = settled(at: now)
    guard let course = scoreboard.course(of: id) else { return nil }
    let timer = scoreboard[id]
    let value = timer.shown(at: now, course)
    let isDown = course.rule.direction == .down
    let hasEnded = course.end.map { isDown ? value <= $0 : value >= $0 } ?? false
    let isNear = course.warning.map { isDown ? value <= $0 : value >= $0 } ?? false
    return TimerReading(
      value: value, isRunning: timer.since != nil, isWarning: isNear && !hasEnded, hasEnded: hasEnded,
      direction: course.rule.direction, limit: course.stop, warnsAt: course.warning)
  }

  /// Whether a timer runs, as of the last change of the scoreboard.
  package var hasRunningClock: Bool { GameTimer.ID.allCases.contains { self[$0].since != nil } }

  /// The timers that exist now.
  package var timers: [GameTimer.ID] { GameTimer.ID.allCases.filter { course(of: $0) != nil } }

  /// Whether a timer has been started or set in this period.
  package func hasStarted(_ id: GameTimer.ID) -> Bool { self[id] != GameTimer() }

  /// The earliest start of the clocks that run at `now`; nil: none runs.
  package func runningSince(at now: Int64) -> Int64? {
    let scoreboard = settled(at: now)
    return scoreboard.timers.compactMap { scoreboard[$0].since }.min()
  }

  /// The next instant after `now` at which the state changes without an action: a timer, a penalty or a break
  /// ends, a warning begins, or a counter is limited from then on. The changing value of a running timer does
  /// not count.
  package func nextEvent(after now: Int64) -> Int64? {
    let scoreboard = settled(at: now)
    var next: Int64?
    for end in scoreboard.teams.flatMap(\.penalties).compactMap(\.end) where end > now {
      next = min(next ?? end, end)
    }
    for id in GameTimer.ID.allCases {
      guard let course = scoreboard.course(of: id) else { continue }
      for target in [course.end, course.warning] + (id == .game ? lateLimits(course) : []) {
        guard let target, let instant = scoreboard[id].instant(ofShowing: target, course), instant > now
        else {
          continue
        }
        next = min(next ?? instant, instant)
      }
    }
    if let end = scoreboard.gameBreak?.disappears, end > now { next = min(next ?? end, end) }
    return next
  }

  /// The scoreboard's state at `now`: expired timers are stopped, their period has ended where the rules say
  /// so, the break after it has begun, and expired penalties and breaks are gone.
  package func settled(at now: Int64) -> Scoreboard {
    guard hasRunningClock || hasPenalties || gameBreak != nil else { return self }
    var scoreboard = self
    let gameEnd = scoreboard.end(of: .game, by: now)
    // A shot clock that follows the game clock stops with it.
    scoreboard.settleShot(at: rules.shotFollows ? min(gameEnd ?? now, now) : now, stopped: gameEnd != nil)
    scoreboard.settlePenalties(at: min(gameEnd ?? now, now))
    if let gameEnd { scoreboard.settleGame(at: gameEnd) }
    scoreboard.settleBreak(at: now)
    return scoreboard
  }

  /// The time at which a timer expired; nil if it has not by `now`.
  private func end(of id: GameTimer.ID, by now: Int64) -> Int64? {
    guard let course = course(of: id), let stop = course.stop,
      let instant = self[id].instant(ofShowing: stop, course), self[id].shown(at: now, course) == stop
    else { return nil }
    return min(instant, now)
  }

  private mutating func settleShot(at now: Int64, stopped: Bool) {
    guard let course = course(of: .shot) else { return }
    let hasEnded = end(of: .shot, by: now) != nil
    if hasEnded || (stopped && rules.shotFollows) { shotTimer.stop(at: now, course) }
  }

  private mutating func settleGame(at end: Int64) {
    guard let course = course(of: .game) else { return }
    gameTimer.stop(at: end, course)
    endPeriodByClock(at: end)
    syncPenalties(at: end)
  }

  private mutating func endPeriodByClock(at end: Int64) {
    let ended = period
    if !isMatchOver, rules.game?.end == .nextPeriod, period < rules.periods { movePeriod(to: period + 1) }
    beginInterval(after: ended, at: end)
  }

  private mutating func settleBreak(at now: Int64) {
    if let end = end(of: .breakClock, by: now), let course = course(of: .breakClock) {
      gameBreak?.timer.stop(at: end, course)
      gameBreak?.ended = end
    }
    if let end = gameBreak?.disappears, end <= now { gameBreak = nil }
  }

  // MARK: Timer actions

  subscript(_ id: GameTimer.ID) -> GameTimer {
    get {
      switch id {
      case .game: gameTimer
      case .shot: shotTimer
      case .breakClock: gameBreak?.timer ?? GameTimer()
      }
    }
    set {
      switch id {
      case .game: gameTimer = newValue
      case .shot: shotTimer = newValue
      case .breakClock: gameBreak?.timer = newValue
      }
    }
  }

  /// Nil: there is no such timer now.
  func course(of id: GameTimer.ID) -> TimerCourse? {
    guard var rule = rules.timer(id) else { return nil }
    switch id {
    case .game: return TimerCourse(rule, period: period, of: rules.periods)
    case .shot: break
    case .breakClock:
      guard let gameBreak else { return nil }
      rule.length = gameBreak.length
    }
    return TimerCourse(rule, period: 1, of: 1)
  }

  private func knownCourse(of id: GameTimer.ID) throws(Refusal) -> TimerCourse {
    guard let course = course(of: id) else {
      if rules.timer(id) != nil { throw .noBreak }
      throw .unknownTimer(timer: id.rawValue, known: timers.map(\.rawValue))
    }
    return course
  }

  mutating func startTimer(_ id: GameTimer.ID, at now: Int64) throws(Refusal) {
    let course = try knownCourse(of: id)
    guard self[id].since == nil else { return }
    if rules.timers.contains(id), isMatchOver { throw .matchOver(result: resultText) }
    let value = self[id].shown(at: now, course)
    if value == course.stop { throw .timerAtEnd(timer: id.rawValue) }
    if id == .shot, rules.shotFollows, rules.game != nil, gameTimer.since == nil {
      throw .gameTimerPaused
    }
    self[id] = GameTimer(value: value, since: now)
    if id == .game { gameBreak = nil }
    if id == .game, rules.shotFollows, let shot = self.course(of: .shot) {
      let left = shotTimer.shown(at: now, shot)
      if left != shot.stop { shotTimer = GameTimer(value: left, since: now) }
    }
  }

  mutating func pauseTimer(_ id: GameTimer.ID, at now: Int64) throws(Refusal) {
    let course = try knownCourse(of: id)
    guard self[id].since != nil else { return }
    self[id].stop(at: now, course)
    holdShot(at: now)
    // A clock that counts on is paused after the end of the period.
    if id == .game, isTimeUp(at: now) { beginInterval(after: period, at: now) }
  }

  /// Stops the shot clock if it follows the game clock and the game clock is stopped. Resets `shotTimer` if
  /// the game has no shot clock.
  mutating func holdShot(at now: Int64) {
    guard let shot = course(of: .shot) else {
      shotTimer = GameTimer()
      return
    }
    guard rules.shotFollows, rules.game != nil, gameTimer.since == nil else { return }
    shotTimer.stop(at: now, shot)
  }

  /// Sets a timer back to `value`. A reset of the game clock stops it, and also a shot clock that follows it.
  /// Another clock keeps running if it was running; a shot clock that follows the game clock runs if the game
  /// clock runs.
  ///
  /// - Parameter value: nil: the timer's start value, which for the game clock is that of the current period.
  mutating func resetTimer(_ id: GameTimer.ID, to value: Int64? = nil, at now: Int64) throws(Refusal) {
    let course = try knownCourse(of: id)
    if let value, !course.values.contains(value) { throw .timerOutOfRange(value, course.values) }
    let follows = id == .shot && rules.shotFollows && rules.game != nil
    let runs = id != .game && (follows ? gameTimer : self[id]).since != nil
    let start = value ?? course.start
    self[id] = GameTimer(value: runs ? start : value, since: runs && start != course.stop ? now : nil)
    holdShot(at: now)
  }

  mutating func setTimer(_ id: GameTimer.ID, to value: Int64, at now: Int64) throws(Refusal) {
    let course = try knownCourse(of: id)
    guard course.values.contains(value) else { throw .timerOutOfRange(value, course.values) }
    let runs = self[id].since != nil && value != course.stop
    let wasUp = isTimeUp(at: now)
    self[id] = GameTimer(value: value, since: runs ? now : nil)
    holdShot(at: now)
    if !wasUp, isTimeUp(at: now) { endPeriodByClock(at: now) }
  }

  mutating func addTimer(_ id: GameTimer.ID, by difference: Int64, at now: Int64) throws(Refusal) {
    let course = try knownCourse(of: id)
    let (value, overflow) = self[id].shown(at: now, course).addingReportingOverflow(difference)
    guard !overflow else { throw .timerOutOfRange(difference, course.values) }
    try setTimer(id, to: value, at: now)
  }
}
