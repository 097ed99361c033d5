// SPDX-License-Identifier: Apache-2.0

/// Checks of a config that need higher modules: whether a time zone and a font exist, and whether the command of a key can
/// be run. By default everything passes.
public struct SettingsChecks {
  public struct Problem: Hashable, Sendable {
    /// One clause without a full stop.
    public var message: String
    /// What to write instead, one clause.
    public var hint: String?
    /// Whether the config cannot be used. Any other problem is an error in `check` and a warning in the daemon, which
    /// uses a default instead.
    public var isFatal: Bool

    public init(_ message: String, hint: String? = nil, isFatal: Bool = false) {
      self.message = message
      self.hint = hint
      self.isFatal = isFatal
    }
  }

  /// A problem of the configuration as a whole; it is reported as a warning.
  public struct Finding: Hashable, Sendable {
    public enum Subject: Hashable, Sendable {
      case widget(String)
      case page(String)
    }

    public var subject: Subject
    public var message: String
    public var hint: String?

    public init(_ subject: Subject, _ message: String, hint: String? = nil) {
      self.subject = subject
      self.message = message
      self.hint = hint
    }
  }

  /// Checks the name of a time zone; nil: it exists.
  public var zone: (String) -> Problem? = { _ in nil }
  /// Checks a font's family or path; nil: it exists.
  public var font: (String) -> Problem? = { _ in nil }
  /// Checks the command of a key in the configuration that it belongs to.
  public var command: (String, Configuration) -> Problem? = { _, _ in nil }
  /// Checks a configuration without errors.
  public var configuration: (Configuration) -> [Finding] = { _ in [] }

  public init() {}
}
