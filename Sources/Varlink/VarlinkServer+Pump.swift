// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

extension VarlinkServer {
  /// Calls that are begun for one client before other clients and the display get a turn. Twenty clients that call as
  /// fast as they can delay a point by less than a frame.
  static let callsPerTurn = 4

  /// Does what the client's machine says until that waits. A reply that comes at once returns here through `replied`;
  /// the outermost call continues with it, so that the stack does not grow.
  func pump(_ client: Client) {
    guard !client.isPumping else { return }
    client.isPumping = true
    let ended = doActions(of: client)
    client.isPumping = false
    if ended || !client.updateInterest() { drop(client) }
    armTimer()
  }

  /// Whether the connection has ended.
  private func doActions(of client: Client) -> Bool {
    var begun = 0
    while true {
      if begun == Self.callsPerTurn {
        loop.defer { [weak self, weak client] in
          if let self, let client { self.pump(client) }
        }
        return false
      }
      switch client.machine.nextAction(SystemClock.monotonic.now) {
      case .begin(let call, let number):
        begun += 1
        let id = client.id
        service.perform(call, from: id) { [weak self] reply in self?.replied(reply, to: number, of: id) }
      case .send: client.send()
      case .shutdownWriting: client.shutdownWriting()
      case .close(let reason):
        if reason == .slowReader { statistics.slowReaders += 1 }
        return true
      case nil: return false
      }
    }
  }

  /// The client may be gone; then the reply is dropped.
  private func replied(_ reply: VarlinkReply, to number: UInt64, of id: UInt64) {
    guard let client = clients[id] else { return }
    client.machine.reply(reply, to: number)
    let unsent = clients.values.reduce(0) { $0 + $1.machine.unsent.count }
    if unsent > limits.unsentBytes { client.machine.abandon() }
    pump(client)
  }
}
