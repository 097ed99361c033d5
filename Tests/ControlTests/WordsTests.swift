// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Control

@Suite struct WordsTests {
  @Test(
    "Words of 'set' are a call of the interface",
    arguments: [
      ("period 3", "SetPeriod", #"{"period":3}"#), ("period +1", "AddPeriod", #"{"periods":1}"#),
      ("period -1", "AddPeriod", #"{"periods":-1}"#), ("serve home", "SetServing", #"{"team":"home"}"#),
      ("serve none", "SetServing", "{}"), ("home name LIONS", "SetTeam", #"{"name":"LIONS","team":"home"}"#),
      ("home name -5ers", "SetTeam", #"{"name":"-5ers","team":"home"}"#),
      ("home short-name LIO", "SetTeam", #"{"shortName":"LIO","team":"home"}"#),
      ("home color #f80", "SetTeam", ##"{"color":"#f80","team":"home"}"##),
      ("home fouls 3", "SetCounter", #"{"counter":"fouls","team":"home","value":3}"#),
      ("home fouls -1", "AddCounter", #"{"counter":"fouls","team":"home","value":-1}"#),
      ("home period-score 2 25", "SetPeriodScore", #"{"period":2,"score":25,"team":"home"}"#),
    ])
  func setting(_ line: String, _ method: String, _ parameters: String) throws {
    let words = CommandLineWords.arranged(["set"] + line.split(separator: " ").map(String.init)).dropFirst()
    guard case .change(let called, let value) = try ControlCommand.set(Array(words)) else {
      Issue.record("no change")
      return
    }
    #expect(called == method)
    #expect(JSONValue.object(value).text == parameters)
  }

  @Test("'set TEAM score' is the score")
  func scores() throws {
    #expect(try ControlCommand.set(["home", "score", "7"]) == .setScore(team: "home", score: 7))
    #expect(try ControlCommand.set(["home", "score", " -1"]) == .addScore(team: "home", points: -1))
  }

  @Test(
    "Words of 'timer' are a call of the interface",
    arguments: [
      ("start", false, "StartTimer", #"{"timer":"game"}"#),
      ("pause", true, "PauseTimer", #"{"timer":"shot"}"#),
      ("reset", false, "ResetTimer", #"{"timer":"game"}"#),
      ("set 10:00", false, "SetTimer", #"{"milliseconds":600000,"timer":"game"}"#),
      ("set 7.5", true, "SetTimer", #"{"milliseconds":7500,"timer":"shot"}"#),
      ("set +30", false, "AddTimer", #"{"milliseconds":30000,"timer":"game"}"#),
      ("add 1:00", false, "AddTimer", #"{"milliseconds":60000,"timer":"game"}"#),
      ("add -0:30", false, "AddTimer", #"{"milliseconds":-30000,"timer":"game"}"#),
      ("reset 14", true, "ResetTimer", #"{"milliseconds":14000,"timer":"shot"}"#),
    ])
  func timers(_ line: String, _ isShot: Bool, _ method: String, _ parameters: String) throws {
    let words = CommandLineWords.arranged(["timer"] + line.split(separator: " ").map(String.init)).dropFirst()
    guard case .change(let called, let value) = try ControlCommand.timer(Array(words), isShot: isShot) else {
      Issue.record("no change")
      return
    }
    #expect(called == method)
    #expect(JSONValue.object(value).text == parameters)
  }

  @Test(
    "Words for a key are calls too",
    arguments: [
      ("timer reset --shot 14", "ResetTimer", #"{"milliseconds":14000,"timer":"shot"}"#),
      ("penalty home", "AddPenalty", #"{"team":"home"}"#),
      (
        "penalty home 2:00 --number 17", "AddPenalty",
        #"{"milliseconds":120000,"number":17,"team":"home"}"#
      ),
      ("penalty home --end", "EndPenalty", #"{"team":"home"}"#),
      ("penalty home --end --number 4", "EndPenalty", #"{"number":4,"team":"home"}"#),
      ("penalty guest --clear", "ClearPenalties", #"{"team":"guest"}"#),
      ("undo", "Undo", "{}"), ("undo 3", "Undo", #"{"count":3}"#), ("redo 2", "Redo", #"{"count":2}"#),
    ])
  func keys(_ line: String, _ method: String, _ parameters: String) throws {
    guard case .change(let called, let value) = try ControlCommand(parsing: line) else {
      Issue.record("no change")
      return
    }
    #expect(called == method && JSONValue.object(value).text == parameters)
  }

  @Test(
    "Words of penalties and undo that say nothing are answered with what to say",
    arguments: [
      ("penalty", "takes a team and a time"), ("penalty home 2:00 x", "takes a team and a time"),
      ("penalty home x", "'x' is not the time"), ("penalty home -1:00", "'-1:00' is not the time"),
      ("penalty home 0", "'0' is not the time"), ("penalty home --number", "takes a player's number"),
      ("penalty home --number 1000", "0 to 999"), ("penalty home --end --clear", "--end and --clear"),
      ("penalty home --clear --number 3", "--end and --clear"), ("penalty home 2:00 --end", "--end and"),
      ("undo 0", "a number of changes from 1"), ("undo x", "a number of changes from 1"),
      ("redo 1 2", "a number of changes from 1"), ("timer reset 14", "takes no time"),
      ("timer reset --shot x", "'x' is not a time"), ("timer reset --shot -3", "is not a time"),
    ])
  func keyProblems(_ line: String, _ words: String) {
    #expect(ControlCommand.problem(in: line)?.contains(words) == true)
  }

  @Test(
    "Words that say nothing are answered with what to say",
    arguments: [
      ("set", "takes 'period N'"), ("set period", "'set period' takes a number"),
      ("set serve", "'set serve' takes a team"), ("set home", "lacks what to set"),
      ("set home fouls", "lacks the value"), ("set home name RED LIONS x", "stands in quotes"),
      ("set period 1 2 3", "too many words"),
      ("set period x", "'x' is not a whole number"),
      ("set home nmae LIONS", "did you mean 'name'"), ("set home color red", "write '#ff8800'"),
      ("set home score x", "not a whole number"), ("set home period-score 2", "'set home period-score 2 25'"),
      ("set home period-score 2 +1", "'+1' is relative"), ("set home period-score +1 2", "'+1' is relative"),
      ("timer", "start, pause"), ("timer strat", "did you mean 'start'"), ("timer start 5", "takes no time"),
      ("timer set", "'10:00'"), ("timer set 10:60", "'10:00'"), ("timer add x", "'10:00'"),
    ])
  func problems(_ line: String, _ words: String) {
    let all = line.split(separator: " ").map(String.init)
    let rest = Array(all.dropFirst())
    var problem = ""
    do throws(UsageProblem) {
      _ = try all[0] == "set" ? ControlCommand.set(rest) : ControlCommand.timer(rest, isShot: false)
    } catch { problem = error.description }
    #expect(problem.contains(words), "\(problem)")
  }

  @Test("A match is one line for people, and its history one line a change")
  func texts() throws {
    let daemon = try TestDaemon()
    #expect(
      daemon.run(
        .change(
          "AddCounter",
          [
            "team": .string("home"), "counter": .string("fouls"),
            "value": .integer(2),
          ])
      ).text == "fouls of home: 0 → 2\n")
    #expect(daemon.run(.change("PauseTimer", [:])).text == "nothing changed\n")
    let time = LocalTime.text("2024-03-01T10:00:00Z")
    #expect(daemon.run(.history(limit: 5)).text == "      \(time)  fouls of home: 0 → 2\n")
    #expect(daemon.run(.change("Undo", [:])).text == "undone: fouls of home: 0 → 2\n")
    #expect(daemon.run(.history(limit: 5)).text == "undone \(time)  fouls of home: 0 → 2\n")
    #expect(daemon.run(.change("Undo", [:])).diagnostics == ["there is nothing to undo"])
    var client = try ControlClient(candidates: [daemon.socket])
    var lines: [String] = []
    try ControlCommand.watch(on: &client, json: false) { line in
      lines.append(String(decoding: line, as: UTF8.self))
      return false
    }
    #expect(lines == ["HOME 7 : 0 GUEST  QUARTER 1  game 10:00  shot 0:24\n"])
  }
}
