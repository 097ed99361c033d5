// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import TestSupport
import Testing

@testable import WallState

@Suite("Scoreboards that wait for their moment") struct DelayedScoreboardsTests {
  private static func scoreboard(_ score: Int) -> Scoreboard {
    Scoreboard(teams: [.init(id: "home", name: "HOME", score: score)])
  }

  private static func score(_ scoreboard: Scoreboard) -> Int { scoreboard.teams[0].score }

  @Test("Whatever the order of moments, scoreboards are shown in order, and none before its moment")
  func order() {
    for seed in 0..<TestEffort.rounds(200, long: 5_000) {
      var random = SplitMix(seed: UInt64(seed))
      var delayed = DelayedScoreboards()
      var latest = 0
      var moments: [Int64] = [.min]
      var now: Int64 = 0
      var shown = Self.score(delayed.displayed(Self.scoreboard(0)))
      for _ in 0..<60 {
        now += Int64.random(in: 0...100, using: &random)
        if Bool.random(using: &random) {
          let before = Self.scoreboard(latest)
          latest += 1
          let moment = now + Int64.random(in: -50...200, using: &random)
          delayed.add(Self.scoreboard(latest), showAt: moment, insteadOf: before)
          moments.append(moment)
        }
        let next = delayed.next
        let due = delayed.take(at: now)
        #expect((due != nil) == (next.map { $0 <= now } ?? false))
        let score = Self.score(delayed.displayed(Self.scoreboard(latest)))
        #expect(score >= shown, "seed \(seed): a board is shown again")
        #expect(moments[0...score].allSatisfy { $0 <= now }, "seed \(seed): a board is early")
        shown = score
      }
      _ = delayed.take(at: .max)
      #expect(Self.score(delayed.displayed(Self.scoreboard(latest))) == latest && delayed.next == nil)
    }
  }

  @Test("After a flush the newest scoreboard is shown at once")
  func flush() {
    var delayed = DelayedScoreboards()
    delayed.add(Self.scoreboard(1), showAt: 100, insteadOf: Self.scoreboard(0))
    #expect(Self.score(delayed.displayed(Self.scoreboard(1))) == 0)
    delayed.flush()
    #expect(Self.score(delayed.displayed(Self.scoreboard(1))) == 1 && delayed.next == nil)
  }
}
