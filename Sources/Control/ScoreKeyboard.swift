// SPDX-License-Identifier: Apache-2.0

/// Which key of `flipclockctl score` stands for what, in the match as it is.
///
/// Two teams have a hand each, as they stand on the screen: the home row for points, outermost first, the
/// row below for counters. Only letters that lie in the same place on QWERTY and QWERTZ are used. Of more
/// teams one is chosen by its number, and has the left hand.
struct ScoreKeyboard: Sendable {
  static let leftPoints = Array("asdqwe")
  static let rightPoints = Array("lkjpoi")
  static let leftCounters = Array("xcv")
  static let rightCounters = Array("mnb")
  static let selectable = 9

  /// Keys that stand together in the legend, and what for; the first of the keys is told.
  struct Entry: Hashable, Sendable {
    var keys: String
    var meaning: String
  }

  private(set) var meanings: [TerminalKey: ScoreMeaning] = [:]
  private(set) var legend: [Entry] = []

  /// - Parameter selected: the team that digits have chosen, of more than two.
  init(_ match: MatchState, selected: String?) {
    if match.teams.count == 2 {
      hand(match.teams[0], Self.leftPoints, Self.leftCounters, serve: "g", match)
      hand(match.teams[1], Self.rightPoints, Self.rightCounters, serve: "h", match)
    } else {
      // Where scores count down, digits are points, and the team is the one whose turn it is.
      let isSelectable = match.teams.count > 1 && match.countsDown != true
      for (index, team) in match.teams.prefix(Self.selectable).enumerated() where isSelectable {
        meanings[.character(Character("\(index + 1)"))] = .select(team: team.id)
      }
      let chosen = match.countsDown == true ? match.serving ?? match.teams.first?.id : selected
      let team = match.teams.count == 1 ? match.teams.first : match.teams.first { $0.id == chosen }
      if let team { hand(team, Self.leftPoints, Self.leftCounters, serve: "g", match) }
    }
    tellPoints(match)
    common(match)
    tellRest(match)
    game(match)
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

  // MARK: The legend, what is needed most first

  private mutating func tellPoints(_ match: MatchState) {
    if match.countsDown == true {
      tell("0-9", "points, then Enter")
    } else if match.teams.count > 2 {
      tell("1-\(min(match.teams.count, Self.selectable))", "team")
    }
    for (index, increment) in match.increments.prefix(Self.leftPoints.count).enumerated() {
      tell(
        pair(Self.leftPoints[index], Self.rightPoints[index], match),
        increment < 0 ? "\(increment)" : "+\(increment)")
    }
  }

  private func pair(_ left: Character, _ right: Character, _ match: MatchState) -> String {
    match.teams.count == 2 ? "\(left) \(right)" : "\(left)"
  }

  private mutating func common(_ match: MatchState) {
    add("u", .undo, "undo")
    if match.timers["game"] != nil {
      meanings[.character(" ")] = .timer("game")
      tell("Space", "clock")
    }
    tell("^C", "leave")
  }

  private mutating func tellRest(_ match: MatchState) {
    tell("Shift", "take away")
    for (index, counter) in match.counters.prefix(Self.leftCounters.count).enumerated() {
      tell(
        pair(Self.leftCounters[index], Self.rightCounters[index], match), counter.name.lowercased().printable)
    }
    if match.serve != "none" { tell(pair("g", "h", match), match.serve == "serve" ? "serve" : "ball") }
    if match.penalties?.isEmpty == false, match.counters.count < Self.leftCounters.count {
      let index = match.counters.count
      tell(pair(Self.leftCounters[index], Self.rightCounters[index], match), "penalty")
    }
    add("r", .redo, "redo")
    add("=", .enterScore, "set a score")
  }

  private mutating func game(_ match: MatchState) {
    if match.timers["shot"] != nil {
      add("t", .resetShot, "shot clock anew")
      if let second = match.secondShot { add("T", .resetShotTo(second), "\(second / 1000) s") }
      add("f", .timer("shot"), "shot clock")
    }
    if match.timers["game"] != nil {
      meanings[.character("+")] = .adjust(1)
      meanings[.character("-")] = .adjust(-1)
      tell("+ -", "1 s")
      if match.countsDown != true { add("0", .resetGameTimer, "clock anew") }
    }
    meanings[.character(".")] = .periods(1)
    meanings[.character(",")] = .periods(-1)
    tell(". ,", "\(match.periodName.lowercased().printable) on, back")
    meanings[.tab] = .swap
    tell("Tab", "swap sides")
    meanings[.control("n")] = .newGame
    tell("^N", "new game")
    meanings[.control("r")] = .reset
    tell("^R", "reset")
  }

  private mutating func add(_ key: Character, _ meaning: ScoreMeaning, _ words: String) {
    meanings[.character(key)] = meaning
    tell("\(key)", words)
  }

  private mutating func tell(_ keys: String, _ meaning: String) {
    legend.append(Entry(keys: keys, meaning: meaning))
  }
}
