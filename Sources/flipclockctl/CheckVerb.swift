// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigChecks
import Control
import Glibc
import Settings

struct CheckVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Tells all that is wrong with a config.",
    discussion: """
      Has flipclockd read the file, and asks no daemon that runs. Unknown keys, zones and fonts are errors \
      here, though the daemon only warns of them. Exits with 78 where there is an error.
      """)
  @OptionGroup var options: Options
  @Argument(
    help: "The config file; without one, those of the machine.", completion: .file(extensions: ["toml"]))
  var file: String?

  func validate() throws {
    if file?.isEmpty == true { throw ValidationError("the name of the file is empty") }
  }

  func run() throws {
    // Only flipclockd knows about fonts. It does the whole check in place of this program, if it is there.
    let words = ["check"] + (options.json ? ["--json"] : []) + (file.map { ["--", $0] } ?? [])
    DaemonProgram.replaceThisProgram(words)
    let check = ConfigCheck(
      file, checks: .standard,
      unchecked: ["fonts, since flipclockd is neither beside flipclockctl nor in PATH"])
    try output(Array("\(options.json ? check.json : check.text)\n".utf8))
    if check.exitCode != 0 { throw ExitCode(check.exitCode) }
  }
}

/// The `flipclockd` that belongs to this flipclockctl.
enum DaemonProgram {
  /// Runs it with `words` in place of this program; returns if there is none.
  static func replaceThisProgram(_ words: [String]) {
    for path in candidates where access(path, X_OK) == 0 {
      var arguments: [UnsafeMutablePointer<CChar>?] = ([path] + words).map { strdup($0) }
      arguments.append(nil)
      signal(SIGPIPE, SIG_DFL)
      execv(path, arguments)
      signal(SIGPIPE, SIG_IGN)
      for argument in arguments { free(argument) }
    }
  }

  /// Beside this program, then in PATH.
  private static var candidates: [String] {
    var directories: [String] = []
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink("/proc/self/exe", &buffer, Int(PATH_MAX))
    if count > 0 {
      let path = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if let slash = path.lastIndex(of: "/") { directories.append(String(path[..<slash])) }
    }
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    directories += path.split(separator: ":").map(String.init)
    return directories.filter { $0.hasPrefix("/") }.map { "\($0)/flipclockd" }
  }
}
