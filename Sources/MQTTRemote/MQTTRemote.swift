// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import Glibc
import HomeAssistant
import LinuxSystem
import MQTT
import MQTTConfig
import Remotes
import Varlink

/// Connects the daemon with a broker: publishes what the wall shows, and performs the commands that arrive.
///
/// The published values come only from the daemon. A command changes nothing here; its effect is published
/// when the daemon reports it.
final class MQTTRemote {
  let settings: MQTTSettings
  let topics: EntityTopics
  let reader: CommandReader
  let log: Log
  let link: DaemonLink
  let client: MQTTClient
  private let walls: WallBridge
  private let loop: EventLoop
  private let host: String
  private let timers: Timers

  private var health: Health?
  /// Whether the daemon has answered the call for its health, even with an error, since it was connected.
  private var knowsHealth = false
  private var announcement: Announcement
  private var matchTime: Int64 = 0
  /// Nil: the broker is not connected.
  private var session: Session?
  private var lastFailure: MQTTFailure?
  /// Called when `status` or `state` may be another.
  var changed: () -> Void = {}

  var clocks = SenderClocks()
  let dropped: DroppedMessages
  var performed = 0

  private struct Timers {
    let clock: LoopTimer
    let health: LoopTimer
    let refresh: LoopTimer
    let sweep: LoopTimer

    init(on loop: EventLoop) throws(SystemError) {
      clock = try LoopTimer(.boottime, on: loop)
      health = try LoopTimer(.monotonic, on: loop)
      refresh = try LoopTimer(.monotonic, on: loop)
      sweep = try LoopTimer(.monotonic, on: loop)
    }
  }

  /// The state of one connection to the broker.
  private final class Session {
    var published = Published()
    var isPublishing = false
    var isOnline: Bool?
    /// Topics with retained messages that the broker has kept for this wall.
    var kept: Set<String> = []
    /// Until when messages may arrive that have waited for the connection, in nanoseconds of CLOCK_BOOTTIME.
    var settlesAt: Int64 = .max
  }

  /// How long the broker may take to deliver the retained messages of a subscription.
  private static let sweepTime: Int64 = 10_000_000_000
  private static let maximumKept = 2_000

  /// - Parameters:
  ///   - host: the broker's.
  ///   - candidates: the daemon's sockets (`SocketPath.candidates`).
  init(
    _ settings: MQTTSettings, host: String, candidates: [String], on loop: EventLoop, log: Log
  ) throws(SystemError) {
    self.settings = settings
    self.host = host
    self.loop = loop
    self.log = log
    let board = settings.board.name ?? EntityTopics.level(HostName.current)
    topics = EntityTopics(board: board, prefix: settings.homeAssistant.prefix)
    reader = CommandReader(topics, messageTime: Int((settings.homeAssistant.messageTime * 1_000).rounded()))
    announcement = Announcement(topics, discovers: settings.homeAssistant.discovery)
    dropped = DroppedMessages(log, on: loop)
    link = try DaemonLink(candidates: candidates, on: loop)
    client = try MQTTClient(MQTTOptions(settings, host: host, topics), on: loop)
    walls = WallBridge(link: link, client: client, on: loop, log: log)
    timers = try Timers(on: loop)
    link.happened = { [weak self] in self?.handle($0) }
    client.happened = { [weak self] in self?.handle($0) }
    timers.clock.handler = { [weak self] _ in self?.clockChanged() }
    timers.health.handler = { [weak self] _ in self?.askHealth() }
    timers.refresh.handler = { [weak self] _ in self?.publishEverything() }
    timers.sweep.handler = { [weak self] _ in self?.endSweep() }
  }

  func start() {
    log.notice("board '\(topics.board)', broker \(broker)")
    link.start()
    client.start()
  }

  /// Ends the connections.
  func close() {
    link.happened = { _ in }
    client.happened = { _ in }
    for timer in [timers.clock, timers.health, timers.refresh, timers.sweep] { timer.disarm() }
    client.close()
    link.close()
  }

  private var broker: String { "\(host):\(settings.broker.effectivePort)" }

  /// For people.
  var status: String {
    let wall = link.isConnected ? "daemon connected" : "no daemon"
    let counts = "\(performed) commands performed, \(dropped.total) dropped"
    return "\(client.isConnected ? "connected to \(broker)" : "no broker"), \(wall); \(counts)"
  }

  func reportStatus() { changed() }

  /// Without the password.
  var state: MQTTInterface.State {
    MQTTInterface.State(
      phase: client.isConnected ? .connected : .connecting, broker: broker, problem: lastFailure?.problem,
      details: lastFailure?.description)
  }

  // MARK: The daemon

  private func handle(_ event: DaemonLink.Event) {
    switch event {
    case .connected:
      log.notice("the daemon is connected")
      knowsHealth = false
      askHealth()
      walls.daemonConnected()
    case .wall(let event): return walls.handle(event)
    case .failed: return
    case .match:
      matchTime = Self.wallTime
      publishSoon()
    case .display: publishSoon()
    case .disconnected:
      log.warning("no connection to the daemon: \(link.problem?.message ?? "it was closed")")
      timers.health.disarm()
      walls.daemonLost()
      publishSoon()
    }
    reportStatus()
  }

  static var wallTime: Int64 { SystemClock.realtime.now.totalNanoseconds / 1_000_000 }
  static var bootTime: Int64 { SystemClock.boottime.now.totalNanoseconds }

  private func askHealth() {
    guard link.isConnected else { return }
    link.perform(VarlinkCall(.status)) { [weak self] reply in
      guard let self else { return }
      if case .success(let parameters) = reply, let status = parameters["status"] {
        self.health = Health(status)
      }
      // The broker delivers the texts and countdowns that it keeps.
      if !self.knowsHealth { self.subscribeToTargets() }
      self.knowsHealth = true
      self.publishSoon()
    }
    let interval = settings.board.healthInterval
    if interval > 0 { timers.health.arm(inNanoseconds: Int64(interval * 1e9)) }
  }

