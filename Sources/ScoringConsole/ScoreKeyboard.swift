// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import Scoreboard

/// What the keys of `flipclockctl score` mean in a match.
///
/// With two teams, the keys under the left hand are for the left team, and those under the right hand for the
/// right one. The home row adds points, from the outermost key inwards, and the row above continues it. The
/// row below changes counters and penalties. With Shift, keys subtract or remove. Only letters that are in
/// the same place on QWERTY and QWERTZ keyboards are used. With more teams, a number selects one of them, and
/// the keys under the left hand are for that team.
struct ScoreKeyboard: Sendable {
  static let leftPoints = Array("asdqwe")
  static let rightPoints = Array("lkjpoi")
  static let leftCounters = Array("xcv")
  static let rightCounters = Array("mnb")
  static let selectable = 9

  /// An entry of the legend: a key or some keys, and what they do.
  struct Entry: Hashable, Sendable {
    var keys: String
    var meaning: String
  }

  private(set) var meanings: [TerminalKey: ScoreKeyMeaning] = [:]
  private(set) var legend: [Entry] = []

  /// - Parameter selected: the id of the selected team, where there are more than two.
  init(_ match: MatchState, selected: String?) {
    if match.teams.count == 2 {
      hand(match.teams[0], Self.leftPoints, Self.leftCounters, serve: "g", match)
      hand(match.teams[1], Self.rightPoints, Self.rightCounters, serve: "h", match)
    } else {
      // Where scores count down, digits are points, and the left hand's keys are for the team whose turn it
      // is.
      let isSelectable = match.teams.count > 1 && match.countsDown != true
      for (index, team) in match.teams.prefix(Self.selectable).enumerated() where isSelectable {
        meanings[.character(Character("\(index + 1)"))] = .select(team: team.id)
      }
      let chosen = match.countsDown == true ? match.serving ?? match.teams.first?.id : selected
      let team = match.teams.count == 1 ? match.teams.first : match.teams.first { $0.id == chosen }
      if let team { hand(team, Self.leftPoints, Self.leftCounters, serve: "g", match) }
    }
    describePoints(match)
    addCommon(match)
    describeCounters(match)
    addGame(match)
  }

  private mutating func hand(
    _ team: MatchState.Team, _ points: [Character], _ counters: [Character], serve: Character,
    _ match: MatchState
  ) {
    for (key, increment) in zip(points, match.increments) {
      meanings[.character(key)] = .points(team: team.id, increment)
      meanings[.character(Self.shifted(key))] = .points(team: team.id, 0 &- increment)
    }
    for (key, counter) in zip(counters, match.counters) {
      meanings[.character(key)] = .counter(team: team.id, id: counter.id, 1)
      meanings[.character(Self.shifted(key))] = .counter(team: team.id, id: counter.id, -1)
    }
    if match.penalties?.isEmpty == false, match.counters.count < counters.count {
      let key = counters[match.counters.count]
      meanings[.character(key)] = .penalty(team: team.id)
      meanings[.character(Self.shifted(key))] = .endPenalty(team: team.id)
    }
    if match.serve != "none" {
      meanings[.character(serve)] = .serve(team: team.id)
      meanings[.character(Self.shifted(serve))] = .serve(team: nil)
    }
  }

  private static func shifted(_ key: Character) -> Character { Character(key.uppercased()) }

  // MARK: The legend, the most important entries first

  private mutating func describePoints(_ match: MatchState) {
    if match.countsDown == true {
      describe("0-9", "points, then Enter")
    } else if match.teams.count > 2 {
      describe("1-\(min(match.teams.count, Self.selectable))", "team")
    }
    for (index, increment) in match.increments.prefix(Self.leftPoints.count).enumerated() {
      describe(
        pair(Self.leftPoints[index], Self.rightPoints[index], match),
        increment < 0 ? "\(increment)" : "+\(increment)")
    }
  }

  private func pair(_ left: Character, _ right: Character, _ match: MatchState) -> String {
    match.teams.count == 2 ? "\(left) \(right)" : "\(left)"
  }

  private mutating func addCommon(_ match: MatchState) {
    add("u", .undo, "undo")
    if match.timers["game"] != nil {
      meanings[.character(" ")] = .timer(.game)
      describe("Space", "clock")
    }
    describe("^C", "leave")
  }

  private mutating func describeCounters(_ match: MatchState) {
    describe("Shift", "take away")
    for (index, counter) in match.counters.prefix(Self.leftCounters.count).enumerated() {
      describe(
        pair(Self.leftCounters[index], Self.rightCounters[index], match), counter.name.lowercased().printable)
    }
    if match.serve != "none" { describe(pair("g", "h", match), match.serve == "serve" ? "serve" : "ball") }
    if match.penalties?.isEmpty == false, match.counters.count < Self.leftCounters.count {
      let index = match.counters.count
      describe(pair(Self.leftCounters[index], Self.rightCounters[index], match), "penalty")
    }
    add("r", .redo, "redo")
    add("=", .enterScore, "set a score")
  }

  private mutating func addGame(_ match: MatchState) {
    if match.timers["shot"] != nil {
      add("t", .resetShot, "reset shot clock")
      if let second = match.secondShot { add("T", .resetShotTo(second), "\(second / 1000) s") }
      add("f", .timer(.shot), "shot clock")
    }
    if match.timers["game"] != nil {
      meanings[.character("+")] = .adjust(1)
      meanings[.character("-")] = .adjust(-1)
      describe("+ -", "1 s")
      if match.countsDown != true { add("0", .resetGameTimer, "reset clock") }
    }
    if match.gameBreak != nil {
      meanings[.control("b")] = .endBreak
      describe("^B", "end the break")
    } else if let kind = ScoreKeyMeaning.kind(match) {
      meanings[.control("b")] = .beginBreak
      describe("^B", kind.name)
    }
    meanings[.character(".")] = .periods(1)
    meanings[.character(",")] = .periods(-1)
    describe(". ,", "next, previous period")
    meanings[.tab] = .swap
    describe("Tab", "swap sides")
    if match.matchOver != true {
      meanings[.control("e")] = .endMatch
      describe("^E", "end the match")
    }
    meanings[.control("n")] = .newGame
    describe("^N", "new game")
    meanings[.control("r")] = .reset
    describe("^R", "reset")
  }

  private mutating func add(_ key: Character, _ meaning: ScoreKeyMeaning, _ words: String) {
    meanings[.character(key)] = meaning
    describe("\(key)", words)
  }

  private mutating func describe(_ keys: String, _ meaning: String) {
    legend.append(Entry(keys: keys, meaning: meaning))
  }
}
