// SPDX-License-Identifier: Apache-2.0

import Display
import LinuxSystem

/// The line that `systemctl status` shows.
enum ServiceStatus {
  /// What the line says about a display.
  struct Shown {
    var name: String
    /// Nil while it is dark.
    var mode: DisplayMode?
    var isBlank = false
    /// Why it is dark, or has a worse mode than it could have.
    var problem: String?

    init(name: String, mode: DisplayMode? = nil, isBlank: Bool = false, problem: String? = nil) {
      self.name = name
      self.mode = mode
      self.isBlank = isBlank
      self.problem = problem
    }

    init(_ output: any Output) {
      self.init(
        name: output.name, mode: output.description?.mode, isBlank: output.isBlank,
        problem: output.trouble?.reason)
    }

    fileprivate var clause: String {
      if let mode, !isBlank { return "\(name), \(mode)" + (problem.map { " (\($0))" } ?? "") }
      return isBlank && problem == nil
        ? "\(name) off, as requested" : "\(name) dark: \(problem ?? "no display")"
    }
  }

  /// - Parameters:
  ///   - problem: why there is no display at all.
  ///   - configErrors: the errors of the last reload.
  ///   - unsaved: why the last changes are not on the disk.
  static func line(
    _ outputs: [Shown], isBlank: Bool, problem: String?, configErrors: [String], unsaved: SystemError? = nil
  ) -> String {
    var line: String
    let lit = outputs.filter { $0.mode != nil && !$0.isBlank }
    if !lit.isEmpty {
      let dark = outputs.filter { $0.mode == nil || $0.isBlank }
      line = (["showing on " + lit.map(\.clause).joined(separator: " and ")] + dark.map(\.clause))
        .joined(separator: "; ")
    } else if isBlank {
      line = "the display is off, as requested"
    } else {
      line = problem ?? "waiting for a display"
    }
    if let unsaved { line += "; the last changes are not saved: \(unsaved)" }
    if let first = configErrors.first {
      let more = configErrors.count > 1 ? " (and \(configErrors.count - 1) more)" : ""
      line += "; the config has errors: \(first)\(more)"
    }
    return line
  }
}
