// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Commands
import ControlCalls
import LinuxSystem
import Raster
import Testing

@testable import Daemon

@Suite struct DaemonRequestTests {
  private func request(_ words: String...) throws(UsageError) -> DaemonRequest {
    try DaemonRequest(words, commit: "abc")
  }

  private func options(_ words: [String]) throws -> DaemonOptions? {
    if case .run(let options) = try DaemonRequest(words, commit: "") { options } else { nil }
  }

  @Test("Without a command it runs, with the options of 'run'")
  func running() throws {
    for words in [[], ["run"]] { #expect(try options(words)?.display == .auto) }
    for choice in DaemonOptions.DisplayChoice.allCases {
      #expect(try options(["--display", choice.rawValue])?.display == choice)
    }
    let all = try #require(
      try options([
        "run", "--config", "/c", "--display=terminal", "--card", "i915", "--size", "640x480", "--refresh",
        "59.94",
        "--socket", "/s", "--state-dir", "/d",
      ]))
    #expect(all.config == "/c" && all.display == .terminal && all.card == "i915" && all.socket == "/s")
    #expect(all.size == PixelSize(width: 640, height: 480) && all.refresh == 59.94)
    #expect(all.stateDirectory == "/d")
  }

  @Test("The unit file's arguments are accepted")
  func unit() throws {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let unit = String(
      decoding: try readFile("/\(root)/systemd/flipclockd.service", limit: 1 << 16), as: UTF8.self)
    let line = try #require(unit.split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
    #expect(try options(line.split(separator: " ").dropFirst().map(String.init))?.display == .kms)
  }

  @Test func theOtherCommandsHaveTheirOptions() throws {
    guard
      case .render(let renderer) = try request(
        "render", "--size", "64x48", "--at", "2026-11-20T09:59:59Z", "--out", "frames", "--event",
        "1 set-score home 3", "--event", "2 undo"),
      case .render(let other) = try request(
        "render", "--size=64x48", "--at=2026-11-20T09:59:59Z", "--out=d", "--fps=25", "--frames=9",
        "--zone=Europe/Berlin", "--config=/c")
    else { throw UsageError("not a command to render") }
    #expect(renderer.events.count == 2 && renderer.framesPerSecond == 60 && renderer.frames == 1)
    #expect(renderer.zone == "UTC" && renderer.directory == "frames" && renderer.config == nil)
    #expect(renderer.start == Instant(rfc3339: "2026-11-20T09:59:59Z"))
    #expect(other.framesPerSecond == 25 && other.frames == 9 && other.zone == "Europe/Berlin")
    guard case .check(nil, false) = try request("check"),
      case .check("-x", true) = try request("check", "--json", "--", "-x"),
      case .doctor(nil, false) = try request("doctor"),
      case .doctor("/s", true) = try request("doctor", "--json", "--socket", "/s")
    else { throw UsageError("not the command") }
  }

  @Test(
    "Mistakes are explained",
    arguments: [
      ("--crad x", "unknown option '--crad'; did you mean '--card'? (see 'flipclockd run --help')"),
      ("rnu", "unknown command 'rnu'; did you mean 'run'?"), ("check a b", "unexpected argument 'b'"),
      ("run x", "unexpected argument 'x'"),
      ("--display window", "auto, kms, headless or terminal, not 'window'"),
      ("--display", "--display takes a display"), ("--size 3", "--size is a width and a height"),
      ("--refresh 0", "--refresh is 1 to 1000 frames a second, not '0'"), ("--refresh nan", "not 'nan'"),
      ("--config=", "--config is empty"), ("check --json=1", "takes no value"),
      ("help rnu", "unknown command"),
      ("render", "--size is missing (see 'flipclockd render --help')"),
      ("render --size 1x1", "--at is missing"),
      ("render --size 1x1 --at 2026-11-20T09:59:59Z", "--out is missing"),
      ("render --at noon", "--at is a time such as"), ("render --fps 0", "--fps is 0.001 to 10000, not '0'"),
      ("render --frames 0", "--frames is 1 to 1000000, not '0'"), ("render --event soon", "time in seconds"),
    ])
  func mistakes(_ line: String, _ message: String) {
    #expect {
      try DaemonRequest(line.split(separator: " ").map(String.init), commit: "")
    } throws: {
      ($0 as? UsageError)?.message.contains(message) == true
    }
  }

  @Test("The help lists the commands and their options; the usage of each names its options")
  func help() throws {
    guard case .print(let overview) = try request("--help"), case .print(overview) = try request("help"),
      case .print("flipclockd \(Release.version) (abc)\n") = try request("--version"),
      case .print("flipclockd \(Release.version) (abc)\n") = try request("check", "--version")
    else { throw UsageError("no text") }
    for row in DaemonRequest.rows {
      #expect(overview.contains("\n  \(row.verb) "))
      guard case .print(let text) = try request(row.verb, "--help"),
        case .print(text) = try request("help", row.verb)
      else { throw UsageError("no text") }
      for option in row.options {
        #expect(text.contains("\n  \(option.name)") && row.usage[0].contains(option.name), "\(option.name)")
      }
    }
    for line in overview.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }
}
