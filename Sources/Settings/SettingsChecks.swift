// SPDX-License-Identifier: Apache-2.0

/// Checks of a config that need more than its syntax: whether a time zone and a font exist, and whether the command
/// of a key can be run. By default everything passes.
package struct SettingsChecks {
  package struct Problem: Hashable, Sendable {
    /// One clause without a full stop.
    package var message: String
    /// How to correct it, in one clause.
    package var hint: String?
    /// Whether the config cannot be used. Any other problem is an error in `check` and a warning in the daemon, which
    /// uses the config nevertheless.
    package var isFatal: Bool

    package init(_ message: String, hint: String? = nil, isFatal: Bool = false) {
      self.message = message
      self.hint = hint
      self.isFatal = isFatal
    }
  }

  /// A problem of the configuration as a whole; it is reported as a warning.
  package struct Finding: Hashable, Sendable {
    package enum Subject: Hashable, Sendable {
      case widget(String)
      case page(String)
      /// A theme of `[themes.NAME]`; nil: that of `[theme]`.
      case theme(String?)
      /// A key of a table outside of other tables. It is reported only if a file has it.
      case key(table: String, name: String)
      case team(String)
      /// An entry of the schedule.
      case entry(String)
      /// A table outside of other tables.
      case table(String)
    }

    package var subject: Subject
    package var message: String
    package var hint: String?

    package init(_ subject: Subject, _ message: String, hint: String? = nil) {
      self.subject = subject
      self.message = message
      self.hint = hint
    }
  }

  /// Checks the name of a time zone; nil: it exists.
  package var zone: (String) -> Problem? = { _ in nil }
  /// The zone of the city with this name, whose name the zone has; nil: there is none.
  package var zoneOfCity: (String) -> String? = { _ in nil }
  /// Checks whether the place of a time zone is known; `local` is the machine's zone. Nil: it is.
  package var place: (String) -> Problem? = { _ in nil }
  /// Checks a font's family or path; nil: it exists.
  package var font: (String) -> Problem? = { _ in nil }
  /// Checks the command of a key in the configuration that it belongs to.
  package var command: (String, Configuration) -> Problem? = { _, _ in nil }
  /// Checks whether the command of a key does what was probably meant; a problem is reported as a warning.
  package var advice: (String) -> Problem? = { _ in nil }
  /// Checks a configuration as a whole, if it has no errors.
  package var configuration: (Configuration) -> [Finding] = { _ in [] }

  package init() {}
}
