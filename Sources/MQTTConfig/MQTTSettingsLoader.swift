// SPDX-License-Identifier: Apache-2.0

import TOMLConfig

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

  private static let user = "flipclock-mqtt"

  /// Reads the file, and the files that it names.
  ///
  /// - Parameters:
  ///   - path: nil: `standardFile`, which need not exist.
  ///   - owner: what was set without a file, and the path where that is stored.
  ///   - password: a password that was set without a file.
  package static func load(
    _ path: String?, after owner: (path: String, settings: MQTTOwnerSettings)? = nil,
    _ password: BrokerPassword? = nil, mode: Report.Mode
  ) -> Result {
    var report = Report(mode: mode, reader: user)
    let (files, hasFile) = read(path, after: owner, &report)
    var result = settings(of: files, &report)
    result.hasFile = hasFile
    if let password, var broker = result.settings?.broker, broker.password == nil, broker.username != nil,
      password.isFor(broker)
    {
      broker.password = Secret(file: password.file, text: password.text)
      result.settings?.broker = broker
    }
    return result
  }

  static func load(_ content: ConfigFile.Content, _ path: String, mode: Report.Mode) -> Result {
    var report = Report(mode: mode, reader: user)
    var files = ConfigFiles(advice: advice)
    files.add(path, content, &report)
    return settings(of: files, &report)
  }

  /// The keys that people set without a file, and what sets each of them. The password is not one of them.
  package static func settings(
    _ path: String?, after owner: (path: String, settings: MQTTOwnerSettings)
  ) -> [OwnerSetting] {
    var report = Report(mode: .running, reader: user)
    let (files, _) = read(path, after: owner, &report)
    return MQTTSelection.settings(in: files, report, owner: owner.path)
  }

  /// Where the config has `password-file`; nil: it has none.
  package static func passwordPlace(_ path: String?) -> String? {
    var report = Report(mode: .running, reader: user)
    let (files, _) = read(path, after: nil, &report)
    guard let location = files.entries("broker", "password-file").first?.keyLocation else { return nil }
    let place = report.place(of: location)
    return "\(place.file):\(place.line)"
  }

  private static let advice = SyntaxAdvice(headers: "[broker]")

  private static func read(
    _ path: String?, after owner: (path: String, settings: MQTTOwnerSettings)?, _ report: inout Report
  ) -> (files: ConfigFiles, hasFile: Bool) {
    var files = ConfigFiles(advice: advice)
    if let owner, !owner.settings.isEmpty {
      files.add(settings: Array(owner.settings.text.utf8), of: owner.path, &report)
    }
    let file = path ?? standardFile
    let content = ConfigFile.read(file, reader: user)
    switch content {
    case .missing where path == nil, .masked: return (files, false)
    case .missing:
      let message = "cannot be read: No such file or directory"
      files.add(file, .unreadable(message: message, hint: nil), &report)
    case .bytes, .unreadable: files.add(file, content, &report)
    }
    return (files, true)
  }

  private static func settings(of files: ConfigFiles, _ report: inout Report) -> Result {
    var settings = MQTTSettings()
    format.read(files, into: &settings, &report)
    return Result(
      settings: report.hasErrors ? nil : settings, diagnostics: report.diagnostics, hasFile: true)
  }

  /// The tables, in the order of the manual.
  package static var format: ConfigFormat<MQTTSettings> {
    let standard = MQTTSettings()
    return ConfigFormat([
      ConfigTable(.broker, \.broker, standard: standard.broker, check: checkBroker),
      ConfigTable(.board, \.board, standard: standard.board, check: checkBoard),
      ConfigTable(.homeAssistant, \.homeAssistant, standard: standard.homeAssistant),
    ])
  }

  // MARK: Keys that depend on each other

  private static func checkBroker(
    _ settings: inout MQTTSettings, _ files: ConfigFiles, _ report: inout Report
  ) {
    let broker = settings.broker
    func location(_ key: String) -> Location? { files.entries("broker", key).first?.keyLocation }
    // Without TLS, these would be ignored silently, and the connection would be less safe than it looks.
    for key in ["ca", "certificate", "key"] {
      if !broker.tls, let location = location(key) {
        report.error(location, "'\(key)' in [broker] has no effect without TLS", hint: "write tls = true")
      }
    }
    for (key, other) in [("certificate", "key"), ("key", "certificate")] {
      if let found = location(key), location(other) == nil {
        report.error(found, "'\(key)' in [broker] needs '\(other)' too")
      }
    }
    guard let password = location("password-file") else { return }
    if location("username") == nil {
      report.error(password, "'password-file' in [broker] needs 'username' too")
    } else if !broker.tls, let host = broker.host, !isLocal(host) {
      report.warning(
        password, "the password is sent to \(host.quoted) without encryption",
        hint: "write tls = true if the broker has a certificate")
    }
  }

  private static func isLocal(_ host: String) -> Bool {
    ["localhost", "::1", "ip6-localhost"].contains(host) || host.hasPrefix("127.")
  }

  private static func checkBoard(
    _ settings: inout MQTTSettings, _ files: ConfigFiles, _ report: inout Report
  ) {
    let intervals = [
      ("clock-interval", settings.board.clockInterval, 1.0),
      ("health-interval", settings.board.healthInterval, 10),
    ]
    for (key, value, least) in intervals where value > 0 && value < least {
      if let location = files.entries("board", key).first?.keyLocation {
        report.error(
          location, "'\(key)' in [board] must be \"\(Units.duration(least))\" or longer, or \"0s\"")
      }
    }
  }
}
