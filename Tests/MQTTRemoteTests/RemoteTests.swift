// SPDX-License-Identifier: Apache-2.0

import Commands
import BrokerDouble
import DaemonDouble
import HomeAssistant
import JSON
import LinuxSystem
import TestSupport
import Testing

@testable import MQTTRemote
@testable import MQTTConfig

/// The program between a broker and a daemon, all on one loop.
@Suite(.serialized) struct RemoteTests {
  let directory: TemporaryDirectory
  let loop: EventLoop
  let daemon: DaemonDouble
  let broker: BrokerDouble
  let remote: MQTTRemote

  init() throws {
    directory = try TemporaryDirectory()
    loop = try EventLoop()
    daemon = try DaemonDouble(at: directory.file("control.sock"), on: loop)
    broker = try BrokerDouble(on: loop)
    broker.accept()
    var settings = MQTTSettings()
    settings.broker.host = "127.0.0.1"
    settings.broker.port = broker.port
    settings.board.name = "hall"
    settings.board.healthInterval = 0
    remote = try MQTTRemote(
      settings, host: "127.0.0.1", candidates: [directory.file("control.sock")], on: loop,
      log: Log { _, _ in })
    remote.start()
  }

  private func wait(_ what: Comment, _ condition: () throws -> Bool) throws {
    try #require(try loop.turn(until: condition), what)
  }

  /// The latest payload of each topic with a retained message.
  private var retained: [String: String] {
    Dictionary(
      broker.packets.filter { $0.type == 3 && $0.isRetained }.map { ($0.topic, $0.payload) },
      uniquingKeysWith: { $1 })
  }

  private var results: [JSONValue] {
    broker.packets.filter { $0.type == 3 && $0.topic == "flipclock/hall/result" }.compactMap {
      try? JSONReader.read(Array($0.payload.utf8))
    }
  }

  private func becomesOnline() throws {
    try wait("online") { retained["flipclock/hall/availability"] == "online" }
  }

  /// Waits until messages without a time are performed.
  private func settles() throws {
    try becomesOnline()
    try wait("settled") { remote.isSettled }
  }

  private func send(_ topic: String, _ payload: String, isRetained: Bool = false) {
    broker.send(BrokerDouble.message(topic, Array(payload.utf8), isRetained: isRetained))
  }

  private var score: Int? { daemon.handler.match.scoreboard.teams.first?.score }

