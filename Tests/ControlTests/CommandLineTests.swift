// SPDX-License-Identifier: Apache-2.0

import Spelling
import Testing

@testable import Control

@Suite struct CommandLineTests {
  @Test("Words that are repeated neither steer the terminal nor fill it")
  func diagnostics() {
    let steering = Diagnostic.text("The value 'a\u{1b}[31m\u{202e}b'\nUsage: x")
    #expect(steering == "The value 'a\\u{1B}[31m\\u{202E}b'\nUsage: x")
    let long = Diagnostic.text("unknown team '\(String(repeating: "x", count: 10_000))' (known: home)")
    #expect(long.count < 1100 && long.hasPrefix("unknown team 'xx") && long.hasSuffix("' (known: home)"))
  }

  @Test(
    "The verb comes first, options after it, and negative numbers are no options",
    arguments: [
      ("status", "status"), ("--json status", "status --json"), ("status --json", "status --json"),
      ("--socket /a --json status", "status --socket /a --json"),
      ("--socket=/a status", "status --socket=/a"),
      ("--socket status", "--socket status"), ("add-score guest -1", "add-score guest ␣-1"),
      ("add-score guest -1 --json", "add-score guest ␣-1 --json"),
      ("--json add-score guest +1", "add-score --json guest +1"),
      ("add-score -1 guest", "add-score ␣-1 guest"), ("add-score guest -- -1", "add-score guest -- -1"),
      ("add-score guest -x", "add-score guest -x"), ("add-score guest -", "add-score guest -"),
      ("add-score guest -1x", "add-score guest ␣-1x"), ("--help", "--help"), ("", ""),
      ("-- status", "-- status"),
      ("--help status", "status --help"), ("--socket", "--socket"),
      ("--generate-completion-script bash", "--generate-completion-script bash"),
    ])
  func arrangement(_ line: String, _ expected: String) {
    let words = CommandLineWords.arranged(line.split(separator: " ").map(String.init))
    #expect(words.map { $0.replacing(" ", with: "␣") }.joined(separator: " ") == expected)
  }

  @Test(
    "Whole numbers are read with their sign",
    arguments: [
      ("7", 7), ("+7", 7), (" -7", -7), ("-7", -7), ("007", 7), ("", nil), (" ", nil), ("+", nil),
      ("1.5", nil), ("1e3", nil),
      ("0x10", nil), ("seven", nil), ("9223372036854775807", .max), ("9223372036854775808", nil), ("٣", nil),
      ("--7", nil),
    ] as [(String, Int?)])
  func integers(_ word: String, _ expected: Int?) {
    #expect(CommandLineWords.integer(word) == expected)
  }

  @Test(
    "The socket is looked for where the option says, the variable says, the system has it, the user has it",
    arguments: [
      (nil, [:], ["/run/flipclock/control.sock"]),
      (
        nil, ["XDG_RUNTIME_DIR": "/run/user/1000"],
        ["/run/flipclock/control.sock", "/run/user/1000/flipclock/control.sock"]
      ),
      (nil, ["XDG_RUNTIME_DIR": "/x/"], ["/run/flipclock/control.sock", "/x/flipclock/control.sock"]),
      (nil, ["XDG_RUNTIME_DIR": "/run"], ["/run/flipclock/control.sock"]),
      (nil, ["XDG_RUNTIME_DIR": "", "FLIPCLOCK_SOCKET": ""], ["/run/flipclock/control.sock"]),
      (nil, ["XDG_RUNTIME_DIR": "relative"], ["/run/flipclock/control.sock"]),
      (nil, ["FLIPCLOCK_SOCKET": "/v", "XDG_RUNTIME_DIR": "/x"], ["/v"]),
      ("/o", ["FLIPCLOCK_SOCKET": "/v"], ["/o"]), ("", [:], [""]),
    ] as [(String?, [String: String], [String])])
  func socketPaths(_ option: String?, _ environment: [String: String], _ expected: [String]) {
    #expect(SocketPath.candidates(option: option) { environment[$0] } == expected)
  }

  @Test(
    "A slip finds the word that was meant, and nonsense finds none",
    arguments: [
      ("stauts", "status"), ("Status", "status"), ("set-scor", "set-score"), ("addscore", "add-score"),
      ("setscore", "set-score"),
      ("screensot", "screenshot"), ("relaod", "reload"), ("x", nil), ("", nil), ("restart", nil),
      (String(repeating: "status", count: 20), nil),
    ] as [(String, String?)])
  func suggestions(_ word: String, _ expected: String?) {
    #expect(Spelling.nearest(to: word, among: ControlCommand.verbs) == expected)
  }

  @Test(
    "What would steer the terminal is shown as what it is",
    arguments: [
      ("plain é 😀", "plain é 😀"), ("a\u{1b}[31m", "a\\u{1B}[31m"), ("a\nb", "a\\nb"),
      ("\u{9b}x", "\\u{009B}x"), ("\u{202e}x", "\\u{202E}x"),
    ])
  func printable(_ text: String, _ expected: String) {
    #expect(text.printable == expected)
  }
}
