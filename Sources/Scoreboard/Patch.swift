// SPDX-License-Identifier: Apache-2.0

/// One field that an action changed, with its value before and after. Patches are small enough to keep those
/// of a thousand actions, and leave other fields alone: undoing a score does not stop a clock.
enum Patch: Hashable, Sendable, Codable {
  case score(team: String, from: Int, to: Int)
  case games(team: String, from: Int, to: Int)
  case penalties(team: String, from: [Penalty], to: [Penalty])
  case periodScores(team: String, from: [Int], to: [Int])
  case tieBreaks(team: String, from: [Int: Int], to: [Int: Int])
  case counters(team: String, from: [String: Int], to: [String: Int])
  case name(team: String, from: String, to: String)
  case shortName(team: String, from: String?, to: String?)
  case color(team: String, from: UInt32?, to: UInt32?)
  case period(from: Int, to: Int)
  case serving(from: String?, to: String?)
  case firstServer(from: String?, to: String?)
  case left(from: [LeftSet], to: [LeftSet])
  case ended(from: Bool, to: Bool)
  case sides(from: Bool, to: Bool)
  case timer(GameTimer.ID, from: GameTimer, to: GameTimer)
  case gameBreak(from: GameBreak?, to: GameBreak?)
  case game(from: Int64, to: Int64)
}

extension Patch {
  /// The differences between two scoreboards whose teams have the same ids.
  static func all(from a: Scoreboard, to b: Scoreboard) -> [Patch] {
    var patches: [Patch] = []
    func add<Value: Equatable>(_ a: Value, _ b: Value, _ make: (Value, Value) -> Patch) {
      if a != b { patches.append(make(a, b)) }
    }
    for (a, b) in zip(a.teams + a.parked, b.teams + b.parked) {
      add(a.score, b.score) { .score(team: b.id, from: $0, to: $1) }
      add(a.games, b.games) { .games(team: b.id, from: $0, to: $1) }
      add(a.penalties, b.penalties) { .penalties(team: b.id, from: $0, to: $1) }
      add(a.periodScores, b.periodScores) { .periodScores(team: b.id, from: $0, to: $1) }
      add(a.tieBreaks, b.tieBreaks) { .tieBreaks(team: b.id, from: $0, to: $1) }
      add(a.counters, b.counters) { .counters(team: b.id, from: $0, to: $1) }
      add(a.name, b.name) { .name(team: b.id, from: $0, to: $1) }
      // An undo of a name also sets the short name that belongs to it, even if the action did not change it:
      // the config may have changed both since.
      if a.name != b.name || a.shortName != b.shortName {
        patches.append(.shortName(team: b.id, from: a.shortName, to: b.shortName))
      }
      add(a.color, b.color) { .color(team: b.id, from: $0, to: $1) }
    }
    add(a.period, b.period) { .period(from: $0, to: $1) }
    add(a.serving, b.serving) { .serving(from: $0, to: $1) }
    add(a.firstServer, b.firstServer) { .firstServer(from: $0, to: $1) }
    add(a.left, b.left) { .left(from: $0, to: $1) }
    add(a.isEnded, b.isEnded) { .ended(from: $0, to: $1) }
    add(a.sidesSwapped, b.sidesSwapped) { .sides(from: $0, to: $1) }
    add(a.gameTimer, b.gameTimer) { .timer(.game, from: $0, to: $1) }
    add(a.shotTimer, b.shotTimer) { .timer(.shot, from: $0, to: $1) }
    add(a.gameBreak, b.gameBreak) { .gameBreak(from: $0, to: $1) }
    add(a.game, b.game) { .game(from: $0, to: $1) }
    return patches
  }

