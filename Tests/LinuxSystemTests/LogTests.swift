// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Testing

@testable import LinuxSystem

struct LogTests {
  @Test("A message is one record, whatever it contains")
  func formats() {
    let plain = Log.Style.plain(program: "flipclockd")
    let cases: [(Log.Level, String, Log.Style, String)] = [
      (.info, "started", .journal, "<6>started\n"),
      (.emergency, "x", .journal, "<0>x\n"),
      (.error, "card0: busy", plain, "flipclockd: card0: busy\n"),
      // The journal treats each line as a record, so each has the priority.
      (.warning, "a\nb\n\nc\n", .journal, "<4>a\n<4>  b\n<4>  \n<4>  c\n"),
      (.warning, "a\n  ^\n\n", plain, "flipclockd: a\n    ^\n"),
      (.info, "\u{1b}]0;x\u{7}\u{9b}2J\u{7f}\tü", .journal, "<6>\\x1b]0;x\\x07\\x9b2J\\x7f\tü\n"),
      (.info, "", plain, "flipclockd: \n"),
      (.info, "\r", .journal, "<6>\\x0d\n"),
    ]
    for (level, message, style, expected) in cases {
      #expect(String(decoding: Log.record(level, message, style: style), as: UTF8.self) == expected)
    }
  }

  @Test("A record that is too long is cut, but not in the middle of a character")
  func long() {
    let record = Log.record(.info, String(repeating: "é", count: 100_000), style: .journal)
    #expect(record.count <= Log.recordLimit + 16)
    #expect(String(validating: record, as: UTF8.self)?.hasSuffix("é [cut]\n") == true)
    #expect(record.filter { $0 == UInt8(ascii: "\n") }.count == 1)
  }

  @Test("The levels have the journal's priorities")
  func levels() {
    #expect(Log.Level.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6, 7])
    #expect(Log.Level.error < .debug)
  }

  @Test("The style depends on what stderr is")
  func style() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    var status = stat()
    try #require(fstat(ends[1], &status) == 0)
    let stream = "\(status.st_dev):\(status.st_ino)"
    let mine = String(getpid())
    let plain = Log.Style.plain(program: "p")
    let cases: [([String: String], Log.Style)] = [
      (["JOURNAL_STREAM": stream], .journal), (["JOURNAL_STREAM": "1:2"], plain),
      (["JOURNAL_STREAM": ""], plain), ([:], plain),
      (["INVOCATION_ID": "abc"], .journal),
      (["INVOCATION_ID": "abc", "SYSTEMD_EXEC_PID": mine], .journal),
      (["INVOCATION_ID": "abc", "SYSTEMD_EXEC_PID": "1"], plain),
    ]
    for (environment, expected) in cases {
      let style = Log.detectedStyle(program: "p", descriptor: ends[1], environment: { environment[$0] })
      #expect(style == expected, "\(environment)")
    }
    // On a terminal the style is plain, even if the process is a service.
    let pseudo = try PseudoTerminal()
    let terminal = try pseudo.open()
    let onTerminal = Log.detectedStyle(program: "p", descriptor: terminal.rawValue, environment: { _ in "x" })
    #expect(onTerminal == plain)
    _ = pseudo
  }

  @Test("Messages below the threshold are neither written nor formatted")
  func threshold() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    var composed = 0
    func text(_ text: String) -> String {
      composed += 1
      return text
    }
    let log = Log(style: .journal, threshold: .warning, descriptor: ends[1])
    log.debug(text("no"))
    log.info(text("no"))
    log.notice(text("no"))
    log.warning(text("w"))
    log.error(text("e"))
    close(ends[1])
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(ends[0], &bytes, bytes.count)
    #expect(String(decoding: bytes[..<max(count, 0)], as: UTF8.self) == "<4>w\n<3>e\n")
    #expect(composed == 2)
  }
}
