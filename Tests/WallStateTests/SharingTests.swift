// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import JSON
import Scoreboard
import Settings
import TestSupport
import Testing
import Varlink

@testable import WallState
@testable import Walls

@Suite("Walls that share a match") struct SharingTests {
  private func settled(_ leads: [Bool] = [true, false]) -> TestHall {
    var hall = TestHall(leads)
    hall.pass(15)
    return hall
  }

  private func isMatch(_ answer: Result<ChangeReply, ControlError>?) -> Bool {
    if case .success(.match)? = answer { true } else { false }
  }

  // MARK: Points

  @Test("The wall that the config names leads, the others follow, and all are synchronized")
  func roles() {
    let hall = settled([true, false, false])
    #expect(hall.role(0) == "leader" && hall.role(1) == "follower" && hall.role(2) == "follower")
    for index in 0..<3 {
      #expect(hall.status(index)?.reachable == true && hall.status(index)?.synchronized == true)
      #expect(!hall.walls[index].wall.isCutOff && hall.walls[index].wall.isReady)
    }
  }

  @Test("A point on the leader's wall appears on all walls at the same moment")
  func point() {
    var hall = settled([true, false, false])
    let ticket = hall.command(0, "add-score home 2")
    #expect(hall.shown == [0, 0, 0] && hall.scores[0] == 2)
    hall.pass(0.149)
    #expect(hall.shown == [0, 0, 0] && hall.scores == [2, 2, 2])
    hall.pass(0.002)
    #expect(hall.shown == [2, 2, 2])
    #expect(isMatch(hall.answer(0, ticket)))
  }

  @Test("A point on a follower's wall is performed by the leader, once, and answered")
  func forwarded() {
    var hall = settled([true, false, false])
    let ticket = hall.command(1, "add-score home 3")
    #expect(hall.answer(1, ticket) == nil && hall.scores == [0, 0, 0])
    hall.pass(0.2)
    #expect(hall.shown == [3, 3, 3])
    guard case .success(.match(let change))? = hall.answer(1, ticket) else {
      Issue.record("\(String(describing: hall.answer(1, ticket)))")
      return
    }
    #expect(change.state.teams[0].score == 3 && change.what != nil)
  }

  @Test("Each wall lists a finished match once, also one that was not connected when the next game began")
  func finishedMatches() throws {
    var hall = settled([true, false, false])
    func lists() -> [[[Int]]] {
      hall.walls.map { $0.wall.finished.matches.map { $0.teams.map(\.score) } }
    }
    _ = hall.command(1, "add-score home 3")
    hall.pass(5)
    #expect(lists() == [[], [], []])
    _ = hall.command(1, "new-game")
    hall.pass(5)
    #expect(lists() == [[[3, 0]], [[3, 0]], [[3, 0]]])
    #expect(Set(hall.walls.map { $0.wall.finished.matches.map(\.id) }).count == 1)
    _ = hall.command(0, "undo")
    hall.pass(5)
    #expect(lists() == [[], [], []])
    hall.disconnect(2)
    for text in ["add-score guest 1", "new-game", "add-score guest 2", "reset", "add-score home 1"] {
      _ = hall.command(0, text)
      hall.pass(1)
    }
    hall.restart(2)
    hall.connect(2)
    hall.pass(15)
    #expect(lists() == Array(repeating: [[3, 1], [0, 2]], count: 3))
    for index in 0..<3 {
      let finished = hall.walls[index].wall.finished
      hall.restart(index)
      hall.connect(index)
      hall.pass(15)
      #expect(hall.walls[index].wall.finished == finished)
    }
  }

  @Test("A command with an id that is given on two walls counts once")
  func sameID() {
    var hall = settled([true, false, false])
    let first = hall.command(1, "add-score home 1", Terms(id: "a"))
    let second = hall.command(2, "add-score home 1", Terms(id: "a"))
    hall.pass(1)
    #expect(hall.scores == [1, 1, 1])
    #expect(isMatch(hall.answer(1, first)) && isMatch(hall.answer(2, second)))
  }

