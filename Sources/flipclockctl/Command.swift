// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Control
import Glibc
import LinuxSystem
import Spelling

@main
struct Command: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "flipclockctl",
    abstract: "Tells flipclockd what to show, and asks what it shows.",
    discussion: """
      The socket is that of --socket, else $FLIPCLOCK_SOCKET, else /run/flipclock/control.sock, else \
      $XDG_RUNTIME_DIR/flipclock/control.sock.

      Exit status: 0 done; 1 the daemon cannot be reached, or a file cannot be written; 2 the daemon \
      refused, or doctor found a problem; 64 wrong usage; 78 the config has errors.
      """,
    version: "flipclockctl \(Release.version)",
    subcommands: [
      Status.self, SetScore.self, AddScore.self, SetValue.self, TimerControl.self, Undo.self, Redo.self,
      History.self, PenaltyVerb.self, Swap.self, NewGame.self, Reset.self, Watch.self, Show.self,
      Message.self,
      Blank.self, Unblank.self, Brightness.self, Reload.self, Screenshot.self, ScoreVerb.self,
      CheckVerb.self, DoctorVerb.self, CompleteVerb.self,
    ])

  /// Verbs that are more than a call to the daemon.
  private static let ownVerbs = ["score", "check", "doctor"]
  static let verbs = ControlCommand.verbs + ownVerbs

  static func main() {
    // A reader that went away is an error of `write`, not a death.
    signal(SIGPIPE, SIG_IGN)
    let words = Array(CommandLine.arguments.dropFirst())
    if let problem = ProgramArguments.problem {
      complain(problem)
      Glibc.exit(CommandExit.usage.rawValue)
    }
    if words.contains(where: Options.names.contains), CommandLineWords.verb(of: words) == nil {
      complain(words.last == "--socket" ? "--socket takes the path of the daemon's socket" : noCommand)
      Glibc.exit(CommandExit.usage.rawValue)
    }
    if let verb = CommandLineWords.verb(of: words), !["help", "complete"].contains(verb),
      !verbs.contains(verb)
    {
      complain(Spelling.unknown("command", verb, among: verbs).printable)
      Glibc.exit(CommandExit.usage.rawValue)
    }
    do {
      var command = try parseAsRoot(CommandLineWords.arranged(words))
      try command.run()
    } catch {
      // An exit status by itself: what there was to say is said.
      guard !(error is ExitCode), exitCode(for: error) == .validationFailure else { exit(withError: error) }
      // As all others: who says it first.
      let text = fullMessage(for: error)
      complain(text.hasPrefix("Error: ") ? String(text.dropFirst(7)) : text)
      Glibc.exit(CommandExit.usage.rawValue)
    }
  }

  func run() throws {
    complain(Self.noCommand)
    throw ExitCode(CommandExit.usage.rawValue)
  }

  private static var noCommand: String {
    "no command given (known: \(verbs.joined(separator: ", "))); --help tells more"
  }
}

/// The options of every verb; they may stand before it too.
struct Options: ParsableArguments {
  @Option(help: ArgumentHelp("The daemon's control socket.", valueName: "path"))
  var socket: String?

  @Flag(help: "Print one line of JSON, for machines.")
  var json = false

  static let names = ["--socket", "--json"]

  /// Does what the words say; exit status 64 when they say nothing.
  func perform(_ parse: () throws(UsageProblem) -> ControlCommand) throws {
    let command: ControlCommand
    do throws(UsageProblem) { command = try parse() } catch {
      complain(error.description)
      throw ExitCode(CommandExit.usage.rawValue)
    }
    try perform(command)
  }

  /// Writes each state of the match as it comes.
  func watch() throws {
    let candidates = SocketPath.candidates(option: socket) { name in
      getenv(name).map { String(cString: $0) }
    }
    do throws(ControlClientError) {
      var client = try ControlClient(candidates: candidates)
      try ControlCommand.watch(on: &client, json: json) { line in
        (try? output(line)) != nil
      }
    } catch {
      let result = CommandResult(error)
      complain(result)
      throw ExitCode(result.status.rawValue)
    }
    throw ExitCode(CommandExit.unreachable.rawValue)
  }

  /// Does `command` and ends with its exit status.
  func perform(_ command: ControlCommand) throws {
    let candidates = SocketPath.candidates(option: socket) { name in
      getenv(name).map { String(cString: $0) }
    }
    let result: CommandResult
    do throws(ControlClientError) {
      var client = try ControlClient(candidates: candidates)
      result = command.run(on: &client, json: json)
    } catch {
      result = CommandResult(error)
    }
    complain(result)
    try output(result.output)
    if result.status != .success { throw ExitCode(result.status.rawValue) }
  }
}

/// Writes to standard output; where that fails it says why, and the exit status is thrown.
func output(_ bytes: [UInt8]) throws {
  do { try writeAll(bytes, to: STDOUT_FILENO) } catch {
    // The reader has seen enough: nothing to tell.
    if error.errno.rawValue != EPIPE { complain("standard output: \(error.errno)", .unreachable) }
    throw ExitCode(CommandExit.unreachable.rawValue)
  }
}
