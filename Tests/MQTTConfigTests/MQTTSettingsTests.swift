// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import MQTTConfig
@testable import TOMLConfig

@Suite struct MQTTSettingsTests {
  private func load(_ text: String, mode: Report.Mode = .check) -> MQTTSettingsLoader.Result {
    MQTTSettingsLoader.load(.bytes(Array(text.utf8)), "m.toml", mode: mode)
  }

  private func summaries(_ text: String) -> [String] { load(text).diagnostics.map(\.summary) }

  @Test("An empty config has the defaults")
  func defaults() {
    #expect(load("").settings == MQTTSettings())
    let settings = MQTTSettings()
    #expect(settings.broker.effectivePort == 1883 && settings.homeAssistant.prefix == "homeassistant")
  }

  @Test("Every key is read")
  func keys() throws {
    let directory = try TemporaryDirectory()
    let files = ["ca", "certificate", "key", "password"].map { directory.put($0, "pass word\n") }
    for file in files { chmod(file, 0o600) }
    let result = load(
      """
      [broker]
      host = "10.0.0.7"
      port = 8884
      tls = true
      ca = "\(files[0])"
      certificate = "\(files[1])"
      key = "\(files[2])"
      username = "wall"
      password-file = "\(files[3])"
      client-id = "hall:1"
      [board]
      name = "hall-1"
      clock-interval = "5s"
      health-interval = "0s"
      [home-assistant]
      discovery = false
      prefix = "ha/discovery"
      message-time = "10s"
      """)
    #expect(result.diagnostics == [])
    let settings = try #require(result.settings)
    var expected = MQTTSettings.Broker()
    expected.host = "10.0.0.7"
    expected.port = 8884
    expected.tls = true
    (expected.ca, expected.certificate, expected.key) = (files[0], files[1], files[2])
    expected.username = "wall"
    expected.password = Secret(file: files[3], text: "pass word")
    expected.clientID = "hall:1"
    #expect(settings.broker == expected)
    #expect(settings.board.name == "hall-1" && settings.board.clockInterval == 5)
    #expect(settings.board.healthInterval == 0 && !settings.homeAssistant.discovery)
    #expect(settings.homeAssistant.prefix == "ha/discovery" && settings.homeAssistant.messageTime == 10)
  }

