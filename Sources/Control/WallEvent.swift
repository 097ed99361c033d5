// SPDX-License-Identifier: Apache-2.0

import Varlink

/// What a wall sends to the walls with which it shares a board: the interface's type `WallEvent`.
package struct WallEvent: Codable, Hashable, Sendable {
  /// The name of the board; nil: this wall shares none.
  package var board: String?
  /// Whether this wall leads.
  package var leads: Bool
  /// The state to send; a follower's is an offer to the leader, as one line of JSON; nil: there is none to send.
  package var state: String?
  /// A command for the leader.
  package var request: Request?

  /// A command in the form of a Varlink call.
  package struct Request: Codable, Hashable, Sendable {
    /// Unique among all requests of all walls.
    package var id: String
    package var method: String
    package var parameters: String
    /// The revision of the match on the wall when the command was given.
    package var revision: Int
    /// When it was given, in milliseconds of CLOCK_BOOTTIME.
    package var time: Int

    package init(id: String, method: String, parameters: String, revision: Int = 0, time: Int = 0) {
      self.id = id
      self.method = method
      self.parameters = parameters
      self.revision = revision
      self.time = time
    }
  }

  package init(board: String?, leads: Bool = false, state: String? = nil, request: Request? = nil) {
    self.board = board
    self.leads = leads
    self.state = state
    self.request = request
  }
}

extension WallEvent.Request {
  package init(id: String, _ call: VarlinkCall, revision: Int, time: Int) {
    self.init(
      id: id, method: call.member, parameters: JSONValue.object(call.parameters).text, revision: revision,
      time: time)
  }

  /// The call of this interface; nil: it is not one.
  package var call: VarlinkCall? {
    guard let value = try? JSONReader.read(Array(parameters.utf8)), let members = value.object else {
      return nil
    }
    return VarlinkCall(method: "\(ControlInterface.name).\(method)", parameters: members)
  }
}

/// The leader's reply to a request, as the parameters of `AnswerWallRequest`.
package struct WallAnswer: Codable, Hashable, Sendable {
  package var id: String
  package var what: String?
  package var note: String?
  /// The qualified name of the error with which the leader refused the command, and its parameters as JSON.
  package var error: String?
  package var parameters: String?

  package init(
    id: String, what: String? = nil, note: String? = nil, error: String? = nil, parameters: String? = nil
  ) {
    self.id = id
    self.what = what
    self.note = note
    self.error = error
    self.parameters = parameters
  }

  /// The leader's error; nil: the command was performed.
  package var refusal: ControlError? {
    guard let error else { return nil }
    let value = parameters.flatMap { try? JSONReader.read(Array($0.utf8)) }
    return ControlError(VarlinkError(name: error, parameters: value?.object ?? [:]))
  }
}

/// A wall's part in a board, for `status`.
package struct WallStatus: Encodable, Hashable, Sendable {
  package var board: String
  /// `leader` or `follower`.
  package var role: String
  /// Whether flipclock-mqtt is connected with the broker, and for a follower also whether the leader is.
  package var reachable: Bool
  /// Whether the wall's clock is synchronized, so that walls flip at the same moment; false while flipclock-mqtt is not
  /// connected with the daemon.
  package var synchronized: Bool

  package init(board: String, role: String, reachable: Bool, synchronized: Bool) {
    self.board = board
    self.role = role
    self.reachable = reachable
    self.synchronized = synchronized
  }
}
