// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import Scoreboard
import TestSupport
import Testing

@testable import Horn

/// Random matches, compared with the ends that the scoreboard itself reports.
@Suite struct RandomMatchTests {
  private struct End: Hashable, CustomStringConvertible {
    var sound: Sound
    var time: Int64
    var description: String { "\(sound.rawValue) at \(Double(time) / 1e9)" }
  }

  /// A state that reaches the horn at `arrival`; nil if the connection is lost then.
  private struct Message {
    var state: MatchState?
    var arrival: Int64
  }

  private static let second: Int64 = 1_000_000_000

  @Test(arguments: 0..<TestEffort.rounds(60, long: 3_000))
  func everyEndSoundsOnceAndNothingElseDoes(_ seed: Int) throws {
    var random = SplitMix(seed: UInt64(seed))
    let rules = Self.rules(&random)
    var match = Match(Scoreboard(teams: []))
    match.adopt([.init(id: "home", name: "HOME"), .init(id: "guest", name: "GUEST")], rules: rules, at: 0)
    var now: Int64 = 0
    var ends: [End] = []
    var messages = [Message(state: MatchState(match, at: 0), arrival: 0)]
    var lost: Range<Int64>?
    var losses: [Range<Int64>] = []

    /// Advances to `target`: sends the states that the daemon sends by itself, and adds the ends in between
    /// to `ends`.
    func pass(to target: Int64) {
      while let event = match.scoreboard.nextEvent(after: now), event <= target {
        ends += Self.ends(of: match.scoreboard, at: event)
        now = event
        send()
      }
      now = target
    }
    func send() {
      if let range = lost {
        guard now >= range.upperBound else { return }
        lost = nil
      }
      // States take up to 8 ms and stay in order.
      let arrival = max(now + Int64(random.int(0...8_000_000)), (messages.last?.arrival ?? 0) + 1)
      messages.append(Message(state: MatchState(match, at: now), arrival: arrival))
    }

    for _ in 0..<120 {
      var target = now + Int64(random.int(0...3_000)) * 1_000_000 + Int64(random.int(0...999_999))
      // What happens within some milliseconds of an end, on either side, is tested by EndWatchTests.
      while Self.isNear(match.scoreboard, from: now, target) { target += 40_000_000 }
      pass(to: target)
      if random.int(0...24) == 0, lost == nil {
        let range = now..<(now + Int64(random.int(1...6)) * Self.second)
        messages.append(Message(state: nil, arrival: max(now, (messages.last?.arrival ?? 0) + 1)))
        lost = range
        var back = range.upperBound
        while Self.isNear(match.scoreboard, from: now, back) { back += 40_000_000 }
        losses.append(range.lowerBound..<back)
        lost = range.lowerBound..<back
        pass(to: back)
        send()
        continue
      }
      _ = try? match.apply(Self.action(&random), at: now)
      send()
    }
    pass(to: now + 60 * Self.second)

    var expected: [End] = []
    for end in ends where !losses.contains(where: { $0.contains(end.time) }) {
      let separation = EndWatch.separation
      if expected.contains(where: { $0.sound == end.sound && end.time - $0.time < separation }) { continue }
      // A shot clock of its own that ends just after the period does not sound.
      if end.sound == .shot,
        ends.contains(where: { $0.sound == .period && (0..<separation).contains(end.time - $0.time) })
      {
        continue
      }
      expected.append(end)
    }
    let heard = Self.hear(messages)
    #expect(heard.map(\.sound) == expected.map(\.sound), "seed \(seed): \(heard) instead of \(expected)")
    for (a, b) in zip(heard, expected) {
      #expect((0...10_000_000).contains(a.time - b.time), "seed \(seed): \(a) instead of \(b)")
    }
  }

  @Test func theRandomMatchesHaveEndsOfAllKinds() throws {
    // Otherwise the test above would prove little.
    var counts: [Sound: Int] = [:]
    for seed in 0..<30 {
      var random = SplitMix(seed: UInt64(seed))
      var match = Match(Scoreboard(teams: []))
      match.adopt([.init(id: "home", name: "HOME")], rules: Self.rules(&random), at: 0)
      var now: Int64 = 0
      for _ in 0..<120 {
        let target = now + Int64(random.int(0...3_000)) * 1_000_000
        while let event = match.scoreboard.nextEvent(after: now), event <= target {
          for end in Self.ends(of: match.scoreboard, at: event) { counts[end.sound, default: 0] += 1 }
          now = event
        }
        now = target
        _ = try? match.apply(Self.action(&random), at: now)
      }
    }
    #expect(counts[.period, default: 0] > 30 && counts[.shot, default: 0] > 50, "\(counts)")
    #expect(counts[.breakEnd, default: 0] > 50 && counts[.breakWarning, default: 0] > 50, "\(counts)")
  }

