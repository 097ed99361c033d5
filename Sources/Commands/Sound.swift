// SPDX-License-Identifier: Apache-2.0

/// A sound, named after what has ended.
package enum Sound: String, CaseIterable, Codable, Hashable, Sendable {
  /// The game clock has ended its period.
  case period
  case shot
  /// The clock of a break has run out.
  case breakEnd = "break"
  /// The clock of a break warns.
  case breakWarning = "break-warning"

  /// A countdown has ended.
  case countdown

  /// What is sounded, for the log.
  package var text: String {
    switch self {
    case .period: "end of the period"
    case .shot: "end of the shot clock"
    case .breakEnd: "end of the break"
    case .breakWarning: "the break is about to end"
    case .countdown: "end of a countdown"
    }
  }
}
