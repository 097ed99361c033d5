// SPDX-License-Identifier: Apache-2.0

/// What only higher modules can judge of a config: whether a time zone and a font exist, and whether a key's
/// command can be done. Without a check everything passes.
public struct SettingsChecks {
  public struct Problem: Hashable, Sendable {
    /// One clause without a full stop.
    public var message: String
    /// What to write instead, one clause.
    public var hint: String?
    /// The config cannot be used with it. Any other problem is an error for who checks a config, and a
    /// warning for the daemon, which has something to fall back on.
    public var isFatal: Bool

    public init(_ message: String, hint: String? = nil, isFatal: Bool = false) {
      self.message = message
      self.hint = hint
      self.isFatal = isFatal
    }
  }

  /// A problem of the configuration as a whole, which is a warning.
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

  /// Of the name of a time zone; nil: it exists.
  public var zone: (String) -> Problem? = { _ in nil }
  /// Of a font's family or path; nil: it exists.
  public var font: (String) -> Problem? = { _ in nil }
  /// Of the words that a key stands for, in the configuration that they are part of.
  public var command: (String, Configuration) -> Problem? = { _, _ in nil }
  /// Of a configuration that is otherwise good.
  public var configuration: (Configuration) -> [Finding] = { _ in [] }

  public init() {}
}
