// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ControlCalls
import JSON
import Scoreboard
import Walls

/// The finished matches of a wall. A match is finished when it is over by the rules, when its time is up and
/// a team leads, or when a new game begins. It has one entry, found by the number of its game
/// (`Scoreboard.game`). If the match continues, e.g. after an undo of the new game, it has none; nor has one
/// in which nobody has scored, unless its time was played to the end.
package struct FinishedMatches: Hashable, Sendable, Codable {
  /// How many matches are kept, and how many bytes they may have as JSON; the oldest are forgotten.
  package static let limit = 200
  package static let byteLimit = 256 * 1024
  /// How many starts are kept. More than one, because an undo can bring back an earlier game.
  private static let startLimit = 8

  private struct Start: Hashable, Codable {
    private enum CodingKeys: CodingKey {
      case game, time
    }

    var game: Int64
    /// Seconds since 1970.
    var time: Int64
    /// The same in match time, if the machine has not been restarted since: if the clock is set during the
    /// game, the start is set with it.
    var clock: Int64?

    /// The file has no match times.
    static func == (a: Start, b: Start) -> Bool { a.game == b.game && a.time == b.time }

    func hash(into hasher: inout Hasher) {
      hasher.combine(game)
      hasher.combine(time)
    }
  }

  /// The match that was finished last, and the number of its last change.
  private struct Finish: Hashable, Codable {
    var game: Int64
    var change: Int?
    /// Whether a change of the rules has finished it: another one may have it go on. Nil: no.
    var isByRules: Bool?

    func isState(of other: Finish) -> Bool { (game, change) == (other.game, other.change) }
  }

  /// The oldest first.
  package private(set) var matches: [FinishedMatch] = []
  /// The number of the last game that was seen; 0: there was none with content.
  private var game: Int64 = 0
  /// When games first had content.
  private var starts: [Start] = []
  private var finish: Finish?

  package init() {}

  /// Compares with the match as it is at `now`.
  mutating func update(_ match: Match, at now: Moment, in zone: TimeZone) {
    let current = match.scoreboard
    setStarts(now)
    remove(match.undoneGames)
    if game != current.game {
      for ended in match.endedGames(from: game) where ended.scoreboard.hasResult(at: ended.ended) {
        add(
          ended.scoreboard,
          ended: ended.scoreboard.lastEvent(after: ended.changed, until: ended.ended), by: ended.ended, now,
          zone)
      }
      // A wall without content saves nothing.
      if current.hasContent || game != 0 { game = current.game }
    }
    if current.hasContent, !starts.contains(where: { $0.game == current.game }) {
      starts =
        starts.suffix(Self.startLimit - 1) + [
          Start(game: current.game, time: now.instant.seconds, clock: now.clock)
        ]
    }
    // Rules and teams that the config has changed since the end are those of the next match.
    let state = Finish(game: current.game, change: match.past.last?.number)
    let isKnown = finish?.isState(of: state) == true
    if isKnown, finish?.isByRules != true, matches.contains(where: { $0.number == current.game && $0.over }),
      !current.isFinished(at: now.clock) || current.teams.count != matches.last?.teams.count
    {
      return
    }
    if current.hasContent, current.isFinished(at: now.clock) {
      if !isKnown { finish = state }
      let changed = match.past.last?.time ?? now.clock
      add(current, ended: current.lastEvent(after: changed, until: now.clock), by: now.clock, now, zone)
    } else {
      remove([current.game])
    }
  }

  /// Records that a change of the rules has finished the match.
  mutating func rulesFinished(_ match: Match) {
    finish = Finish(game: match.scoreboard.game, change: match.past.last?.number, isByRules: true)
  }

  /// Sets the starts to the present clock. A clock that is only adjusted slowly changes nothing.
  private mutating func setStarts(_ now: Moment) {
    for (index, start) in starts.enumerated() {
      guard let clock = start.clock else { continue }
      let time = now.instant(at: clock).seconds
      if abs(time - start.time) > 1 { starts[index].time = time }
    }
  }

  private mutating func remove(_ games: Set<Int64>) {
    guard matches.contains(where: { games.contains($0.number) }) else { return }
    matches.removeAll { games.contains($0.number) }
  }

  /// Adds or replaces the entry of a game. A match that was over keeps the time of its end.
  ///
  /// - Parameters:
  ///   - ended: when it ended, in match time.
  ///   - time: when it was seen as it is, in match time.
  private mutating func add(
    _ scoreboard: Scoreboard, ended: Int64, by time: Int64, _ now: Moment, _ zone: TimeZone
  ) {
    let index = matches.firstIndex { $0.number == scoreboard.game }
    let end = Instant(seconds: now.instant(at: ended).seconds)
    let start = Instant(seconds: starts.first { $0.game == scoreboard.game }?.time ?? end.seconds)
    var match = FinishedMatch(
      scoreboard.settled(at: time), at: time, from: start, to: end, in: zone)
    guard let index else {
      matches.append(match)
      while matches.count > Self.limit || !fits { matches.removeFirst() }
      return
    }
    let old = matches[index]
    // A match that was over, and whose scores have not changed since, is not abandoned.
    if old.over, !match.over || match.teams.count != old.teams.count, old.hasScores(of: match) { return }
    if old.over { (match.started, match.ended, match.seconds) = (old.started, old.ended, old.seconds) }
    if match != old { matches[index] = match }
  }

  private var fits: Bool {
    matches.count < 2 || ((try? JSONValue(encoding: self))?.bytes.count ?? .max) <= Self.byteLimit
  }
}