  @Test("A command that the leader refuses is refused on the follower's wall, with the same error")
  func refused() {
    var hall = settled()
    let ticket = hall.command(1, "redo")
    hall.pass(1)
    #expect(hall.answer(1, ticket) == .failure(ControlError(.nothingToRedo)))
    #expect(hall.command(1, "add-score home 1000") != -1)
    hall.pass(1)
    #expect(hall.scores == [0, 0])
  }

  @Test("Undo takes back the last point of the shared match, whichever wall gave it", arguments: [0, 1])
  func undo(wall: Int) {
    var hall = settled()
    _ = hall.command(1, "add-score home 2")
    hall.pass(1)
    _ = hall.command(0, "add-score home 1")
    hall.pass(1)
    let ticket = hall.command(wall, "undo")
    hall.pass(1)
    #expect(hall.shown == [2, 2] && isMatch(hall.answer(wall, ticket)))
  }

  @Test("Page, light, message and brightness are changed on one wall only")
  func ownDisplay() {
    var hall = settled()
    for text in ["show match", "message HELLO", "brightness 40%", "blank"] {
      let ticket = hall.command(1, text)
      guard case .success? = hall.answer(1, ticket) else {
        Issue.record("\(text): \(String(describing: hall.answer(1, ticket)))")
        continue
      }
    }
    hall.pass(1)
    let (leader, follower) = (hall.walls[0].wall.shown, hall.walls[1].wall.shown)
    #expect(leader.page == "main" && follower.page == "match")
    #expect(leader.message == nil && follower.message == "HELLO")
    #expect(!leader.lights.common.isDark && follower.lights.common.isBlank)
  }

  @Test("A game clock runs on all walls, by the leader's time")
  func clock() throws {
    var hall = settled()
    _ = hall.command(1, "timer start")
    hall.pass(30)
    let readings = hall.walls.map {
      $0.wall.match.scoreboard.reading(of: .game, at: $0.now.clock)?.value ?? 0
    }
    #expect(abs(readings[0] - readings[1]) < second / 50)
    #expect(abs(readings[0] - (600 - 29) * second) < 2 * second)
    // Only the leader saves a running clock.
    let saves = hall.walls.map(\.saves)
    hall.pass(30)
    #expect((2...4).contains(hall.walls[0].saves - saves[0]) && hall.walls[1].saves == saves[1])
    // Both walls report its end.
    let before = hall.walls.map(\.reached)
    hall.pass(600)
    #expect(zip(hall.walls.map(\.reached), before).allSatisfy { $0 > $1 })
  }

  @Test("A break is on all walls, whoever began it, and ends there at the same moment", arguments: [0, 1])
  func breaks(wall: Int) throws {
    var hall = settled()
    func left(_ index: Int) -> Int64? {
      let wall = hall.walls[index]
      return wall.wall.match.scoreboard.reading(of: .breakClock, at: wall.now.clock).map { $0.value / second }
    }
    _ = hall.command(wall, "time-out home")
    hall.pass(30.5)
    #expect(left(0) == 29 && left(1) == 29)
    // The rules are the leader's, and the scorer overrules them on any wall.
    _ = hall.command(0, "set home timeouts +1")
    _ = hall.command(1 - wall, "set home timeouts +1 --anyway")
    hall.pass(65)
    #expect(hall.walls.map(\.breakName) == ["time-out", "time-out"])
    hall.pass(6)
    #expect(hall.walls.map(\.breakName) == [nil, nil])
    _ = hall.command(wall, "undo")
    hall.pass(1)
    #expect(hall.walls.map(\.breakName) == [nil, nil])
    // An interval begins by itself, and nobody sends anything.
    _ = hall.command(wall, "timer start")
    hall.pass(610)
    #expect(hall.walls.map(\.breakName) == ["interval", "interval"])
    #expect(abs((left(0) ?? 0) - (left(1) ?? 9)) <= 1)
    hall.pass(125)
    #expect(hall.walls.map(\.breakName) == [nil, nil])
  }

