// SPDX-License-Identifier: Apache-2.0

/// A result of an examination: the interface's type `Finding`.
package struct Finding: Codable, Hashable, Sendable {
  package enum Level: String, CaseIterable, Codable, Hashable, Sendable {
    case ok
    /// Information that may be useful.
    case note
    /// Something does not work, e.g. the display, the control socket or the saving of scores.
    case problem
  }

  /// What is the matter, for clients that say it in their own language.
  package enum Kind: String, CaseIterable, Codable, Hashable, Sendable {
    case noCard = "no_card"
    case noDisplay = "no_display"
    /// A display is dark, or has a worse mode than it could have. The subject is its connector.
    case displayTrouble = "display_trouble"
    case switchedOff = "switched_off"
    /// The subject is the brightness.
    case dimmed
    case otherProgram = "other_program"
    case notEnabled = "not_enabled"
    case memory
    /// The subject is the file, the line and the column.
    case config
    /// The scores cannot be saved.
    case stateNotWritable = "state_not_writable"
    case diskFull = "disk_full"
    /// The last changes are not saved.
    case unsaved
    case settingsSetAside = "settings_set_aside"
    case settingsUnused = "settings_unused"
    /// The source of a board's text failed. The subject is the board.
    case boardProblem = "board_problem"
    /// A widget does not fit. The subject is the widget.
    case leftOut = "left_out"
    case clockNotSynchronized = "clock_not_synchronized"
    case noZone = "no_zone"
  }

  /// The heading of the findings of one area of the system.
  package var area: String
  package var level: Level
  /// Nil: only the text says it.
  package var kind: Kind?
  /// What the kind is about; nil: the kind says everything.
  package var subject: String?
  /// What was found, without a full stop at the end.
  package var text: String
  /// What to do about the finding; a problem always has a remedy.
  package var remedy: String?

  package init(
    area: String = "", level: Level, kind: Kind? = nil, subject: String? = nil, text: String,
    remedy: String? = nil
  ) {
    self.area = area
    self.level = level
    self.kind = kind
    self.subject = subject
    self.text = text
    self.remedy = remedy
  }
}

/// The reply to Examine.
package struct ExaminationReport: Codable, Hashable, Sendable {
  /// The daemon's release.
  package var version: String
  /// When the daemon was started, RFC 3339.
  package var started: String
  package var findings: [Finding]

  package init(version: String, started: String, findings: [Finding]) {
    self.version = version
    self.started = started
    self.findings = findings
  }
}
