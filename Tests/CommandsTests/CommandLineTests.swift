// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import Spelling
import Testing

@testable import Commands

@Suite struct CommandLineTests {
  private static func parse(_ line: String) throws -> CommandLineRequest {
    try CommandLineRequest(line.split(separator: " ").map(String.init))
  }

  @Test(
    "Options come before the verb or after it, and negative numbers are not options",
    arguments: [
      ("status", nil, false), ("--json status", nil, true), ("status --json", nil, true),
      ("--socket /a --json status", "/a", true), ("--socket=/a status", "/a", false),
      ("--socket /a status --socket /b", "/b", false), ("status --socket /b", "/b", false),
    ] as [(String, String?, Bool)])
  func options(line: String, socket: String?, json: Bool) throws {
    let request = try Self.parse(line)
    #expect(request.action == .invoke(.request(.command(.status))))
    #expect(request.socket == socket && request.json == json)
  }

  @Test(
    "Everything after -- is an operand, and so are negative numbers",
    arguments: ["add-score guest -1", "add-score guest -1 --json", "--json add-score guest -- -1"])
  func operands(line: String) throws {
    #expect(
      try Self.parse(line).action
        == .invoke(.request(.command(.change(.match(.addScore(team: "guest", by: -1)))))))
  }

  @Test(
    "A text may begin with a dash, if no letter follows",
    arguments: ["- Soup of the day", "-> 4", "-", "- ", "---", "--- * ---", "-€5", "-5 degrees", "—", "-"])
  func dashes(text: String) throws {
    #expect(
      try CommandLineRequest(["board", "hall", text]).action
        == .invoke(.request(.command(.change(.setBoard("hall", PushedText(text)))))))
    for option in ["-x", "--x", "-Soup", "---x"] {
      #expect(throws: UsageError.self) { try CommandLineRequest(["board", "hall", option]) }
    }
  }

  @Test("Commands that only flipclockctl has")
  func invocations() throws {
    for (line, invocation) in [
      ("history", .request(.command(.history(limit: nil)))),
      ("history --limit 5", .request(.command(.history(limit: 5)))),
      ("watch", .request(.command(.watch))), ("reload", .request(.command(.reload))),
      ("brightness", .request(.brightness())), ("screenshot -", .request(.screenshot(file: "-"))),
      ("brightness --output left", .request(.brightness(output: "left"))),
      ("screenshot --output left a.png", .request(.screenshot(file: "a.png", output: "left"))),
      ("complete outputs", .complete(.names(.outputs))),
      ("score", .score), ("check", .check(file: nil)), ("check a.toml", .check(file: "a.toml")),
      ("doctor", .doctor), ("complete words -- set lions", .complete(.next(["set", "lions"]))),
      ("complete options -- message --for", .complete(.options(["message", "--for"]))),
      ("complete verbs", .complete(.verbs)), ("complete teams", .complete(.names(.teams))),
    ] as [(String, Invocation)] {
      #expect(try Self.parse(line).action == .invoke(invocation), "\(line)")
    }
    #expect(try Self.parse("--version").action == .version)
    #expect(try Self.parse("--help").action == .help(Help.overview))
    #expect(try Self.parse("-h").action == .help(Help.overview))
    #expect(try Self.parse("help").action == .help(Help.overview))
    let swap = try #require(CommandTable.row("swap"))
    #expect(try Self.parse("--help swap").action == .help(Help.text(swap)))
    #expect(try Self.parse("swap too many --help").action == .help(Help.text(swap)))
  }

  @Test(
    "Mistakes are reported with what to write instead",
    arguments: [
      ("", "no command given"), ("--json", "no command given"), ("--socket", "--socket takes a path"),
      ("-5 status", "unknown option '-5'"), ("--jsn status", "did you mean '--json'?"),
      ("statsu", "did you mean 'status'?"),
      ("help statsu", "did you mean 'status'?"), ("status --verbose", "unknown option '--verbose'"),
      ("add-score guest -x", "unknown option '-x'"), ("status --version", "unknown option '--version'"),
      ("history --limit 0", "from 1, not '0'"), ("history --limit -1", "from 1, not '-1'"),
      ("history --limit x", "'x' is not a whole number"), ("screenshot", "missing <file>"),
      ("complete nothing", "'nothing'"), ("status --json=1", "--json takes no value"),
    ])
  func mistakes(line: String, words: String) {
    #expect {
      try Self.parse(line)
    } throws: { error in
      (error as? UsageError)?.message.contains(words) == true
    }
  }

  @Test("Mistakes after a verb are reported with its usage")
  func usage() throws {
    for line in ["set-score home", "set-score home 1 2", "set-score --x"] {
      #expect {
        try Self.parse(line)
      } throws: { error in
        (error as? UsageError)?.usage == ["set-score <team> <score> [--anyway]"]
      }
    }
  }

  @Test("Errors are printed as JSON if --json is among the arguments, even if they are not a command")
  func wantsJSON() {
    #expect(CommandLineRequest.wantsJSON(["statsu", "--json"]))
    #expect(!CommandLineRequest.wantsJSON(["message", "--", "--json"]))
  }

  @Test(
    "A misspelled word suggests the intended one, and nonsense suggests none",
    arguments: [
      ("stauts", "status"), ("Status", "status"), ("set-scor", "set-score"), ("addscore", "add-score"),
      ("setscore", "set-score"), ("screensot", "screenshot"), ("relaod", "reload"), ("x", nil), ("", nil),
      ("restrat", "restart"), ("nonsense", nil), (String(repeating: "status", count: 20), nil),
    ] as [(String, String?)])
  func suggestions(_ word: String, _ expected: String?) {
    #expect(Spelling.nearest(to: word, among: CommandTable.verbs) == expected)
  }

  @Test("External text is escaped and truncated before it is printed")
  func diagnostics() {
    let text = "The value 'a\u{1b}[31m\u{202e}b'\nUsage: x".diagnostic
    #expect(text == "The value 'a\\u{1B}[31m\\u{202E}b'\nUsage: x")
    let long = "unknown team '\(String(repeating: "x", count: 10_000))' (known: home)".diagnostic
    #expect(long.count < 1100 && long.hasPrefix("unknown team 'xx") && long.hasSuffix("' (known: home)"))
  }

  @Test(
    "Control characters are escaped",
    arguments: [
      ("plain é 😀", "plain é 😀"), ("a\u{1b}[31m", "a\\u{1B}[31m"), ("a\nb", "a\\nb"),
      ("\u{9b}x", "\\u{009B}x"), ("\u{202e}x", "\\u{202E}x"),
    ])
  func printable(_ text: String, _ expected: String) {
    #expect(text.printable == expected)
  }
}
