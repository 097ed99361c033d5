// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Control

@Suite struct KeyCommandTests {
  @Test(
    "A key stands for a command in flipclockctl's words",
    arguments: [
      ("set-score home 7", .setScore(team: "home", score: 7)),
      ("add-score home +1", .addScore(team: "home", points: 1)),
      ("  add-score   guest -2 ", .addScore(team: "guest", points: -2)), ("show match", .show(page: "match")),
    ] as [(String, ControlCommand)])
  func commands(text: String, command: ControlCommand) throws {
    #expect(ControlCommand.problem(in: text) == nil)
    #expect(try ControlCommand(parsing: text) == command)
    #expect(try ControlCommand(parsing: text).call?.interface == ControlInterface.name)
  }

  @Test(
    "What is no command for a key is told with what may have been meant",
    arguments: [
      ("", "no command"), ("add-scor home 1", "did you mean 'add-score'?"),
      ("set-score home", "takes a team"),
      ("set-score home x", "'x' is not a whole number"),
      ("set-score home +1", "did you mean 'add-score home +1'?"),
      ("add-score home 99999999999999999999", "not a whole number"), ("show", "takes a page"),
      ("show a b", "takes a page"), ("reload", "unknown command"), ("screenshot x.png", "unknown command"),
    ])
  func mistakes(text: String, words: String) {
    #expect(ControlCommand.problem(in: text)?.contains(words) == true)
  }

  @Test("Completions offer the teams and pages of a status")
  func completions() throws {
    let status = try JSONReader.read(
      Array(#"{"pages":["b","a"],"scoreboard":{"teams":{"home":{},"guest":{}}}}"#.utf8))
    #expect(Completion.words(.teams, in: status) == ["guest", "home"])
    #expect(Completion.words(.pages, in: status) == ["b", "a"])
    #expect(Completion.words(.teams, in: .null) == [])
    #expect(Completion.source("set-score", argument: 0) == .teams)
    #expect(Completion.source("set-score", argument: 1) == nil)
    #expect(Completion.source("show", argument: -1) == nil)
    #expect(Completion.source("pages", argument: 0) == .pages)
    #expect(Completion.source("reload", argument: 0) == nil)
  }
}
