// SPDX-License-Identifier: Apache-2.0

import JSON
import Scoreboard
import Testing

@testable import ControlCalls
@testable import Varlink
@testable import VarlinkSockets

@Suite struct ControlErrorTests {
  private static let interfaces = [ControlInterface.description, VarlinkService.description]

  /// The errors of the interface files: name, then the fields with their types.
  private static var declared: [String: [String: String]] {
    var errors: [String: [String: String]] = [:]
    for text in interfaces {
      let interface = text.split(separator: "\n").first { $0.hasPrefix("interface ") }?.dropFirst(10) ?? ""
      for line in text.split(separator: "\n") where line.hasPrefix("error ") {
        guard let open = line.firstIndex(of: "("), let close = line.lastIndex(of: ")") else { continue }
        let name = line[..<open].dropFirst(6).split(separator: " ").joined()
        var fields: [String: String] = [:]
        for field in line[open..<close].dropFirst().split(separator: ",") {
          let parts = field.split(separator: ":").map { $0.split(separator: " ").joined() }
          fields[parts[0]] = parts[1]
        }
        errors["\(interface).\(name)"] = fields
      }
    }
    return errors
  }

  private static let scoreboard = Scoreboard(teams: [
    .init(id: "home", name: "TSV NORD"), .init(id: "guest", name: "GUEST"),
  ])

