// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import JSON
import LinuxSystem
import Scoreboard
import Varlink
import VarlinkSockets

/// Serves org.flipclock.Control: reads commands from calls, has the handler perform them, and writes replies.
package final class ControlService: VarlinkInterface {
  package let name = ControlInterface.name
  package var description: String { ControlInterface.description }

  private weak var handler: (any ControlHandler)?
  private let subscriberLimit: Int
  private(set) var subscribers: [Subscriber] = []
  private var changeLog: ChangeLog?
  private var peers: [UInt64: PeerProcess] = [:]

  /// How many changes GetHistory returns by default.
  private static let historyLimit = 50

  /// What a client watches.
  enum Subject {
    case match
    case display
    case walls
  }

  private enum Report: CaseIterable {
    case network
    case horn
  }

  /// A client that receives every state of its subject.
  struct Subscriber {
    let client: UInt64
    let subject: Subject
    let reply: (VarlinkReply) -> Void
  }

  /// The clients that have reported what is true until their connections end.
  private var reporters: [Report: UInt64] = [:]
  /// The program that connects this wall with others.
  private var wallProgram: Subscriber?
  /// The state of the display that all its subscribers have, and when it was made, in match time.
  private var sentDisplay: (state: DisplayState, time: Int64)?

  /// - Parameters:
  ///   - handler: held weakly; after it is gone calls fail.
  ///   - subscriberLimit: how many clients may watch at a time.
  ///   - log: receives the lines of `ChangeLog`; nil: changes are not logged.
  package init(handler: any ControlHandler, subscriberLimit: Int = 128, log: Log? = nil) {
    changeLog = log.map { ChangeLog($0) }
    self.handler = handler
    self.subscriberLimit = subscriberLimit
  }

  package func perform(
    _ call: VarlinkCall, from client: UInt64, reply: @escaping (VarlinkReply) -> Void
  ) {
    guard let handler else { return reply(Self.failing(.failed(reason: "the daemon is stopping"))) }
    do throws(VarlinkError) {
      let command = try Command(call) { handler.matchState().timers.keys.sorted() }
      switch command {
      case .change(let change):
        let peer = peers[client]
        let terms = try Terms(call)
        let isRepeated = terms.id.map { handler.performed[$0] != nil } ?? false
        handler.perform(change, on: terms) { [weak self] result in
          switch result {
          case .success(let parameters):
            if !isRepeated { self?.changeLog?.write(call, by: peer) }
            reply(.returning(parameters))
          case .failure(let error):
            if case .stateNotSaved(let reason) = error {
              self?.changeLog?.write(call, by: peer, unsaved: reason)
            }
            reply(Self.failing(error))
          }
        }
      case .status: reply(Self.returning(handler.status(), as: "status"))
      case .state: reply(Self.returning(handler.matchState(), as: "state"))
      case .history(let limit):
        let limit = limit ?? Self.historyLimit
        reply(
          Self.result { () throws(ControlError) -> VarlinkReply in
            let history = try handler.matchHistory()
            return Self.returning(
              MatchHistory(
                past: Array(history.past.prefix(limit)), future: Array(history.future.prefix(limit))))
          })
      case .boards: reply(Self.returning(["boards": handler.boardStates]))
      case .countdowns: reply(Self.returning(["countdowns": handler.countdownStates]))
      case .matches:
        reply(Self.returning(MatchLists(matches: handler.asideMatches, finished: handler.finishedMatches)))
      case .watch:
        try subscribe(call, from: client, to: .match, reply) { Self.reply(handler.matchState()) }
      case .watchDisplay:
        let isFirst = !subscribers.contains { $0.subject == .display }
        try subscribe(call, from: client, to: .display, reply) { [weak self] in
          let state = handler.displayState()
          if isFirst { self?.sentDisplay = (state, handler.matchTime) }
          return Self.reply(state)
        }
      case .joinWalls: try joinWalls(call, from: client, handler, reply)
      case .takeWallMessage(let text, let isLive):
        reply(
          Self.result { () throws(ControlError) -> VarlinkReply in
            try handler.takeWallMessage(text, isLive: isLive)
            return .returning([:])
          })
      case .reportWalls(let isReachable):
        handler.reportWalls(isReachable: isReachable)
        reply(.returning([:]))
      case .reportOwners(let count):
        handler.reportOwners(count)
        reply(.returning([:]))
      case .reportNetwork(let notice):
        reporters[.network] = notice == nil ? nil : client
        handler.reportNetwork(notice)
        reply(.returning([:]))
      case .reportHorn(let problem):
        reporters[.horn] = client
        handler.reportHorn(HornReport(problem: problem))
        reply(.returning([:]))
      case .redeem(let secret):
        reply(
          Self.result { () throws(ControlError) -> VarlinkReply in
            .returning(["role": .string(try handler.redeem(secret).rawValue)])
          })
      case .settings: reply(Self.returning(handler.settings()))
      case .setSettings(let changes):
        let name = ChangeLog.name(peers[client])
        let keys = changes.map(\.key)
        handler.performSettings(
          of: keys, on: try Terms(call), completion: { reply(Self.settings($0)) }
        ) {
          handler.change(settings: changes, for: name, completion: $0)
        }
      case .importSettings(let text):
        let name = ChangeLog.name(peers[client])
        handler.performSettings(
          of: nil, on: try Terms(call), completion: { reply(Self.settings($0)) }
        ) {
          handler.replaceSettings(text, for: name, completion: $0)
        }
      case .reload:
        handler.reload(for: ChangeLog.name(peers[client])) { reply(Self.returning($0)) }
      case .examine:
        handler.examine { result in
          switch result {
          case .success(let report): reply(Self.returning(report))
          case .failure(let error): reply(Self.failing(error))
          }
        }
      case .restart:
        handler.restart(for: ChangeLog.name(peers[client])) { result in
          switch result {
          case .success: reply(.returning([:]))
          case .failure(let error): reply(Self.failing(error))
          }
        }
      case .screenshot(let output):
        handler.screenshot(output: output) { result in
          switch result {
          case .success(let image):
            reply(
              .returning([
                "png": .string(Base64.text(image.png)), "width": .integer(Int64(image.width)),
                "height": .integer(Int64(image.height)),
              ]))
          case .failure(let error): reply(Self.failing(error))
          }
        }
      }
    } catch {
      reply(.failing(error))
    }
  }

  // MARK: Watching

  /// Adds a subscriber. The first reply is the current state; no change is lost between it and the next
  /// reply.
  private func subscribe(
    _ call: VarlinkCall, from client: UInt64, to subject: Subject,
    _ reply: @escaping (VarlinkReply) -> Void, first: () -> VarlinkReply
  ) throws(VarlinkError) {
    guard call.more else { throw .expectedMore }
    guard subscribers.count < subscriberLimit else {
      throw ControlError.tooManySubscribers(limit: subscriberLimit).wire
    }
    let state = first()
    // The subscriber is added before the reply, because the reply removes a client that cannot be written to.
    subscribers.append(Subscriber(client: client, subject: subject, reply: reply))
    reply(state)
  }

  /// Starts sending the events for other walls. They go to one program only, because two would send each of
  /// them twice.
  private func joinWalls(
    _ call: VarlinkCall, from client: UInt64, _ handler: any ControlHandler,
    _ reply: @escaping (VarlinkReply) -> Void
  ) throws(VarlinkError) {
    guard call.more else { throw .expectedMore }
    wallProgram?.reply(Self.failing(.failed(reason: "another program connects the walls now")))
    wallProgram = Subscriber(client: client, subject: .walls, reply: reply)
    handler.joinWalls { reply(Self.returning($0, as: "event", continues: true)) }
  }

  /// Sends the state to the subscribers in the order in which they subscribed. Calls `state` only if there
  /// are subscribers.
  package func matchChanged(_ state: () -> MatchState) {
    let watching = subscribers.filter { $0.subject == .match }
    guard !watching.isEmpty else { return }
    let reply = Self.reply(state())
    for subscriber in watching { subscriber.reply(reply) }
  }

  /// Sends the state to those who watch the display, unless it is the one that was sent last, except for the
  /// time that has passed. Calls `state` only if there are such subscribers.
  package func displayChanged(_ state: () -> DisplayState) {
    let watching = subscribers.filter { $0.subject == .display }
    guard !watching.isEmpty, let now = handler?.matchTime else { return }
    let state = state()
    if let sent = sentDisplay, sent.state.covers(state, after: Int((now - sent.time) / 1_000_000)) { return }
    sentDisplay = (state, now)
    let reply = Self.reply(state)
    for subscriber in watching { subscriber.reply(reply) }
  }

  private static func reply(_ state: MatchState) -> VarlinkReply {
    returning(state, as: "state", continues: true)
  }

  private static func reply(_ state: DisplayState) -> VarlinkReply {
    returning(state, as: "display", continues: true)
  }

  package func admit(client: UInt64, peer: PeerProcess?) { peers[client] = peer }

  package func forget(client: UInt64) {
    peers[client] = nil
    subscribers.removeAll { $0.client == client }
    for report in Report.allCases where reporters[report] == client {
      reporters[report] = nil
      switch report {
      case .network: handler?.reportNetwork(nil)
      case .horn: handler?.reportHorn(nil)
      }
    }
    if wallProgram?.client == client {
      wallProgram = nil
      handler?.leaveWalls()
    }
  }

  // MARK: Replies

  private static func failing(_ error: ControlError) -> VarlinkReply { .failing(error.wire) }

  /// The reply that `body` returns, or the one to its error.
  private static func result(_ body: () throws(ControlError) -> VarlinkReply) -> VarlinkReply {
    do throws(ControlError) { return try body() } catch { return failing(error) }
  }

  private static func settings(_ result: Result<[String: JSONValue], ControlError>) -> VarlinkReply {
    switch result {
    case .success(let parameters): .returning(parameters)
    case .failure(let error): failing(error)
    }
  }

  /// - Parameter name: the name of the parameter that has the value; nil: the members of the value are the
  ///   parameters.
  private static func returning(
    _ value: some Encodable, as name: String? = nil, continues: Bool = false
  ) -> VarlinkReply {
    guard let json = try? JSONValue(encoding: value) else {
      return failing(.failed(reason: "the reply cannot be written as JSON"))
    }
    return .returning(name.map { [$0: json] } ?? json.object ?? [:], continues: continues)
  }
}
