// SPDX-License-Identifier: Apache-2.0

import Spelling

/// Reads the config of flipclock-mqtt.
package enum MQTTSettingsLoader {
  /// The file of the service.
  package static let standardFile = "/etc/flipclock/mqtt.toml"

  package struct Result: Hashable, Sendable {
    /// Nil when there is an error among the diagnostics.
    package var settings: MQTTSettings?
    /// The diagnostics in the order of the files and their lines.
    package var diagnostics: [Diagnostic]
    /// Whether there is a file.
    package var hasFile: Bool
  }

  private static let sections = ["broker", "board", "home-assistant"]

  /// Reads the file, and the files that it names.
  ///
  /// - Parameter path: nil: `standardFile`, which need not exist.
  package static func load(_ path: String?, mode: SettingsLoader.Mode) -> Result {
    let file = path ?? standardFile
    var report = Report(mode: mode)
    let content = ConfigFile.read(file, reader: "flipclock-mqtt")
    switch content {
    case .bytes(let bytes): return load(bytes, file, report)
    case .missing where path == nil, .masked:
      return Result(settings: MQTTSettings(), diagnostics: [], hasFile: false)
    case .missing: fail(file, "cannot be read: No such file or directory", nil, &report)
    case .unreadable(let message, let hint): fail(file, message, hint, &report)
    }
    return Result(settings: nil, diagnostics: report.diagnostics, hasFile: true)
  }

  /// Reads a config from memory.
  static func load(_ bytes: [UInt8], _ path: String, mode: SettingsLoader.Mode) -> Result {
    load(bytes, path, Report(mode: mode))
  }

  private static func fail(_ path: String, _ message: String, _ hint: String?, _ report: inout Report) {
    let file = report.add(SourceFile(path: path))
    report.error(Location(file: file, line: 1, column: 1), message, hint: hint)
  }

  private static func load(_ bytes: [UInt8], _ path: String, _ report: Report) -> Result {
    var report = report
    var settings = MQTTSettings()
    let file = report.add(SourceFile(path: path, bytes: bytes))
    do throws(SyntaxError) {
      let document = try Node.parse(bytes, file: file)
      decode(document, &settings, &report)
    } catch {
      report.error(
        Location(file: file, line: error.line, column: error.column), error.message, hint: error.hint)
    }
    return Result(
      settings: report.hasErrors ? nil : settings, diagnostics: report.diagnostics, hasFile: true)
  }

  private static func decode(_ document: Node, _ settings: inout MQTTSettings, _ report: inout Report) {
    guard case .table(let entries) = document.value else { return }
    for entry in entries {
      switch entry.key {
      case "broker":
        Section.broker.apply(entry.value, to: &settings.broker, &report)
        check(settings.broker, entry.value, &report)
      case "board":
        Section.board.apply(entry.value, to: &settings.board, &report)
        check(settings.board, entry.value, &report)
      case "home-assistant":
        Section.homeAssistant.apply(entry.value, to: &settings.homeAssistant, &report)
      default: reportUnknown(entry, &report)
      }
    }
  }

  private static func reportUnknown(_ entry: Node.Entry, _ report: inout Report) {
    if case .table = entry.value.value {
      report.unknownKey(
        entry.keyLocation, "unknown table [\(entry.key.withoutControls.prefix(48))]",
        hint: Spelling.hint(for: entry.key, among: sections)
          ?? "known are \(sections.joined(separator: ", "))")
      return
    }
    let owners = [
      ("broker", Section.broker.keys.map(\.name)), ("board", Section.board.keys.map(\.name)),
      ("home-assistant", Section.homeAssistant.keys.map(\.name)),
    ]
    report.unknownKey(
      entry.keyLocation, "unknown key \(entry.key.quoted) outside of any table",
      hint: owners.first { $0.1.contains(entry.key) }.map { "write it below [\($0.0)]" }
        ?? Spelling.hint(for: entry.key, among: sections))
  }

  // MARK: Keys that depend on each other

  /// Reports at one of the keys of a table, if the table has it.
  private static func location(_ key: String, in table: Node) -> Location? {
    guard case .table(let entries) = table.value else { return nil }
    return entries.first { $0.key == key }?.keyLocation
  }

  private static func check(_ broker: MQTTSettings.Broker, _ table: Node, _ report: inout Report) {
    func isGiven(_ key: String) -> Location? { location(key, in: table) }
    // Without TLS, these would be ignored silently, and the connection would be less safe than it looks.
    for key in ["ca", "certificate", "key"] {
      if !broker.tls, let location = isGiven(key) {
        report.error(location, "'\(key)' in [broker] has no effect without TLS", hint: "write tls = true")
      }
    }
    for (key, other) in [("certificate", "key"), ("key", "certificate")] {
      if let location = isGiven(key), isGiven(other) == nil {
        report.error(location, "'\(key)' in [broker] needs '\(other)' too")
      }
    }
    guard let location = isGiven("password-file") else { return }
    if isGiven("username") == nil {
      report.error(location, "'password-file' in [broker] needs 'username' too")
    } else if !broker.tls, !isLocal(broker.host) {
      report.warning(
        location, "the password is sent to \(broker.host.quoted) without encryption",
        hint: "write tls = true if the broker has a certificate")
    }
  }

  private static func isLocal(_ host: String) -> Bool {
    ["localhost", "::1", "ip6-localhost"].contains(host) || host.hasPrefix("127.")
  }

  private static func check(_ board: MQTTSettings.Board, _ table: Node, _ report: inout Report) {
    let intervals = [
      ("clock-interval", board.clockInterval, 1.0), ("health-interval", board.healthInterval, 10),
    ]
    for (key, value, least) in intervals where value > 0 && value < least {
      if let location = location(key, in: table) {
        report.error(
          location, "'\(key)' in [board] must be \"\(Units.duration(least))\" or longer, or \"0s\"")
      }
    }
  }
}
