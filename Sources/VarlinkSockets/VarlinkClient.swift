// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import LinuxSystem
import Varlink

/// A blocking client: one connection, one call at a time, each with a time limit.
package struct VarlinkClient: ~Copyable {
  /// The socket that accepted the connection.
  package let path: String
  private let socket: FileDescriptor
  private let timeoutSeconds: Int
  private var framing: VarlinkFraming

  /// Connects to the first of `candidates` that accepts.
  ///
  /// - Parameter timeoutSeconds: the time limit for connecting to a candidate, for sending a call, and for
  ///   its reply. A change is acknowledged when it is on the disk, which can take seconds on an SD card.
  package init(candidates: [String], timeoutSeconds: Int = 15) throws(VarlinkClientError) {
    let (path, descriptor) = try Self.connectFirst(candidates, timeoutSeconds: timeoutSeconds)
    // No property is set before the call that may throw, not even by a default value: Swift 6.0.3 does not
    // compile that with optimization.
    self.path = path
    socket = FileDescriptor(owning: descriptor)
    self.timeoutSeconds = timeoutSeconds
    framing = VarlinkFraming(maximum: VarlinkFraming.maximumReplyBytes)
  }

  /// The first socket that accepts, and its descriptor, which the caller owns.
  static func connectFirst(
    _ candidates: [String], timeoutSeconds: Int
  ) throws(VarlinkClientError) -> (path: String, descriptor: Int32) {
    var errors: [SystemError] = []
    for path in candidates {
      do throws(SystemError) {
        let socket = try connect(path, timeoutSeconds: timeoutSeconds)
        return (path, socket.release())
      } catch {
        errors.append(error)
      }
    }
    throw .unreachable(errors)
  }

  /// Performs `call` and waits for its reply.
  ///
  /// - Returns: the reply's parameters.
  package mutating func call(_ call: VarlinkCall) throws(VarlinkClientError) -> [String: JSONValue] {
    try start(call)
    return try reply(until: deadline(seconds: timeoutSeconds)).parameters
  }

  /// Performs `call`, which has `more` set, and passes the parameters of each reply to `each`. Only sending
  /// the call and waiting for the first reply have a time limit. Returns when `each` returns false, or after
  /// the last reply.
  package mutating func stream(
    _ call: VarlinkCall, each: ([String: JSONValue]) -> Bool
  ) throws(VarlinkClientError) {
    try start(call)
    var next = try reply(until: deadline(seconds: timeoutSeconds))
    while each(next.parameters), next.continues {
      next = try reply(until: deadline(seconds: 100 * 365 * 86_400))
    }
  }

  private func deadline(seconds: Int) -> ClockTime {
    var time = SystemClock.monotonic.now
    time.seconds += Int64(seconds)
    return time
  }

  private func start(_ call: VarlinkCall) throws(VarlinkClientError) {
    try send(call.message + [0], until: deadline(seconds: timeoutSeconds))
  }

  private mutating func reply(
    until deadline: ClockTime
  ) throws(VarlinkClientError) -> (parameters: [String: JSONValue], continues: Bool) {
    try Self.reply(in: try message(until: deadline))
  }

  /// Reads a reply from a message without its NUL.
  static func reply(
    in message: [UInt8]
  ) throws(VarlinkClientError) -> (parameters: [String: JSONValue], continues: Bool) {
    let value: JSONValue
    do { value = try JSONReader.read(message) } catch { throw .malformedReply("\(error)") }
    guard value.object != nil else { throw .malformedReply("it is not an object") }
    let parameters = value["parameters"]?.object ?? [:]
    if let name = value["error"]?.string { throw .refused(VarlinkError(name: name, parameters: parameters)) }
    return (parameters, value["continues"]?.bool ?? false)
  }

  // MARK: The socket

  private mutating func message(until deadline: ClockTime) throws(VarlinkClientError) -> [UInt8] {
    while true {
      do throws(VarlinkFraming.Oversized) {
        if let message = try framing.next() { return message }
      } catch { throw .malformedReply("it is longer than \(error.maximum) bytes") }
      try wait(for: Int16(POLLIN), until: deadline)
      switch Received(from: socket.rawValue, limit: 256 * 1024) {
      case .bytes(let bytes): framing.append(bytes)
      case .nothing: continue
      case .end: throw .disconnected
      case .failed(let error): throw VarlinkClientError(receiving: error, path)
      }
    }
  }

  private func send(_ message: [UInt8], until deadline: ClockTime) throws(VarlinkClientError) {
    var rest = message[...]
    while !rest.isEmpty {
      try wait(for: Int16(POLLOUT), until: deadline)
      let count = rest.withUnsafeBytes {
        Glibc.send(socket.rawValue, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      if count >= 0 {
        rest = rest.dropFirst(count)
        continue
      }
      let error = Errno.current
      switch error.rawValue {
      case EAGAIN, EINTR: continue
      // The service may have sent an error before it closed the connection. The error is read next.
      case EPIPE, ECONNRESET: return
      default: throw .broken(SystemError("send", path, errno: error))
      }
    }
  }

  private func wait(for events: Int16, until deadline: ClockTime) throws(VarlinkClientError) {
    while true {
      let left = deadline.totalNanoseconds - SystemClock.monotonic.now.totalNanoseconds
      guard left > 0 else { throw .timedOut(seconds: timeoutSeconds) }
      var descriptor = pollfd(fd: socket.rawValue, events: events, revents: 0)
      let count = poll(&descriptor, 1, Int32(clamping: left / 1_000_000 + 1))
      if count > 0 { return }
      let error = Errno.current
      if count < 0, error.rawValue != EINTR { throw .broken(SystemError("poll", path, errno: error)) }
    }
  }

  private static func connect(_ path: String, timeoutSeconds: Int) throws(SystemError) -> FileDescriptor {
    // An empty path, or one that begins with a NUL, would name another kind of socket. A later NUL would end
    // the path.
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw SystemError(
        "connect", "'\(path)'", errno: Errno(rawValue: ENOENT),
        hint: "that is not the path of a socket")
    }
    guard path.utf8.count <= UnixAddress.pathLimit else {
      throw SystemError(
        "connect", path, errno: Errno(rawValue: ENAMETOOLONG),
        hint: "the path of a socket has at most \(UnixAddress.pathLimit) bytes")
    }
    do throws(SystemError) {
      return try UnixSocket.connect(path, timeoutSeconds: timeoutSeconds)
    } catch {
      var error = error
      if error.errno.rawValue == ECONNREFUSED, !isSocket(path) { error.hint = "it is not a socket" }
      throw error
    }
  }

  private static func isSocket(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
  }
}

/// Why a call did not succeed.
package enum VarlinkClientError: Error, Hashable, Sendable {
  /// None of the sockets accepts connections; one error for each of them.
  case unreachable([SystemError])
  /// A system call on the connection failed.
  case broken(SystemError)
  /// The service closed the connection before it replied.
  case disconnected
  /// The service closed the connection of a stream.
  case streamEnded
  case timedOut(seconds: Int)
  /// The message is not a Varlink reply, is too long, or lacks what the interface declares.
  case malformedReply(String)
  /// The service replied with an error.
  case refused(VarlinkError)
}

extension VarlinkClientError {
  /// - Parameter errno: that of recv(2).
  init(receiving errno: Errno, _ path: String) {
    self = errno.rawValue == ECONNRESET ? .disconnected : .broken(SystemError("recv", path, errno: errno))
  }
}
