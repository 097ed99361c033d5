// SPDX-License-Identifier: Apache-2.0

/// The release of flipclock. The daemon and flipclockctl are built together.
package enum Release {
  /// `ReleaseTests` compares the other files that contain the version with this one.
  package static let version = "0.1.0"

  /// What `--version` prints: the program, the version, and the commit if it is known.
  package static func description(of program: String, commit: String) -> String {
    commit.isEmpty ? "\(program) \(version)" : "\(program) \(version) (\(commit))"
  }
}
