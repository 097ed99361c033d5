// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A config read as who edits it wants it read, strictly and to the end: `flipclockd check` and
/// `flipclockctl check`.
public struct ConfigCheck: Sendable {
  public let result: LoadResult

  /// - Parameters:
  ///   - path: nil: the files of the machine.
  ///   - commandProblem: as `SettingsLoader.load` has it.
  public init(_ path: String?, commandProblem: @escaping (String) -> String?) {
    self.init(path.map(SettingsSources.explicit) ?? .standard(), commandProblem: commandProblem)
  }

  init(_ sources: SettingsSources, commandProblem: @escaping (String) -> String?) {
    result = SettingsLoader.load(sources, mode: .check, commandProblem: commandProblem)
  }

  private var errors: Int { result.diagnostics.count { $0.severity == .error } }

  /// 0, or EX_CONFIG (sysexits.h) where there is an error.
  public var exitCode: Int32 { errors > 0 ? EX_CONFIG : 0 }

  /// What to print: each diagnostic with its source line, and a verdict.
  public var text: String {
    var lines = result.diagnostics.map(\.description)
    if errors > 0 {
      lines.append("\(errors) error\(errors == 1 ? "" : "s")")
    } else if result.files.isEmpty {
      lines.append("no config file; the built-in default is shown")
    } else {
      lines += result.files.map { "\($0.withoutControls): ok" }
    }
    return lines.joined(separator: "\n")
  }
}
