// SPDX-License-Identifier: Apache-2.0

import BrokerDouble
import Commands
import ControlCalls
import Glibc
import JSON
import LinuxSystem
import Remotes
import TestSupport
import Testing
import Varlink

@testable import MQTTConfig
@testable import MQTTRemote
@testable import TOMLConfig

@Suite("The settings of flipclock-mqtt without a file", .serialized) struct MQTTServiceTests {
  private final class Lines: @unchecked Sendable { var all: [String] = [] }

  private let directory: TemporaryDirectory
  private let loop: EventLoop
  private let lines = Lines()

  init() throws {
    directory = try TemporaryDirectory()
    loop = try EventLoop()
    directory.write("mqtt.toml", "")
  }

  private func service() throws -> MQTTService {
    let lines = lines
    let service = try MQTTService(
      directory.file("mqtt.toml"), directory: directory.path, candidates: [directory.file("control.sock")],
      on: loop, service: ServiceManager(), log: Log { _, line in lines.all.append(line) })
    try service.start(listeningAt: [directory.file("mqtt.sock")])
    return service
  }

  /// Sets or resets keys; nil: it was done.
  private func change(
    _ service: MQTTService, _ values: [(String, String?)], revision: Int? = nil
  ) throws -> ControlError? {
    var result: Result<SettingsChange, ControlError>?
    service.change(values.map { SettingChange(key: $0.0, value: $0.1) }, revision: revision) { result = $0 }
    #expect(try loop.turn { result != nil })
    if case .failure(let error) = result { return error }
    return nil
  }

  private static let samples: [(key: String, values: [String])] = [
    ("broker.host", ["127.0.0.1", "127.0.0.2", "a b"]), ("broker.port", ["1", "0", "x"]),
    ("broker.tls", ["true", "false", "maybe"]), ("broker.username", ["wall", "board"]),
    ("board.name", ["hall-1", "a/b"]), ("home-assistant.discovery", ["false", "no"]),
    ("broker.password-file", ["/etc/passwd"]), ("broker.ca", ["/etc/passwd"]),
  ]

  /// Files, each with what it sets; nil: it has an error.
  private static let edits: [(text: String, values: [String: String]?)] = [
    ("", [:]), ("[broker]\nhost = \"127.0.0.3\"\n", ["broker.host": "\"127.0.0.3\""]),
    ("[board]\nname = \"x\"\n[broker]\nport = 2\n", ["board.name": "\"x\"", "broker.port": "2"]),
    ("[home-assistant]\ndiscovery = true\n", ["home-assistant.discovery": "true"]),
    ("[broker]\nport = 70000\n", nil), ("[broker\n", nil),
  ]

  /// The settings of one file with these values.
  private func merged(_ values: [String: String]) -> MQTTSettings? {
    let text = values.sorted(by: <).map { key, value in
      let parts = key.split(separator: ".")
      return "\(parts[0]).\(parts[1]) = \(value)\n"
    }
    return MQTTSettingsLoader.load(.bytes(Array(text.joined().utf8)), "m", mode: .running).settings
  }

  private static func written(_ key: String, _ value: String) -> String {
    ["broker.port", "broker.tls", "home-assistant.discovery"].contains(key) && value != "x"
      && value != "maybe"
      && value != "no" ? value : "\"\(value)\""
  }

