// SPDX-License-Identifier: Apache-2.0

extension Match {
  /// Whether the match that is played is `aside`, which was set aside and brought back.
  package func continues(_ aside: Scoreboard) -> Bool {
    for step in past.reversed() {
      switch step.action {
      case .restore(let match): return match.game == aside.game && match.teams == aside.teams
      case .newGame, .reset: return false
      default: continue
      }
    }
    return false
  }

  /// Numbers the game, if it has no number because it is new or of an older release.
  package mutating func identify(at now: Int64) {
    if scoreboard.game == 0 { scoreboard.game = scoreboard.nextGame(at: now) }
  }

  /// A game that another one has replaced.
  package struct EndedGame: Hashable, Sendable {
    /// As it was when the next game began.
    package var scoreboard: Scoreboard
    /// When its last change was made.
    package var changed: Int64
    /// When the next game began.
    package var ended: Int64
  }

  /// The games from `first` on that others have replaced, the oldest first, each reconstructed by undoing
  /// what came after it. Empty if the history does not contain the end of the game `first`, because it is
  /// another match's, or too short. A game without content is left out.
  ///
  /// - Parameter first: its number (`Scoreboard.game`).
  package func endedGames(from first: Int64) -> [EndedGame] {
    var games: [EndedGame] = []
    var earlier = scoreboard
    for index in past.indices.reversed() {
      guard earlier.game > first else { break }
      let (step, next) = (past[index], earlier.game)
      for patch in step.patches.reversed() { patch.apply(to: &earlier, undoing: true) }
      guard earlier.game != next else { continue }
      earlier.makeValid()
      guard earlier.hasContent else { continue }
      games.append(
        EndedGame(
          scoreboard: earlier, changed: index > past.startIndex ? past[index - 1].time : step.time,
          ended: step.time))
    }
    return games.last?.scoreboard.game == first ? games.reversed() : []
  }

  /// The numbers of the games that began with changes that were undone.
  package var undoneGames: Set<Int64> {
    Set(
      future.flatMap(\.patches).compactMap { patch in
        if case .game(_, let number) = patch { number } else { nil }
      })
  }
}

extension Scoreboard {
  /// When a change was made at `changed`, or when a timer or a penalty last warned or ended after it, until
  /// `end`.
  package func lastEvent(after changed: Int64, until end: Int64) -> Int64 {
    var last = changed
    while let next = nextEvent(after: last), next <= end { last = next }
    return last
  }
}
