// SPDX-License-Identifier: Apache-2.0

import JSON
import Varlink
import VarlinkSockets

/// Answers the method `GetState` of an interface. A client that calls it with `more` receives each new state.
package struct StateWatchers<State: Encodable & Equatable> {
  /// By client.
  private var watchers: [UInt64: [(VarlinkReply) -> Void]] = [:]
  private var sent: State?

  package init() {}

  /// Replies to a call of `GetState`.
  package mutating func answer(
    _ call: VarlinkCall, from client: UInt64, with state: State, _ reply: @escaping (VarlinkReply) -> Void
  ) throws(VarlinkError) {
    try ParameterReader(call).finish()
    guard let first = Self.reply(state, continues: call.more) else { throw .invalidParameter("state") }
    if call.more { watchers[client, default: []].append(reply) }
    reply(first)
  }

  package mutating func forget(client: UInt64) { watchers[client] = nil }

  /// Sends the state to those who watch it, if it is another.
  package mutating func send(_ current: @autoclosure () -> State) {
    guard !watchers.isEmpty else { return sent = nil }
    let state = current()
    guard state != sent, let reply = Self.reply(state, continues: true) else { return }
    sent = state
    for watcher in watchers.values.joined() { watcher(reply) }
  }

  private static func reply(_ state: State, continues: Bool) -> VarlinkReply? {
    (try? JSONValue(encoding: state)).map { .returning(["state": $0], continues: continues) }
  }
}