  @Test(
    "Mistakes are reported at their positions, with a hint",
    arguments: [
      ("[broker]\nhots = 1\n", "m.toml:2:1: error: unknown key 'hots' in [broker]; did you mean 'host'?"),
      ("[bord]\n", "m.toml:1:2: error: unknown table [bord]; did you mean 'board'?"),
      ("host = 'x'\n", "m.toml:1:1: error: unknown key 'host' outside of any table; write it below [broker]"),
      ("[broker]\nhost = 'mqtt://x'\n", "m.toml:2:8: error: 'host' in [broker] must be a host name"),
      (
        "[broker]\nport = 0\n", "m.toml:2:8: error: 'port' in [broker] must be a whole number from 1 to 65535"
      ),
      ("[board]\nname = 'Hall 1'\n", "m.toml:2:8: error: 'name' in [board] must be the name of a board"),
      ("[board]\nname = '+'\n", "must be the name of a board"),
      ("[home-assistant]\nprefix = 'a//b'\n", "must be the beginning of a topic"),
      ("[home-assistant]\nprefix = '#'\n", "must be the beginning of a topic"),
      (
        "[board]\nclock-interval = '100ms'\n", "m.toml:2:1: error: 'clock-interval' in [board] must be \"1s\""
      ),
      ("[board]\nhealth-interval = '1s'\n", "must be \"10s\" or longer"),
      ("[broker]\nca = 'ca.pem'\n", "begin the path with \"/\""),
      ("[broker]\ntls = true\nca = '/nonexistent'\n", "'/nonexistent' cannot be read: No such file"),
      ("[broker]\ntls = true\nca = '/etc'\n", "'/etc' is not a file"),
      ("[broker]\nca = '/etc/passwd'\n", "m.toml:2:1: error: 'ca' in [broker] has no effect without TLS"),
      ("[broker]\ntls = true\ncertificate = '/etc/passwd'\n", "'certificate' in [broker] needs 'key' too"),
      ("[broker\n", "m.toml:1:"), ("[[broker]]\n", "[broker] must be a table"),
    ])
  func mistakes(text: String, message: String) {
    let result = load(text)
    #expect(result.settings == nil)
    #expect(
      result.diagnostics.contains { $0.summary.contains(message) }, "\(result.diagnostics.map(\.summary))")
  }

  @Test("Unknown keys are only warnings when the program runs")
  func running() {
    let result = load("[broker]\nhots = 1\n[x]\n", mode: .running)
    #expect(result.settings == MQTTSettings())
    #expect(result.diagnostics.map(\.severity) == [.warning, .warning])
  }

  @Test("A password file has one line, for its owner and group only")
  func passwords() throws {
    let directory = try TemporaryDirectory()
    func check(_ bytes: [UInt8], mode: mode_t = 0o600) -> [String] {
      let path = directory.put("password", bytes)
      chmod(path, mode)
      let text = "[broker]\nusername = 'u'\npassword-file = '\(path)'\n"
      return summaries(text).map { $0.replacing("\(directory.path)/", with: "") }
    }
    #expect(check(Array("secret".utf8)) == [])
    #expect(check(Array("secret\r\n".utf8), mode: 0o640) == [])
    #expect(
      check(Array("a\nb\n".utf8)) == [
        "password:2:1: error: there is a second line; a password file has only one"
      ])
    for (bytes, line) in [([], 1), ([10], 1), ([10, 10], 1)] as [([UInt8], Int)] {
      #expect(check(bytes) == ["password:\(line):1: error: the line with the password is empty"])
    }
    for bytes in [[0xff], [0x61, 0], [0x61, 9]] as [[UInt8]] {
      #expect(check(bytes) == ["password:1:1: error: the password has a control character, or is not UTF-8"])
    }
    #expect(check(Array("x".utf8), mode: 0o644).first?.contains("(mode 0644)") == true)
    #expect(check(Array("x".utf8), mode: 0o604).count == 1 && check(Array("x".utf8), mode: 0o620).count == 1)
    // No diagnostic quotes the file.
    let path = directory.put("password", "secret\nsecond")
    chmod(path, 0o600)
    let diagnostics = load("[broker]\nusername = 'u'\npassword-file = '\(path)'\n").diagnostics
    #expect(diagnostics.count == 1 && !diagnostics[0].description.contains("secret"))
  }

  @Test("A password needs a user, and encryption unless the broker is on this machine")
  func passwordAndUser() throws {
    let directory = try TemporaryDirectory()
    let path = directory.put("password", "secret")
    chmod(path, 0o600)
    #expect(
      summaries("[broker]\npassword-file = '\(path)'\n").first?.contains("needs 'username' too") == true)
    let local = load("[broker]\nusername = 'u'\npassword-file = '\(path)'\n")
    #expect(local.diagnostics == [])
    let remote = load("[broker]\nhost = 'broker'\nusername = 'u'\npassword-file = '\(path)'\n")
    #expect(remote.diagnostics.map(\.severity) == [.warning] && remote.settings != nil)
  }

  @Test("A config file that is named must exist")
  func files() throws {
    let directory = try TemporaryDirectory()
    let missing = MQTTSettingsLoader.load(directory.file("none.toml"), mode: .check)
    #expect(missing.settings == nil && missing.diagnostics.count == 1)
    let path = directory.put("m.toml", "[board]\nname = 'x'\n")
    #expect(MQTTSettingsLoader.load(path, mode: .check).settings?.board.name == "x")
    #expect(MQTTSettingsLoader.load(directory.path, mode: .check).diagnostics.count == 1)
  }

  @Test("The reference config changes nothing, and has every key")
  func reference() throws {
    let here = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let text = String(decoding: try readFile("/\(here)/config/mqtt.toml", limit: 1 << 20), as: UTF8.self)
    #expect(load(text).settings == MQTTSettings() && load(text).diagnostics == [])
    let lines = text.split(separator: "\n").map(String.init)
    let plain = lines.compactMap { line -> String? in
      let rest = line.dropFirst()
      guard let first = rest.first, first == "[" || first.isLetter else { return nil }
      return String(rest)
    }
    let standard = load(plain.joined(separator: "\n"))
    #expect(standard.settings == MQTTSettings() && standard.diagnostics == [])
    let shown = lines.map { $0.replacing("# example: ", with: "").replacing("#", with: "") }
    for key in MQTTSettingsLoader.format.manual.flatMap(\.keys) {
      #expect(shown.contains { $0.hasPrefix("\(key.name) = ") }, "\(key.name)")
    }
  }
}
