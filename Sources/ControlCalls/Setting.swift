// SPDX-License-Identifier: Apache-2.0

import JSON

/// A key of the config that people set without a file: the interface's type `Setting`.
package struct Setting: Codable, Hashable, Sendable {
  /// What sets a key.
  package enum Source: String, CaseIterable, Codable, Hashable, Sendable {
    case standard = "default"
    case settings
    case config
  }

  /// `teams.home.name`
  package var key: String
  /// A string without quotes, any other value as in a config; nil: no file has it.
  package var value: String?
  /// The value that it has if no file sets it, written the same way; nil: it has none, or it depends on more.
  package var `default`: String?
  package var source: Source
  /// The file and the line that has precedence, for `config`: `/etc/flipclock/config.toml:12`. Without
  /// a value, a table there excludes the key.
  package var place: String?
  /// The kind of the value, such as `choice`.
  package var kind: String
  package var choices: [String]?
  /// The range of a number; the greatest length of a text, in characters, or of a duration, in seconds.
  package var least: Double?
  package var most: Double?

  package init(
    key: String, value: String?, default standard: String? = nil, source: Source, place: String? = nil,
    kind: String, choices: [String]? = nil,
    least: Double? = nil, most: Double? = nil
  ) {
    self.key = key
    self.value = value
    self.default = standard
    self.source = source
    self.place = place
    self.kind = kind
    self.choices = choices
    self.least = least
    self.most = most
  }
}

/// The reply to GetSettings.
package struct SettingsReply: Codable, Hashable, Sendable {
  package var settings: [Setting]
  /// The file of the settings.
  package var text: String
  /// A number that is another one after each change of the settings or of the file, with a negligible
  /// probability of error. It fits in a double.
  package var revision: Int

  package init(settings: [Setting], text: String) {
    self.settings = settings
    self.text = text
    let bytes = ((try? JSONValue(encoding: settings))?.bytes ?? []) + Array(text.utf8)
    // FNV-1a. It needs no state that would have to survive restarts.
    let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    revision = Int(hash >> 11)
  }
}

/// What a change of the settings did to the match, because they have another game: the interface's type
/// `MatchEffect`.
package enum MatchEffect: String, CaseIterable, Codable, Hashable, Sendable {
  case setAside = "set_aside"
  case broughtBack = "brought_back"
  case notSetAside = "not_set_aside"
}

/// The reply to SetSettings and ImportSettings.
package struct SettingsChange: Codable, Hashable, Sendable {
  package var settings: [Setting]
  /// About values that are used nevertheless.
  package var warnings: [String]
  /// Nil: the same match is played.
  package var match: MatchEffect?
  /// As in `SettingsReply`, after the change.
  package var revision: Int

  /// - Parameters:
  ///   - after: all settings after the change.
  ///   - keys: those that were changed.
  package init(_ after: SettingsReply, keys: [String], warnings: [String] = [], match: MatchEffect? = nil) {
    (self.warnings, self.match) = (warnings, match)
    settings = after.settings.filter { keys.contains($0.key) }
    revision = after.revision
  }
}