  // MARK: Failures of the network

  @Test("A follower that does not hear the leader refuses commands, and shows that it is cut off")
  func cutOff() {
    var hall = settled()
    hall.disconnect(1)
    hall.pass(4)
    #expect(hall.walls[1].wall.isCutOff && !hall.walls[1].wall.isReady && hall.walls[1].wall.shown.isCutOff)
    let ticket = hall.command(1, "add-score home 1")
    #expect(hall.answer(1, ticket) == .failure(.leaderUnreachable(board: "hall")))
    hall.connect(1)
    hall.pass(10)
    #expect(!hall.walls[1].wall.isCutOff && hall.walls[1].wall.isReady)
  }

  @Test("A command in transit when the connection breaks is answered once, with an unknown result")
  func lostOnTheWay() {
    var hall = settled()
    let ticket = hall.command(1, "add-score home 1")
    hall.disconnect(1)
    #expect(hall.answer(1, ticket) == .failure(.leaderSilent(board: "hall")))
    hall.connect(1)
    hall.pass(10)
    #expect(hall.answer(1, ticket) == .failure(.leaderSilent(board: "hall")))
    #expect(Set(hall.shown).count == 1)
  }

  @Test("A leader by config continues alone, and the followers get its points later")
  func aloneLeader() {
    var hall = settled()
    hall.disconnect(0)
    hall.pass(10)
    let ticket = hall.command(0, "add-score home 2")
    #expect(isMatch(hall.answer(0, ticket)) && hall.shown[0] == 2)
    hall.connect(0)
    hall.pass(10)
    #expect(hall.shown == [2, 2])
  }

  @Test("A follower that reconnects late gets every change")
  func late() {
    var hall = settled([true, false, false])
    hall.disconnect(2)
    for _ in 0..<20 {
      _ = hall.command(0, "add-score home 1")
      hall.pass(1)
    }
    hall.connect(2)
    hall.pass(10)
    #expect(hall.shown == [20, 20, 20])
    let ticket = hall.command(2, "undo")
    hall.pass(1)
    #expect(hall.shown == [19, 19, 19] && isMatch(hall.answer(2, ticket)))
  }

  // MARK: The lead

  @Test("A follower takes the lead over while the leader lives, and nobody needs to confirm it")
  func takeover() {
    var hall = settled()
    let waited = hall.walls[0].waited
    _ = hall.command(0, "add-score home 5")
    hall.pass(1)
    #expect(hall.walls[0].waited == waited, "a point is shown late")
    let ticket = hall.command(1, "lead")
    hall.pass(2)
    #expect(hall.walls[0].waited > waited, "the lead is given away before that is saved")
    #expect(hall.answer(1, ticket) == .success(.led(changed: true)))
    #expect(hall.role(1) == "leader" && hall.role(0) == "follower")
    _ = hall.command(0, "add-score home 1")
    hall.pass(1)
    #expect(hall.shown == [6, 6])
    let again = hall.command(1, "lead")
    #expect(hall.answer(1, again) == .success(.led(changed: false)))
  }

  @Test("When the leader is gone, a person has to confirm the takeover")
  func confirmedTakeover() {
    var hall = settled([false, true])
    _ = hall.command(1, "add-score home 5")
    hall.pass(1)
    hall.disconnect(1)
    hall.pass(60)
    let refused = hall.command(0, "lead")
    guard case .failure(.takeoverUnconfirmed("hall", let seconds))? = hall.answer(0, refused) else {
      Issue.record("\(String(describing: hall.answer(0, refused)))")
      return
    }
    #expect((55...62).contains(seconds ?? 0))
    let ticket = hall.command(0, "lead --anyway")
    hall.pass(2)
    #expect(hall.answer(0, ticket) == .success(.led(changed: true)) && hall.role(0) == "leader")
    let point = hall.command(0, "add-score home 1")
    hall.pass(6)
    #expect(hall.scores[0] == 6 && isMatch(hall.answer(0, point)))
  }