extension FinishedMatch {
  /// Whether all teams of another entry of the same game have the same scores here.
  fileprivate func hasScores(of other: FinishedMatch) -> Bool {
    other.teams.allSatisfy { team in
      teams.contains {
        $0.id == team.id && $0.score == team.score && $0.periods == team.periods
          && $0.points == team.points
      }
    }
  }

  /// The number of its game; -1 if the file has another id.
  fileprivate var number: Int64 { Int64(id) ?? -1 }

  fileprivate init(
    _ scoreboard: Scoreboard, at time: Int64, from start: Instant, to end: Instant, in zone: TimeZone
  ) {
    let (isOver, isAbandoned) = (scoreboard.isFinished(at: time), scoreboard.isAbandoned(at: time))
    let played = scoreboard.lastPlayedPeriod(at: time)
    let isSets = scoreboard.rules.scoring == .sets
    let (seconds, overflow) = end.seconds.subtractingReportingOverflow(start.seconds)
    self.init(
      id: String(scoreboard.game), started: start.rfc3339(in: zone), ended: end.rfc3339(in: zone),
      seconds: overflow ? 0 : Int(max(seconds, 0)), game: scoreboard.rules.preset, over: isOver,
      abandoned: isAbandoned ? true : nil, winner: isAbandoned ? nil : scoreboard.leader?.id,
      teams: scoreboard.teams.map { team in
        Team(
          id: team.id, name: team.name, shortName: team.shortName,
          color: team.color.map(ColorText.hex),
          score: isSets ? scoreboard.periodsWon(by: team) : team.score,
          periods: Array(scoreboard.periodScores(of: team).prefix(played)),
          tieBreaks: MatchState.Team.tieBreaks(of: team, scoreboard),
          points: scoreboard.pointsInGame(of: [team] + scoreboard.teams)?.first)
      })
  }
}

extension Moment {
  /// The wall clock's time at a match time, by the present clock.
  fileprivate func instant(at time: Int64) -> Instant {
    Moment(clock: time, realtime: realtime &- (clock &- time)).instant
  }
}

extension Wall {
  /// Adds the match to the finished ones when it is finished, and removes it when it continues.
  mutating func recordMatch(_ effects: inout Effects) {
    let before = finished
    finished.update(match, at: now, in: schedule.schedule.zone)
    if finished != before { effects.saves = true }
  }
}
