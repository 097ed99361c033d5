// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Daemon
import Doctor
import Glibc
import LinuxSystem

@main
struct Flipclockd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "flipclockd",
    abstract: "A split-flap clock and scoreboard, straight on the display.",
    discussion: """
      Without a command it shows the clock; `flipclockd run --help` lists the options of that (--config, --display, \
      --card, --size, --refresh, --socket, --state-dir).

      The config is /etc/flipclock/config.toml with drop-ins in config.toml.d, the socket \
      /run/flipclock/control.sock, the scores in /var/lib/flipclock; run by hand, the socket is in \
      $XDG_RUNTIME_DIR/flipclock and the scores in ~/.local/state/flipclock.

      Exit codes: 0 success, 1 failure, 2 doctor found a problem, 64 wrong usage, 75 another daemon uses the state \
      directory, 78 the config has errors.
      """,
    version: Program.version,
    subcommands: [Run.self, Render.self, Check.self, DoctorSubcommand.self], defaultSubcommand: Run.self)

  /// ArgumentParser looks up the types of all options at run time, which takes a quarter of the time to the first
  /// picture. The arguments of the service are therefore recognized without it.
  static func main() {
    if let problem = ProgramArguments.problem {
      Log(program: "flipclockd").error(problem)
      Glibc.exit(EX_USAGE)
    }
    guard let options = DaemonOptions(plain: ProgramArguments.words) else {
      return main(ProgramArguments.words)
    }
    do {
      try Program.run { () throws(StartFailure) in try FlipclockDaemon(options).run() }
    } catch {
      exit(withError: error)
    }
  }
}

struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Show the clock (the default).")

  @Option(help: ArgumentHelp("The config file, instead of those of /etc/flipclock.", valueName: "file"))
  var config: String?
  @Option(help: "Where to draw: auto, kms, headless or terminal.")
  var display = DaemonOptions.DisplayChoice.auto
  @Option(help: ArgumentHelp("The KMS card: a path, a by-path link or a driver's name.", valueName: "path"))
  var card: String?
  @Option(help: "The mode to use, or the size of a headless display.")
  var size: SizeArgument?
  @Option(help: ArgumentHelp("Frames a second, 1 to 1000.", valueName: "hz"))
  var refresh: Double?
  @Option(help: ArgumentHelp("The control socket.", valueName: "path"))
  var socket: String?
  @Option(help: ArgumentHelp("Where the scores are kept.", valueName: "dir"))
  var stateDir: String?

  func validate() throws {
    if let refresh, !(1...1000).contains(refresh) {
      throw ValidationError("--refresh is 1 to 1000 frames a second, not \(refresh)")
    }
    try refuseEmpty(("--config", config), ("--card", card), ("--socket", socket), ("--state-dir", stateDir))
  }

  func run() throws {
    var options = DaemonOptions()
    options.config = config
    options.display = display
    options.card = card
    options.size = size?.size
    options.refresh = refresh
    options.socket = socket
    options.stateDirectory = stateDir
    try Program.run { () throws(StartFailure) in try FlipclockDaemon(options).run() }
  }
}

struct Render: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render",
    abstract: "Write frames as PNG files, on virtual time.",
    discussion: """
      The same input gives the same bytes. For zone = "local" in the config, which is the default, the zone is that of \
      --zone, not the machine's. The language is that of [locale] in the config, else that of the environment, as for \
      the daemon.
      """)

  @Option(help: ArgumentHelp("The config file, instead of those of /etc/flipclock.", valueName: "file"))
  var config: String?
  @Option(help: ArgumentHelp("The time zone that 'local' means.", valueName: "zone"))
  var zone = "UTC"
  @Option(help: "The size of the frames.")
  var size: SizeArgument
  @Option(
    help: ArgumentHelp("The time of the first frame, RFC 3339: 2026-11-20T09:59:59Z.", valueName: "instant"))
  var at: InstantArgument
  @Option(help: ArgumentHelp("Frames a second.", valueName: "n"))
  var fps = 60.0
  @Option(help: ArgumentHelp("How many frames.", valueName: "n"))
  var frames = 1
  @Option(help: ArgumentHelp("The directory for frame-00000.png etc.; created if missing.", valueName: "dir"))
  var out: String
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "'SECONDS COMMAND', a command as for a key in [input], e.g. '1.5 set-score home 3'; may be repeated.",
      valueName: "event"))
  var event: [String] = []

  func validate() throws {
    guard fps.isFinite, (0.001...10_000).contains(fps) else {
      throw ValidationError("--fps is 0.001 to 10000, not \(fps)")
    }
    guard (1...1_000_000).contains(frames) else {
      throw ValidationError("--frames is 1 to 1000000, not \(frames)")
    }
    try refuseEmpty(("--config", config), ("--zone", zone), ("--out", out))
  }

  func run() throws {
    try Program.run { () throws(StartFailure) in
      var events: [OfflineRenderer.Event] = []
      for text in event { events.append(try OfflineRenderer.Event(parsing: text)) }
      try OfflineRenderer(
        config: config, zone: zone, size: size.size, start: at.instant, framesPerSecond: fps, frames: frames,
        directory: out, events: events
      ).run()
    }
  }
}

struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Report all errors in a config.",
    discussion:
      "Exits with 78 if there is an error, else with 0; warnings do not change that.")

  @Flag(help: "Print one line of JSON, for machines.")
  var json = false

  @Argument(help: "The config file; without one, the config of this machine.")
  var file: String?

  func validate() throws { try refuseEmpty(("FILE", file)) }

  func run() throws {
    var exitCode: Int32 = 0
    try Program.run { () throws(StartFailure) in exitCode = try CheckCommand.run(file, json: json) }
    if exitCode != 0 { throw ExitCode(exitCode) }
  }
}

struct DoctorSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Find out what keeps the display from working, and what to do about it.",
    discussion: """
      Examines graphics cards, displays, permissions, the console, the service, its socket, the config, keyboards,
      fonts, saved scores and the time; changes nothing. Run as root it can examine more. Exits with 2 if it finds a
      problem.
      """)

  @Option(help: ArgumentHelp("The control socket.", valueName: "path"))
  var socket: String?

  @Flag(help: "Print one line of JSON, for machines.")
  var json = false

  func run() throws {
    var status: Int32 = 0
    try Program.run { () throws(StartFailure) in
      do throws(SystemError) {
        status = try DoctorCommand.run(socket: socket, json: json)
      } catch {
        throw StartFailure("standard output: \(error.errno)")
      }
    }
    if status != 0 { throw ExitCode(status) }
  }
}
