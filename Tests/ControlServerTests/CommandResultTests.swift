// SPDX-License-Identifier: Apache-2.0

import Commands
import Glibc
import JSON
import Scoreboard
import Testing

@testable import ControlCalls
@testable import ControlClient
@testable import LinuxSystem

struct ResultCase: CustomTestStringConvertible {
  let request: ClientRequest
  let text: String
  let json: String
  let diagnostics: [String]
  let status: CommandStatus

  init(
    _ request: ClientRequest, _ text: String = "", json: String = "", _ diagnostics: [String] = [],
    _ status: CommandStatus = .success
  ) {
    self.request = request
    self.text = text
    self.json = json
    self.diagnostics = diagnostics
    self.status = status
  }

  var testDescription: String { "\(request)" }
}

extension ClientRequest {
  static func action(_ action: Scoreboard.Action) -> ClientRequest { .command(.change(.match(action))) }
}

@Suite struct CommandResultTests {
  static let cases: [ResultCase] = [
    ResultCase(
      .action(.setScore(team: "home", to: 8)), "HOME 8\n",
      json: #"{"id":"home","name":"HOME","score":8}"# + "\n"),
    ResultCase(
      .action(.addScore(team: "guest", by: 0)), "GUEST 0\n",
      json: #"{"id":"guest","name":"GUEST","score":0}"# + "\n"),
    ResultCase(
      .command(.reload), "config reloaded\n", json: #"{"errors":[],"ok":true,"warnings":[]}"# + "\n"),
    ResultCase(
      .action(.addScore(team: "guest", by: -1)), "", json: "",
      ["-1 is not a score: it must be between 0 and 999"], .refused),
    ResultCase(
      .action(.setScore(team: "guess", to: 1)), "", json: "",
      ["unknown team 'guess'; did you mean 'guest'? (known: home, guest)"], .refused),
    ResultCase(
      .action(.setScore(team: "a\u{1b}[2J", to: 1)), "", json: "",
      [#"unknown team 'a\u{1B}[2J' (known: home, guest)"#], .refused),
    ResultCase(
      .screenshot(file: "/tmp/none.png"), "", json: "",
      ["there is no display; 'flipclockctl status' shows what the daemon drives"], .refused),
    ResultCase(
      .screenshot(file: "/tmp/none.png", output: "DP-1"), "", json: "",
      ["there is no display 'DP-1'; there are: Virtual-1, Virtual-2"], .refused),
  ]

  @Test("A command prints its result as text or JSON, or why it was refused", arguments: cases)
  func results(_ example: ResultCase) throws {
    let daemon = try TestDaemon()
    let plain = daemon.run(example.request)
    #expect(plain.text == example.text)
    #expect(plain.diagnostics == example.diagnostics)
    #expect(plain.status == example.status)
    let json = daemon.run(example.request, json: true)
    #expect(json.text == example.json)
    #expect(json.diagnostics == example.diagnostics)
    #expect(json.status == example.status)
  }

  @Test("A reload with errors prints them unchanged, explains the consequence, and has its own exit status")
  func reloadErrors() throws {
    let errors = ["a.toml:3:1: error: unknown key 'x'\n  x = 1\n  ^", "a.toml:4:1: error: bad"]
    let daemon = try TestDaemon { $0.reloadOutcome = ReloadOutcome(ok: false, errors: errors) }
    let result = daemon.run(Command.reload)
    #expect(result.output == [])
    #expect(
      result.located == ["a.toml:3:1: error: unknown key 'x'", "  x = 1", "  ^", "a.toml:4:1: error: bad"])
    #expect(result.diagnostics == ["the config has errors; the present configuration stays in force"])
    #expect(result.status == .invalidConfig)
    let json = daemon.run(Command.reload, json: true)
    #expect(json.status == .invalidConfig)
    #expect(try JSONReader.read(json.output)["errors"]?.array?.count == 2)
  }

  @Test("A reload with warnings prints them and succeeds")
  func reloadWarnings() throws {
    let warnings = ["a.toml:3:1: warning: unknown key 'x'"]
    let daemon = try TestDaemon { $0.reloadOutcome = ReloadOutcome(ok: true, warnings: warnings) }
    let result = daemon.run(Command.reload)
    #expect(result.text == "config reloaded\n")
    #expect(result.located == warnings)
    #expect(result.diagnostics == [] && result.status == .success)
    #expect(try JSONReader.read(daemon.run(Command.reload, json: true).output)["warnings"]?.array?.count == 1)
  }

  @Test("status shows the config's warnings below its path")
  func statusWarnings() {
    let status = JSONValue.object([
      "config": .object([
        "path": .string("/etc/flipclock/config.toml"),
        "lastReload": .object([
          "ok": .bool(true), "errors": .array([]), "warnings": .array([.string("a.toml:3:1: warning: x")]),
        ]),
      ])
    ])
    let lines = StatusText.table(of: status).split(separator: "\n").map(String.init)
    #expect(lines.contains { $0.hasSuffix("/etc/flipclock/config.toml") })
    #expect(lines.contains { $0.hasSuffix("  a.toml:3:1: warning: x") })
  }

  @Test("status --json prints the status object on one line, as documented")
  func statusJSON() throws {
    let daemon = try TestDaemon()
    let result = daemon.run(Command.status, json: true)
    #expect(
      result.text
        == #"{"blanked":false,"boards":[],"brightness":100,"config":{"lastReload":{"errors":[],"ok":true,"warnings":[]},"path":null},"#
        + #""cost":{"bytesCopiedPerMinute":2000000,"processorMicrosecondsPerMinute":540000,"residentBytes":20000000,"#
        + #""seconds":61,"wakeupsPerMinute":121},"countdowns":[],"leftOut":[],"now":"2024-03-01T10:00:00+01:00","#
        + #""outputs":[{"blanked":false,"brightness":100,"bytesCopied":98765432,"connector":"Virtual-1","dithered":true,"#
        + #""driver":"virtio_gpu","#
        + #""flipsMissed":0,"format":"RGB565","frameTimeMicroseconds":{"p50":900,"p99":2100},"framesPresented":1200,"#
        + ##""mode":"1280x800@75","rotation":90,"tried":[]}],"page":"main","pages":["main"],"scoreboard":{"teamOrder":["home","guest"],"teams":{"guest":{"color":"#0090ff","name":"GUEST","score":0},"##
        + ##""home":{"color":"#e5484d","name":"HOME","score":7}}},"##
        + #""uptimeSeconds":93784,"version":"0.1.0","#
        + #""wakeups":77,"warnings":[],"widgetOrder":["time"],"widgets":{"time":{"text":"10:00","type":"flip-clock"}}}"#
        + "\n")
  }

  @Test("Without --json, status prints a table")
  func statusTable() throws {
    let daemon = try TestDaemon()
    #expect(
      daemon.run(Command.status).text == """
        flipclockd  0.1.0, up 1 d 2 h, 77 wakeups, its time is 2024-03-01T10:00:00+01:00
        cost        121 wakeups/min, 0.90 % of a core, 1.9 MiB copied/min, 19.0 MiB of memory
        config      none, all defaults
        display     Virtual-1, 1280x800@75, virtio_gpu, RGB565 dithered, turned by 90°
                      1200 frames, 0 flips missed, 94.1 MiB copied, frame time 900 µs (p99 2100 µs)
        widgets     time: 10:00  (flip-clock)
        score       home: HOME 7
                    guest: GUEST 0

        """)
  }

  private func lines(_ outputs: [OutputStatus]) throws -> [String] {
    let status = JSONValue.object([
      "outputs": .array(try outputs.map { try JSONValue(encoding: $0) }), "brightness": .integer(100),
    ])
    return StatusText.table(of: status).split(separator: "\n").dropFirst().map { String($0.dropFirst(12)) }
  }

  @Test("Each display has a line with its own settings, and a line for its problem")
  func displays() throws {
    var left = StatusReport.example.outputs[0]
    left.page = "match"
    left.settings = "left"
    left.display = "GSM LG ULTRAGEAR 0x0001E0F3"
    left.brightness = 60
    left.problem = "1920x1080@60 was refused by the kernel"
    left.since = "2024-03-01T10:00:00Z"
    left.tried = ["1920x1080@60", "HDMI-A-1 on another CRTC"]
    let counts = "  1200 frames, 0 flips missed, 94.1 MiB copied, frame time 900 µs (p99 2100 µs)"
    let time = LocalTime.text("2024-03-01T10:00:00Z")
    var right = StatusReport.example.outputs[0]
    right.connector = "Virtual-2"
    right.blanked = true
    #expect(
      try lines([left, right]) == [
        "Virtual-1, 1280x800@75, virtio_gpu, RGB565 dithered, turned by 90°, brightness 60%, page match, "
          + "[outputs.left], display GSM LG ULTRAGEAR 0x0001E0F3",
        "  1920x1080@60 was refused by the kernel; since \(time); "
          + "tried: 1920x1080@60, HDMI-A-1 on another CRTC",
        counts,
        "Virtual-2, 1280x800@75, virtio_gpu, RGB565 dithered, turned by 90°, switched off", counts,
      ])
  }

  @Test("A dark display has its connector and the reason, and no figures")
  func darkDisplay() throws {
    let dark = OutputStatus(
      driver: "", connector: "DP-1", mode: "", framesPresented: 0, flipsMissed: 0, bytesCopied: 0,
      frameTimeMicroseconds: FrameTime(p50: 0, p99: 0), problem: "no CRTC is free")
    #expect(try lines([dark]) == ["DP-1, dark", "  no CRTC is free"])
    let json = try JSONValue(encoding: dark)
    #expect(json["mode"] == .string("") && json["driver"] == .string("") && json["format"] == nil)
    #expect(json["tried"] == .array([]) && json["since"] == nil && json["display"] == nil)
  }

  @Test(
    "What a score leaves out on a display is in a line below it, and what the next point wins beside the team"
  )
  func leftOutDetails() throws {
    let small = OutputStatus(
      driver: "headless", connector: "HDMI-A-1", mode: "480x320@60", framesPresented: 1, flipsMissed: 0,
      bytesCopied: 0, frameTimeMicroseconds: FrameTime(p50: 0, p99: 0),
      leftOutDetails: [
        LeftOutDetailsStatus(page: "main", widget: "score", details: ["timeouts", "time of day"])
      ])
    #expect(
      try lines([small])[1] == "  the widget 'score' of the page 'main' leaves out: timeouts, time of day")
    #expect(
      try JSONValue(encoding: small)["leftOutDetails"]?.text
        == #"[{"details":["timeouts","time of day"],"page":"main","widget":"score"}]"#)
    let home = TeamStatus(name: "LIONS", score: 24, color: "#e5484d", won: 2, winningPoint: .match)
    let scoreboard = ScoreboardStatus(teams: ["home": home], teamOrder: ["home"])
    let text = StatusText.table(of: .object(["scoreboard": try JSONValue(encoding: scoreboard)]))
    #expect(text.hasSuffix("home: LIONS 24 (2 won), match point"))
  }

