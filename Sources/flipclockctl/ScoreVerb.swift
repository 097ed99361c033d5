// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Control
import Glibc

struct ScoreVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "score", abstract: "Works the match from this terminal, by single keys.",
    discussion: """
      Shows the match and the keys. A key that is held down, keys pressed together and pasted text are not \
      taken; what cannot be seen to be wrong at once asks for Enter. Ctrl-C leaves, and changes nothing.
      """)
  @OptionGroup var options: Options

  func run() throws {
    func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    if options.json { try misused("'score' is for people and has no --json; 'watch --json' has") }
    if let problem = ScoreConsole.problem(terminalName: variable("TERM")) { try misused(problem) }
    let candidates = SocketPath.candidates(option: options.socket, environment: variable)
    let end: ScoreConsole.End
    do throws(ControlClientError) {
      let colors = variable("NO_COLOR").map(\.isEmpty) ?? true
      end = try ScoreConsole(candidates: candidates, colors: colors).run()
    } catch {
      let result = CommandResult(error)
      complain(result)
      throw ExitCode(result.status.rawValue)
    }
    if let words = end.words { complain(words, end.status) }
    if end.status != .success { throw ExitCode(end.status.rawValue) }
  }

  private func misused(_ problem: String) throws -> Never {
    complain(problem)
    throw ExitCode(CommandExit.usage.rawValue)
  }
}
