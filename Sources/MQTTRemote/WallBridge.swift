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
/// - `flipclock/BOARD/walls/offer`: a follower's state, which is later than that of the leader.
///
/// While the daemon is not connected, this wall takes no part: nothing is received that would be lost. When it is
/// connected again, the broker sends the retained state again.
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
  /// Whether the leader has sent something since this wall subscribed, and has not gone since.
  private var isLeaderOnline = false
  /// Whether the daemon has understood the last state.
  private var isStateAccepted = true
  /// The revision of the daemon's match, and since when it has it (CLOCK_MONOTONIC, nanoseconds).
  private var revision: (number: Int, since: Int64) = (0, 0)
  /// Called when what the daemon knows of other walls has changed.
  var reachabilityChanged: () -> Void = {}
  /// What was last reported to the daemon; nil: nothing.
  private var reported: Report?
  private var pending: Set<String> = []
  private var recent = RecentCommands()
  private var rejections = RejectionLog()
  /// Announces the leader again, after another wall has announced itself.
  private let announceTimer: LoopTimer
  /// Has the leader send its state again. Many followers may ask for it at the same time.
  private let refreshTimer: LoopTimer

  /// How old a request may be, in milliseconds: as long as a follower waits for the answer. A later one may have been
  /// given again.
  private static let patience = 5_000
  /// How long the leader waits before it answers another wall's announcement, in nanoseconds.
  private static let announcementDelay: Int64 = 1_000_000_000
  /// The time between two states that were asked for, in nanoseconds.
  private static let refreshDelay: Int64 = 200_000_000
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
    let names =
      leads ? ["state", "leader", "request", "refresh", "offer"] : ["state", "leader", "answer"]
    return names.compactMap(topic) + [leads ? nil : leaderAvailability].compactMap { $0 }
  }

  // MARK: The daemon

  func handle(_ event: WallEvent) {
    if event.board != board || event.leads != leads {
      // A wall that leads no more takes its announcement back.
      if leads, leaderAvailability == ownAvailability, let topic = topic("leader") {
        client.publish(MQTTMessage(topic, [], isRetained: true))
      }
      leave()
      (board, leads) = (event.board, event.leads)
      if let board { log.notice("this wall \(leads ? "leads" : "follows") '\(board)'") }
      subscribe()
    }
    if let text = event.state {
      if leads { state = text }
      if let topic = topic(leads ? "state" : "offer") {
        client.publish(MQTTMessage(topic, text, isRetained: leads))
      }
    }
    if let request = event.request { send(request) }
    // An event without either is the first one of a connection: the daemon does not know yet what was reported.
    if event.state == nil, event.request == nil { reported = nil }
    report()
  }

  /// The daemon is gone. It joins again with its first event.
  func daemonLost() {
    leave()
    (board, leads) = (nil, false)
  }

  private func leave() {
    for filter in filters { client.unsubscribe(filter) }
    (state, reported, pending) = (nil, nil, [])
    forgetLeader()
    announceTimer.disarm()
    refreshTimer.disarm()
  }

  private func forgetLeader() {
    (leaderAvailability, isLeaderOnline, isStateAccepted) = (nil, false, true)
  }

  /// The daemon's match is another one.
  func matchChanged(revision number: Int) {
    if number != revision.number { revision = (number, loop.now) }
  }

  /// Reports whether a follower's match is, or will at once be, that of the leader, and whether a leader's states reach
  /// the broker. The daemon of a leader then sends its state.
  private func report() {
    guard board != nil else { return reported = nil }
    let report = Report(
      isReachable: client.isConnected && (leads || (isLeaderOnline && isStateAccepted)),
      isSynchronized: SystemClock.isSynchronized)
    guard reported != report, link.isConnected else { return }
    reported = report
    send(report)
  }

  private func send(_ report: Report) {
    let call = VarlinkCall(
      .reportWalls(isReachable: report.isReachable, isSynchronized: report.isSynchronized))
    link.perform(call, in: .walls) { [weak self] reply in
      switch reply {
      case .success: self?.reachabilityChanged()
      // It is reported again with the next event.
      case .failure: self?.reported = nil
      }
    }
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
    forgetLeader()
    pending = []
    report()
  }

  private func subscribe() {
    guard client.isConnected else { return }
    for filter in filters { client.subscribe(filter) }
    if leads { announce() } else { askForState() }
  }

  private func announce() {
    guard leads, let topic = topic("leader") else { return }
    let members: [String: JSONValue] = ["availability": .string(ownAvailability)]
    client.publish(MQTTMessage(topic, JSONValue.object(members).text, isRetained: true))
  }

  func received(_ message: MQTTDelivery) {
    if message.topic == leaderAvailability, !leads { return received(availability: message) }
    guard !message.isOversized, let text = String(validating: message.payload) else {
      return reject("oversized or not UTF-8", message, "\(message.length) bytes")
    }
    switch message.topic {
    case topic("state"): received(state: text, message)
    case topic("leader"): received(leader: text, message)
    case topic("request") where leads: received(request: text, message)
    case topic("answer") where !leads: received(answer: text, message)
    case topic("offer") where leads: take(text, message, isOffer: true)
    case topic("refresh") where leads:
      if !message.isRetained, refreshTimer.deadline == nil {
        refreshTimer.arm(inNanoseconds: Self.refreshDelay)
      }
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
    if !message.isRetained, !leads { isLeaderOnline = true }
    take(text, message, isOffer: false)
  }

  private func take(_ text: String, _ message: MQTTDelivery, isOffer: Bool) {
    let call = VarlinkCall(.takeWallState(text, isLive: !message.isRetained, isOffer: isOffer))
    link.perform(call, in: .walls) { [weak self] reply in
      guard let self else { return }
      if case .failure(let error) = reply { self.reject("refused states", message, error.message) }
      if !isOffer { self.isStateAccepted = (try? reply.get()) != nil }
      self.report()
    }
  }

  /// Asks the leader to send its state. A retained state may be old, and a leader that has gone without a word may still
  /// be announced as available. Without synchronized clocks, only a state that is sent now says how the clocks of the
  /// match run.
  private func askForState() {
    guard let topic = topic("refresh") else { return }
    client.publish(MQTTMessage(topic, "{}"))
  }

  private func received(availability message: MQTTDelivery) {
    let isOnline = message.payload == Array("online".utf8)
    if !isOnline {
      isLeaderOnline = false
    } else if !message.isRetained {
      isLeaderOnline = true
    } else if !isLeaderOnline {
      askForState()
    }
    report()
  }

  private func refresh() {
    guard leads, client.isConnected else { return }
    send(Report(isReachable: true, isSynchronized: SystemClock.isSynchronized))
  }

  private func received(leader text: String, _ message: MQTTDelivery) {
    if text.isEmpty {
      if leads {
        announceSoon()
      } else {
        if let leaderAvailability { client.unsubscribe(leaderAvailability) }
        forgetLeader()
        report()
      }
      return
    }
    guard let value = try? JSONReader.read(Array(text.utf8)), let topic = value["availability"]?.string,
      topic.utf8.count <= 200, topic.hasPrefix("flipclock/"), topic.hasSuffix("/availability"),
      !topic.contains(where: { "+#\0".contains($0) })
    else { return reject("unknown leaders", message, "it names no leader") }
    if leads {
      leaderAvailability = topic
      // Another wall leads too. The states decide which one goes on; it is announced when the other has given up.
      if topic != ownAvailability { announceSoon() }
      return
    }
    if topic == ownAvailability {
      // A retained one is of the time when this wall led.
      if !message.isRetained {
        reject(
          "leaders of this wall's name", message,
          "the leader has the same 'name' in [board] as this wall; give each wall its own")
      }
      return
    }
    guard topic != leaderAvailability else { return }
    if let leaderAvailability { client.unsubscribe(leaderAvailability) }
    forgetLeader()
    leaderAvailability = topic
    client.subscribe(topic)
    report()
  }

  private func announceSoon() {
    if announceTimer.deadline == nil { announceTimer.arm(inNanoseconds: Self.announcementDelay) }
  }

  // MARK: A follower's commands

  private struct Request: Codable {
    var id: String
    var method: String
    var parameters: String
    /// The revision of the match when the command was given.
    var revision: Int
    /// When it was given, in milliseconds since 1970, and whether that clock is synchronized.
    var time: Int
    var isSynchronized: Bool
  }

  private func send(_ request: WallEvent.Request) {
    // This program may have been stopped for a while; then the daemon has given the command up.
    let age = Int(SystemClock.boottime.now.totalNanoseconds / 1_000_000) - request.time
    guard (0..<Self.patience).contains(age) else {
      return log.warning("dropped a command for the leader: it was given \(age / 1_000) s ago")
    }
    let message = Request(
      id: request.id, method: request.method, parameters: request.parameters, revision: request.revision,
      time: Self.time - age, isSynchronized: SystemClock.isSynchronized)
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
    link.perform(VarlinkCall(.answerWall(text)), in: .walls) { [weak self] reply in
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
    if let why = reasonForAge(request) {
      reject("old requests", message, why)
      return answer(
        Self.refusal(request.id, .failed("the command is old, or the clocks of the walls differ")))
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
    link.perform(call, in: .requests) { [weak self] reply in self?.finish(id, Self.answer(id, to: reply)) }
  }

  /// Why a request may be one that its sender has given up, and perhaps given again; nil: it is not.
  private func reasonForAge(_ request: Request) -> String? {
    if request.isSynchronized, SystemClock.isSynchronized {
      let (age, overflow) = Self.time.subtractingReportingOverflow(request.time)
      return !overflow && abs(age) <= Self.patience ? nil : "it is \(age / 1_000) s old, or the clocks differ"
    }
    // Without synchronized clocks: it was given before a change that the sender should have seen long ago.
    let isOutdated = request.revision < revision.number
    return isOutdated && loop.now - revision.since > Int64(Self.patience) * 1_000_000
      ? "it is for revision \(request.revision) of the match, which has \(revision.number)" : nil
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
