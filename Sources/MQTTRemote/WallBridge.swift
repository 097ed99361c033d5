// SPDX-License-Identifier: Apache-2.0

import Commands
import Control
import HomeAssistant
import LinuxSystem
import MQTT
import Remotes
import Varlink

/// Carries the states and commands of a board that several walls share between this wall's daemon and the broker.
///
/// What is sent comes from the daemon, which also decides what it adopts: this only passes messages on. Topics:
///
/// - `flipclock/BOARD/walls/state`, retained: the leader's last state.
/// - `flipclock/BOARD/walls/leader`, retained: the topic of the leader's availability.
/// - `flipclock/BOARD/walls/request`: a follower's command.
/// - `flipclock/BOARD/walls/answer`: its result.
/// - `flipclock/BOARD/walls/refresh`: a follower asks the leader to send its state again.
final class WallBridge {
  private let link: DaemonLink
  private let client: MQTTClient
  private let loop: EventLoop
  private let log: Log
  /// Where this wall's availability is published.
  private let ownAvailability: String

  private var board: String?
  private var leads = false
  /// The state that this wall sent last, as the leader.
  private var state: String?
  /// Where the leader's availability is published; nil: unknown.
  private var leaderAvailability: String?
  private var isLeaderOnline = false
  /// What was last reported to the daemon; nil: nothing.
  private var reported: Report?
  private var pending: Set<String> = []
  private var recent = RecentCommands()
  private var rejections = RejectionLog()
  /// Announces the leader again, after another wall has announced itself.
  private let announceTimer: LoopTimer
  /// Has the leader send its state again. Many followers may ask for it at the same time.
  private let refreshTimer: LoopTimer

  /// How old a request may be, in milliseconds.
  private static let patience = 10_000
  /// How long the leader waits before it answers another wall's announcement, in nanoseconds.
  private static let announcementDelay: Int64 = 1_000_000_000
  /// The time between two states that were asked for, in nanoseconds.
  private static let refreshDelay: Int64 = 500_000_000
  private static let pendingLimit = 64

  init(
    link: DaemonLink, client: MQTTClient, ownAvailability: String, on loop: EventLoop, log: Log
  ) throws(SystemError) {
    self.link = link
    self.client = client
    self.ownAvailability = ownAvailability
    self.loop = loop
    self.log = log
    announceTimer = try LoopTimer(.monotonic, on: loop)
    refreshTimer = try LoopTimer(.monotonic, on: loop)
    announceTimer.handler = { [weak self] _ in self?.announce() }
    refreshTimer.handler = { [weak self] _ in self?.refresh() }
    link.joinsWalls = true
  }

  private struct Report: Equatable {
    var isReachable: Bool
    var isSynchronized: Bool
  }

  // MARK: Topics

  private func topic(_ name: String) -> String? { board.map { "flipclock/\($0)/walls/\(name)" } }

  /// Whether a message belongs to the shared board.
  func owns(_ topic: String) -> Bool {
    guard let board else { return false }
    return topic.hasPrefix("flipclock/\(board)/walls/") || topic == leaderAvailability
  }

  private var filters: [String] {
    let names = leads ? ["state", "leader", "request", "refresh"] : ["state", "leader", "answer"]
    return names.compactMap(topic) + [leads ? nil : leaderAvailability].compactMap { $0 }
  }

  // MARK: The daemon

  func handle(_ event: WallEvent) {
    if event.board != board || event.leads != leads {
      for filter in filters { client.unsubscribe(filter) }
      (board, leads) = (event.board, event.leads)
      state = nil
      leaderAvailability = nil
      isLeaderOnline = false
      if let board { log.notice("this wall \(leads ? "leads" : "follows") '\(board)'") }
      subscribe()
    }
    if let text = event.state {
      state = text
      if leads, let topic = topic("state") { client.publish(MQTTMessage(topic, text, isRetained: true)) }
    }
    if let request = event.request { send(request) }
    // An event without either is the first one of a connection: the daemon does not know yet what was reported.
    if event.state == nil, event.request == nil { reported = nil }
    report()
  }

  /// The daemon has been connected again.
  func daemonConnected() {
    reported = nil
    report()
  }

