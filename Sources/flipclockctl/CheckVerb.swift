// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Control
import Glibc
import Settings

struct CheckVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Tells all that is wrong with a config.",
    discussion: """
      Reads the file itself and asks no daemon. Unknown keys are errors here, though the daemon only warns of \
      them. Exits with 78 where there is an error.
      """)
  @OptionGroup var options: Options
  @Argument(
    help: "The config file; without one, those of the machine.", completion: .file(extensions: ["toml"]))
  var file: String?

  func validate() throws {
    if file?.isEmpty == true { throw ValidationError("the name of the file is empty") }
  }

  func run() throws {
    let check = ConfigCheck(file, commandProblem: ControlCommand.problem)
    let text = options.json ? json(check).text : check.text
    try output(Array("\(text)\n".utf8))
    if check.exitCode != 0 { throw ExitCode(check.exitCode) }
  }

  /// `{"ok": …, "files": […], "diagnostics": [{"severity", "file", "line", "column", "message", "hint"?}]}`.
  private func json(_ check: ConfigCheck) -> JSONValue {
    let diagnostics = check.result.diagnostics.map { diagnostic in
      var members: [String: JSONValue] = [
        "severity": .string(diagnostic.severity.rawValue), "file": .string(diagnostic.file),
        "line": .integer(Int64(diagnostic.line)), "column": .integer(Int64(diagnostic.column)),
        "message": .string(diagnostic.message),
      ]
      if let hint = diagnostic.hint { members["hint"] = .string(hint) }
      return JSONValue.object(members)
    }
    return .object([
      "ok": .bool(check.exitCode == 0), "files": .array(check.result.files.map { .string($0) }),
      "diagnostics": .array(diagnostics),
    ])
  }
}
