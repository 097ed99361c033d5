// SPDX-License-Identifier: Apache-2.0

import Control
import Glibc

/// Whether the errors, like the output, are for machines. Asked before the words are parsed, because they may
/// be what is wrong.
private let wantsJSON = CommandLine.arguments.dropFirst().prefix { $0 != "--" }.contains("--json")

/// A line or a few on standard error, whatever words they repeat. With `--json` one line with one object:
/// `{"error": {"message": …, "status": …}}`, and `name` and `parameters` of the daemon's error.
func complain(_ text: String, _ status: CommandExit = .usage, error: ControlError? = nil) {
  var line = "flipclockctl: \(Diagnostic.text(text))\n"
  if wantsJSON {
    var members: [String: JSONValue] = ["message": .string(text), "status": .integer(Int64(status.rawValue))]
    if let error {
      members["name"] = .string(error.name)
      members["parameters"] = .object(error.parameters)
    }
    line = JSONValue.object(["error": .object(members)]).text + "\n"
  }
  try? writeAll(Array(line.utf8), to: STDERR_FILENO)
}

/// What went wrong with a command.
func complain(_ result: CommandResult) {
  // With --json the reply on standard output has them.
  if !wantsJSON {
    for line in result.located { try? writeAll(Array("\(line)\n".utf8), to: STDERR_FILENO) }
  }
  for line in result.diagnostics { complain(line, result.status, error: result.error) }
}
