// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import ControlClient
import Glibc
import JSON
import LinuxSystem
import Varlink

/// Writes results to standard output, and errors to standard error.
struct Messages {
  /// Whether messages are JSON. An error is then one line with one object: `{"error": {"message": …,
  /// "status": …}}`, with `name` and `parameters` if it came from the daemon.
  let areJSON: Bool

  /// Writes to standard output; if that fails, prints why.
  func output(_ bytes: [UInt8]) -> CommandStatus {
    do throws(SystemError) {
      try writeAll(bytes, to: STDOUT_FILENO)
      return .success
    } catch {
      // A program that has closed the pipe does not need the rest, so print no error.
      return error.errno.rawValue == EPIPE
        ? .unreachable : fail("standard output: \(error.errno)", .unreachable)
    }
  }

  /// Prints an error.
  ///
  /// - Returns: `status`.
  func fail(_ text: String, _ status: CommandStatus = .usage) -> CommandStatus { fail(text, status, nil) }

  private func fail(_ text: String, _ status: CommandStatus, _ error: VarlinkError?) -> CommandStatus {
    var line = "flipclockctl: \(text.diagnostic)\n"
    if areJSON {
      var members: [String: JSONValue] = [
        "message": .string(text), "status": .integer(Int64(status.rawValue)),
      ]
      if let error {
        members["name"] = .string(error.name)
        members["parameters"] = .object(error.parameters)
      }
      line = JSONValue.object(["error": .object(members)]).text + "\n"
    }
    write(line)
    return status
  }

  /// Prints the errors of a command.
  func print(_ result: CommandResult) {
    // With --json, the located errors are in the reply on standard output.
    if !areJSON { result.located.forEach { write($0 + "\n") } }
    for line in result.diagnostics { _ = fail(line, result.status, result.error) }
  }

  /// Writes to standard error. Ignores errors, because they could not be reported anywhere.
  private func write(_ text: String) { try? writeAll(Array(text.utf8), to: STDERR_FILENO) }
}