  /// The clocks that end by themselves at `time`. A shot clock that the end of the game clock stops has not
  /// ended.
  private static func ends(of scoreboard: Scoreboard, at time: Int64) -> [End] {
    func ended(_ id: GameTimer.ID) -> Bool {
      scoreboard.reading(of: id, at: time - 1)?.isRunning == true
        && scoreboard.reading(of: id, at: time)?.isRunning == false
    }
    var ends: [End] = []
    if ended(.game) {
      ends.append(End(sound: .period, time: time))
    } else if ended(.shot) {
      ends.append(End(sound: .shot, time: time))
    }
    if ended(.breakClock) { ends.append(End(sound: .breakEnd, time: time)) }
    if let before = scoreboard.reading(of: .breakClock, at: time - 1), before.isRunning, !before.isWarning,
      scoreboard.reading(of: .breakClock, at: time)?.isWarning == true
    {
      ends.append(End(sound: .breakWarning, time: time))
    }
    return ends
  }

  /// Whether an end is less than 20 ms before or after `target`.
  private static func isNear(_ scoreboard: Scoreboard, from now: Int64, _ target: Int64) -> Bool {
    var time = now - 20_000_000
    while let event = scoreboard.nextEvent(after: time), event < target + 20_000_000 {
      if event > target - 20_000_000, !ends(of: scoreboard, at: event).isEmpty { return true }
      time = event
    }
    return false
  }

  private static func hear(_ messages: [Message]) -> [End] {
    var watch = EndWatch()
    var heard: [End] = []
    func advance(to limit: Int64) {
      while let next = watch.next, next <= limit {
        heard += watch.advance(to: next).map { End(sound: $0, time: next) }
      }
    }
    for message in messages {
      advance(to: message.arrival)
      guard let state = message.state else {
        watch.forget()
        continue
      }
      heard += watch.follow(state, at: message.arrival).map { End(sound: $0, time: message.arrival) }
    }
    advance(to: .max)
    return heard
  }

  private static func rules(_ random: inout SplitMix) -> GameRules {
    var rules = GameRules(.basketball)
    let direction = random.int(0...1) == 0 ? GameRules.Timer.Direction.up : .down
    let end = GameRules.Timer.End.allCases[random.int(0...2)]
    rules.game = GameRules.Timer(
      direction, length: 6 * second, overtimeLength: 3 * second, warning: second, end: end,
      continues: random.int(0...1) == 0)
    if random.int(0...4) > 0 { rules.shot = GameRules.Timer(.down, length: 2 * second, warning: second) }
    if random.int(0...5) == 0 { rules.game = nil }
    rules.shotFollows = random.int(0...2) > 0
    rules.penalties = [2 * second]
    (rules.breaks.intervals, rules.breaks.halfTime) = ([3 * second], 4 * second)
    (rules.breaks.timeOut, rules.breaks.warning) = (2 * second, second)
    return rules
  }

  private static func action(_ random: inout SplitMix) -> Scoreboard.Action {
    let timer = [GameTimer.ID.game, .game, .game, .shot, .shot, .breakClock][random.int(0...5)]
    return switch random.int(0...23) {
    case 0...4, 20...23: .startTimer(timer)
    case 5: .pauseTimer(timer)
    case 6: .resetTimer(.game)
    case 7, 8: .resetTimer(.shot)
    case 9: .setTimer(timer, to: Int64(random.int(0...5_000)) * 1_000_000)
    case 10: .addTimer(timer, by: Int64(random.int(-1_000...2_000)) * 1_000_000)
    case 11: .undo
    case 12: .redo
    case 13: .addPeriod(by: random.int(-1...1))
    case 14: .addPenalty(team: "home", length: nil, number: nil)
    case 15: .newGame
    case 16, 17: .startBreak(.timeOut(team: "home"), length: nil, anyway: true)
    case 18: [.endBreak, .startBreak(.interval, length: 1_500_000_000)][random.int(0...1)]
    default: .addScore(team: "home", by: 1)
    }
  }
}
