// SPDX-License-Identifier: Apache-2.0

/// A sound, named after what has ended.
package enum Sound: String, CaseIterable, Hashable, Sendable {
  /// The game clock has ended its period.
  case period
  case shot
}
