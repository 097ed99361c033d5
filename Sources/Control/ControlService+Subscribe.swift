// SPDX-License-Identifier: Apache-2.0

extension ControlService {
  /// A client that is told every state.
  struct Subscriber {
    let client: UInt64
    let reply: (VarlinkReply) -> Void
  }

  private struct Reply: Encodable {
    var state: MatchState
  }

  /// The first reply is the state as it is now; no change goes missing between it and the next.
  func subscribe(
    _ call: VarlinkCall, from client: UInt64, _ reply: @escaping (VarlinkReply) -> Void
  ) throws(ControlError) {
    guard call.more else { throw .expectedMore }
    guard subscribers.count < subscriberLimit else { throw .tooManySubscribers(limit: subscriberLimit) }
    let state = try running().matchState()
    // Before the reply, for a client that cannot be written to is forgotten by it.
    subscribers.append(Subscriber(client: client, reply: reply))
    reply(.returning(Reply(state: state), continues: true))
  }

  /// Tells all who watch, in the order in which they came; `state` is asked for only if there are some.
  public func matchChanged(_ state: () -> MatchState) {
    guard !subscribers.isEmpty else { return }
    let reply = VarlinkReply.returning(Reply(state: state()), continues: true)
    for subscriber in subscribers { subscriber.reply(reply) }
  }

  /// The client is gone.
  public func forget(client: UInt64) { subscribers.removeAll { $0.client == client } }
}
