// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import LinuxSystem
import MQTT
import Remotes
import Varlink

/// Passes messages between this wall's daemon and the broker, for a match that several walls share. Only the
/// daemon interprets them, and knows which wall leads.
///
/// While the daemon is not connected, the bridge is not subscribed, so that no message is received and lost.
final class WallBridge {
  private let link: DaemonLink
  private let client: MQTTClient
  private let dropped: DroppedMessages
  private let log: Log
  /// Nil: the wall shares no match, or the daemon is not connected.
  private var topics: WallTopics?

  init(link: DaemonLink, client: MQTTClient, on loop: EventLoop, log: Log) {
    self.link = link
    self.client = client
    self.log = log
    dropped = DroppedMessages(log, on: loop)
    link.joinsWalls = true
  }

  /// Whether a message belongs to the shared match.
  func owns(_ topic: String) -> Bool { topics?.contains(topic) ?? false }

  // MARK: The daemon

  func handle(_ event: WallEvent) {
    let now = event.board.flatMap { board in event.wall.map { WallTopics(board: board, wall: $0) } }
    if now != topics {
      leave()
      topics = now
      if let board = event.board { log.notice("this wall shares the match '\(board)'") }
      subscribe()
    } else if event.message == nil {
      // The daemon has a new `WallMember`, which does not know that the broker is connected.
      report()
    }
    guard let message = event.message, let topics else { return }
    let topic = message.to.map { topics.to($0) } ?? (message.retained ? topics.state : topics.all)
    client.publish(MQTTMessage(topic, message.text, isRetained: message.retained))
  }

  /// Called when the daemon can be called. Its first event may have arrived before.
  func daemonConnected() { report() }

  /// Called when the daemon is gone. The bridge subscribes again after the daemon's first event.
  func daemonLost() {
    leave()
    topics = nil
  }

  private func leave() {
    for filter in topics?.filters ?? [] { client.unsubscribe(filter) }
  }

  private func report() {
    guard topics != nil, link.isConnected else { return }
    link.perform(VarlinkCall(.reportWalls(isReachable: client.isConnected)), in: .walls) { _ in }
  }

  // MARK: The broker

  func brokerConnected() { subscribe() }

  func brokerLost() { report() }

  private func subscribe() {
    guard client.isConnected else { return }
    for filter in topics?.filters ?? [] { client.subscribe(filter) }
    report()
  }

  func received(_ message: MQTTDelivery) {
    guard !message.isOversized, let text = String(validating: message.payload, as: UTF8.self) else {
      return dropped.drop(
        "oversized or not UTF-8", on: message.topic, "\(message.length) bytes, too long or not UTF-8")
    }
    guard !text.isEmpty else { return }
    link.perform(VarlinkCall(.takeWallMessage(text, isLive: !message.isRetained)), in: .walls) {
      [weak self] reply in
      if case .failure(let error) = reply {
        self?.dropped.drop("refused messages", on: message.topic, error.message)
      }
    }
  }
}