  /// Sets the new value on the scoreboard, or for undo the old one, for parked teams too. Ignored for a team
  /// that no longer exists.
  func apply(to scoreboard: inout Scoreboard, undoing: Bool = false) {
    func value<Value>(_ from: Value, _ to: Value) -> Value { undoing ? from : to }
    switch self {
    case .score(let id, let from, let to): scoreboard.change(id) { $0.score = value(from, to) }
    case .games(let id, let from, let to): scoreboard.change(id) { $0.games = value(from, to) }
    case .penalties(let id, let from, let to): scoreboard.change(id) { $0.penalties = value(from, to) }
    case .periodScores(let id, let from, let to): scoreboard.change(id) { $0.periodScores = value(from, to) }
    case .tieBreaks(let id, let from, let to): scoreboard.change(id) { $0.tieBreaks = value(from, to) }
    case .counters(let id, let from, let to): scoreboard.change(id) { $0.counters = value(from, to) }
    case .name(let id, let from, let to): scoreboard.change(id) { $0.name = value(from, to) }
    case .shortName(let id, let from, let to): scoreboard.change(id) { $0.shortName = value(from, to) }
    case .color(let id, let from, let to): scoreboard.change(id) { $0.color = value(from, to) }
    case .period(let from, let to): scoreboard.period = value(from, to)
    case .serving(let from, let to): scoreboard.serving = value(from, to)
    case .firstServer(let from, let to): scoreboard.firstServer = value(from, to)
    case .left(let from, let to): scoreboard.left = value(from, to)
    case .ended(let from, let to): scoreboard.isEnded = value(from, to)
    case .sides(let from, let to): scoreboard.sidesSwapped = value(from, to)
    case .timer(let id, let from, let to): scoreboard[id] = value(from, to)
    case .gameBreak(let from, let to): scoreboard.gameBreak = value(from, to)
    case .game(let from, let to): scoreboard.game = value(from, to)
    }
  }

  /// Moves all instants by `offset` nanoseconds, to convert them to a clock that was 0 at another time.
  func shifted(by offset: Int64) -> Patch {
    switch self {
    case .timer(let id, var from, var to):
      from.shift(by: offset)
      to.shift(by: offset)
      return .timer(id, from: from, to: to)
    case .gameBreak(let from, let to):
      return .gameBreak(from: from?.shifted(by: offset), to: to?.shifted(by: offset))
    case .penalties(let team, let from, let to):
      return .penalties(
        team: team, from: from.map { $0.shifted(by: offset) }, to: to.map { $0.shifted(by: offset) })
    default: return self
    }
  }

  /// Whether both values are in range; a state file may contain anything.
  var isSound: Bool {
    switch self {
    case .score(_, let from, let to), .games(_, let from, let to):
      [from, to].allSatisfy(Scoreboard.scores.contains)
    case .periodScores(_, let from, let to):
      (from + to).allSatisfy(Scoreboard.periodScores.contains)
        && max(from.count, to.count) < Scoreboard.periods.upperBound
    case .tieBreaks(_, let from, let to): [from, to].allSatisfy(Scoreboard.Team.areSound(tieBreaks:))
    case .counters(_, let from, let to):
      [from, to].allSatisfy { $0.values.allSatisfy { Scoreboard.counters.contains($0) && $0 != 0 } }
    case .color(_, let from, let to): max(from ?? 0, to ?? 0) <= 0xffffff
    case .period(let from, let to): [from, to].allSatisfy(Scoreboard.periods.contains)
    case .timer(_, let from, let to): from.isValid && to.isValid
    case .gameBreak(let from, let to): [from, to].allSatisfy { $0?.isSound ?? true }
    case .penalties(_, let from, let to):
      max(from.count, to.count) <= Penalty.limit && (from + to).allSatisfy(\.isValid)
    case .game(let from, let to): [from, to].allSatisfy(Scoreboard.games.contains)
    case .left(let from, let to):
      max(from.count, to.count) < Scoreboard.periods.upperBound && (from + to).allSatisfy(\.isSound)
    case .name, .shortName, .serving, .firstServer, .ended, .sides: true
    }
  }
}

extension Scoreboard {
  fileprivate mutating func change(_ id: String, _ body: (inout Team) -> Void) {
    if let index = teams.firstIndex(where: { $0.id == id }) {
      body(&teams[index])
    } else if let index = parked.firstIndex(where: { $0.id == id }) {
      body(&parked[index])
    }
  }
}
