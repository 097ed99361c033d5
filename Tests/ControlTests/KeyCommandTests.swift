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

  @Test("Completions offer what may follow, and options where one begins")
  func candidates() {
    let verbs = [
      Completion.Verb(
        "message", "a text",
        options: [
          .init("--for", "how long", takesValue: true), .init("--clear", "take it away", takesValue: false),
        ]), Completion.Verb("set", "sets", options: []), Completion.Verb("brightness", "light", options: []),
    ]
    func words(_ words: String..., isOption: Bool = false) -> [String] {
      let known: (Completion.Source) -> [String] = { source in
        ["teams": ["lions", "tigers"], "pages": ["main"], "counters": ["fouls"]][source.rawValue] ?? []
      }
      return Completion.candidates(after: words, isOption: isOption, verbs: verbs, known: known).map(\.word)
    }
    #expect(words() == ["message", "set", "brightness"])
    #expect(words("help") == words())
    #expect(words("set") == ["period", "serve", "lions", "tigers"])
    #expect(words("set", "serve") == ["lions", "tigers", "none"])
    #expect(words("set", "lions") == ["name", "short-name", "color", "score", "period-score", "fouls"])
    #expect(words("set", "lions", "fouls") == ["+1", "-1"])
    #expect(words("set", "lions", "name") == [])
    #expect(words("set", "period") == ["+1", "-1"])
    #expect(words("set-score") == ["lions", "tigers"])
    #expect(words("set-score", "lions") == [])
    #expect(words("add-score", "lions") == ["+1", "-1", "+2", "+3"])
    #expect(words("timer").sorted() == ControlCommand.timerWords.sorted())
    #expect(words("show") == ["main"])
    #expect(words("brightness").contains("default"))
    #expect(words("message", isOption: true) == ["--for", "--clear"])
    #expect(words("message", "--clear", isOption: true) == ["--for"])
    #expect(words("message", "--for").contains("30s"))
    #expect(words("message", "--for", "30s") == [])
    #expect(words("reload") == [])
  }

  @Test("Completions read the names from the daemon's replies")
  func completions() throws {
    let status = try JSONReader.read(
      Array(#"{"pages":["b","a"],"scoreboard":{"teams":{"home":{},"guest":{}}}}"#.utf8))
    #expect(Completion.words(.teams, in: status) == ["guest", "home"])
    #expect(Completion.words(.pages, in: status) == ["b", "a"])
    #expect(Completion.words(.teams, in: .null) == [])
    let ordered = try JSONReader.read(
      Array(#"{"scoreboard":{"teams":{"home":{},"guest":{}},"teamOrder":["home","guest"]}}"#.utf8))
    #expect(Completion.words(.teams, in: ordered) == ["home", "guest"])
    let match = try JSONReader.read(Array(#"{"counters":[{"id":"fouls"},{"id":"timeouts"}]}"#.utf8))
    #expect(Completion.words(.counters, in: match) == ["fouls", "timeouts"])
  }
}
