// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// Serves the control interface to the connections that it is given, on the loop's thread.
///
/// A `UnixListener` feeds it: `UnixListener(path: …, on: loop) { server.admit($0) }`. Idle clients cost
/// nothing: the one timer is armed only while some client owes the rest of a message or does not read
/// its reply.
public final class ControlServer {
  public struct Limits: Hashable, Sendable {
    public var connection = ControlConnection.Limits()
    public var clients = 256
    /// Beyond `clients`: those that are told so and leave.
    public var refusals = 32
    /// Of the clients those that watch: the others find room to call.
    public var subscribers = 128
    /// Replies that lie unread, of all clients together.
    public var unsentBytes = 128 * 1024 * 1024

    public init() {}
  }

  /// What the server did since it was made.
  public struct Statistics: Hashable, Sendable {
    public var accepted = 0
    /// Idle clients that made room for others.
    public var dismissed = 0
    /// Told that there are too many.
    public var refused = 0
    public var slowReaders = 0
  }

  public let limits: Limits
  public internal(set) var statistics = Statistics()

  let loop: EventLoop
  let service: ControlService
  var clients: [UInt64: ControlClientConnection] = [:]
  private var nextID: UInt64 = 1
  var timer: LoopTimer?

  /// - Parameter handler: held weakly.
  public init(
    on loop: EventLoop, handler: any ControlHandler, identity: ServiceIdentity, limits: Limits = Limits()
  ) throws(SystemError) {
    self.loop = loop
    self.limits = limits
    service = ControlService(handler: handler, identity: identity, subscriberLimit: limits.subscribers)
    timer = try LoopTimer(.monotonic, on: loop) { [weak self] _ in self?.timePassed() }
  }

  deinit { close() }

  /// How many clients are connected.
  public var clientCount: Int { clients.count }

  /// Drops every client and takes no more; harmless when done twice.
  public func close() {
    timer?.cancel()
    timer = nil
    for client in clients.values { client.watch?.cancel() }
    clients.removeAll()
  }

  /// Whether some client waits for an answer. Who has connected within the last 200 ms and has asked nothing
  /// yet is about to.
  public var owesAnswers: Bool {
    let recent = SystemClock.monotonic.now.totalNanoseconds - 200_000_000
    return clients.values.contains {
      $0.machine.owesAnswer || ($0.machine.isNew && $0.lastActive.totalNanoseconds > recent)
    }
  }

  // MARK: Coming and going

  /// Takes a connected stream socket, non-blocking or not. If there are too many clients, the one that is
  /// idle for longest makes room; if none is idle, the new one is told so and closed.
  public func admit(_ descriptor: consuming FileDescriptor) {
    guard timer != nil else { return }
    statistics.accepted += 1
    let full = clients.count >= limits.clients && !dismissLongestIdle()
    if full {
      statistics.refused += 1
      if clients.count >= limits.clients + limits.refusals { return }
    }
    let client = ControlClientConnection(id: nextID, descriptor: descriptor, limits: limits.connection)
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
    if full { client.machine.fail(.tooManyClients(limit: limits.clients)) }
    pump(client)
  }

  private func dismissLongestIdle() -> Bool {
    let idle = clients.values.filter(\.machine.isIdle)
    guard let oldest = idle.min(by: { $0.lastActive < $1.lastActive }) else { return false }
    statistics.dismissed += 1
    drop(oldest)
    return true
  }

  /// Tells all who watch; `state` is asked for only if there are some.
  public func matchChanged(_ state: () -> MatchState) { service.matchChanged(state) }

  func drop(_ client: ControlClientConnection) {
    client.watch?.cancel()
    client.watch = nil
    clients[client.id] = nil
    service.forget(client: client.id)
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

extension ControlServer {
  /// When the server's timer will fire; nil: it is not armed.
  var deadline: ClockTime? { timer?.deadline }
}
