// SPDX-License-Identifier: Apache-2.0

/// One thing that an action did, or that followed from it by the rules, for programs that describe it in
/// their own language: the interface's type `Fact`.
package struct Fact: Hashable, Sendable, Codable {
  /// A new kind needs its English text in `Fact.text`, and its words in `PageWords`.
  package enum Kind: String, CaseIterable, Sendable {
    case score, turn, bust, period, name, color, serve, counter, penalty, swap, reset, restore
    case timeOut = "time-out"
    case breakStart = "break-start"
    case breakEnd = "break-end"
    case periodScore = "period-score"
    case shortName = "short-name"
    case timerStart = "timer-start"
    case timerPause = "timer-pause"
    case timerReset = "timer-reset"
    case timerSet = "timer-set"
    case penaltyEnd = "penalty-end"
    case penaltiesClear = "penalties-clear"
    /// The match was ended by hand.
    case matchEnd = "match-end"
    case newGame = "new-game"
    case gameWon = "game-won"
    case periodWon = "period-won"
    case matchWon = "match-won"
  }

  /// The raw value of a `Kind`, or a kind of a newer version.
  package let what: String
  package var team: String?
  package var counter: String?
  package var timer: String?
  package var period: Int?
  /// The number of a player.
  package var player: Int?
  /// The name of the game or the period that was won, or of a break, as on the scoreboard: `SATZ 1`.
  package var name: String?
  /// The same in English, `SET 1`. For the kind `serve`, what the team has: `ball`, `serve` or `throw`.
  package var english: String?
  /// The values before and after, as on the scoreboard, or a result: `25 : 20`.
  package var from: String?
  package var to: String?
  /// The difference, where the values are not known: `+2`. For a bust, the points of the turn.
  package var by: String?

  package init(
    _ kind: Kind, team: String? = nil, counter: String? = nil, timer: GameTimer.ID? = nil, period: Int? = nil,
    player: Int? = nil, name: String? = nil, english: String? = nil, from: String? = nil, to: String? = nil,
    by: String? = nil
  ) {
    what = kind.rawValue
    self.team = team
    self.counter = counter
    self.timer = timer?.rawValue
    self.period = period
    self.player = player
    self.name = name
    self.english = english
    self.from = from
    self.to = to
    self.by = by
  }
}

extension Fact {
  /// Describes the fact in English: `score of home: 7 → 8`.
  package var text: String {
    let (team, timer, to) = (team ?? "nobody", timer ?? "?", to ?? "?")
    return switch Kind(rawValue: what) {
    case .score: "score of \(team)\(change)"
    case .turn: "turn of \(team) scores nothing"
    case .bust: "bust of \(team): \(reason); the turn scores nothing"
    case .period: "period\(change)"
    case .periodScore: "score of \(team) in period \(period ?? 0): \(to)"
    case .name: "\(team): named \(to)"
    case .shortName: "\(team): short name \(to.isEmpty ? "derived from the name" : to)"
    case .color: "\(team): colour \(to)"
    case .serve: "\(english ?? "serve"): \(team)"
    case .counter: "\(counter ?? "?") of \(team)\(change)"
    case .timerStart: "\(timer) timer started"
    case .timerPause: "\(timer) timer paused"
    case .timerReset: "\(timer) timer reset\(self.to.map { " to \($0)" } ?? "")"
    case .timerSet: "\(timer) timer \(by ?? "set to \(to)")"
    case .penalty: "penalty of \(team)\(number)\(self.to.map { ": \($0)" } ?? "")"
    case .penaltyEnd: "penalty of \(team)\(number) ended"
    case .timeOut: "\(english ?? "time-out") of \(team)"
    case .breakStart: "\(english ?? name ?? "break") started"
    case .breakEnd: "\(english ?? name ?? "break") ended"
    case .penaltiesClear: "penalties of \(team) cleared"
    case .swap: "sides swapped"
    case .matchEnd: "match ended"
    case .newGame: "new game"
    case .reset: "reset"
    case .restore: "match restored"
    case .gameWon: "\(team) wins the \(english ?? "game"), \(to)"
    case .periodWon: "\(team) wins \(english ?? name ?? ""), \(to)"
    case .matchWon: "\(team) wins the match, \(to)"
    case nil: what
    }
  }

  /// `: 7 → 8`
  private var change: String {
    if let to { return from.map { ": \($0) → \(to)" } ?? ": \(to)" }
    return by.map { " \($0)" } ?? ""
  }

