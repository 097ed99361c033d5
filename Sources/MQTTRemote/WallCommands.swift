// SPDX-License-Identifier: Apache-2.0

import Commands
import Control
import HomeAssistant
import LinuxSystem
import MQTT
import Remotes
import Varlink

/// Carries the commands of followers to the leader of a shared board, and their results back.
final class WallCommands {
  /// The board of this wall; nil: it takes no part.
  var topics: WallTopics?

  private let link: DaemonLink
  private let client: MQTTClient
  private let loop: EventLoop
  private let dropped: DroppedMessages
  /// This wall's commands without an answer.
  private var pending: Set<String> = []
  /// The commands of followers, if this wall leads.
  private var recent = RecentCommands()
  /// The revision of the daemon's match, and since when it has it (CLOCK_MONOTONIC, nanoseconds).
  private var revision: (number: Int, since: Int64) = (0, 0)

  /// How old a request may be, in milliseconds: as long as a follower waits for the answer. A later one may have been
  /// given again.
  private static let patience = 5_000
  private static let pendingLimit = 64

  init(link: DaemonLink, client: MQTTClient, on loop: EventLoop, dropped: DroppedMessages) {
    self.link = link
    self.client = client
    self.loop = loop
    self.dropped = dropped
  }

  /// The daemon's match is another one.
  func matchChanged(revision number: Int) {
    if number != revision.number { revision = (number, loop.now) }
  }

  /// No answers are expected any more.
  func forget() { pending = [] }

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

  /// Sends a command to the leader.
  func send(_ request: WallEvent.Request) {
    // This program may have been stopped for a while; then the daemon has given the command up.
    let age = Int(SystemClock.boottime.now.totalNanoseconds / 1_000_000) - request.time
    guard (0..<Self.patience).contains(age) else {
      return dropped.count(
        "late commands", "dropped a command for the leader: it was given \(age / 1_000) s ago")
    }
    let message = Request(
      id: request.id, method: request.method, parameters: request.parameters, revision: request.revision,
      time: Int(MQTTRemote.wallTime) - age, isSynchronized: SystemClock.isSynchronized)
    guard let topic = topics?.request, let text = try? JSONValue(encoding: message).text else { return }
    if pending.count >= Self.pendingLimit { pending = [] }
    pending.insert(request.id)
    client.publish(MQTTMessage(topic, text))
  }

  func received(answer text: String, _ message: MQTTDelivery) {
    guard !message.isRetained, let value = try? JSONReader.read(Array(text.utf8)),
      let id = value["id"]?.string
    else {
      return dropped.drop("unknown answers", on: message.topic, "it is retained, or not JSON with an id")
    }
    guard pending.remove(id) != nil else { return }
    link.perform(VarlinkCall(.answerWall(text)), in: .walls) { [weak self] reply in
      if case .failure(let error) = reply {
        self?.dropped.drop("refused answers", on: message.topic, error.message)
      }
    }
  }

  // MARK: The leader's part

  func received(request text: String, _ message: MQTTDelivery) {
    guard !message.isRetained else {
      return dropped.drop("retained requests", on: message.topic, "it is retained")
    }
    guard let value = try? JSONReader.read(Array(text.utf8)),
      let request = try? value.decoded(as: Request.self),
      (1...64).contains(request.id.utf8.count), request.method.utf8.count <= 64
    else { return dropped.drop("malformed requests", on: message.topic, "it is not a request of a wall") }
    if let why = reasonForAge(request) {
      dropped.drop("old requests", on: message.topic, why)
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
      dropped.drop(
        "requests that are not for the match", on: message.topic,
        "'\(request.method)' is not a change of the match")
      return finish(id, Self.refusal(id, .failed("only changes of the match are performed")))
    }
    link.perform(call, in: .requests) { [weak self] reply in self?.finish(id, Self.answer(id, to: reply)) }
  }

  /// Why a request may be one that its sender has given up, and perhaps given again; nil: it is not.
  private func reasonForAge(_ request: Request) -> String? {
    if request.isSynchronized, SystemClock.isSynchronized {
      let (age, overflow) = Int(MQTTRemote.wallTime).subtractingReportingOverflow(request.time)
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
    guard let topic = topics?.answer else { return }
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
