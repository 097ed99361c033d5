// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import Varlink

/// Serves a `VarlinkService` on the connections that it is given, on the loop's thread:
/// `UnixListener(path: …, on: loop) { server.admit($0) }`.
///
/// Idle clients cost nothing: the only timer is armed only while a client has sent part of a message, does
/// not read a reply, or has not closed the connection after an error.
package final class VarlinkServer {
  package struct Limits: Hashable, Sendable {
    package var connection = VarlinkConnection.Limits()
    package var clients = 256
    /// How many connections beyond `clients` may be open at a time, to send them the error `TooManyClients`.
    package var refusals = 32
    /// Unsent replies of all clients together.
    package var unsentBytes = 128 * 1024 * 1024

    package init() {}
  }

  /// Counts since the start.
  package struct Statistics: Hashable, Sendable {
    package var accepted = 0
    /// Idle clients that were closed to admit others.
    package var dismissed = 0
    /// Connections beyond `Limits.clients`. They got the error `TooManyClients`; those beyond
    /// `Limits.refusals` were closed without it.
    package var refused = 0
    package var slowReaders = 0
  }

  package let limits: Limits
  package internal(set) var statistics = Statistics()

  let loop: EventLoop
  let service: VarlinkService
  var clients: [UInt64: Client] = [:]
  private var nextID: UInt64 = 1
  var timer: LoopTimer?

  package init(
    on loop: EventLoop, service: VarlinkService, limits: Limits = Limits()
  ) throws(SystemError) {
    self.loop = loop
    self.limits = limits
    self.service = service
    timer = try LoopTimer(.monotonic, on: loop) { [weak self] _ in self?.timePassed() }
  }

  deinit { close() }

  /// How many clients are connected.
  package var clientCount: Int { clients.count }

  /// Drops all clients and admits no more. Calling it again does nothing.
  package func close() {
    timer?.cancel()
    timer = nil
    for client in clients.values { client.watch?.cancel() }
    clients.removeAll()
  }

  /// How long, in nanoseconds, a client that has not called yet is assumed to be about to call. On a busy
  /// computer, a program that has connected may not run again for a large part of a second.
  private static let callDelay: Int64 = 1_000_000_000

  /// Whether a client waits for a reply, or has connected so recently that it is assumed to be about to call.
  package var owesAnswers: Bool {
    let recent = SystemClock.monotonic.now.totalNanoseconds - Self.callDelay
    return clients.values.contains {
      $0.machine.owesAnswer || ($0.machine.isNew && $0.lastActive.totalNanoseconds > recent)
    }
  }

  // MARK: Clients

  /// Serves a connected stream socket, non-blocking or not. If there are too many clients, an idle one is
  /// closed; if none is idle, the new one gets the error `TooManyClients`. If too many clients are getting
  /// that error already, the new one is closed at once.
  package func admit(_ descriptor: consuming FileDescriptor) {
    let peer = PeerProcess(of: descriptor.rawValue)
    admit(descriptor, of: peer)
  }

  func admit(_ descriptor: consuming FileDescriptor, of peer: PeerProcess?) {
    guard timer != nil else { return }
    statistics.accepted += 1
    let full = clients.count >= limits.clients && !dismissIdle()
    if full {
      statistics.refused += 1
      if clients.count >= limits.clients + limits.refusals { return }
    }
    let client = Client(
      id: nextID, descriptor: descriptor, peer: peer,
      machine: VarlinkConnection(limits: limits.connection, interface: service.interface.name))
    nextID += 1
    do throws(SystemError) {
      client.watch = try loop.watch(client.descriptor.rawValue, for: .readable) {
        [weak self, weak client] readiness in
        guard let self, let client else { return }
        client.take(readiness)
        self.pump(client)
      }
    } catch { return }
    clients[client.id] = client
    service.interface.admit(client: client.id, peer: peer)
    if full { client.machine.refuse(limit: limits.clients) }
    pump(client)
  }

  /// Closes an idle client. Clients of processes without a stream are preferred, because a program with a
  /// stream reports a lost connection when any of its connections is closed. Of these, it is one of the
  /// process with the most connections, and of these the one that has been idle for longest. Returns false if
  /// none is idle.
  private func dismissIdle() -> Bool {
    let counts = Dictionary(grouping: clients.values, by: \.peer).mapValues(\.count)
    let subscribers = Set(clients.values.lazy.filter(\.machine.isStreaming).map(\.peer))
    func rank(_ client: Client) -> (Int, Int, ClockTime) {
      (subscribers.contains(client.peer) ? 1 : 0, -counts[client.peer, default: 0], client.lastActive)
    }
    guard let first = clients.values.filter(\.machine.isIdle).min(by: { rank($0) < rank($1) }) else {
      return false
    }
    statistics.dismissed += 1
    drop(first)
    return true
  }

  func drop(_ client: Client) {
    client.watch?.cancel()
    client.watch = nil
    clients[client.id] = nil
    service.interface.forget(client: client.id)
  }

  // MARK: Time

  private func timePassed() {
    let now = SystemClock.monotonic.now
    for client in Array(clients.values) {
      guard let deadline = client.machine.deadline, deadline <= now else { continue }
      client.machine.timePassed(now)
      pump(client)
    }
    armTimer()
  }

  func armTimer() {
    if let earliest = clients.values.lazy.compactMap(\.machine.deadline).min() {
      if timer?.deadline != earliest { timer?.arm(at: earliest) }
    } else {
      timer?.disarm()
    }
  }
}

extension VarlinkServer {
  /// The time at which the timer fires; nil: it is not armed.
  var deadline: ClockTime? { timer?.deadline }
}

extension VarlinkServer {
  /// The number of calls that are begun for one client before other clients and the display are served. With
  /// this number, twenty clients that call as fast as they can delay another client's call by less than a
  /// frame.
  static let callsPerTurn = 4

  /// Performs the actions of the client's state machine until it waits for an event, but begins at most
  /// `callsPerTurn` calls. If a Varlink call is answered immediately, `replied` invokes this function again.
  /// The inner invocation returns at once, so that the stack does not grow.
  func pump(_ client: Client) {
    guard !client.isPumping else { return }
    client.isPumping = true
    let ended = doActions(of: client)
    client.isPumping = false
    if ended || !client.updateInterest() { drop(client) }
    armTimer()
  }

  /// Performs the next actions of the client's state machine. Returns whether the connection has ended.
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
