// SPDX-License-Identifier: Apache-2.0

import CMosquitto
import LinuxSystem

/// A client of an MQTT broker on an event loop. It connects, connects again after a loss, and sends with QoS
/// 1.
///
/// Every connection begins without a session: of the messages from before it, only retained ones are
/// delivered. Messages that wait to be sent when a connection is lost are dropped. After each `connected` the
/// owner subscribes and publishes what should be retained.
///
/// While nothing is received, the broker is asked for a reply every few seconds, so that a pause of the
/// connection is noticed: messages that arrive after it may have waited.
package final class MQTTClient {
  package enum Event: Hashable, Sendable {
    case connected
    /// A connection was lost, or could not be made. The next attempt begins after a delay.
    case disconnected(MQTTFailure)
    /// The broker, the network or this program has paused: messages that arrive now may be old.
    case resumed
    case received(MQTTDelivery)
    /// The broker does not allow publishing to this topic.
    case publishingRefused(topic: String)
    /// The broker does not allow subscribing to this filter.
    case subscriptionRefused(String)
  }

  /// Called on the loop's thread.
  package var happened: (Event) -> Void = { _ in }
  package var isConnected: Bool { session != nil }
  /// The number of messages that were not sent because too many waited, or because they cannot be sent, e.g.
  /// for their length.
  package private(set) var dropped = 0

  private let options: MQTTOptions
  private let loop: EventLoop
  private let timer: LoopTimer
  private let probeTimer: LoopTimer
  private var backoff: MQTTBackoff
  private var version = Int32(MQTT_PROTOCOL_V5)
  private var isStarted = false

  private var connecting: MQTTConnecting?
  /// Attempts that were given up and whose threads have not ended.
  private var abandoned: [MQTTConnecting] = []
  private var connection: MQTTConnection?
  private var watch: EventLoop.Watch?
  /// Nil until the broker has accepted the connection.
  private var session: Session?
  private var isFlushing = false
  /// The number of connections in a row that the broker closed before `stableTime`.
  private var closedSoon = 0

  /// What belongs to a connection that the broker has accepted.
  private final class Session {
    var outbox = MQTTOutbox()
    var subscriptions: [Int32: String] = [:]
    // Times of the loop.
    let start: Int64
    var lastInput: Int64
    var lastOutput: Int64
    /// When something was last received, in nanoseconds of CLOCK_BOOTTIME, which also counts while the
    /// machine is suspended.
    var heardAt = MQTTClient.bootTime
    var awaitsReply = false

    init(at now: Int64) { (start, lastInput, lastOutput) = (now, now, now) }
  }

  /// The maximum number of packets that are read before other descriptors get their turn.
  private static let packetsPerTurn = 32
  /// A connection that lasted this long resets the delays.
  private static let stableTime: Int64 = 30_000_000_000
  /// The time within which a broker that runs replies to a probe, in nanoseconds.
  private static let replyTime: Int64 = 1_000_000_000

  package init(_ options: MQTTOptions, on loop: EventLoop) throws(SystemError) {
    self.options = options
    self.loop = loop
    backoff = options.backoff
    timer = try LoopTimer(.monotonic, on: loop)
    probeTimer = try LoopTimer(.boottime, on: loop)
    timer.handler = { [weak self] _ in self?.timePassed() }
    probeTimer.handler = { [weak self] _ in self?.probe() }
  }

  /// Connects now.
  package func start() {
    guard !isStarted else { return }
    isStarted = true
    connect()
  }

  /// Ends the connection; the broker publishes the will.
  package func close() {
    isStarted = false
    connection?.leave()
    forget()
    timer.disarm()
  }

  /// Queues a message, which is sent at the end of this turn or when earlier ones are acknowledged.
  ///
  /// - Returns: false if there is no connection, or if too many retained messages wait.
  @discardableResult
  package func publish(_ message: MQTTMessage) -> Bool {
    guard let session else { return false }
    let acceptance = session.outbox.append(message)
    if acceptance != .queued { dropped += 1 }
    flushSoon()
    return acceptance != .refused
  }

  /// Whether MQTT 5 is used, whose options `live` subscriptions need.
  package var knowsRetainFlags: Bool { version == Int32(MQTT_PROTOCOL_V5) }

  /// - Parameter live: whether messages that the broker has kept are left out. Other messages then have the
  ///   retain flag with which they were published. A bridge sets it for messages that another broker has
  ///   kept.
  package func subscribe(_ filter: String, live: Bool = false) {
    guard let session, let connection else { return }
    do throws(MQTTFailure) {
      session.subscriptions[try connection.subscribe(filter, live: live)] = filter
      wrote()
    } catch { lost(error) }
  }

  package func unsubscribe(_ filter: String) {
    guard isConnected, let connection else { return }
    do throws(MQTTFailure) {
      try connection.unsubscribe(filter)
      wrote()
    } catch { lost(error) }
  }

  // MARK: Connecting

  private func connect() {
    abandoned.removeAll(where: \.isFinished)
    for attempt in abandoned { attempt.abandon() }
    do throws(MQTTFailure) {
      let connection = try MQTTConnection(options, version: version)
      let connecting: MQTTConnecting
      do throws(SystemError) { connecting = try MQTTConnecting(connection, on: loop) } catch {
        throw .system(error.errno)
      }
      connecting.finished = { [weak self] in self?.finished($0) }
      self.connecting = connecting
      timer.arm(inNanoseconds: options.connectTimeout * 1_000_000_000)
    } catch { lost(error) }
  }

  private func finished(_ result: Result<MQTTConnection, MQTTFailure>) {
    connecting = nil
    switch result {
    case .failure(let failure): lost(failure)
    case .success(let connection):
      self.connection = connection
      do throws(SystemError) {
        // The broker's reply is awaited until the deadline of the attempt.
        watch = try loop.watch(connection.socket, for: [.readable, .writable]) { [weak self] in
          self?.ready($0)
        }
      } catch { lost(.system(error.errno)) }
    }
  }

  /// Closes everything that belongs to a connection.
  private func forget() {
    if let connecting {
      connecting.abandon()
      abandoned.append(connecting)
    }
    connecting = nil
    watch = nil
    connection = nil
    session = nil
    probeTimer.disarm()
  }

  private func lost(_ failure: MQTTFailure) {
    guard isStarted else { return }
    var failure = failure
    if let session {
      let isStable = loop.now - session.start >= Self.stableTime
      if isStable { backoff.reset() }
      closedSoon = isStable || failure != .lost ? 0 : closedSoon + 1
      // Not every broker gives a reason, for example that another client has the same ID.
      if closedSoon >= 3 { failure = .unstable }
    }
    // An older broker refuses the version in a reply of its own version, which libmosquitto 2.0.21 cannot
    // read.
    let isRefusal = failure.isVersionRefused || failure == .garbled
    let isOlderBroker = isRefusal && session == nil && version == Int32(MQTT_PROTOCOL_V5)
    forget()
    if failure == .garbled { version = Int32(MQTT_PROTOCOL_V5) }
    if isOlderBroker {
      version = Int32(MQTT_PROTOCOL_V311)
      // Not at once, because `lost` may be called by `connect`.
      timer.arm(inNanoseconds: 0)
      return
    }
    var random = SystemRandomNumberGenerator()
    timer.arm(inNanoseconds: backoff.delay(using: &random))
    happened(.disconnected(failure))
  }

  private func timePassed() {
    guard isStarted else { return }
    guard let session, let connection else {
      return connecting == nil && connection == nil ? connect() : lost(.timedOut)
    }
    do throws(MQTTFailure) {
      let due = min(session.lastInput, session.lastOutput) + keepalive
      try connection.keepAlive()
      if loop.now >= due { session.lastOutput = loop.now }
      // After a ping, the time without a reply counts from now.
      armKeepalive(at: loop.now >= due ? loop.now + keepalive : due)
      updateInterest()
      try handleEvents()
    } catch { lost(error) }
  }

  private var keepalive: Int64 { options.keepalive * 1_000_000_000 }

  /// The library counts whole seconds, so the timer is a little late.
  private func armKeepalive(at time: Int64) {
    timer.arm(at: ClockTime(totalNanoseconds: time + 50_000_000))
  }

  // MARK: The connection

  private func wrote() {
    session?.lastOutput = loop.now
    updateInterest()
  }

  private func updateInterest() {
    guard let watch, let connection else { return }
    guard connection.socket >= 0 else { return lost(.lost) }
    try? watch.update(connection.wantsWrite ? [.readable, .writable] : .readable)
  }

  private func ready(_ readiness: EventLoop.Readiness) {
    guard let connection else { return }
    do throws(MQTTFailure) {
      var mayHaveMore = false
      if !readiness.isDisjoint(with: [.readable, .hangup, .failed]) {
        mayHaveMore = try read(connection)
      }
      if readiness.contains(.writable) || connection.wantsWrite {
        try connection.write()
        session?.lastOutput = loop.now
      }
      try handleEvents()
      guard self.connection === connection else { return }
      updateInterest()
      if mayHaveMore { readSoon() }
    } catch {
      // A reply or a reason from the broker says more than the end of the connection.
      lost(reported() ?? error)
    }
  }

  private func read(_ connection: MQTTConnection) throws(MQTTFailure) -> Bool {
    let mayHaveMore = try connection.read(limit: Self.packetsPerTurn)
    guard let session else { return mayHaveMore }
    session.lastInput = loop.now
    let silence = Self.bootTime - session.heardAt
    session.heardAt += silence
    session.awaitsReply = false
    if silence > probeInterval + Self.replyTime { happened(.resumed) }
    return mayHaveMore
  }

  private static var bootTime: Int64 { SystemClock.boottime.now.totalNanoseconds }
  private var probeInterval: Int64 { options.probeInterval * 1_000_000_000 }

  private func probe() {
    guard let session, let connection else { return }
    let due = session.heardAt + probeInterval
    let now = Self.bootTime
    guard now >= due else { return probeTimer.arm(at: ClockTime(totalNanoseconds: due)) }
    // The interval counts from the reply, which needs a moment.
    probeTimer.arm(inNanoseconds: probeInterval + Self.replyTime / 10)
    guard !session.awaitsReply else { return }
    do throws(MQTTFailure) {
      session.awaitsReply = true
      try connection.probe()
      wrote()
    } catch { lost(error) }
  }

  /// Continues to read after the handlers of this turn, because the socket may not become readable again.
  private func readSoon() {
    loop.defer { [weak self] in self?.ready(.readable) }
  }

  private func reported() -> MQTTFailure? {
    for event in connection?.takeEvents() ?? [] {
      switch event {
      case .reply(let code) where code != 0: return .refused(MQTTFailure.code(ofReply: code))
      case .ended(let code): return .ended(code)
      default: break
      }
    }
    return nil
  }

  private func handleEvents() throws(MQTTFailure) {
    guard let connection else { return }
    for event in connection.takeEvents() {
      switch event {
      case .reply(0): accepted()
      case .reply(let code): throw .refused(MQTTFailure.code(ofReply: code))
      case .received(let delivery, let isAcknowledged):
        if isAcknowledged { session?.lastOutput = loop.now }
        happened(.received(delivery))
      case .published(let number, let isAccepted):
        let topic = session?.outbox.acknowledged(number)
        if !isAccepted, let topic { happened(.publishingRefused(topic: topic)) }
      case .subscribed(let number, let isGranted):
        let filter = session?.subscriptions.removeValue(forKey: number)
        if !isGranted, let filter { happened(.subscriptionRefused(filter)) }
      case .ended(let code): throw .ended(code)
      }
      // The owner may have closed the client.
      guard self.connection === connection else { return }
    }
    if let session, session.outbox.count > 0 { try flush() }
  }

  private func accepted() {
    guard session == nil else { return }
    let now = loop.now
    session = Session(at: now)
    armKeepalive(at: now + keepalive)
    probeTimer.arm(inNanoseconds: probeInterval)
    happened(.connected)
  }

  // MARK: Sending

  /// Sends after the handlers of this turn, so that several changes of a topic become one message.
  private func flushSoon() {
    guard !isFlushing else { return }
    isFlushing = true
    loop.defer { [weak self] in
      guard let self else { return }
      self.isFlushing = false
      do throws(MQTTFailure) { try self.flush() } catch { self.lost(error) }
    }
  }

  private func flush() throws(MQTTFailure) {
    guard let session, let connection else { return }
    while let message = session.outbox.next() {
      if let number = try connection.publish(message) {
        session.outbox.sent(number, topic: message.topic)
      } else {
        dropped += 1
      }
    }
    wrote()
  }
}