  /// The wall, if it is known and the daemon is connected.
  var wall: WallReport? {
    guard link.isConnected, knowsHealth, let match = link.match, let display = link.display else {
      return nil
    }
    return WallReport(
      match: match, matchInstant: link.matchInstant, display: display, displayInstant: link.displayInstant,
      health: health)
  }

  // MARK: The broker

  private func handle(_ event: MQTTClient.Event) {
    switch event {
    case .connected:
      log.notice("connected to the broker at \(broker)")
      lastFailure = nil
      if !client.knowsRetainFlags {
        log.warning(
          "the broker speaks only MQTT 3.1.1: retained commands that come through a bridge are performed")
      }
      session = Session()
      settle()
      client.subscribe(topics.command, live: true)
      client.subscribe(topics.controls, live: true)
      client.subscribe(topics.status)
      if wall != nil { subscribeToTargets() }
      beginSweep()
      publishSoon()
      walls.brokerConnected()
    case .disconnected(let failure):
      session = nil
      walls.brokerLost()
      for timer in [timers.clock, timers.sweep, timers.refresh] { timer.disarm() }
      // The same problem is logged once, however long it lasts.
      let problem = failure.description
      if problem != lastFailure?.description {
        log.warning("no connection to the broker at \(broker): \(problem)")
      }
      lastFailure = failure
    case .resumed: settle()
    case .received(let delivery): received(delivery)
    case .publishingRefused(let topic): complain("the broker does not allow publishing to '\(topic)'")
    case .subscriptionRefused(let filter): complain("the broker does not allow subscribing to '\(filter)'")
    }
    reportStatus()
  }

  private func subscribeToTargets() { for filter in topics.targets { client.subscribe(filter) } }

  /// Treats messages as possibly old for a while: clients that have also lost the connection send what they
  /// have queued when they connect again.
  private func settle() { session?.settlesAt = Self.bootTime + Terms.patience }

  /// Whether messages that had waited for the connection have arrived.
  var isSettled: Bool { session.map { Self.bootTime >= $0.settlesAt } ?? false }

  private func complain(_ message: String) { dropped.count("refused by the broker", message) }

  private func received(_ delivery: MQTTDelivery) {
    if walls.owns(delivery.topic) {
      walls.received(delivery)
    } else if delivery.topic == topics.status {
      // A retained "online" arrives with the subscription, when everything has just been published.
      if !delivery.isRetained, delivery.payload == Array("online".utf8) { refreshSoon() }
    } else if topics.target(ofTopic: delivery.topic) != nil {
      performOnce(delivery)
    } else if delivery.topic == topics.command || delivery.topic.hasSuffix("/set") {
      perform(delivery)
    } else if delivery.isRetained, delivery.length > 0, let session, session.kept.count < Self.maximumKept {
      session.kept.insert(delivery.topic)
      publishSoon()
    }
  }

  /// Publishes everything again after a random delay, so that many walls do not do so at the same time.
  private func refreshSoon() {
    guard timers.refresh.deadline == nil else { return }
    timers.refresh.arm(inNanoseconds: .random(in: 500_000_000...2_500_000_000))
  }

  /// Finds entities that an earlier run has announced and that no longer exist.
  private func beginSweep() {
    client.subscribe(topics.configs)
    client.subscribe(topics.values)
    timers.sweep.arm(inNanoseconds: Self.sweepTime)
  }

  private func endSweep() {
    client.unsubscribe(topics.configs)
    client.unsubscribe(topics.values)
  }

  // MARK: Publishing

  private func publishEverything() {
    session?.published = Published()
    session?.isOnline = nil
    publishSoon()
  }

  /// Publishes at the end of this turn, so that several events cause one change.
  private func publishSoon() {
    guard let session, !session.isPublishing else { return }
    session.isPublishing = true
    loop.defer { [weak self] in
      session.isPublishing = false
      self?.publish()
    }
  }

  private func publish() {
    guard let session else { return }
    guard let wall else {
      if !link.isConnected { publish(isOnline: false) }
      return timers.clock.disarm()
    }
    let now = Self.bootTime
    send(session.published.replace(by: announcement.messages(of: wall, at: now, matchTime: matchTime)))
    publish(isOnline: true)
    for topic in session.kept where !session.published.contains(topic) { send([(topic, "")]) }
    session.kept = []
    armClock(wall, now)
  }

  private func publish(isOnline: Bool) {
    guard let session, session.isOnline != isOnline else { return }
    session.isOnline = isOnline
    client.publish(
      MQTTMessage(topics.availability, isOnline ? "online" : "offline", isRetained: true))
  }

  private func send(_ messages: [(topic: String, payload: String)]) {
    for (topic, payload) in messages { client.publish(MQTTMessage(topic, payload, isRetained: true)) }
  }

  private func armClock(_ wall: WallReport, _ now: Int64) {
    let interval = Int64(settings.board.clockInterval * 1e9)
    guard interval > 0, let change = wall.untilClockChanges(at: now) else {
      return timers.clock.disarm()
    }
    // The time is published when its seconds change.
    let whole = max(interval / 1_000_000_000 - 1, 0) * 1_000_000_000
    timers.clock.arm(inNanoseconds: change + whole)
  }

  private func clockChanged() {
    guard let session, let wall else { return }
    let now = Self.bootTime
    let values = wall.clockValues(at: now).map { (topics.value($0.key), $0.value) }
    send(session.published.update(Dictionary(values, uniquingKeysWith: { first, _ in first })))
    armClock(wall, now)
  }
}