  /// Reports whether a follower's match is, or will at once be, that of the leader, and whether a leader's states reach
  /// the broker. The daemon of a leader then sends its state.
  private func report() {
    guard board != nil else { return reported = nil }
    let report = Report(
      isReachable: client.isConnected && (leads || isLeaderOnline), isSynchronized: SystemClock.isSynchronized)
    guard reported != report, link.isConnected else { return }
    reported = report
    send(report)
  }

  private func send(_ report: Report) {
    link.perform(
      VarlinkCall(.reportWalls(isReachable: report.isReachable, isSynchronized: report.isSynchronized))) { _ in }
  }

  /// Reports whether the clock is synchronized, if that has changed. The kernel does not say when it changes, so this is
  /// called when something else wakes the program.
  func checkClock() { report() }

  // MARK: The broker

  func brokerConnected() {
    subscribe()
    report()
  }

  func brokerLost() {
    refreshTimer.disarm()
    isLeaderOnline = false
    leaderAvailability = nil
    pending = []
    report()
  }

  private func subscribe() {
    guard client.isConnected else { return }
    for filter in filters { client.subscribe(filter) }
    if leads { announce() }
  }

  private func announce() {
    guard leads, let topic = topic("leader") else { return }
    let members: [String: JSONValue] = ["availability": .string(ownAvailability)]
    client.publish(MQTTMessage(topic, JSONValue.object(members).text, isRetained: true))
  }

  func received(_ message: MQTTDelivery) {
    if message.topic == leaderAvailability {
      isLeaderOnline = message.payload == Array("online".utf8)
      return report()
    }
    guard !message.isOversized, let text = String(validating: message.payload) else {
      return reject("oversized or not UTF-8", message, "\(message.length) bytes")
    }
    switch message.topic {
    case topic("state"): received(state: text, message)
    case topic("leader"): received(leader: text, message)
    case topic("request") where leads: received(request: text, message)
    case topic("answer") where !leads: received(answer: text, message)
    case topic("refresh") where leads:
      if !message.isRetained, refreshTimer.deadline == nil { refreshTimer.arm(inNanoseconds: Self.refreshDelay) }
    default: break
    }
  }

  private func reject(_ kind: String, _ message: MQTTDelivery, _ why: String) {
    let line = rejections.reject(
      kind: kind, message: "dropped a message on '\(message.topic.printable)': \(why.printable)", at: loop.now
    )
    if let line { log.warning(line) }
  }

  private func received(state text: String, _ message: MQTTDelivery) {
    // The broker sends this wall's own states back.
    guard text != state, !text.isEmpty else { return }
    checkClock()
    link.perform(VarlinkCall(.takeWallState(text, isLive: !message.isRetained))) { [weak self] reply in
      if case .failure(let error) = reply { self?.reject("refused states", message, error.message) }
    }
    if message.isRetained, !leads { askForRefresh(text) }
  }

  /// How old a retained state is, only synchronized clocks say. Without them, the clocks of the match would be those of
  /// the time at which it was sent.
  private func askForRefresh(_ text: String) {
    let isSynchronized = (try? JSONReader.read(Array(text.utf8)))?["isSynchronized"]?.bool == true
    guard !(isSynchronized && SystemClock.isSynchronized), let topic = topic("refresh") else { return }
    client.publish(MQTTMessage(topic, "{}"))
  }

  private func refresh() {
    guard leads, client.isConnected else { return }
    send(Report(isReachable: true, isSynchronized: SystemClock.isSynchronized))
  }

  private func received(leader text: String, _ message: MQTTDelivery) {
    guard let value = try? JSONReader.read(Array(text.utf8)), let topic = value["availability"]?.string,
      topic.utf8.count <= 200, topic.hasPrefix("flipclock/"), topic.hasSuffix("/availability"),
      !topic.contains(where: { "+#\0".contains($0) })
    else { return reject("unknown leaders", message, "it names no leader") }
    if leads {
      // Another wall leads too. The states decide which one goes on; it is announced when the other has given up.
      if topic != ownAvailability, announceTimer.deadline == nil {
        announceTimer.arm(inNanoseconds: Self.announcementDelay)
      }
      return
    }
    // This wall's own announcement is of the time when it led.
    guard topic != leaderAvailability, topic != ownAvailability else { return }
    if let leaderAvailability { client.unsubscribe(leaderAvailability) }
    leaderAvailability = topic
    isLeaderOnline = false
    client.subscribe(topic)
    report()
  }

