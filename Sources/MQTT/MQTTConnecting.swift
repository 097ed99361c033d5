// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import LinuxSystem

/// An attempt to connect, on a thread of its own, because looking up a name and connecting block. The thread ends with
/// the attempt.
///
/// If the loop stops waiting for the attempt, the attempt is interrupted, and the thread closes what it has opened.
final class MQTTConnecting {
  /// Called on the loop's thread when the attempt has ended.
  var finished: (Result<MQTTConnection, MQTTFailure>) -> Void = { _ in }
  private var watch: EventLoop.Watch?
  private let attempt: Attempt

  /// The corresponding C functions are `eventfd` and `pthread_create`.
  init(_ connection: MQTTConnection, on loop: EventLoop) throws(SystemError) {
    let event = try retryingInterrupts("eventfd") { eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK)) }
    attempt = Attempt(connection, event: FileDescriptor(owning: event))
    watch = try loop.watch(event, for: .readable) { [weak self] _ in
      guard let self, let result = self.attempt.takeResult() else { return }
      self.watch = nil
      self.finished(result)
    }
    try attempt.start()
  }

  /// Whether the thread has ended its work.
  var isFinished: Bool { attempt.isFinished }

  /// Stops waiting, and interrupts the attempt: it would otherwise connect as soon as it can, perhaps minutes later, and
  /// with the same client ID take the place of a newer connection. If the host has several addresses, each call
  /// interrupts the connection to one of them.
  func abandon() {
    watch = nil
    finished = { _ in }
    attempt.abandon()
  }
}

/// What the thread and the loop share. Each access to a `var` is under the mutex; everything else is immutable. It is
/// `@unchecked Sendable` for that reason.
private final class Attempt: @unchecked Sendable {
  private let connection: MQTTConnection
  private let event: FileDescriptor
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var result: Result<MQTTConnection, MQTTFailure>?
  private var hasFinished = false
  private var isAbandoned = false

  init(_ connection: MQTTConnection, event: consuming FileDescriptor) {
    self.connection = connection
    self.event = event
    mutex = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Starts the thread. Its stack is large enough for the resolver's plug-ins and for OpenSSL.
  func start() throws(SystemError) {
    try WorkerThread.start(stackBytes: 512 * 1024, isDetached: true) { self.work() }
  }

  private func work() {
    let result: Result<MQTTConnection, MQTTFailure>
    do throws(MQTTFailure) {
      // The library looks the name up too; doing it here first gives the loop a chance to abandon the attempt.
      try connection.lookUp()
      if locked({ isAbandoned }) { throw .timedOut }
      try connection.connect()
      result = .success(connection)
    } catch {
      result = .failure(error)
    }
    locked {
      self.result = isAbandoned ? nil : result
      hasFinished = true
    }
    var one: UInt64 = 1
    _ = write(event.rawValue, &one, 8)
  }

  var isFinished: Bool { locked { hasFinished } }

  func abandon() {
    locked {
      isAbandoned = true
      result = nil
      if !hasFinished { connection.interrupt() }
    }
  }

  func takeResult() -> Result<MQTTConnection, MQTTFailure>? {
    locked {
      defer { result = nil }
      return result
    }
  }

  private func locked<Value>(_ body: () -> Value) -> Value {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }
}
