// SPDX-License-Identifier: Apache-2.0

import Commands
import Control
import HomeAssistant
import LinuxSystem
import MQTT
import Varlink

extension MQTTRemote {
  /// Performs a command, or publishes why it is not performed.
  func perform(_ message: IncomingMessage) {
    guard let wall else {
      if message.isRetained { return reject(.retained, message) }
      return publish(
        CommandReply(error: "the daemon is not connected; the change was not made", id: Self.id(of: message)))
    }
    let order: Order
    do throws(OrderRefusal) {
      order = try reader.order(message, wall: wall, now: Self.wallTime, connectedAt: connectedAt)
    } catch { return reject(error, message) }
    // Its revision may no longer be that of the match when the commands before it are performed.
    if order.revision != nil, performing > 0 { return reject(.busy, message) }
    if let id = order.id {
      switch recent.begin(id) {
      case .new: break
      case .pending: return
      case .done(let result): return publishResult(result)
      }
    }
    performed += 1
    performing += 1
    link.perform(VarlinkCall(.change(order.change))) { [weak self] reply in
      guard let self else { return }
      self.performing -= 1
      let result = CommandReply(reply, id: order.id, object: order.object)
      if let id = order.id { self.recent.finish(id, result: result.text) }
      self.publish(result)
    }
    reportStatus()
  }

  private func reject(_ refusal: OrderRefusal, _ message: IncomingMessage) {
    dropped.drop(refusal.kind, on: message.topic, refusal.message, what: "command")
    if refusal.isAnswered { publish(CommandReply(error: refusal.message, id: Self.id(of: message))) }
    reportStatus()
  }

  /// The id of a command that is refused, so that its sender recognizes the reply.
  private static func id(of message: IncomingMessage) -> String? {
    guard message.payload.count <= CommandReader.maximumLength,
      let id = (try? JSONReader.read(message.payload))?["id"]?.string, (1...64).contains(id.utf8.count)
    else { return nil }
    return id
  }

  private func publish(_ reply: CommandReply) { publishResult(reply.text) }

  private func publishResult(_ text: String) { client.publish(MQTTMessage(topics.result, text)) }
}
