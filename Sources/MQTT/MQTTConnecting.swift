// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// An attempt to connect, on a thread of its own, because looking up a name and connecting block. The thread
/// ends with the attempt.
///
/// If the loop stops waiting for the attempt, the attempt is interrupted, and its connection is closed.
final class MQTTConnecting {
  /// Called on the loop's thread when the attempt has ended.
  var finished: (Result<MQTTConnection, MQTTFailure>) -> Void = { _ in }
  private let attempt: Attempt
  private var task: BackgroundTask?

  /// The thread's stack is large enough for the resolver's plug-ins and for OpenSSL.
  init(_ connection: MQTTConnection, on loop: EventLoop) throws(SystemError) {
    let attempt = Attempt(connection)
    self.attempt = attempt
    task = try BackgroundTask(on: loop, stackBytes: 512 * 1024, work: { attempt.work() }) { [weak self] in
      if let self, let result = self.attempt.takeResult() { self.finished(result) }
    }
  }

  /// Whether the thread has ended its work.
  var isFinished: Bool { attempt.isFinished }

  /// Stops waiting, and interrupts the attempt: it would otherwise connect as soon as it can, perhaps minutes
  /// later, and with the same client ID take the place of a newer connection. If the host has several
  /// addresses, each call interrupts the connection to one of them.
  func abandon() {
    task = nil
    finished = { _ in }
    attempt.abandon()
  }
}

/// What the thread and the loop share. Each access to a `var` is under the mutex. Until the thread has
/// finished, only the thread uses the connection; the loop only calls `interrupt`. So the class is
/// `@unchecked Sendable`.
private final class Attempt: @unchecked Sendable {
  private let connection: MQTTConnection
  private let mutex = Mutex()
  private var result: Result<MQTTConnection, MQTTFailure>?
  private var hasFinished = false
  private var isAbandoned = false

  init(_ connection: MQTTConnection) { self.connection = connection }

  func work() {
    let result: Result<MQTTConnection, MQTTFailure>
    do throws(MQTTFailure) {
      // The library looks the name up too; doing it here first gives the loop a chance to abandon the
      // attempt.
      try connection.lookUp()
      if mutex.locked({ isAbandoned }) { throw .timedOut }
      try connection.connect()
      result = .success(connection)
    } catch {
      result = .failure(error)
    }
    mutex.locked {
      self.result = isAbandoned ? nil : result
      hasFinished = true
    }
  }

  var isFinished: Bool { mutex.locked { hasFinished } }

  func abandon() {
    mutex.locked {
      isAbandoned = true
      result = nil
      if !hasFinished { connection.interrupt() }
    }
  }

  func takeResult() -> Result<MQTTConnection, MQTTFailure>? {
    mutex.locked {
      defer { result = nil }
      return result
    }
  }
}
