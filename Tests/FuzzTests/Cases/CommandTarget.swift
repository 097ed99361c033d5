// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import DaemonDouble
import Scoreboard
import Varlink

extension FuzzTarget {
  /// Commands of keys and events, one on each line, performed in a match. The words of each line are also
  /// parsed as a command line, and completed.
  static let command = FuzzTarget(
    name: "command",
    seeds: { commandLines.map { Array($0.utf8) } + [Array(commandLines.joined(separator: "\n").utf8)] },
    run: { bytes in
      let handler = RefereeHandler(GameRules.Preset.allCases[bytes.count % GameRules.Preset.allCases.count])
      for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n").prefix(100) {
        try perform(String(line), handler)
        try readCommandLine(line.split(separator: " ").map(String.init))
      }
    })

  /// The examples of all commands.
  static let commandLines = CommandTable.rows.flatMap(\.examples)

  private static func perform(_ line: String, _ handler: RefereeHandler) throws(Broken) {
    for surface in [CommandSurfaces.key, .event] {
      let change: Change
      do throws(UsageError) { change = try Change(parsing: line, on: surface) } catch {
        try check(error.line.isHarmless, error.line.debugDescription)
        continue
      }
      // Reading the message that sends the command either gives the same command or fails.
      let call = VarlinkCall(.change(change))
      do {
        let sent = try VarlinkCall(reading: call.message)
        try check(sent == call, "\(call) became \(sent)")
        let received = try Command(sent) { [] }
        try check(received == .change(change), "\(change) became \(received)")
      } catch let error as Broken {
        throw error
      } catch let error as VarlinkError {
        try check(!error.name.isEmpty, "\(error)")
      } catch {
        throw Broken(description: "\(change): \(error)")
      }
      var result: Result<ChangeReply, ControlError>?
      handler.perform(change) { result = $0 }
      switch result {
      case nil: throw Broken(description: "\(change) is not completed")
      case .failure(let error):
        // The message may quote the words unchanged. Control characters are escaped when it is printed.
        try check(error.message.diagnostic.split(separator: "\n").allSatisfy { String($0).isHarmless }, line)
      case .success: _ = handler.matchState()
      }
    }
  }

  private static func readCommandLine(_ words: [String]) throws(Broken) {
    do throws(UsageError) { _ = try CommandLineRequest(words) } catch {
      try check(error.line.isHarmless, error.line.debugDescription)
    }
    for request in [Completion.Request.next(words), .options(words)] {
      _ = Completion.candidates(request) { _ in ["home"] }
    }
  }
}
