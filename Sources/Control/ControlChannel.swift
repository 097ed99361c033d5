// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// A client on the loop: calls go out as they come, replies come in their order, nothing waits.
final class ControlChannel {
  typealias Reply = Result<[String: JSONValue], ControlClientError>

  /// A reply, or an error that the daemon answered with.
  var replied: (Reply) -> Void = { _ in }
  /// The connection is gone; nothing comes any more.
  var closed: (ControlClientError) -> Void = { _ in }

  private let path: String
  private let socket: FileDescriptor
  private var framing = VarlinkFraming(maximum: VarlinkFraming.maximumCallBytes * 16)
  private var unsent: [UInt8] = []
  private var watch: EventLoop.Watch?

  /// Connects to the first of `candidates` that answers; where its backlog is full, within a second.
  init(candidates: [String], on loop: EventLoop) throws(ControlClientError) {
    let (path, descriptor) = try ControlClient.connectFirst(candidates, timeoutSeconds: 1)
    self.path = path
    socket = FileDescriptor(owning: descriptor)
    do throws(SystemError) {
      watch = try loop.watch(descriptor, for: .readable) { [weak self] in self?.ready($0) }
    } catch { throw .broken(error) }
  }

  deinit { close() }

  func close() {
    watch?.cancel()
    watch = nil
  }

  func send(_ call: VarlinkCall) {
    guard watch != nil, let message = try? wireText(call) else { return }
    unsent += message + [0]
    write()
  }

  private func ready(_ readiness: EventLoop.Readiness) {
    if readiness.contains(.writable) { write() }
    if !readiness.isDisjoint(with: [.readable, .hangup, .failed]) { read() }
  }

  private func read() {
    var count = -1
    let bytes = [UInt8](unsafeUninitializedCapacity: 64 * 1024) { buffer, initialized in
      count = recv(socket.rawValue, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
      initialized = max(0, count)
    }
    if count < 0 {
      let error = Errno.current
      if error.rawValue == EAGAIN || error.rawValue == EINTR { return }
      return fail(
        error.rawValue == ECONNRESET ? .disconnected : .broken(SystemError("recv", path, errno: error)))
    }
    if count == 0 { return fail(.disconnected) }
    framing.append(bytes)
    while watch != nil {
      do throws(VarlinkFraming.Oversized) {
        guard let message = try framing.next() else { return }
        take(message)
      } catch { return fail(.malformedReply("it is longer than \(error.maximum) bytes")) }
    }
  }

  private func take(_ message: [UInt8]) {
    do throws(ControlClientError) {
      replied(.success(try ControlClient.reply(in: message).parameters))
    } catch {
      if case .refused = error { replied(.failure(error)) } else { fail(error) }
    }
  }

  private func write() {
    while !unsent.isEmpty {
      let count = unsent.withUnsafeBytes {
        Glibc.send(socket.rawValue, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      if count >= 0 {
        unsent.removeFirst(count)
      } else if errno == EAGAIN {
        break
      } else if errno != EINTR {
        // The daemon may have said why before it closed: that is read next.
        break
      }
    }
    try? watch?.update(unsent.isEmpty ? .readable : [.readable, .writable])
  }

  private func fail(_ error: ControlClientError) {
    guard watch != nil else { return }
    close()
    closed(error)
  }
}