  private var number: String { player.map { ", number \($0)" } ?? "" }

  private var reason: String {
    let (points, left) = (by ?? "?", from ?? "?")
    return Int(points) ?? 0 > Int(left) ?? 0
      ? "\(points) is more than the \(left) left" : "\(points) leaves 1"
  }

  var texts: [String] { [what, team, counter, timer, name, english, from, to, by].compactMap { $0 } }
}

extension Match.Step {
  /// What the change did: its own effect, then what followed by the rules.
  package var facts: [Fact] { outcome ?? ownFacts }

  /// Describes the change for the operator: `score of home: 7 → 8`.
  package var summary: String { oldNote ?? facts.map(\.text).joined(separator: ", ") }

  /// `outcome` as text; nil: there is none.
  package var note: String? { outcome?.map(\.text).joined(separator: ", ") }

  private var ownFacts: [Fact] {
    switch action {
    case .setScore(let team, let to, _): [numbers(Fact(.score, team: team, to: String(to)))]
    case .addScore(let team, let by): [numbers(Fact(.score, team: team, by: Self.signed(by)))]
    case .setPeriodScore(let team, let period, let to, _):
      [Fact(.periodScore, team: team, period: period, to: String(to))]
    case .setPeriod(let to, _): [numbers(Fact(.period, to: String(to)))]
    case .addPeriod(let by, _): [numbers(Fact(.period, by: Self.signed(by)))]
    case .setTeam(let team, let name, let shortName, let color):
      [
        name.map { Fact(.name, team: team, to: $0) }, shortName.map { Fact(.shortName, team: team, to: $0) },
        color.map { Fact(.color, team: team, to: ColorText.hex($0)) },
      ].compactMap { $0 }
    case .setServing(let team): [Fact(.serve, team: team)]
    case .setCounter(let team, let counter, let to):
      [numbers(Fact(.counter, team: team, counter: counter, to: String(to)))]
    case .addCounter(let team, let counter, let by, _):
      [numbers(Fact(.counter, team: team, counter: counter, by: Self.signed(by)))]
    case .startTimer(let id): [Fact(.timerStart, timer: id)]
    case .pauseTimer(let id): [Fact(.timerPause, timer: id)]
    case .resetTimer(let id): [Fact(.timerReset, timer: id)]
    case .resetShot(let to): [Fact(.timerReset, timer: .shot, to: GameTimeText.text(to))]
    case .setTimer(let id, let to): [Fact(.timerSet, timer: id, to: GameTimeText.text(to))]
    case .addTimer(let id, let by):
      [
        Fact(
          .timerSet, timer: id,
          by: "\(by < 0 ? "-" : "+")\(GameTimeText.text(by < 0 ? 0 - max(by, -.max) : by))")
      ]
    case .addPenalty(let team, let length, let number):
      [Fact(.penalty, team: team, player: number, to: length.map { GameTimeText.text($0) })]
    case .endPenalty(let team, let number): [Fact(.penaltyEnd, team: team, player: number)]
    case .clearPenalties(let team): [Fact(.penaltiesClear, team: team)]
    case .swapSides: [Fact(.swap)]
    case .endMatch: [Fact(.matchEnd)]
    case .newGame: [Fact(.newGame)]
    case .reset: [Fact(.reset)]
    case .restore: [Fact(.restore)]
    // In the history, a toggle is a start or a pause.
    case .undo, .redo, .undoSteps, .redoSteps, .toggleTimer: []
    // `Match.outcome` describes them.
    case .startBreak, .endBreak: []
    }
  }

  static func signed(_ number: Int) -> String { number < 0 ? "\(number)" : "+\(number)" }

  /// The fact with the values before and after, if a patch has them. Two actions make no patch: a redo that
  /// changes nothing; and one that sets the period back after the clock has ended it, because the end itself
  /// was not stored yet.
  private func numbers(_ fact: Fact) -> Fact {
    var fact = fact
    for patch in patches {
      switch (patch, Fact.Kind(rawValue: fact.what)) {
      case (.score(fact.team, let from, let to), .score), (.period(let from, let to), .period):
        (fact.from, fact.to) = (String(from), String(to))
      case (.counters(fact.team, let from, let to), .counter):
        let counter = fact.counter ?? ""
        (fact.from, fact.to) = (String(from[counter] ?? 0), String(to[counter] ?? 0))
      default: continue
      }
      fact.by = nil
      break
    }
    return fact
  }
}
