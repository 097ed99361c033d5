// SPDX-License-Identifier: Apache-2.0

import CLinux

/// The program's event loop: descriptors, timers, signals and deferred work on one `epoll`.
///
/// Not thread safe and not re-entrant: everything runs on the thread that calls `run`. A handler may add and
/// cancel watches and timers, including its own. Nothing polls: if nothing is armed, the loop sleeps forever.
package final class EventLoop {
  package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }
    package static let readable = Readiness(rawValue: EPOLLIN.rawValue)
    package static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
    package static let hangup = Readiness(rawValue: EPOLLHUP.rawValue | EPOLLRDHUP.rawValue)
    package static let failed = Readiness(rawValue: EPOLLERR.rawValue)
  }

  /// A watched descriptor. The watch ends when it is cancelled or destroyed; a descriptor that it owns is
  /// closed after that.
  package final class Watch {
    package let fileDescriptor: Int32
    private let descriptor: FileDescriptor?
    private weak var loop: EventLoop?
    private let key: UInt64
    private var isActive = true

    fileprivate init(fileDescriptor: Int32, key: UInt64, loop: EventLoop) {
      self.fileDescriptor = fileDescriptor
      descriptor = nil
      self.key = key
      self.loop = loop
    }

    fileprivate init(owning descriptor: consuming FileDescriptor, key: UInt64, loop: EventLoop) {
      fileDescriptor = descriptor.rawValue
      self.descriptor = consume descriptor
      self.key = key
      self.loop = loop
    }

    deinit { cancel() }

    /// Ends the watch; a second call does nothing.
    package func cancel() {
      guard isActive else { return }
      isActive = false
      loop?.unregister(fileDescriptor, key: key)
    }

    /// Changes the events to wait for.
    package func update(_ interest: Readiness) throws(SystemError) {
      guard isActive, let loop else { return }
      var event = epoll_event(events: interest.rawValue, data: epoll_data_t(u64: key))
      _ = try retryingInterrupts("epoll_ctl", "modify") {
        epoll_ctl(loop.epoll.rawValue, EPOLL_CTL_MOD, fileDescriptor, &event)
      }
    }
  }

  let epoll: FileDescriptor
  private var handlers: [UInt64: Handler] = [:]
  private var nextKey: UInt64 = 1

  // Wrappers for closures. A closure stored directly in a collection is wrapped in another closure, which
  // allocates.
  private struct Handler {
    let call: (Readiness) -> Void
  }
  private struct Work {
    let run: () -> Void
  }

  private var deferred: [Work] = []
  private var deferredNow: [Work] = []
  private var idle: [() -> Bool] = []
  /// The number of consecutive turns with events in which idle work did not run.
  private var busyTurns = 0
  private var idleNow: [() -> Bool] = []
  private var running = false
  private var isTurning = false
  /// The buffer for `epoll_wait`, allocated once so that turns do not allocate.
  private let events: UnsafeMutablePointer<epoll_event>
  private static let capacity = 32

  /// How often the loop woke from sleep since the start.
  package private(set) var wakeups: UInt64 = 0

  /// The loop's simulated time, for tests; nil for real time.
  package let virtualTime: VirtualTime?

  /// The current time of the loop's monotonic timers, in nanoseconds of CLOCK_MONOTONIC.
  package var now: Int64 { virtualTime?.now ?? SystemClock.monotonic.now.totalNanoseconds }

  /// The corresponding C function is `epoll_create1`.
  package init(virtualTime: VirtualTime? = nil) throws(SystemError) {
    self.virtualTime = virtualTime
    epoll = FileDescriptor(
      owning: try retryingInterrupts("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) })
    events = .allocate(capacity: Self.capacity)
    events.initialize(repeating: epoll_event(), count: Self.capacity)
  }

  deinit { events.deallocate() }

  /// Calls `handler` whenever `fileDescriptor` is ready (level triggered) until the watch ends. The caller
  /// ends the watch before it closes the descriptor.
  package func watch(
    _ fileDescriptor: Int32, for interest: Readiness, handler: @escaping (Readiness) -> Void
  ) throws(SystemError) -> Watch {
    Watch(
      fileDescriptor: fileDescriptor, key: try register(fileDescriptor, interest, handler), loop: self)
  }

  /// Does the same as `watch(_:for:handler:)`, but takes ownership of the descriptor.
  package func watch(
    owning descriptor: consuming FileDescriptor, for interest: Readiness,
    handler: @escaping (Readiness) -> Void
  ) throws(SystemError) -> Watch {
    let key = try register(descriptor.rawValue, interest, handler)
    return Watch(owning: descriptor, key: key, loop: self)
  }

  private func register(
    _ fileDescriptor: Int32, _ interest: Readiness, _ handler: @escaping (Readiness) -> Void
  ) throws(SystemError) -> UInt64 {
    let key = nextKey
    var event = epoll_event(events: interest.rawValue, data: epoll_data_t(u64: key))
    _ = try retryingInterrupts("epoll_ctl", "add") {
      epoll_ctl(epoll.rawValue, EPOLL_CTL_ADD, fileDescriptor, &event)
    }
    nextKey += 1
    handlers[key] = Handler(call: handler)
    return key
  }

  fileprivate func unregister(_ fileDescriptor: Int32, key: UInt64) {
    handlers[key] = nil
    _ = epoll_ctl(epoll.rawValue, EPOLL_CTL_DEL, fileDescriptor, nil)
  }

  /// Runs `work` after the handlers of this turn, before the loop sleeps again.
  package func `defer`(_ work: @escaping () -> Void) { deferred.append(Work(run: work)) }

  /// Runs `slice` once per turn while nothing else is ready, and in every 16th turn of a busy loop, until it
  /// returns false. For long work split into pieces of at most a few milliseconds (a PNG, row by row).
  package func whenIdle(_ slice: @escaping () -> Bool) { idle.append(slice) }

  /// Runs until `stop()`.
  package func run() throws(SystemError) {
    running = true
    while running { try turn(timeoutMilliseconds: -1) }
  }

  /// Makes `run` return after the current turn.
  package func stop() { running = false }

  /// Runs one turn: sleeps at most `timeoutMilliseconds` (−1: no limit), then handles what is ready. Must not
  /// be called from a handler.
  package func turn(timeoutMilliseconds: Int32) throws(SystemError) {
    precondition(!isTurning, "EventLoop.turn from inside a handler")
    isTurning = true
    defer { isTurning = false }
    let sleeps = deferred.isEmpty && idle.isEmpty
    let timeout = sleeps && virtualTime == nil ? timeoutMilliseconds : 0
    var count = Int(epoll_wait(epoll.rawValue, events, Int32(Self.capacity), timeout))
    if count < 0 {
      let error = Errno.current
      guard error.rawValue == EINTR else { throw SystemError("epoll_wait", errno: error) }
      count = 0
    }
    if timeout != 0 { wakeups += 1 }
    if count == 0, sleeps { virtualTime?.advance(byAtMost: timeoutMilliseconds) }
    for index in 0..<count {
      let event = events[index]
      // A handler may have ended a watch whose event comes later in this turn, so the handler is looked up
      // each time. The local reference keeps the closure alive if it ends its own watch.
      guard let handler = handlers[event.data.u64] else { continue }
      handler.call(Readiness(rawValue: event.events))
    }
    runDeferred()
    // A busy client must not keep idle work from running.
    busyTurns = count == 0 ? 0 : busyTurns + 1
    if count == 0 || busyTurns >= 16 {
      busyTurns = 0
      runIdle()
    }
  }

  private func runDeferred() {
    guard !deferred.isEmpty else { return }
    // Work that is deferred by deferred work runs in the next turn; otherwise it could starve everything
    // else.
    swap(&deferred, &deferredNow)
    for work in deferredNow { work.run() }
    deferredNow.removeAll(keepingCapacity: true)
  }

  private func runIdle() {
    guard !idle.isEmpty else { return }
    swap(&idle, &idleNow)
    for slice in idleNow where slice() { idle.append(slice) }
    idleNow.removeAll(keepingCapacity: true)
  }
}