  @Test(
    "Whatever the order of sets, resets and edits, the config is that of the same files merged",
    arguments: 0..<3)
  func anyOrder(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    func pick<Value>(_ list: [Value]) -> Value { list[random.int(0...(list.count - 1))] }
    var service = try service()
    defer { service.close() }
    var owner: [String: String] = [:]
    var file: [String: String]? = [:]
    var expected = MQTTSettings()
    var (changes, refusals) = (0, 0)
    for step in 0..<TestEffort.rounds(120, long: 2_000) {
      if random.int(0...4) == 0 {
        let edit = pick(Self.edits)
        directory.write("mqtt.toml", edit.text)
        file = edit.values
        continue
      }
      let (key, values) = pick(Self.samples)
      let value = random.int(0...2) == 0 ? nil : pick(values)
      var wanted = owner
      wanted[key] = value.map { Self.written(key, $0) }
      let isKnown = !["broker.password-file", "broker.ca"].contains(key)
      let isFixed = value != nil && file?[key] != nil
      let settings = file.flatMap { file in isKnown && !isFixed ? merged(wanted.merging(file) { $1 }) : nil }
      let refusal = try change(service, [(key, value)])
      #expect(
        (refusal == nil) == (settings != nil),
        "step \(step): \(key) = \(value ?? "-"): \(refusal.map { "\($0)" } ?? "")")
      if let settings {
        changes += 1
        (owner, expected) = (wanted, settings)
      } else {
        refusals += 1
        if isKnown, !isFixed, value != nil, file != nil {
          guard case .settingRefused(key, _, _?, _, _, _, _)? = refusal else {
            #expect(key == "broker.host" || key == "board.name", "\(String(describing: refusal))")
            continue
          }
        }
      }
      #expect(service.settings == expected, "step \(step)")
      #expect(Set(service.owner.keys) == Set(owner.keys))
      // A program that starts with the same files does the same.
      if step % 20 == 0, let file {
        service.close()
        service = try self.service()
        expected = try #require(merged(owner.merging(file) { $1 }))
        #expect(service.settings == expected)
      }
    }
    #expect(changes > 20 && refusals > 10)
  }

  @Test("A change of settings that somebody else has changed is refused")
  func revision() throws {
    let service = try service()
    defer { service.close() }
    let seen = service.reply.revision
    #expect(try change(service, [("board.name", "hall-1")], revision: seen) == nil)
    #expect(
      try change(service, [("board.name", "hall-2")], revision: seen)
        == .settingsChanged(revision: service.reply.revision))
    #expect(service.settings.board.name == "hall-1")
  }

  @Test("Settings that are not used because of errors are removed one after another, in any order")
  func repair() throws {
    let wrong = ["board.name": "\"a/b\"", "broker.port": "70000", "broker.username": "\"wall\""]
    for order in [["board.name", "broker.port"], ["broker.port", "board.name"]] {
      directory.write(
        "settings.toml",
        wrong.map { "\($0) = \($1)\n" }.joined())
      let service = try service()
      defer { service.close() }
      // The others are used.
      var expected = MQTTSettings()
      expected.broker.username = "wall"
      #expect(service.settings == expected)
      #expect(try change(service, [("broker.tls", "true")]) != nil)
      for (count, key) in zip([2, 1], order) {
        #expect(try change(service, [(key, nil)]) == nil)
        #expect(service.settings == expected && service.owner.keys.count == count)
      }
      #expect(try change(service, [("broker.tls", "true")]) == nil)
    }
  }

  @Test("A key of the file has precedence, and its place is named")
  func place() throws {
    directory.write("mqtt.toml", "[board]\nname = \"x\"\n")
    let service = try service()
    defer { service.close() }
    let place = "\(directory.file("mqtt.toml")):2"
    #expect(try change(service, [("board.name", "y")]) == .settingInConfig(key: "board.name", place: place))
    let setting = try #require(service.reply.settings.first { $0.key == "board.name" })
    #expect(setting.source == .config && setting.place == place && setting.value == "x")
  }

  @Test("The password is stored for this program only, used for its broker only, and shown nowhere")
  func password() throws {
    let secret = "SECRET pass \" \\ word"
    var service = try self.service()
    defer { service.close() }
    #expect(throws: ControlError.self) { try service.set(password: secret) }
    #expect(try change(service, [("broker.host", "127.0.0.1"), ("broker.port", "1")]) == nil)
    for wrong in ["", String(repeating: "x", count: 1_001), "a\nb"] {
      #expect(throws: ControlError.self) { try service.set(password: wrong) }
    }
    try service.set(password: secret)
    #expect(service.state.password == .settings && service.settings.broker.password == nil)
    #expect(try change(service, [("broker.username", "wall")]) == nil)
    #expect(service.settings.broker.password?.text == secret)
    for (key, value) in [("broker.host", "127.0.0.2"), ("broker.port", "2"), ("broker.tls", "true")] {
      let before = try #require(service.reply.settings.first { $0.key == key }).value
      #expect(try change(service, [(key, value)]) == nil)
      #expect(service.settings.broker.password == nil && service.state.password == .stored, "\(key)")
      #expect(try change(service, [(key, before)]) == nil)
      #expect(service.settings.broker.password?.text == secret)
    }
    for name in directory.names() {
      var status = stat()
      guard stat(directory.file(name), &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        name != "mqtt.toml"
      else { continue }
      #expect(status.st_mode & 0o077 == 0, "\(name)")
      if name != "password.json" {
        #expect(
          !String(decoding: try readFile(directory.file(name), limit: 1 << 20), as: UTF8.self).contains(
            "SECRET"))
      }
    }
    let shown = try [JSONValue(encoding: service.state), JSONValue(encoding: service.reply)].map(\.text)
    for text in lines.all + shown + ["\(service.settings.broker.password.map { _ in "" } ?? "")"] {
      #expect(!text.contains("SECRET"), "\(text)")
    }
    // Nobody sends a password to a broker that somebody else has just set.
    let seen = service.reply.revision
    #expect(try change(service, [("broker.host", "127.0.0.2")]) == nil)
    for text in ["other", nil] {
      #expect(throws: ControlError.settingsChanged(revision: service.reply.revision)) {
        try service.set(password: text, revision: seen)
      }
    }
    #expect(service.state.password == .stored)
    // What a power cut has left of a write is removed at the start.
    directory.write(".flipclock-x.tmp", secret)
    service.close()
    service = try self.service()
    #expect(!directory.names().contains(".flipclock-x.tmp"))
    try service.set(password: nil, revision: service.reply.revision)
    #expect(service.state.password == .none && !directory.names().contains("password.json"))
    directory.write("p", "x\n")
    chmod(directory.file("p"), 0o600)
    directory.write(
      "mqtt.toml",
      "[broker]\nhost = \"127.0.0.1\"\nusername = \"u\"\npassword-file = \"\(directory.file("p"))\"\n")
    let place = "\(directory.file("mqtt.toml")):4"
    #expect(throws: ControlError.settingInConfig(key: "broker.password", place: place)) {
      try service.set(password: secret)
    }
    #expect(service.state.password == .config && service.state.passwordPlace == place)
  }

  @Test("A damaged file is set aside, whatever was damaged")
  func damaged() throws {
    var service = try service()
    #expect(
      try change(service, [("broker.host", "127.0.0.1"), ("broker.port", "1"), ("broker.username", "u")])
        == nil)
    try service.set(password: "SECRET")
    service.close()
    for name in ["settings.toml", "password.json"] {
      let whole = try readFile(directory.file(name), limit: 1 << 16)
      for length in 0..<whole.count {
        directory.write(name, String(decoding: whole.prefix(length), as: UTF8.self))
        chmod(directory.file(name), 0o600)
        service = try self.service()
        let isAside = directory.names().contains { $0.hasPrefix("\(name).bad-") }
        if name == "password.json" {
          #expect(
            isAside == (length < whole.count - 1) && (service.settings.broker.password == nil) == isAside)
        } else {
          #expect(!isAside || service.owner.isEmpty)
        }
        service.close()
        for file in directory.names() where file.contains(".bad-") { unlink(directory.file(file)) }
      }
      directory.write(name, String(decoding: whole, as: UTF8.self))
    }
    for line in lines.all { #expect(!line.contains("SECRET"), "\(line)") }
  }

  @Test("Without a broker nothing is connected; with one the state says how it went")
  func state() throws {
    let service = try service()
    defer { service.close() }
    #expect(service.state == MQTTInterface.State(phase: .off) && service.remote == nil)
    let broker = try BrokerDouble(on: loop)
    var isAccepting = false
    broker.answer = { packet in packet.type == 1 ? BrokerDouble.accepted(isAccepting ? 0 : 0x87) : [] }
    #expect(try change(service, [("broker.host", "127.0.0.1"), ("broker.port", "\(broker.port)")]) == nil)
    #expect(try loop.turn { service.state.problem == .wrongPassword })
    #expect(service.state.phase == .connecting && service.state.broker == "127.0.0.1:\(broker.port)")
    isAccepting = true
    #expect(try change(service, [("broker.username", "wall")]) == nil)
    try service.set(password: "right")
    #expect(try loop.turn { service.state.phase == .connected })
    #expect(service.state.problem == nil)
    #expect(try change(service, [("broker.host", nil), ("broker.port", nil)]) == nil)
    #expect(service.state.phase == .off && service.remote == nil)
  }
}