  @Test("A wall that has never received the match cannot take the lead over")
  func neverReceived() {
    var hall = TestHall([false, true], isConnected: false)
    hall.pass(5)
    let ticket = hall.command(0, "lead")
    #expect(hall.answer(0, ticket) == .failure(.neverReceived(board: "hall")))
    let point = hall.command(0, "add-score home 1")
    guard case .failure? = hall.answer(0, point) else {
      Issue.record("performed on a wall that has no match")
      return
    }
  }

  @Test("'lead' and messages of others are refused on a wall that shares nothing")
  func alone() {
    var wall = TestWall()
    let ticket = wall.ask(.lead(anyway: true))
    #expect(wall.answers[ticket] == .failure(.noSharedBoard))
    #expect(throws: ControlError.noSharedBoard) {
      try wall.change { (wall, now, effects) throws(ControlError) in
        try wall.receive("{}", isLive: true, at: now, &effects)
      }
    }
    #expect(wall.wall.identity == nil && wall.wall.sharedStatus == nil && wall.wall.isReady)
  }

  @Test("A malformed message is refused, and changes nothing")
  func malformed() {
    var hall = settled()
    let before = hall.walls[1].wall.shown
    for text in ["", "{", "[]", "{\"v\":2}", String(repeating: "x", count: 100_000)] {
      hall.change(1) { wall in
        #expect(throws: ControlError.self, "\(text.prefix(10))") {
          try wall.change { (wall, now, effects) throws(ControlError) in
            try wall.receive(text, isLive: true, at: now, &effects)
          }
        }
      }
    }
    #expect(hall.walls[1].wall.shown == before)
  }

  // MARK: Restarts and saving

  @Test("After a restart a wall has its role, the shared match and its own match", arguments: [0, 1])
  func restart(index: Int) {
    var hall = TestHall([true, false], isConnected: false)
    hall.change(1) { _ = try? $0.command("add-score guest 9") }
    hall.connect(0)
    hall.connect(1)
    hall.pass(15)
    _ = hall.command(0, "add-score home 4")
    hall.pass(1)
    hall.restart(index)
    // The leader must not claim that such a command was not performed: another wall may have performed it
    // meanwhile.
    let gap = hall.walls[index].wall.performed.gap
    #expect(index == 0 ? gap?.board == "hall" && gap?.end == hall.walls[0].now.clock : gap == nil)
    hall.pass(0.1)
    #expect(hall.shown == [4, 4])
    hall.connect(index)
    hall.pass(10)
    #expect(hall.role(0) == "leader" && hall.role(1) == "follower")
    _ = hall.command(1, "add-score home 1")
    hall.pass(1)
    #expect(hall.shown == [5, 5])
  }

  @Test("A wall that no longer follows shows its own match again, as it was")
  func ownMatch() {
    var hall = TestHall([true, false], isConnected: false)
    hall.change(1) { _ = try? $0.command("add-score home 9") }
    hall.connect(0)
    hall.connect(1)
    hall.pass(15)
    _ = hall.command(0, "add-score home 4")
    hall.pass(1)
    #expect(hall.shown == [4, 4] && hall.walls[1].wall.saved.match.scoreboard.team("home")?.score == 9)
    hall.change(1) { $0.adopt(TestWall.configuration()) }
    #expect(hall.shown == [4, 9] && hall.walls[1].wall.identity == nil)
    // Then it follows again.
    hall.change(1) { wall in wall.adopt(TestWall.configuration { $0.walls = TestHall.settings(false, 1) }) }
    hall.pass(15)
    #expect(hall.shown == [4, 4])
  }

  @Test("A reload makes the follower the leader while both are connected, and nothing is lost")
  func reloadLead() {
    var hall = settled()
    _ = hall.command(0, "add-score home 4")
    hall.pass(1)
    let identity = hall.walls[1].wall.identity
    hall.change(1) { wall in wall.adopt(TestWall.configuration { $0.walls = TestHall.settings(true, 1) }) }
    #expect(hall.walls[1].wall.identity != identity, "nobody tells the new member of the connection")
    hall.change(0) { wall in wall.adopt(TestWall.configuration { $0.walls = TestHall.settings(false, 0) }) }
    hall.pass(20)
    #expect(hall.role(1) == "leader" && hall.role(0) == "follower")
    let ticket = hall.command(0, "add-score home 1")
    hall.pass(1)
    #expect(hall.shown == [5, 5] && isMatch(hall.answer(0, ticket)))
  }

  @Test("A follower of another game that becomes the leader by its config sets the match aside")
  func reloadLeadOfOtherGame() {
    var hall = settled()
    _ = hall.command(0, "add-score home 4")
    hall.pass(1)
    hall.change(1) { wall in
      wall.adopt(
        TestWall.configuration {
          $0.walls = TestHall.settings(true, 1)
          $0.game.rules = GameRules(.volleyball)
        })
    }
    #expect(hall.walls[1].wall.match.scoreboard.rules.preset == "volleyball")
    #expect(hall.walls[1].asides.map { $0.scoreboard.team("home")?.score } == [4])
  }

  @Test("A leader whose config names another one follows from its next start")
  func restartAsFollower() {
    var hall = settled()
    hall.restart(0) { $0.walls = TestHall.settings(false, 0) }
    #expect(hall.role(0) == "follower")
  }

  @Test("The first change after a restart has a revision that the match has reached nowhere else")
  func revisions() {
    var hall = settled()
    _ = hall.command(0, "add-score home 1")
    hall.pass(1)
    let before = hall.walls[0].wall.match.revision
    _ = hall.command(0, "add-score home 1")
    hall.pass(1)
    #expect(hall.walls[0].wall.match.revision == before + 1)
    hall.restart(0)
    hall.connect(0)
    hall.pass(10)
    _ = hall.command(0, "add-score home 1")
    #expect(hall.walls[0].wall.match.revision > before + 2)
  }

  @Test("A reload that changes nothing of [walls] keeps the member")
  func reloadSame() {
    var hall = settled()
    let identity = hall.walls[1].wall.identity
    hall.change(1) { wall in
      wall.adopt(TestWall.configuration { $0.walls = TestHall.settings(false, 1) }, [entry("n", 1, 2)])
    }
    #expect(hall.walls[1].wall.identity == identity && hall.walls[1].wall.isReady)
  }

  @Test("Clients that wait when [walls] changes get an answer")
  func answeredAtReload() {
    var hall = settled()
    let point = hall.command(1, "add-score home 1")
    let lead = hall.command(1, "lead")
    #expect(hall.answer(1, point) == nil && hall.answer(1, lead) == nil)
    hall.change(1) { $0.adopt(TestWall.configuration()) }
    #expect(hall.answer(1, point) == .failure(.leaderSilent(board: "hall")))
    #expect(hall.answer(1, lead) == .failure(.noSharedBoard))
  }

  @Test("A point that could not be saved is shown, but not acknowledged")
  func unsaved() {
    var hall = settled()
    hall.change(0) { $0.saveFailure = "No space left on device" }
    let ticket = hall.command(0, "add-score home 1")
    hall.pass(1)
    #expect(hall.answer(0, ticket) == .failure(.stateNotSaved(reason: "No space left on device")))
    #expect(hall.shown == [1, 1])
  }

  @Test("A leader that is not the config's acknowledges a point only when the broker has it")
  func echo() {
    var hall = settled()
    _ = hall.command(1, "lead")
    hall.pass(3)
    #expect(hall.role(1) == "leader")
    let ticket = hall.command(1, "add-score home 1")
    #expect(hall.answer(1, ticket) == nil)
    hall.pass(0.01)
    #expect(isMatch(hall.answer(1, ticket)))
    hall.disconnect(1)
    let lost = hall.command(1, "add-score home 1")
    hall.pass(10)
    guard case .failure? = hall.answer(1, lost) else {
      Issue.record("acknowledged: \(String(describing: hall.answer(1, lost)))")
      return
    }
  }

  @Test("The rules and teams of the leader cause new widgets, which show its teams")
  func foreignRules() {
    var hall = TestHall([true, false], isConnected: false)
    hall.change(0) { wall in
      wall.adopt(
        TestWall.configuration {
          $0.walls = TestHall.settings(true, 0)
          $0.game.rules = GameRules(.volleyball)
        })
    }
    hall.connect(0)
    hall.connect(1)
    let rebuilds = hall.walls[1].rebuilds
    hall.pass(15)
    #expect(hall.walls[1].rebuilds > rebuilds)
    #expect(hall.walls[1].wall.match.scoreboard.rules.preset == "volleyball")
    #expect(hall.walls[1].wall.configuration.game.rules.preset == "basketball")
    #expect(hall.walls[1].wall.gameWarning == nil, "its own match has not changed")
  }

  @Test("A request of another wall that does not change the match is refused, with an answer")
  func onlyMatch() {
    var hall = settled()
    for call in [VarlinkCall(.change(.blank())), VarlinkCall(.status), VarlinkCall(method: "nonsense")] {
      let request = WallMessage.Request(
        method: call.member, parameters: JSONValue.object(call.parameters).text, time: 0)
      hall.change(1) { wall in
        var part = wall.wall.part
        let sent = part?.member.request(request, id: nil, at: wall.now)
        part?.forwarded[sent?.id ?? ""] = [-7]
        wall.wall.part = part
        wall.outbox += sent.map { [WallEffects.Outgoing(message: $0.message)] } ?? []
      }
      hall.pass(1)
      #expect(
        hall.answer(1, -7) == .failure(.failed(reason: "only changes of the match are performed")),
        "\(call)")
      hall.change(1) { $0.forget(-7) }
      #expect(!hall.walls[0].wall.isDark)
    }
  }

  @Test("In random order of points, cuts, restarts and takeovers, nothing acknowledged is lost")
  func random() {
    for seed in 0..<UInt64(TestEffort.rounds(10, long: 300)) {
      var random = SplitMix(seed: seed)
      var hall = settled([true, false, false])
      var (tickets, sum): ([(Int, Wall.Ticket, Int)], Int) = ([], 0)
      for _ in 0..<60 {
        let wall = random.int(0...2)
        switch random.int(0...9) {
        case 0 where wall > 0: if hall.isConnected[wall] { hall.disconnect(wall) }
        case 1: if !hall.isConnected[wall] { hall.connect(wall) }
        case 2 where wall > 0:
          // The results of its commands are no longer known.
          tickets.removeAll { $0.0 == wall && hall.answer($0.0, $0.1) == nil }
          hall.restart(wall)
          tickets.removeAll { $0.0 == wall }
          hall.connect(wall)
        case 3: hall.pass(5 * random.unit())
        default:
          let points = random.int(1...3)
          let ticket = hall.command(wall, "add-score home \(points)")
          if wall == 0 { sum += points }
          tickets.append((wall, ticket, points))
          hall.pass(random.unit())
        }
      }
      for wall in 0..<3 where !hall.isConnected[wall] { hall.connect(wall) }
      hall.pass(20)
      #expect(Set(hall.shown).count == 1, "seed \(seed): \(hall.shown)")
      #expect(hall.shown == hall.scores, "seed \(seed)")
      for (wall, ticket, _) in tickets {
        #expect(hall.answer(wall, ticket) != nil, "seed \(seed): a command of wall \(wall) is not answered")
      }
      let acknowledged = tickets.filter { isMatch(hall.answer($0.0, $0.1)) }.map(\.2).reduce(0, +)
      let possible = tickets.map(\.2).reduce(0, +)
      #expect((hall.scores[0] ?? 0) >= acknowledged, "seed \(seed): points are lost")
      #expect(sum <= hall.scores[0] ?? 0 && acknowledged <= possible, "seed \(seed)")
    }
  }
}