  @Test(
    "A refusal of a counter has its name on the scoreboard and no id, whatever the limit and the part of the match",
    arguments: GameRules.Preset.allCases)
  func counterRefusals(preset: GameRules.Preset) throws {
    var seen = 0
    var rules = GameRules(preset)
    for (index, counter) in rules.counters.enumerated() {
      rules.counters[index].name = "\(counter.name) OF \(index)"
    }
    for counter in rules.counters {
      for period in 1...(rules.scoring == .total ? rules.periods + 2 : rules.periods) {
        for seconds: Int64? in [nil, 1] {
          for value in [0, 1, 2, counter.limit] {
            var scoreboard = Scoreboard(teams: [])
            scoreboard.adopt(
              [.init(id: "home", name: "LIONS"), .init(id: "guest", name: "SHARKS")], rules: rules)
            try scoreboard.apply(.setPeriod(to: period, anyway: true))
            if let seconds, let clock = scoreboard.reading(of: .game, at: 0), let end = clock.limit {
              let time = seconds * 1_000_000_000
              try scoreboard.apply(.setTimer(.game, to: clock.direction == .down ? time : end - time))
            }
            for _ in 0..<value {
              try scoreboard.apply(.addCounter(team: "home", counter: counter.id, by: 1, anyway: true))
            }
            let actions: [Scoreboard.Action] = [
              .addCounter(team: "home", counter: counter.id, by: 1),
              .addCounter(team: "home", counter: counter.id, by: 99),
              .addCounter(team: "home", counter: counter.id, by: 9999, anyway: true),
              .addCounter(team: "home", counter: counter.id, by: -value - 1),
              .setCounter(team: "home", counter: counter.id, to: counter.limit + 5),
              .startBreak(.timeOut(team: "home"), length: 60_000_000_000),
            ]
            for action in actions {
              var tried = scoreboard
              do throws(Scoreboard.Refusal) { try tried.apply(action) } catch {
                let message = ControlError(error, of: scoreboard).message
                if case .breakNotNow = error { continue }
                seen += 1
                #expect(message.contains(rules.counters.first { $0.id == counter.id }?.name ?? "?"))
                for other in rules.counters {
                  #expect(
                    !message.split { !$0.isLetter && $0 != "-" }.contains(Substring(other.id)), "\(message)")
                }
                #expect(!message.contains("'"), "\(message)")
              }
            }
          }
        }
      }
    }
    #expect(seen > 0 || rules.counters.isEmpty)
  }

  @Test("More points than win a set or the match are refused with the number that wins it")
  func tooManyPoints() throws {
    var scoreboard = Scoreboard(teams: [])
    scoreboard.adopt(
      [.init(id: "home", name: "LIONS"), .init(id: "guest", name: "SHARKS")], rules: GameRules(.tennis))
    try scoreboard.apply(.setPeriodScore(team: "home", period: 1, to: 5))
    try scoreboard.apply(.setScore(team: "home", to: 40))
    for (score, words) in [(40, "3 points are too many, because 1 wins SET 1"), (30, "because 2 win SET 1")] {
      try scoreboard.apply(.setScore(team: "home", to: score))
      var tried = scoreboard
      do throws(Scoreboard.Refusal) {
        try tried.apply(.addScore(team: "home", by: 3))
        Issue.record("\(score)")
      } catch {
        #expect(ControlError(error, of: scoreboard).message.contains(words), "\(error.message)")
      }
      #expect(tried == scoreboard)
    }
  }

  @Test(
    "Every error is decoded with the fields that the interface files declare, and its message is one line")
  func fields() {
    for (name, fields) in Self.declared {
      for isFull in [true, false] {
        var parameters: [String: JSONValue] = [:]
        for (field, type) in fields where isFull || !type.hasPrefix("?") {
          switch type {
          case "int", "?int": parameters[field] = .integer(3)
          case "[]string", "?[]string": parameters[field] = .array([.string("home")])
          default: parameters[field] = .string("too_long")
          }
        }
        let wire = VarlinkError(name: name, parameters: parameters)
        let error = ControlError(wire)
        #expect(error.wire == wire && error != .unknown(wire), "\(name): the fields differ from \(fields)")
        #expect(!error.message.isEmpty && !error.message.contains("\n"))
        #expect(!error.message.contains("refused:"))
      }
    }
  }

  @Test("An unknown error is kept unchanged")
  func unknown() {
    for error in [
      VarlinkError(name: "org.flipclock.Control.FromTheFuture", parameters: ["x": .bool(true)]),
      VarlinkError(name: "org.flipclock.Control.UnknownTeam", parameters: ["team": .integer(1)]),
    ] {
      #expect(ControlError(error) == .unknown(error) && ControlError(error).wire == error)
      #expect(ControlError(error).message.hasPrefix("refused: \(error.name)"))
    }
  }

  @Test(
    "Messages say what is wrong and what to do",
    arguments: [
      (ControlError(.tooManySteps(count: 4, known: 3)), "only 3 changes"),
      (ControlError(.tooManySteps(count: 0, known: 3)), "at least 1"),
      (ControlError(.periodOver(period: "SET 1", result: "25 : 20")), "SET 1 is over, 25 : 20"),
      (ControlError(.matchOver(result: "3 : 1")), "the match is over, 3 : 1"),
      (
        ControlError(.bust(points: 140, left: 121)),
        "bust: 140 is more than the 121 left; the turn scores nothing"
      ),
      (ControlError(.bust(points: 120, left: 121)), "bust: 120 leaves 1"),
      (ControlError(.turnOutOfRange(points: 181, maximum: 180)), "at most 180"),
      (ControlError(.impossibleTurn(points: 179)), "three darts cannot score 179"),
      (ControlError(.impossibleFinish(points: 169)), "cannot finish 169 with a double; if the last dart"),
      (ControlError(.impossibleFinish(points: 180)), "cannot finish 180 with a double; the maximum is 170"),
      (
        ControlError(.unknownTeam(team: "TSV", known: ["home", "guest"]), of: Self.scoreboard),
        "unknown team 'TSV'; did you mean 'home'? (known: home (TSV NORD), guest)"
      ),
      (
        ControlError(.unknownTeam(team: "TSV Nor", known: ["home", "guest"]), of: Self.scoreboard),
        "did you mean 'home'?"
      ),
      (
        ControlError(.unknownTeam(team: "hme", known: ["home", "guest"]), of: Self.scoreboard),
        "did you mean 'home'?"
      ),
      (ControlError(.noPenalties), "penalties = ["),
      (ControlError(.tooManyPenalties(team: "home", limit: 8)), "penalty home --end"),
      (ControlError(.penaltyOutOfRange(0)), "5999:59"),
      (ControlError(.noPenalty(team: "home", number: nil)), "home has no penalty"),
      (
        .noSuchOutput(output: "X", known: ["DP-1", "left"]), "there is no display 'X'; there are: DP-1, left"
      ),
      (.noSuchOutput(output: "X", known: []), "there is no display 'X'; no display is connected"),
      (ControlError(.noPenalty(team: "home", number: 4)), "player 4 of home"),
      (ControlError(.badColor(1 << 24)), "'color'"), (ControlError(.playerOutOfRange(1000)), "'number'"),
    ] as [(ControlError, String)])
  func messages(_ error: ControlError, _ words: String) {
    #expect(error.message.contains(words), "\(error.message)")
    #expect(ControlError(error.wire) == error)
  }
}
