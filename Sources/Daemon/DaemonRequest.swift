// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Commands
import ControlCalls
import Display
import Raster
import Spelling

/// What a command line of flipclockd asks for.
package enum DaemonRequest: Sendable {
  case run(DaemonOptions)
  case render(OfflineRenderer)
  /// Nil: the config of this machine.
  case check(file: String?, json: Bool)
  case doctor(socket: String?, json: Bool)
  case print(String)

  /// - Parameters:
  ///   - words: the arguments, without the name of the program.
  ///   - commit: the commit from which the program was built; empty if it is not known.
  package init(_ words: [String], commit: String) throws(UsageError) {
    switch words.first {
    case "help":
      let verb = words.dropFirst().first
      self = .print(verb == nil ? Self.overview : Self.help(try Self.row(verb)))
    case "--help", "-h": self = .print(Self.overview)
    case let verb? where !verb.hasPrefix("-"):
      self = try Self.request(Self.row(verb), words.dropFirst(), commit)
    default: self = try Self.request(Self.run, words[...], commit)
    }
  }

  private static func row(_ verb: String?) throws(UsageError) -> CommandRow<DaemonRequest> {
    if let row = rows.first(where: { $0.verb == verb }) { return row }
    throw UsageError(Spelling.unknown("command", verb ?? "", among: rows.map(\.verb)))
  }

  private static func request(
    _ row: CommandRow<DaemonRequest>, _ words: ArraySlice<String>, _ commit: String
  ) throws(UsageError) -> DaemonRequest {
    do throws(UsageError) {
      let version = Release.description(of: "flipclockd", commit: commit)
      switch try row.request(words, of: "flipclockd", version: version) {
      case .run(let request): return request
      case .print(let text): return .print(text)
      }
    } catch {
      throw UsageError("\(error.message) (see 'flipclockd \(row.verb) --help')")
    }
  }
}

// MARK: The commands

extension DaemonRequest {
  static let rows = [run, render, check, doctor]

  private static let config = CommandOption(
    name: "--config", value: "file", help: "The config file, instead of those of /etc/flipclock.")
  private static let socket = CommandOption(name: "--socket", value: "path", help: "The control socket.")
  private static let json = CommandOption(name: "--json", help: "Print one line of JSON, for machines.")

  private static let run = CommandRow<DaemonRequest>(
    verb: "run",
    usage: [
      "[--config <file>] [--display <display>] [--card <path>] [--size <size>] [--refresh <hz>] [--socket <path>] "
        + "[--state-dir <dir>]"
    ],
    summary: "Show the clock (the default).",
    options: [
      config,
      .init(
        name: "--display", value: "display",
        help: "Where to draw: auto, kms, headless or terminal; by default auto."),
      .init(
        name: "--card", value: "path", help: "The KMS card: a path, a by-path link or a driver's name."),
      .init(
        name: "--size", value: "size",
        help: "The mode to use, or the size of a headless display, such as 1920x1080."),
      .init(name: "--refresh", value: "hz", help: "Frames a second, 1 to 1000."),
      socket,
      .init(name: "--state-dir", value: "dir", help: "Where the scores are kept."),
    ], surfaces: .commandLine,
    parse: { arguments throws(UsageError) in
      var options = DaemonOptions()
      options.config = try arguments.text("--config")
      options.display =
        try arguments.value("--display", "auto, kms, headless or terminal") {
          DaemonOptions.DisplayChoice(rawValue: $0)
        } ?? .auto
      options.card = try arguments.text("--card")
      options.size = try arguments.size()
      options.refresh = try arguments.value("--refresh", "1 to 1000 frames a second") {
        Double($0).flatMap { (1...1000).contains($0) ? $0 : nil }
      }
      options.socket = try arguments.text("--socket")
      options.stateDirectory = try arguments.text("--state-dir")
      return .run(options)
    })

