// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import WallState
import Walls

/// The connection to the other walls: passes messages for them to flipclock-mqtt while that is connected.
final class WallLink {
  /// Sent when it changes; flipclock-mqtt then reports whether the broker is connected.
  var identity: Wall.Identity? {
    didSet {
      guard identity != oldValue else { return }
      outbox = []
      announce()
    }
  }
  private var send: ((WallEvent) -> Void)?
  /// The messages that wait for a save, or for earlier messages that wait for one, in their order.
  private var outbox: [(save: Int, isSaved: Bool, messages: [WallEffects.Outgoing])] = []
  private var saves = 0

  func join(_ send: @escaping (WallEvent) -> Void) {
    self.send = send
    announce()
  }

  func leave() { send = nil }

  private func announce() { send?(WallEvent(board: identity?.board, wall: identity?.wall)) }

  /// Sends messages, after all earlier ones.
  ///
  /// - Parameter waits: whether they wait for a save.
  /// - Returns: the number to pass to `saved` when that save has ended; nil: they do not wait for one.
  func send(_ messages: [WallEffects.Outgoing], waits: Bool) -> Int? {
    if waits {
      saves += 1
      outbox.append((saves, false, messages))
      return saves
    }
    if outbox.isEmpty {
      messages.forEach(transmit)
    } else {
      outbox[outbox.count - 1].messages += messages
    }
    return nil
  }

  /// A save that messages wait for has ended.
  func saved(_ save: Int) {
    if let index = outbox.firstIndex(where: { $0.save == save }) { outbox[index].isSaved = true }
    while let first = outbox.first, first.isSaved {
      outbox.removeFirst()
      first.messages.forEach(transmit)
    }
  }

  private func transmit(_ outgoing: WallEffects.Outgoing) {
    guard let send, let text = outgoing.message.text else { return }
    send(
      WallEvent(
        board: identity?.board, wall: identity?.wall,
        message: WallEvent.Message(text: text, to: outgoing.message.to, retained: outgoing.isRetained)))
  }
}
