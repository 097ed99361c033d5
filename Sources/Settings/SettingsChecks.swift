// SPDX-License-Identifier: Apache-2.0

import Languages
import TOMLConfig

/// Checks of a config that need more than its syntax, e.g. whether a time zone and a font exist, and whether
/// the command of a key can be run. By default everything passes.
package struct SettingsChecks {
  /// A problem of the configuration as a whole; it is reported as a warning.
  package struct Finding: Hashable, Sendable {
    package enum Subject: Hashable, Sendable {
      /// The path of a table, such as `["widgets", "clock"]`. The table may be built in.
      case table([String])
      /// The path of a key, such as `["game", "periods"]`. The finding is reported only if a file has the
      /// key.
      case key([String])
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
  /// The zone that is named after the city with this name; nil: there is none.
  package var zoneOfCity: (String) -> String? = { _ in nil }
  /// Checks whether the place of a time zone is known; `local` is the machine's zone. Nil: it is.
  package var place: (String) -> Problem? = { _ in nil }
  /// Checks a font's family or path; nil: it exists.
  package var font: (String) -> Problem? = { _ in nil }
  /// Checks the file of a picture; nil: it can be shown.
  package var picture: (String) -> Problem? = { _ in nil }
  /// Returns the pictures in a directory, in the order in which they are shown, and the problems with them or
  /// with the directory.
  package var pictures: (String) -> (files: [String], problems: [Problem]) = { _ in ([], []) }
  /// Checks the command of a key in the configuration that it belongs to.
  package var command: (String, Configuration) -> Problem? = { _, _ in nil }
  /// Checks whether the command of a key does what was probably meant; a problem is reported as a warning.
  package var advice: (String) -> Problem? = { _ in nil }
  /// Checks a configuration as a whole, if it has no errors.
  package var configuration: (Configuration) -> [Finding] = { _ in [] }

  package init() {}
}

/// What is needed to read the keys besides the files.
struct SettingsContext: ReadingContext {
  var checks = SettingsChecks()
  /// The language of the display, in whose capitals some names are stored.
  var language = Language.english
  /// `[locale]`, which is read before the other tables.
  var locale = LocaleSettings()
}

extension Report {
  var checks: SettingsChecks { self[SettingsContext.self].checks }
  var language: Language { self[SettingsContext.self].language }
  var locale: LocaleSettings { self[SettingsContext.self].locale }
}
