// SPDX-License-Identifier: Apache-2.0

import CRelease
import Commands
import ControlCalls
import ControlClient
import Glibc
import LinuxSystem
import Remotes
import ScoringConsole
import VarlinkSockets

@main
enum Flipclockctl {
  /// The maximum size of a text on standard input, in bytes.
  private static let textLimit = 32 * 1024

  static func main() {
    // Without the signal, `write` reports a closed pipe as an error.
    signal(SIGPIPE, SIG_IGN)
    let words = ProgramArguments.words
    exit(run(words, Messages(areJSON: CommandLineRequest.wantsJSON(words))).rawValue)
  }

  private static func run(_ words: [String], _ messages: Messages) -> CommandStatus {
    if let problem = ProgramArguments.problem { return messages.fail(problem) }
    let request: CommandLineRequest
    do throws(UsageError) { request = try CommandLineRequest(words) } catch {
      let usage = error.usage.enumerated().map { ($0 == 0 ? "Usage: " : "       ") + "flipclockctl \($1)" }
      return messages.fail(([error.message] + usage).joined(separator: "\n"))
    }
    switch request.action {
    case .help(let text): return messages.output(Array(text.utf8))
    case .version:
      let release = Release.description(of: "flipclockctl", commit: String(cString: flipclock_commit()))
      return messages.output(Array("\(release)\n".utf8))
    case .invoke(.score): return score(request, messages)
    case .invoke(.check(let file)):
      let options = request.json ? ["--json"] : []
      return messages.fail(
        DaemonProgram.replaceThisProgram(["check"] + options + (file.map { ["--", $0] } ?? [])), .unreachable)
    case .invoke(.doctor):
      let options = (request.json ? ["--json"] : []) + (request.socket.map { ["--socket", $0] } ?? [])
      return messages.fail(DaemonProgram.replaceThisProgram(["doctor"] + options), .unreachable)
    case .invoke(.devices(let wanted)):
      let candidates = WebInterface.candidates(option: request.socket, environment: environmentVariable)
      return print(wanted.run(candidates: candidates, json: request.json), messages)
    case .invoke(.network(let wanted)):
      let candidates = HostInterface.candidates(option: request.socket, environment: environmentVariable)
      return print(wanted.run(candidates: candidates, json: request.json), messages)
    case .invoke(.complete(let completion)): return complete(completion, request, messages)
    case .invoke(.request(let wanted)):
      guard wanted.readsText else { return perform(wanted, request, messages) }
      do throws(SystemError) {
        let bytes = try readAll(from: STDIN_FILENO, "standard input", limit: textLimit)
        guard let text = String(validating: bytes, as: UTF8.self) else {
          return messages.fail("standard input is not UTF-8", .unreachable)
        }
        return perform(wanted.reading(text), request, messages)
      } catch {
        return messages.fail("\(error)", .unreachable)
      }
    }
  }

  private static func candidates(_ request: CommandLineRequest) -> [String] {
    SocketPath.candidates(option: request.socket, environment: environmentVariable)
  }

  private static func perform(
    _ wanted: ClientRequest, _ request: CommandLineRequest, _ messages: Messages
  ) -> CommandStatus {
    let result: CommandResult
    do throws(VarlinkClientError) {
      var client = try VarlinkClient(candidates: candidates(request))
      result = wanted.run(on: &client, json: request.json) { messages.output($0) == .success }
    } catch {
      result = CommandResult(error)
    }
    return print(result, messages)
  }

  private static func print(_ result: CommandResult, _ messages: Messages) -> CommandStatus {
    messages.print(result)
    let written = messages.output(result.output)
    return written == .success ? result.status : written
  }

  private static func score(_ request: CommandLineRequest, _ messages: Messages) -> CommandStatus {
    if request.json { return messages.fail("'score' is interactive and has no --json; use 'watch --json'") }
    if let problem = ScoreConsole.problem(terminalName: environmentVariable("TERM")) {
      return messages.fail(problem)
    }
    do throws(VarlinkClientError) {
      let colors = environmentVariable("NO_COLOR").map(\.isEmpty) ?? true
      let end = try ScoreConsole(candidates: candidates(request), colors: colors).run()
      return end.message.map { messages.fail($0, end.status) } ?? end.status
    } catch {
      let result = CommandResult(error)
      messages.print(result)
      return result.status
    }
  }

  /// Prints each candidate on a line, with a tab and the description if there is one. Without a daemon, the
  /// names that only the daemon knows, such as those of teams, are missing.
  private static func complete(
    _ completion: Completion.Request, _ request: CommandLineRequest, _ messages: Messages
  ) -> CommandStatus {
    let found = Completion.candidates(completion) { names in
      do throws(VarlinkClientError) {
        // A shell must not wait for a daemon that is stuck.
        var client = try VarlinkClient(candidates: candidates(request), timeoutSeconds: 1)
        return names.names(in: try client.perform(names.command))
      } catch {
        return []
      }
    }
    let lines = found.map { $0.word.printable + ($0.help.isEmpty ? "" : "\t\($0.help)") + "\n" }
    return messages.output(Array(lines.joined().utf8))
  }
}
