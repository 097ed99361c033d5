// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import HomeAssistant
import JSON
import LinuxSystem
import MQTT
import Varlink

extension MQTTRemote {
  /// Performs a command, or publishes why it is not performed.
  func perform(_ message: MQTTDelivery) {
    guard let wall else {
      return publish(
        CommandReply(error: "the daemon is not connected; the change was not made", id: Self.id(of: message)))
    }
    do throws(OrderRefusal) { perform(try reader.order(message, wall: wall), message) } catch {
      reject(error, message)
    }
  }

  /// Shows a text on a board, or sets a countdown. A message that the broker keeps is removed there, so that
  /// it is performed once and does not replace a later one when the connection is made again.
  func performOnce(_ message: MQTTDelivery) {
    // An empty message removes one that the broker keeps.
    guard message.length > 0 else { return }
    // Without the daemon, the broker keeps the message until the daemon is connected.
    if message.isRetained, wall == nil { return }
    if message.isRetained { client.publish(MQTTMessage(message.topic, "", isRetained: true)) }
    perform(message)
  }

  private func perform(_ order: Order, _ message: MQTTDelivery) {
    let now = Self.bootTime
    var age: Int64 = 0
    var doubt: OrderRefusal?
    do throws(OrderRefusal) { age = order.expires ? try self.age(of: order, at: now) : 0 } catch {
      // The daemon is asked nevertheless: if it has performed a command with this id, it repeats the answer.
      (age, doubt) = (2 * Terms.patience, error)
    }
    let terms = Terms(
      id: order.id.map { "mqtt:\($0)" }, time: order.expires ? now - age : nil, revision: order.revision)
    link.perform(VarlinkCall(order.change, on: terms)) { [weak self] reply in
      guard let self else { return }
      if case .failure(.refused(let error)) = reply,
        case .tooLate(let milliseconds) = ControlError(error)
      {
        return self.reject(doubt ?? .stale(seconds: milliseconds / 1_000), message, object: order.object)
      }
      self.performed += 1
      self.publish(CommandReply(reply, id: order.id, object: order.object))
      self.reportStatus()
    }
  }

  /// How old a command is, in nanoseconds; at most `Terms.patience`.
  private func age(of order: Order, at now: Int64) throws(OrderRefusal) -> Int64 {
    if let stamp = order.stamp {
      let clock = SystemClock.isSynchronized ? Self.wallTime : nil
      let arrival = now / 1_000_000
      return try clocks.age(of: stamp, arrival: arrival, now: clock, isSettled: isSettled) * 1_000_000
    }
    guard isSettled else { throw .unsettled }
    return 0
  }

  private func reject(_ refusal: OrderRefusal, _ message: MQTTDelivery, object: String? = nil) {
    dropped.drop(refusal.kind, on: message.topic, refusal.message, what: "command")
    publish(CommandReply(error: refusal.message, id: Self.id(of: message), object: object))
    reportStatus()
  }

  /// The id of a command that is refused, so that its sender recognizes the reply.
  private static func id(of message: MQTTDelivery) -> String? {
    guard message.payload.count <= CommandReader.maximumLength,
      let id = (try? JSONReader.read(message.payload))?["id"]?.string, (1...64).contains(id.utf8.count)
    else { return nil }
    return id
  }

  private func publish(_ reply: CommandReply) { client.publish(MQTTMessage(topics.result, reply.text)) }
}
