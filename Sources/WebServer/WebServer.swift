// SPDX-License-Identifier: Apache-2.0

import CMicrohttpd
import Glibc
import LinuxSystem

/// An HTTP server on the loop. GNU libmicrohttpd parses the requests; it has no thread, and nothing is
/// polled.
///
/// Everything runs on the loop's thread. While no client is connected, no timer is armed.
package final class WebServer {
  package struct Limits: Hashable, Sendable {
    /// The maximum number of connections, and the share of a network (`ConnectionLimits`).
    package var connections = 512
    package var share = 32
    /// Connections of a paired device. One more closes the oldest.
    package var deviceConnections = 8
    /// The request line and the header fields.
    package var headerBytes = 6144
    package var bodyBytes = 16 * 1024
    /// The memory of a connection. The library needs it for the header, a copy of the cookies, and a list of
    /// the fields.
    package var connectionBytes = 16 * 1024
    /// The time limit of a request: from the connection for the first one, from its first line for each later
    /// one.
    package var requestSeconds: Int64 = 10
    /// The time limit for the next request on a connection.
    package var idleSeconds: Int64 = 30
    /// The time limit for the client to read a response.
    package var responseSeconds: Int64 = 60

    package init() {}
  }

  /// Counts since the start.
  package struct Statistics: Hashable, Sendable {
    package var connections = 0
    package var requests = 0
    /// Connections and streams that were refused or closed because there were too many connections.
    package var refused = 0
    /// Connections that were closed because their request or response took too long.
    package var slow = 0
  }

  package let limits: Limits
  package internal(set) var statistics = Statistics()
  /// Answers a request, now or later.
  package var handler: (HTTPRequest, HTTPResponder) -> Void = { _, responder in
    responder.answer(.response(HTTPResponse(status: 404)))
  }
  /// The answer to a request that is refused before it is complete, by its status.
  package var refusal: (Int) -> HTTPResponse = { HTTPResponse(status: $0) }
  /// Proxies that are trusted to report their clients' addresses (`HTTPRequest.trust`).
  package var proxies: [AddressRange] = []
  /// Called when a connection or a stream is refused, or closed early, with the address and the reason.
  package var refused: (PeerAddress, String) -> Void = { _, _ in }

  let loop: EventLoop
  var connections: [Int32: Connection] = [:]
  /// Connections that were passed to the library, and that it has not reported yet. Some versions of it
  /// report a connection when it is added, others at their next run.
  var arriving: [Int32: Connection] = [:]
  private var counts: ConnectionLimits
  private var daemon: OpaquePointer?
  private var listeners: [UnixListener] = []
  private var watch: EventLoop.Watch?
  /// Expires when the library has to run.
  private var libraryTimer: LoopTimer?
  /// Expires at the earliest deadline of a connection.
  private var deadlineTimer: LoopTimer?
  private var willRun = false

  package init(on loop: EventLoop, limits: Limits = Limits()) throws(SystemError) {
    self.loop = loop
    self.limits = limits
    counts = ConnectionLimits(total: limits.connections, share: limits.share)
    libraryTimer = try LoopTimer(.monotonic, on: loop) { [weak self] _ in self?.run() }
    deadlineTimer = try LoopTimer(.monotonic, on: loop) { [weak self] _ in self?.closeSlow() }
    // A connection that has been shut down stays until the library notices, so the library's limit is higher.
    daemon = flipclock_http_start(
      limits.connectionBytes, UInt32(limits.connections + ConnectionLimits.margin + 64),
      UInt32(limits.idleSeconds), { Callbacks.handle($0, $1, $2, $3, $4, $5, $6, $7) },
      { _, raw, state, _ in Callbacks.completed(raw, state) },
      { Callbacks.connection($0, $1, $2, $3) }, { Callbacks.begun($0, $2) },
      Unmanaged.passUnretained(self).toOpaque())
    guard let daemon else { throw SystemError("MHD_start_daemon") }
    watch = try loop.watch(flipclock_http_epoll(daemon), for: .readable) { [weak self] _ in self?.run() }
  }

  deinit { close() }

  /// How many connections are open.
  package var connectionCount: Int { connections.count }

  var now: Int64 { loop.now }

  /// Accepts connections on a listening socket.
  ///
  /// - Parameter failed: called at most once, if the socket does not accept connections any more.
  package func listen(
    on socket: consuming FileDescriptor, failed: @escaping (SystemError) -> Void = { _ in }
  ) throws(SystemError) {
    Self.configure(socket.rawValue)
    // The parameter is written out because Swift 6.0.3 treats `$0` as borrowed.
    listeners.append(
      try UnixListener(adopting: socket, on: loop, failed: failed) {
        [weak self] (connection: consuming FileDescriptor) in
        self?.admit(connection)
      })
  }

  /// Sets options that connections inherit from their listening socket (tcp(7)).
  private static func configure(_ socket: Int32) {
    // With a small buffer in the kernel, events for a slow reader wait in `EventQueue`, where newer ones
    // replace them.
    setSocketOption(socket, SOL_SOCKET, SO_SNDBUF, 16 * 1024)
    setSocketOption(socket, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    // Milliseconds after which a peer that does not acknowledge anything counts as gone.
    setSocketOption(socket, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, 30_000)
  }

  /// Accepts no more connections; those that are open are still served.
  package func stopListening() {
    for listener in listeners { listener.close() }
    listeners = []
  }

  /// Whether a request waits for its answer.
  package var owesAnswers: Bool { connections.values.contains { $0.exchange?.isWaiting == true } }

  /// Closes all connections. A second call does nothing.
  package func close() {
    guard let daemon else { return }
    stopListening()
    watch?.cancel()
    watch = nil
    libraryTimer?.cancel()
    libraryTimer = nil
    deadlineTimer?.cancel()
    deadlineTimer = nil
    for connection in connections.values { connection.exchange?.prepareToStop() }
    MHD_stop_daemon(daemon)
    self.daemon = nil
    connections = [:]
  }

  // MARK: Connections

  private func admit(_ descriptor: consuming FileDescriptor) {
    guard let daemon, let address = PeerAddress(ofPeer: descriptor.rawValue) else { return }
    statistics.connections += 1
    guard makeRoom(for: address) else { return refuse(address) }
    let socket = descriptor.release()
    arriving[socket] = Connection(
      descriptor: socket, address: address, deadline: now + limits.requestSeconds * 1_000_000_000,
      number: statistics.connections)
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    // The library closes the socket, also if it fails. It does not use the address.
    let isAdded = withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        getpeername(socket, pointer, &length)
        return MHD_add_connection(daemon, socket, pointer, length) == flipclock_http_yes
      }
    }
    if !isAdded { arriving[socket] = nil }
    runSoon()
  }

  /// Returns false if a new connection has to be refused.
  private func makeRoom(for address: PeerAddress) -> Bool {
    if counts.hasRoom(for: address) { return true }
    // If possible, the new connection does not take the place of one from a network that has fewer
    // connections.
    let own = counts.count(of: address)
    if evict(upTo: .silent, ofNetworksWith: own) { return true }
    // The client may be a paired device. If it is not, it gets no stream.
    return counts.hasRoom(for: address, margin: ConnectionLimits.margin)
      || evict(upTo: .other, ofNetworksWith: own) || evict(upTo: .other)
  }

  /// Whether a stream may be opened, now that its reader is known. If there are too many connections, the
  /// stream of a paired device replaces a connection of any network. Another stream replaces only a
  /// connection of a network that has more of them; otherwise, readers that connect again and again would
  /// close each other's streams.
  func admits(_ stream: EventStream, on connection: Connection) -> Bool {
    if counts.hasRoom(for: connection.address, isCounted: true) { return true }
    if stream.reader == .device {
      evict(upTo: .other)
      return true
    }
    if evict(upTo: .other, ofNetworksWith: counts.count(of: connection.address) + 1) { return true }
    refuse(connection.address)
    return false
  }

  /// Records that the connection's last request comes from a paired device. If the device has too many
  /// connections, closes the oldest on which no answer is due, so that one device cannot keep all others out.
  func trust(_ connection: Connection, _ device: String) {
    connection.device = device
    let own = connections.values.filter { $0.device == device && !$0.isShut }
    guard own.count > limits.deviceConnections,
      let oldest = own.filter({ $0 !== connection && $0.exchange?.isWaiting != true })
        .min(by: { $0.number < $1.number })
    else { return }
    statistics.refused += 1
    shut(oldest, "too many connections of a device")
  }

  /// Counts a connection for the client that sent the last request on it.
  func move(_ connection: Connection, to address: PeerAddress) {
    guard connection.address != address, !connection.isShut else { return }
    counts.closed(connection.address)
    connection.address = address
    counts.opened(address)
  }

  /// Closes a connection to make room: of those of the lowest rank, the oldest of the network that has the
  /// most. Returns false if there is none.
  ///
  /// - Parameter minimum: how many connections its network has at least.
  @discardableResult
  private func evict(upTo rank: Connection.Rank, ofNetworksWith minimum: Int = 0) -> Bool {
    var found: (order: (Int, Int, Int), connection: Connection)?
    for connection in connections.values {
      guard let own = connection.rank, own.rawValue <= rank.rawValue else { continue }
      let count = counts.count(of: connection.address)
      let order = (own.rawValue, -count, connection.number)
      if count >= minimum, found.map({ order < $0.order }) ?? true { found = (order, connection) }
    }
    guard let victim = found?.connection else { return false }
    statistics.refused += 1
    shut(victim, Self.tooMany)
    return true
  }

  private static let tooMany = "too many connections"

  private func refuse(_ address: PeerAddress) {
    statistics.refused += 1
    refused(address, Self.tooMany)
  }

  func opened(_ connection: Connection) {
    connections[connection.descriptor] = connection
    counts.opened(connection.address)
    armTimer(for: connection)
  }

  func closed(_ connection: Connection) {
    guard connections.removeValue(forKey: connection.descriptor) != nil else { return }
    if !connection.isShut { counts.closed(connection.address) }
    if connections.isEmpty { deadlineTimer?.disarm() }
  }

  /// Closes the connection in `seconds`, unless what it waits for is complete by then.
  func limit(_ connection: Connection, to seconds: Int64) {
    connection.deadline = now + seconds * 1_000_000_000
    armTimer(for: connection)
  }

  /// Arms the timer for the connection's deadline, if that is the earliest.
  func armTimer(for connection: Connection) {
    guard let deadline = connection.deadline else { return }
    if let armed = deadlineTimer?.deadline, armed.totalNanoseconds <= deadline { return }
    deadlineTimer?.arm(at: ClockTime(totalNanoseconds: deadline))
  }

  private func closeSlow() {
    let now = now
    var next: Int64?
    for connection in Array(connections.values) where !connection.isShut {
      guard let deadline = connection.deadline else { continue }
      if deadline <= now {
        statistics.slow += 1
        let reason = connection.exchange.map {
          $0.isAsked ? "the client did not read the response" : "the body of the request did not arrive"
        }
        shut(connection, reason)
      } else {
        next = min(next ?? .max, deadline)
      }
    }
    if let next { deadlineTimer?.arm(at: ClockTime(totalNanoseconds: next)) }
  }

  /// Ends a connection. The library closes it when it notices.
  ///
  /// - Parameter reason: for the log; nil: an ordinary end.
  private func shut(_ connection: Connection, _ reason: String?) {
    connection.isShut = true
    counts.closed(connection.address)
    if let stream = connection.exchange?.stream {
      stream.drop()
    } else {
      shutdown(connection.descriptor, Int32(SHUT_RDWR))
    }
    if let reason { refused(connection.address, reason) }
  }

  // MARK: The library

  /// Lets the library run after the handlers of this turn.
  func runSoon() {
    guard !willRun else { return }
    willRun = true
    loop.defer { [weak self] in
      self?.willRun = false
      self?.run()
    }
  }

  private func run() {
    guard let daemon else { return }
    MHD_run(daemon)
    // Connections that have not been reported by now were closed.
    arriving = [:]
    let milliseconds = flipclock_http_timeout(daemon)
    switch milliseconds {
    case ..<0: libraryTimer?.disarm()
    case 0: runSoon()
    default:
      // If the timer fires too early, it is armed again here, so it need not be set for each request.
      let deadline = now + milliseconds * 1_000_000
      if let armed = libraryTimer?.deadline, armed.totalNanoseconds <= deadline { return }
      libraryTimer?.arm(at: ClockTime(totalNanoseconds: deadline))
    }
  }
}
