// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import Walls

/// The way to the other walls: flipclock-mqtt, which sends what it is given while it is connected.
final class WallLink {
  /// The board that this wall shares, and its own name there. They are sent when they change.
  var names: (board: String, wall: String)? {
    didSet { if names?.board != oldValue?.board || names?.wall != oldValue?.wall { announce() } }
  }
  private var send: ((WallEvent) -> Void)?
  /// Messages that wait for a save before them, in their order.
  private var outbox: [(isSaved: Bool, messages: [WallEffects.Outgoing])] = []

  func join(_ send: @escaping (WallEvent) -> Void) {
    self.send = send
    announce()
  }

  func leave() { send = nil }

  private func announce() { send?(WallEvent(board: names?.board, wall: names?.wall)) }

  /// Sends messages, after those before them.
  ///
  /// - Parameter waits: whether they wait until what they follow from is saved; then `saved` is called.
  func send(_ messages: [WallEffects.Outgoing], waits: Bool) {
    if waits {
      outbox.append((false, messages))
    } else if outbox.isEmpty {
      messages.forEach(transmit)
    } else {
      outbox[outbox.count - 1].messages += messages
    }
  }

  /// The first save that messages wait for has ended. Saves end in their order.
  func saved() {
    if let index = outbox.firstIndex(where: { !$0.isSaved }) { outbox[index].isSaved = true }
    while let first = outbox.first, first.isSaved {
      outbox.removeFirst()
      first.messages.forEach(transmit)
    }
  }

  private func transmit(_ outgoing: WallEffects.Outgoing) {
    guard let send, let text = outgoing.message.text else { return }
    send(
      WallEvent(
        board: names?.board, wall: names?.wall,
        message: WallEvent.Message(text: text, to: outgoing.message.to, retained: outgoing.isRetained)))
  }
}