  // MARK: A follower's commands

  private struct Request: Codable {
    var id: String
    var method: String
    var parameters: String
    /// When it was sent, in milliseconds since 1970, and whether that clock is synchronized.
    var time: Int
    var isSynchronized: Bool
  }

  private func send(_ request: WallEvent.Request) {
    let message = Request(
      id: request.id, method: request.method, parameters: request.parameters, time: Self.time,
      isSynchronized: SystemClock.isSynchronized)
    guard let topic = topic("request"), let text = try? JSONValue(encoding: message).text else { return }
    if pending.count >= Self.pendingLimit { pending = [] }
    pending.insert(request.id)
    client.publish(MQTTMessage(topic, text))
  }

  private func received(answer text: String, _ message: MQTTDelivery) {
    guard !message.isRetained, let value = try? JSONReader.read(Array(text.utf8)),
      let id = value["id"]?.string
    else { return reject("unknown answers", message, "it is retained, or not JSON with an id") }
    guard pending.remove(id) != nil else { return }
    link.perform(VarlinkCall(.answerWall(text))) { [weak self] reply in
      if case .failure(let error) = reply { self?.reject("refused answers", message, error.message) }
    }
  }

  private static var time: Int { Int(SystemClock.realtime.now.totalNanoseconds / 1_000_000) }

  // MARK: The leader's part

  private func received(request text: String, _ message: MQTTDelivery) {
    guard !message.isRetained else { return reject("retained requests", message, "it is retained") }
    guard let value = try? JSONReader.read(Array(text.utf8)),
      let request = try? value.decoded(as: Request.self),
      (1...64).contains(request.id.utf8.count), request.method.utf8.count <= 64
    else { return reject("malformed requests", message, "it is not a request of a wall") }
    if request.isSynchronized, SystemClock.isSynchronized {
      let (age, overflow) = Self.time.subtractingReportingOverflow(request.time)
      guard !overflow, abs(age) <= Self.patience else {
        reject("old requests", message, "it is \(age / 1_000) s old, or the clocks differ")
        return answer(
          Self.refusal(request.id, .failed("the command is old, or the clocks of the walls differ")))
      }
    }
    switch recent.begin(request.id) {
    case .new: break
    case .pending: return
    case .done(let result): return answer(result)
    }
    let id = request.id
    let event = WallEvent.Request(id: id, method: request.method, parameters: request.parameters)
    guard let call = event.call, isMatchChange(call) else {
      reject(
        "requests that are not for the match", message, "'\(request.method)' is not a change of the match")
      return finish(id, Self.refusal(id, .failed("only changes of the match are performed")))
    }
    link.perform(call) { [weak self] reply in self?.finish(id, Self.answer(id, to: reply)) }
  }

  private func isMatchChange(_ call: VarlinkCall) -> Bool {
    let timers = link.match?.timers.keys.sorted() ?? []
    guard let command = try? Command(call, timers: { timers }), case .change(.match) = command else {
      return false
    }
    return true
  }

  private func finish(_ id: String, _ text: String) {
    recent.finish(id, result: text)
    answer(text)
  }

  private func answer(_ text: String) {
    guard let topic = topic("answer") else { return }
    client.publish(MQTTMessage(topic, text))
  }

  private static func refusal(_ id: String, _ error: ControlError) -> String {
    text(WallAnswer(id: id, error: error.wire.name, parameters: JSONValue.object(error.wire.parameters).text))
  }

  private static func answer(_ id: String, to reply: VarlinkChannel.Reply) -> String {
    switch reply {
    case .success(let parameters):
      text(WallAnswer(id: id, what: parameters["what"]?.string, note: parameters["note"]?.string))
    case .failure(.refused(let error)):
      text(WallAnswer(id: id, error: error.name, parameters: JSONValue.object(error.parameters).text))
    case .failure(let error): refusal(id, .failed(error.message))
    }
  }

  private static func text(_ answer: WallAnswer) -> String { (try? JSONValue(encoding: answer).text) ?? "{}" }
}

extension String {
  /// Nil if the bytes are not UTF-8.
  fileprivate init?(validating bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard Array(text.utf8) == bytes else { return nil }
    self = text
  }
}