  @Test("The retained messages are the values of the wall, and follow its changes")
  func publishing() throws {
    try becomesOnline()
    #expect(retained["flipclock/hall/entity/home_score/state"] == "0")
    #expect(
      retained["homeassistant/number/flipclock_hall/home_score/config"]?.contains(#""name":"hall""#) == true)
    // The availability is last, so that nobody sees a wall without values.
    #expect(broker.packets.last { $0.type == 3 }?.topic == "flipclock/hall/availability")
    let before = broker.packets.count
    daemon.handler.perform(.match(.setScore(team: "home", to: 9))) { _ in }
    try wait("the score") { retained["flipclock/hall/entity/home_score/state"] == "9" }
    let topics = broker.packets[before...].filter { $0.type == 3 }.map(\.topic)
    #expect(!topics.contains { $0.hasPrefix("homeassistant/") })
    daemon.handler.perform(.message("HELLO", milliseconds: 0)) { _ in }
    try wait("the message") {
      retained["flipclock/hall/entity/message/state"] == #"{"text":"HELLO"}"#
    }
  }

  @Test("A command is performed, and its result is the daemon's")
  func commands() throws {
    try settles()
    send("flipclock/hall/command", #"{"command":"set-score home 5","id":"one"}"#)
    try wait("a result") { results.count == 1 }
    #expect(results[0]["ok"] == .bool(true) && results[0]["id"] == .string("one"))
    send("flipclock/hall/command", #"{"command":"set-score home 6","id":"one"}"#)
    try wait("a result") { results.count == 2 }
    #expect(results[1] == results[0])
    #expect(daemon.handler.match.scoreboard.teams.first?.score == 5)
    send("flipclock/hall/entity/home_plus_3/set", "PRESS")
    try wait("the score") { retained["flipclock/hall/entity/home_score/state"] == "8" }
    send("flipclock/hall/command", "set-score nobody 1")
    try wait("a result") { results.count == 4 }
    #expect(results[3]["ok"] == .bool(false))
    #expect(remote.performed == 4 && remote.dropped.total == 0)
  }

  @Test(
    "A command with a known id gets its answer again, also from a restarted program, however late it is")
  func ids() throws {
    try settles()
    let command = #"{"command":"add-score home 2","id":"one","time":1000,"sender":"x"}"#
    send("flipclock/hall/command", command)
    try wait("a result") { results.count == 1 }
    // By this sender's clock, the first command is 20 s old when it is sent again.
    send("flipclock/hall/command", #"{"command":"add-score guest 1","time":21000,"sender":"x"}"#)
    send("flipclock/hall/command", command)
    try wait("results") { results.count == 3 }
    #expect(results[2] == results[0] && score == 2)
    var settings = MQTTSettings()
    (settings.broker.host, settings.broker.port, settings.board.name) = ("127.0.0.1", broker.port, "hall")
    let again = try MQTTRemote(
      settings, host: "127.0.0.1", candidates: [directory.file("control.sock")], on: loop,
      log: Log { _, _ in })
    // The broker double accepts one connection at a time.
    remote.client.close()
    again.start()
    try wait("settled") { again.isSettled && again.wall != nil }
    send("flipclock/hall/command", command)
    try wait("a result") { results.count == 4 }
    #expect(results[3] == results[0] && score == 2)
    again.client.close()
  }

  @Test("A revision is compared by the daemon, and the answer has the present one")
  func revisions() throws {
    try settles()
    for _ in 0..<2 { send("flipclock/hall/command", #"{"command":"add-score home 1","revision":0}"#) }
    try wait("results") { results.count == 2 }
    #expect(results.map { $0["ok"] } == [.bool(true), .bool(false)] && score == 1)
    #expect(results[1]["revision"] == .integer(1))
    #expect(results[1]["error"]?.string?.contains("has changed") == true)
  }

  @Test("Commands that may have waited for the connection are refused")
  func unsettled() throws {
    try settles()
    send("flipclock/hall/command", #"{"command":"set-score home 1","time":1000}"#)
    try wait("a result") { results.count == 1 }
    broker.closeClient()
    try wait("lost") { !remote.client.isConnected }
    try wait("connected") { remote.client.isConnected && remote.wall != nil }
    #expect(!remote.isSettled)
    send("flipclock/hall/entity/home_plus_1/set", "PRESS")
    send("flipclock/hall/command", "set-score home 9")
    send("flipclock/hall/command", #"{"command":"set-score home 9","id":"new","sender":"y","time":5}"#)
    try wait("refusals") { results.count == 4 }
    #expect(results[1...].allSatisfy { $0["error"]?.string?.contains("may be old") == true })
    #expect(results[1]["entity"] == .string("home_plus_1") && results[3]["id"] == .string("new"))
    #expect(score == 1 && remote.dropped.total == 3)
  }

  @Test("A refused change leaves the value as it is")
  func refusals() throws {
    try settles()
    send("flipclock/hall/entity/redo/set", "PRESS")
    try wait("a result") { results.count == 1 }
    #expect(results[0]["ok"] == .bool(false))
    let values = broker.packets.filter { $0.topic == "flipclock/hall/entity/home_score/state" }
    #expect(values.count == 1)
  }

  @Test("Retained commands are counted, but not performed")
  func retainedCommands() throws {
    try becomesOnline()
    send("flipclock/hall/command", "set-score home 99", isRetained: true)
    send("flipclock/hall/entity/home_score/set", "99", isRetained: true)
    send("flipclock/hall/entity/home_score/set", "1000")
    try wait("three refusals") { results.count == 3 }
    #expect(remote.dropped.total == 3 && remote.performed == 0)
    #expect(daemon.handler.match.scoreboard.teams.first?.score == 0)
  }

  @Test("Messages that an earlier run has left are removed, and no others")
  func sweep() throws {
    try becomesOnline()
    let foreign = [
      "homeassistant/number/flipclock_hall/old_score/config", "flipclock/hall/entity/old_score/state",
    ]
    for topic in foreign { send(topic, "x", isRetained: true) }
    send("homeassistant/number/flipclock_hall/home_score/config", "garbage", isRetained: true)
    try wait("removed") { foreign.allSatisfy { retained[$0] == "" } }
    #expect(retained["homeassistant/number/flipclock_hall/home_score/config"]?.isEmpty == false)
  }

  @Test("When Home Assistant starts, everything is published again, once")
  func restart() throws {
    try becomesOnline()
    func configs() -> Int {
      broker.packets.count { $0.topic == "homeassistant/button/flipclock_hall/undo/config" }
    }
    send("homeassistant/status", "online", isRetained: true)
    send("homeassistant/status", "offline")
    for _ in 0..<20 { send("homeassistant/status", "online") }
    try wait("configs") { configs() == 2 }
    for _ in 0..<10 { try loop.turn(timeoutMilliseconds: 10) }
    #expect(configs() == 2)
  }

  @Test("Without the daemon the wall is offline, and commands get an error")
  func noDaemon() throws {
    try becomesOnline()
    daemon.stop()
    try wait("offline") { retained["flipclock/hall/availability"] == "offline" }
    send("flipclock/hall/command", "undo")
    try wait("a result") { results.count == 1 }
    #expect(results[0]["error"]?.string?.contains("not connected") == true)
    try daemon.start()
    try becomesOnline()
  }

  @Test("After a new connection to the broker everything is published again")
  func reconnecting() throws {
    try becomesOnline()
    daemon.handler.perform(.match(.setScore(team: "guest", to: 3))) { _ in }
    let before = broker.packets.count
    broker.closeClient()
    try wait("connected again") {
      broker.packets[before...].contains { $0.topic == "flipclock/hall/availability" }
    }
    let again = broker.packets[before...].filter { $0.type == 3 && $0.isRetained }
    #expect(again.contains { $0.topic.hasSuffix("guest_score/state") && $0.payload == "3" })
    #expect(again.count > 40)
  }

  @Test("The time of a running clock is published each second")
  func clock() throws {
    try becomesOnline()
    daemon.handler.perform(.match(.startTimer(.game))) { _ in }
    try wait("two seconds") {
      broker.packets.count { $0.topic == "flipclock/hall/entity/clock_time/state" } >= 3
    }
  }
}
