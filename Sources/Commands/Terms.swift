// SPDX-License-Identifier: Apache-2.0

/// The terms under which a change is performed. A change without terms is performed however late it comes,
/// and whatever the revision of the match is.
package struct Terms: Hashable, Sendable {
  /// How old a command may be when it is performed, in nanoseconds. The sender of an older one may have given
  /// up and sent the command again.
  package static let patience: Int64 = 5_000_000_000

  /// The command's id, which the sender chooses. A command with a known id gets the earlier answer and is not
  /// performed again.
  package var id: String?
  /// When a person gave the command, in nanoseconds on the clock of the match.
  package var time: Int64?
  /// The match must have this revision; nil: any.
  package var revision: Int?

  package init(id: String? = nil, time: Int64? = nil, revision: Int? = nil) {
    self.id = id
    self.time = time
    self.revision = revision
  }
}
