// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The directory in which a program keeps its state.
package enum StateDirectory {
  /// Where a program stores its state: the directory that systemd gives it, else the default of root or of
  /// the user; nil for a user without XDG_STATE_HOME and HOME.
  package static func path(
    of program: String, user: uid_t = geteuid(), environment: (String) -> String?
  ) -> String? {
    func variable(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
    // Several directories are separated by colons.
    if let directory = variable("STATE_DIRECTORY") { return String(directory.prefix { $0 != ":" }) }
    if user == 0 { return "/var/lib/\(program)" }
    if let base = variable("XDG_STATE_HOME"), base.hasPrefix("/") { return "\(base)/\(program)" }
    return variable("HOME").flatMap { $0.hasPrefix("/") ? "\($0)/.local/state/\(program)" : nil }
  }

  /// The error message if `path` returns nil.
  package static let missing =
    "no state directory: HOME is not set; set it, or choose a directory with --state-dir"

  /// Makes the directory, unless it exists, and locks it. Fails if another user could replace its files.
  package static func lock(_ directory: String, mode: mode_t) throws(DirectoryLock.Failure) -> DirectoryLock {
    do throws(SystemError) {
      try makeDirectories(directory, mode: mode, hint: "choose a writable directory with --state-dir")
    } catch {
      throw .system(error)
    }
    if let hazard = DirectoryHazard(directory) { throw .unsafe(hazard) }
    return try DirectoryLock(directory)
  }
}

extension DirectoryLock.Failure {
  /// The message for users, with the remedy.
  package func text(_ directory: String) -> String {
    switch self {
    case .held(let pid, let program):
      let process = pid.map { " (process \($0))" } ?? ""
      return "\(program ?? "another program")\(process) uses the state directory \(directory); stop it, "
        + "or choose another with --state-dir"
    case .unsafe(let hazard):
      let text = hazard.text(directory)
      return
        "the state directory is not safe: \(text.problem); \(text.remedy), or choose another with --state-dir"
    case .system(let error): return "\(error)"
    }
  }

  /// The exit status: a value of sysexits.h, or 1.
  package var exitStatus: Int32 {
    switch self {
    case .held: EX_TEMPFAIL
    case .unsafe: EX_NOPERM
    case .system: 1
    }
  }

  /// The failure as an error of a system call.
  package func systemError(_ directory: String) -> SystemError {
    switch self {
    case .held: SystemError("flock", directory, errno: Errno(rawValue: EBUSY), hint: text(directory))
    case .unsafe(let hazard):
      SystemError("open", directory, errno: Errno(rawValue: EACCES), hint: hazard.text(directory).problem)
    case .system(let error): error
    }
  }
}
