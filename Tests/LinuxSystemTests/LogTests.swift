// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import TestSupport
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

  /// Creates a channel that nothing reads, of a kind that standard error may be. Returns the end to read and
  /// the end to write.
  private func unread(_ kind: String) throws -> (Int32, Int32) {
    var ends: [Int32] = [0, 0]
    switch kind {
    case "socket": try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    case "terminal":
      let terminal = try PseudoTerminal()
      ends = [dup(terminal.main), try terminal.open().release()]
    default:
      try #require(pipe(&ends) == 0)
      // poll(2) reports that a pipe is writable only if a whole page of it is free.
      let size: Int32 = kind == "pipe" ? 4096 : 16_384
      #expect(clinux_fcntl(ends[0], 1031 /* F_SETPIPE_SZ */, size) >= 0)
    }
    return (ends[0], ends[1])
  }

  /// Reads `descriptor` when the writer has not advanced in a thousand waits, so that a writer that blocks
  /// does not wait forever.
  private final class Rescue: @unchecked Sendable {
    private let descriptor: Int32
    private var isOver = false
    private var thread = pthread_t()
    /// The number of messages written so far.
    var progress = 0
    var wasNeeded = false

    init(_ descriptor: Int32) {
      self.descriptor = descriptor
      pthread_create(
        &thread, nil,
        { argument in
          guard let argument else { return nil }
          let rescue = Unmanaged<Rescue>.fromOpaque(argument).takeUnretainedValue()
          var (seen, waits) = (0, 0)
          while !rescue.isOver && waits < 1000 {
            waits = rescue.progress == seen ? waits + 1 : 0
            seen = rescue.progress
            usleep(10_000)
          }
          var bytes = [UInt8](repeating: 0, count: 4096)
          while !rescue.isOver {
            rescue.wasNeeded = true
            var ready = pollfd(fd: rescue.descriptor, events: Int16(POLLIN), revents: 0)
            if poll(&ready, 1, 10) == 1 { _ = read(rescue.descriptor, &bytes, bytes.count) }
          }
          return nil
        }, Unmanaged.passUnretained(self).toOpaque())
    }

    func end() {
      isOver = true
      pthread_join(thread, nil)
    }
  }

  @Test(
    "A log that nothing reads never blocks; the number of missing messages is logged when there is room",
    arguments: ["pipe", "pipe of another user", "socket", "terminal"], [10, 3000, 16_000])
  func stalled(_ kind: String, length: Int) throws {
    let (reader, writer) = try unread(kind)
    defer { for end in [reader, writer] { close(end) } }
    let sink = LogSink(writer, .journal, reopens: kind != "pipe of another user")
    let rescue = Rescue(reader)
    let count = 400_000 / length
    let text = String(repeating: "x", count: length)
    for number in 0..<count {
      sink.write(.info, "\(number) \(text)")
      rescue.progress += 1
    }
    rescue.end()
    #expect(!rescue.wasNeeded)

    // The reader reads again.
    #expect(clinux_fcntl(reader, F_SETFL, O_NONBLOCK) >= 0)
    var bytes: [UInt8] = []
    func drain() {
      var part = [UInt8](repeating: 0, count: 65536)
      while true {
        let count = read(reader, &part, part.count)
        guard count > 0 else { return }
        bytes += part[..<count].filter { $0 != 0x0d }
      }
    }
    drain()
    for word in ["again", "and again"] {
      sink.write(.info, word)
      drain()
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let whole = lines.filter { $0.hasSuffix(" \(text)") }
    let numbers = whole.compactMap { Int($0.dropFirst(3).prefix { $0 != " " }) }
    #expect(numbers.count == whole.count && numbers == numbers.sorted() && whole.count < count)
    let missing = lines.filter { $0.hasSuffix(" missing here: the log was not read") }
      .compactMap { Int($0.dropFirst(3).prefix { $0 != " " }) }
    // A record that lacks only its end of line counts as missing.
    #expect((0...1).contains(missing.reduce(0, +) - (count - whole.count)))
    #expect(lines.suffix(2) == ["<6>again", "<6>and again"])
  }

  @Test("If standard error is replaced by another file, messages are written to that file")
  func replaced() throws {
    let (reader, writer) = try unread("pipe")
    let (second, other) = try unread("pipe")
    defer { for end in [reader, writer, second, other] { close(end) } }
    let sink = LogSink(writer, .journal)
    sink.write(.info, "first")
    dup2(other, writer)
    sink.write(.info, "second")
    for (end, text) in [(reader, "<6>first\n"), (second, "<6>second\n")] {
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = read(end, &bytes, bytes.count)
      #expect(String(decoding: bytes[..<max(count, 0)], as: UTF8.self) == text)
    }
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
