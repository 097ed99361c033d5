// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// The `flipclockd` that belongs to this flipclockctl.
enum DaemonProgram {
  /// Runs flipclockd in place of this program. The corresponding C function is `execv`.
  ///
  /// - Returns: why that is not possible.
  static func replaceThisProgram(_ arguments: [String]) -> String {
    let path = candidates.first { access($0, X_OK) == 0 } ?? candidates.first ?? "flipclockd"
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
    words.append(nil)
    signal(SIGPIPE, SIG_DFL)
    execv(path, words)
    let error = Errno.current
    signal(SIGPIPE, SIG_IGN)
    for word in words { free(word) }
    return "cannot run \(path): \(error); install flipclockd beside flipclockctl or in a directory of $PATH"
  }

  /// The paths to try: beside this program, then in PATH.
  private static var candidates: [String] {
    let program = (try? programPath()) ?? ""
    let directory = program.lastIndex(of: "/").map { String(program[..<$0]) }
    let path = environmentVariable("PATH") ?? ""
    let directories = [directory].compactMap { $0 } + path.split(separator: ":").map(String.init)
    return directories.filter { $0.hasPrefix("/") }.map { "\($0)/flipclockd" }
  }

  /// The path of this program, read from /proc/self/exe. The corresponding C function is `readlink`.
  private static func programPath() throws(SystemError) -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = try retryingInterrupts("readlink", "/proc/self/exe") {
      readlink("/proc/self/exe", &buffer, buffer.count)
    }
    return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
