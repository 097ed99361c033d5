// SPDX-License-Identifier: Apache-2.0

import Control
import LinuxSystem
import MQTT
import Remotes
import Varlink

/// Carries the states and commands of a board that several walls share between this wall's daemon and the broker.
///
/// What is sent comes from the daemon, which also decides what it adopts: this only passes messages on.
///
/// While the daemon is not connected, this wall takes no part: nothing is received that would be lost. When it is
/// connected again, the broker sends the retained state again.
final class WallBridge {
  private let link: DaemonLink
  private let client: MQTTClient
  private let loop: EventLoop
  private let log: Log
  private let dropped: DroppedMessages
  private let commands: WallCommands
  /// Where this wall's availability is published.
  private let ownAvailability: String

  private var topics: WallTopics? { didSet { commands.topics = topics } }
  private var leads = false
  /// The state that this wall sent last, as the leader.
  private var state: String?
  /// Where the leader's availability is published; nil: unknown.
  private var leaderAvailability: String?
  /// Whether the leader has sent something since this wall subscribed, and has not gone since.
  private var isLeaderOnline = false
  /// Whether the daemon has understood the last state.
  private var isStateAccepted = true
  /// Called when what the daemon knows of other walls has changed.
  var reachabilityChanged: () -> Void = {}
  /// What was last reported to the daemon; nil: nothing.
  private var reported: Report?
  /// Announces the leader again, after another wall has announced itself.
  private let announceTimer: LoopTimer
  /// Has the leader send its state again. Many followers may ask for it at the same time.
  private let refreshTimer: LoopTimer

  /// How long the leader waits before it answers another wall's announcement, in nanoseconds.
  private static let announcementDelay: Int64 = 1_000_000_000
  /// The time between two states that were asked for, in nanoseconds.
  private static let refreshDelay: Int64 = 200_000_000

  init(
    link: DaemonLink, client: MQTTClient, ownAvailability: String, on loop: EventLoop, log: Log
  ) throws(SystemError) {
    self.link = link
    self.client = client
    self.ownAvailability = ownAvailability
    self.loop = loop
    self.log = log
    dropped = DroppedMessages(log, on: loop)
    commands = WallCommands(link: link, client: client, on: loop, dropped: dropped)
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

  /// Whether a message belongs to the shared board.
  func owns(_ topic: String) -> Bool {
    guard let topics else { return false }
    return topics.contains(topic) || topic == leaderAvailability
  }

  private var filters: [String] {
    guard let topics else { return [] }
    if leads { return [topics.state, topics.leader, topics.request, topics.refresh, topics.offer] }
    return [topics.state, topics.leader, topics.answer] + [leaderAvailability].compactMap { $0 }
  }

  // MARK: The daemon

  func handle(_ event: WallEvent) {
    if event.board != topics?.board || event.leads != leads {
      // A wall that leads no more takes its announcement back.
      if leads, leaderAvailability == ownAvailability, let topics {
        client.publish(MQTTMessage(topics.leader, [], isRetained: true))
      }
      leave()
      (topics, leads) = (event.board.map(WallTopics.init), event.leads)
      if let board = event.board { log.notice("this wall \(leads ? "leads" : "follows") '\(board)'") }
      subscribe()
    }
    if let text = event.state {
      if leads { state = text }
      if let topics {
        client.publish(MQTTMessage(leads ? topics.state : topics.offer, text, isRetained: leads))
      }
    }
    if let request = event.request { commands.send(request) }
    // An event without either is the first one of a connection: the daemon does not know yet what was reported.
    if event.state == nil, event.request == nil { reported = nil }
    report()
  }

  /// The daemon is gone. It joins again with its first event.
  func daemonLost() {
    leave()
    (topics, leads) = (nil, false)
  }

  private func leave() {
    for filter in filters { client.unsubscribe(filter) }
    (state, reported) = (nil, nil)
    commands.forget()
    forgetLeader()
    announceTimer.disarm()
    refreshTimer.disarm()
  }

  private func forgetLeader() {
    (leaderAvailability, isLeaderOnline, isStateAccepted) = (nil, false, true)
  }

  /// The daemon's match is another one.
  func matchChanged(revision: Int) { commands.matchChanged(revision: revision) }

  /// Reports whether a follower's match is, or will at once be, that of the leader, and whether a leader's states reach
  /// the broker. The daemon of a leader then sends its state. Reports also whether the clock is synchronized; the kernel
  /// does not say when that changes, so this is called when something wakes the program.
  func report() {
    guard topics != nil else { return reported = nil }
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

  // MARK: The broker

  func brokerConnected() {
    subscribe()
    report()
  }

  func brokerLost() {
    refreshTimer.disarm()
    forgetLeader()
    commands.forget()
    report()
  }

  private func subscribe() {
    guard client.isConnected else { return }
    for filter in filters { client.subscribe(filter) }
    if leads { announce() } else { askForState() }
  }

  private func announce() {
    guard leads, let topics else { return }
    let members: [String: JSONValue] = ["availability": .string(ownAvailability)]
    client.publish(MQTTMessage(topics.leader, JSONValue.object(members).text, isRetained: true))
  }

  func received(_ message: MQTTDelivery) {
    if message.topic == leaderAvailability, !leads { return received(availability: message) }
    guard !message.isOversized, let text = String(validating: message.payload) else {
      return dropped.drop("oversized or not UTF-8", on: message.topic, "\(message.length) bytes")
    }
    switch message.topic {
    case topics?.state: received(state: text, message)
    case topics?.leader: received(leader: text, message)
    case topics?.request where leads: commands.received(request: text, message)
    case topics?.answer where !leads: commands.received(answer: text, message)
    case topics?.offer where leads: take(text, message, isOffer: true)
    case topics?.refresh where leads:
      if !message.isRetained, refreshTimer.deadline == nil {
        refreshTimer.arm(inNanoseconds: Self.refreshDelay)
      }
    default: break
    }
  }

  private func received(state text: String, _ message: MQTTDelivery) {
    // The broker sends this wall's own states back.
    guard text != state, !text.isEmpty else { return }
    report()
    if !message.isRetained, !leads { isLeaderOnline = true }
    take(text, message, isOffer: false)
  }

  private func take(_ text: String, _ message: MQTTDelivery, isOffer: Bool) {
    let call = VarlinkCall(.takeWallState(text, isLive: !message.isRetained, isOffer: isOffer))
    link.perform(call, in: .walls) { [weak self] reply in
      guard let self else { return }
      if case .failure(let error) = reply {
        self.dropped.drop("refused states", on: message.topic, error.message)
      }
      if !isOffer { self.isStateAccepted = (try? reply.get()) != nil }
      self.report()
    }
  }

  /// Asks the leader to send its state. A retained state may be old, and a leader that has gone without a word may still
  /// be announced as available. Without synchronized clocks, only a state that is sent now says how the clocks of the
  /// match run.
  private func askForState() {
    if let topics { client.publish(MQTTMessage(topics.refresh, "{}")) }
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
    else { return dropped.drop("unknown leaders", on: message.topic, "it names no leader") }
    if leads {
      leaderAvailability = topic
      // Another wall leads too. The states decide which one goes on; it is announced when the other has given up.
      if topic != ownAvailability { announceSoon() }
      return
    }
    if topic == ownAvailability {
      // A retained one is of the time when this wall led.
      if !message.isRetained {
        dropped.drop(
          "leaders of this wall's name", on: message.topic,
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
}

extension String {
  /// Nil if the bytes are not UTF-8.
  fileprivate init?(validating bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard Array(text.utf8) == bytes else { return nil }
    self = text
  }
}
