// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import LinuxSystem
import Varlink

/// A client on an event loop. A call is sent without waiting for the replies to earlier calls; replies come
/// in the order of the calls. Only `init` may block.
package final class VarlinkChannel {
  package typealias Reply = Result<[String: JSONValue], VarlinkClientError>

  /// Called with a reply, or with the error that the service replied with.
  package var replied: (Reply) -> Void = { _ in }
  /// Called when the connection is lost, or when a message is not a reply; there are no further replies.
  package var closed: (VarlinkClientError) -> Void = { _ in }

  private let path: String
  private let socket: FileDescriptor
  private var framing = VarlinkFraming(maximum: VarlinkFraming.maximumCallBytes * 16)
  private var unsent: [UInt8] = []
  private var watch: EventLoop.Watch?

  /// Connects to the first of `candidates` that accepts. While the backlog of a candidate is full, waits for
  /// up to a second.
  package init(candidates: [String], on loop: EventLoop) throws(VarlinkClientError) {
    let (path, descriptor) = try VarlinkClient.connectFirst(candidates, timeoutSeconds: 1)
    self.path = path
    socket = FileDescriptor(owning: descriptor)
    do throws(SystemError) {
      watch = try loop.watch(descriptor, for: .readable) { [weak self] in self?.ready($0) }
    } catch { throw .broken(error) }
  }

  deinit { close() }

  package func close() {
    watch?.cancel()
    watch = nil
  }

  package func send(_ call: VarlinkCall) {
    guard watch != nil else { return }
    unsent += call.message + [0]
    write()
  }

  private func ready(_ readiness: EventLoop.Readiness) {
    if readiness.contains(.writable) { write() }
    if !readiness.isDisjoint(with: [.readable, .hangup, .failed]) { read() }
  }

  private func read() {
    switch Received(from: socket.rawValue, limit: 64 * 1024) {
    case .bytes(let bytes): framing.append(bytes)
    case .nothing: return
    case .end: return fail(.disconnected)
    case .failed(let error): return fail(VarlinkClientError(receiving: error, path))
    }
    while watch != nil {
      do throws(VarlinkFraming.Oversized) {
        guard let message = try framing.next() else { return }
        take(message)
      } catch { return fail(.malformedReply("it is longer than \(error.maximum) bytes")) }
    }
  }

  private func take(_ message: [UInt8]) {
    do throws(VarlinkClientError) {
      replied(.success(try VarlinkClient.reply(in: message).parameters))
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
        // The service may have sent an error before it closed the connection. The error is read next.
        break
      }
    }
    try? watch?.update(unsent.isEmpty ? .readable : [.readable, .writable])
  }

  private func fail(_ error: VarlinkClientError) {
    guard watch != nil else { return }
    close()
    closed(error)
  }
}