  @Test("The table accepts missing and unknown members, and escapes control characters")
  func otherStatus() {
    let empty = StatusText.table(of: .object([:]))
    #expect(empty == "flipclockd  \ndisplay     none")
    let odd = StatusText.table(
      of: .object([
        "widgets": .object(["a": .object(["text": .string("\u{1b}]0;x\u{7}\n")])]), "outputs": .null,
        "future": .integer(1),
        "config": .object([
          "path": .string("/etc/x"),
          "lastReload": .object(["ok": .bool(false), "errors": .array([.string("bad")])]),
        ]),
      ]))
    #expect(
      odd.split(separator: "\n").map(String.init) == [
        "flipclockd  ", "config      /etc/x has errors; the present configuration stays in force",
        "              bad", "display     none", #"widgets     a: \u{1B}]0;x\u{07}\n  (?)"#,
      ])
  }

  @Test("Without a valid config so far, the table shows its errors without a path")
  func firstConfig() {
    let text = StatusText.table(
      of: .object([
        "config": .object([
          "path": .null,
          "lastReload": .object(["ok": .bool(false), "errors": .array([.string("c.toml:1:1: bad")])]),
        ])
      ]))
    #expect(text.contains("config      the config has errors; the built-in default is in force\n"))
    #expect(text.contains("  c.toml:1:1: bad\n"))
    #expect(!text.contains("none, all defaults"))
  }

  @Test(
    "Durations and sizes are printed in suitable units",
    arguments: [
      (0, "0 s", "0 B"), (-5, "0 s", "-5 B"), (59, "59 s", "59 B"), (3600, "1 h", "3.5 KiB"),
      (93784, "1 d 2 h", "91.5 KiB"), (302, "5 min 2 s", "302 B"),
      (.max, "106751991167300 d 15 h", "8388607.9 TiB"),
    ])
  func units(_ number: Int, _ duration: String, _ size: String) {
    #expect(StatusText.duration(number) == duration)
    #expect(StatusText.size(number) == size)
  }

  @Test("A screenshot is written to its file or to standard output, and leaves no temporary files")
  func screenshot() throws {
    let png = [UInt8]((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    let daemon = try TestDaemon { $0.image = .success(ScreenshotImage(png: png, width: 320, height: 240)) }
    let file = daemon.directory.file("shot.png")
    #expect(daemon.run(ClientRequest.screenshot(file: file)).text == "wrote \(file): 320×240, 100000 bytes\n")
    #expect(try contents(of: file) == png)
    let again = daemon.run(ClientRequest.screenshot(file: file), json: true)
    #expect(again.text == #"{"bytes":100000,"file":"\#(file)","height":240,"width":320}"# + "\n")
    #expect(daemon.run(ClientRequest.screenshot(file: "-")).output == png)
    #expect(daemon.directory.names() == ["control.sock", "shot.png"])
    #expect(daemon.run(ClientRequest.screenshot(file: "/dev/null")).status == .success)
    let nowhere = daemon.run(ClientRequest.screenshot(file: "/nonexistent/shot.png"))
    #expect(nowhere.status == .unreachable)
    #expect(
      nowhere.diagnostics == [
        "open /nonexistent/shot.png: No such file or directory; does the directory exist? 'mkdir -p' creates it"
      ])
    let directory = daemon.run(ClientRequest.screenshot(file: daemon.directory.path))
    #expect(directory.diagnostics == ["write \(daemon.directory.path): Is a directory; name the file too"])
  }

  @Test("A change is described in words, and its history has a line for each change")
  func changes() throws {
    let daemon = try TestDaemon()
    let fouls = Scoreboard.Action.addCounter(team: "home", counter: "fouls", by: 2)
    #expect(daemon.run(fouls).text == "fouls of home: 0 → 2\n")
    #expect(daemon.run(Scoreboard.Action.pauseTimer(.game)).text == "nothing changed\n")
    let time = LocalTime.text("2024-03-01T10:00:00Z")
    #expect(daemon.run(Command.history(limit: 5)).text == "      \(time)  fouls of home: 0 → 2\n")
    #expect(daemon.run(Scoreboard.Action.undo).text == "undone: fouls of home: 0 → 2\n")
    #expect(daemon.run(Command.history(limit: nil)).text == "undone \(time)  fouls of home: 0 → 2\n")
    #expect(daemon.run(Scoreboard.Action.undo).diagnostics == ["there is nothing to undo"])
    var lines: [String] = []
    let result = daemon.run(.command(.watch)) { line in
      lines.append(String(decoding: line, as: UTF8.self))
      return false
    }
    #expect(lines == ["HOME 7 : 0 GUEST  QUARTER 1  game 10:00  shot 0:24\n"])
    #expect(result.status == .unreachable && result.diagnostics == [])
    #expect(daemon.run(Command.state).text == lines[0])
  }
}
