// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Control
import Glibc

/// What the shells' completions ask: one word a line, and nothing where there is nothing to tell.
struct CompleteVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "complete", abstract: "Tells what may come next, for the shells' completions.",
    shouldDisplay: false)
  @OptionGroup var options: Options
  @Argument(help: "A command; or verbs, teams, pages.")
  var verb: String
  @Argument(help: "Which of its arguments, from 0.")
  var index = 0

  func run() throws {
    guard let source = Completion.source(verb, argument: index) else { return }
    let words = source == .verbs ? Command.verbs : known(source)
    let text = words.map { "\($0.printable)\n" }.joined()
    try? writeAll(Array(text.utf8), to: STDOUT_FILENO)
  }

  /// A shell that waits for a daemon that is stuck is worse than one without words.
  private func known(_ source: Completion.Source) -> [String] {
    do throws(ControlClientError) {
      let candidates = SocketPath.candidates(option: options.socket) { name in
        getenv(name).map { String(cString: $0) }
      }
      var client = try ControlClient(candidates: candidates, timeoutSeconds: 1)
      let reply = try client.call("\(ControlInterface.name).GetStatus")
      return Completion.words(source, in: reply["status"] ?? .null)
    } catch {
      return []
    }
  }
}