  private static let render = CommandRow<DaemonRequest>(
    verb: "render",
    usage: [
      "[--config <file>] [--zone <zone>] --size <size> --at <time> [--fps <n>] [--frames <n>] --out <dir> "
        + "[--event <event> ...]"
    ],
    summary: "Write frames as PNG files, on virtual time.",
    discussion: """
      The same input gives the same bytes. For zone = "local" in [locale], which is the default, the zone is that of \
      --zone, not the machine's. The language is that of [locale] in the config, else that of the environment, as for \
      the daemon.
      """,
    options: [
      config,
      .init(name: "--zone", value: "zone", help: "The time zone in place of the machine's; by default UTC."),
      .init(name: "--size", value: "size", help: "The size of the frames, such as 1920x1080."),
      .init(
        name: "--at", value: "time", help: "The time of the first frame, RFC 3339: 2026-11-20T09:59:59Z."),
      .init(name: "--fps", value: "n", help: "Frames a second; by default 60."),
      .init(name: "--frames", value: "n", help: "How many frames; by default 1."),
      .init(
        name: "--out", value: "dir", help: "The directory for frame-00000.png etc.; created if missing."),
      .init(
        name: "--event", value: "event",
        help:
          "'SECONDS COMMAND', a command as for a key in [input], e.g. '1.5 set-score home 3'; may be repeated."
      ),
    ], surfaces: .commandLine,
    parse: { arguments throws(UsageError) in
      let fps = try arguments.value("--fps", "0.001 to 10000") {
        Double($0).flatMap { (0.001...10_000).contains($0) ? $0 : nil }
      }
      let frames = try arguments.value("--frames", "1 to 1000000") {
        Int($0).flatMap { (1...1_000_000).contains($0) ? $0 : nil }
      }
      let start = try arguments.value("--at", "a time such as 2026-11-20T09:59:59Z") { Instant(rfc3339: $0) }
      var events: [OfflineRenderer.Event] = []
      for text in arguments.all("--event") {
        do throws(StartFailure) { events.append(try OfflineRenderer.Event(parsing: text)) } catch {
          throw UsageError(error.description)
        }
      }
      return .render(
        OfflineRenderer(
          config: try arguments.text("--config"), zone: try arguments.text("--zone") ?? "UTC",
          size: try required("--size", try arguments.size()), start: try required("--at", start),
          framesPerSecond: fps ?? 60, frames: frames ?? 1,
          directory: try required("--out", try arguments.text("--out")), events: events))
    })

  private static let check = CommandRow<DaemonRequest>(
    verb: "check", usage: ["[--json] [<file>]"], summary: "Report all errors in a config.",
    discussion: "Exits with 78 if there is an error, else with 0; warnings do not change that.",
    operands: [
      .init(name: "file", help: "The config file; without one, the config of this machine.", isOptional: true)
    ], options: [json], surfaces: .commandLine,
    parse: { arguments throws(UsageError) in
      if arguments.operands.first == "" { throw UsageError("the name of the file is empty") }
      return .check(file: arguments.operands.first, json: arguments.has("--json"))
    })

  private static let doctor = CommandRow<DaemonRequest>(
    verb: "doctor", usage: ["[--socket <path>] [--json]"],
    summary: "Find out what keeps the display from working, and what to do about it.",
    discussion: """
      Examines graphics cards, displays, backlights, other programs, permissions, the console, the service, its socket, \
      the config, keyboards, fonts, saved scores and the time; changes nothing. Run as root it can examine more. Exits \
      with 2 if it finds a problem.
      """,
    options: [socket, json], surfaces: .commandLine,
    parse: { .doctor(socket: $0["--socket"], json: $0.has("--json")) })

  private static func required<Value>(_ option: String, _ value: Value?) throws(UsageError) -> Value {
    guard let value else { throw UsageError("\(option) is missing") }
    return value
  }

  private static func help(_ row: CommandRow<DaemonRequest>) -> String {
    Help.text(row, of: "flipclockd", common: CommandOption.ofPrograms)
  }

  private static let overview = """
    OVERVIEW: A split-flap clock and scoreboard, straight on the display.

    USAGE: flipclockd [<command>] [<option> ...]

    Without a command it shows the clock; 'flipclockd run --help' lists the options
    of that (--config, --display, --card, --size, --refresh, --socket, --state-dir).

    The config is /etc/flipclock/config.toml with drop-ins in config.toml.d, the
    socket /run/flipclock/control.sock, the scores in /var/lib/flipclock; run by
    hand, the socket is in $XDG_RUNTIME_DIR/flipclock and the scores in
    ~/.local/state/flipclock.

    OPTIONS:
    \(Help.list(CommandOption.ofPrograms))

    COMMANDS:
    \(Help.list(rows))

    EXIT STATUS: 0 success; 1 failure; 2 doctor found a problem; 64 wrong usage; 75
    another daemon uses the state directory; 77 another user can write to it; 78 the
    config has errors, or there is no state directory.

    'flipclockd help <command>' describes a command.

    """
}

extension Arguments {
  fileprivate func size() throws(UsageError) -> PixelSize? {
    try value("--size", "a width and a height, such as 1920x1080") { PixelSize($0) }
  }
}
