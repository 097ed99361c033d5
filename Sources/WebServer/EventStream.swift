// SPDX-License-Identifier: Apache-2.0

import CMicrohttpd
import Glibc
import LinuxSystem

/// An open event stream to one client. Its connection is suspended while there is nothing to send.
package final class EventStream {
  /// Who reads a stream. If there are too many connections, the streams of strangers are closed first, then
  /// those of spectators; those of devices are not closed.
  package enum Reader: Hashable, Sendable {
    /// A client that may not see anything.
    case stranger
    case spectator
    /// A paired device.
    case device
  }

  package var reader = Reader.spectator
  /// Called once, when the client has gone or the stream has ended.
  package var closed: () -> Void = {}

  /// Nanoseconds, for the ages of events.
  private let clock: () -> Int64
  private weak var server: WebServer?
  /// The connection, while the stream is open.
  private var connection: OpaquePointer?
  private var descriptor: Int32 = -1
  private var queue = EventQueue()
  private var isSuspended = false
  private var isEnding = false
  private var isClosed = false

  /// - Parameter clock: nanoseconds of the clock of `StreamEvent.Age`; by default CLOCK_BOOTTIME.
  package init(clock: @escaping () -> Int64 = { SystemClock.boottime.now.totalNanoseconds }) {
    self.clock = clock
  }

  package func send(_ event: StreamEvent) {
    guard !isEnding, !isClosed else { return }
    queue.add(event, now: clock())
    wake()
  }

  /// Ends the stream when the events in its queue have been sent.
  package func end() {
    isEnding = true
    wake()
  }

  /// How long the client has not read a whole event although one is to be sent, in nanoseconds.
  package var delay: Int64 { queue.delay(now: clock()) }

  /// Closes the connection at once, e.g. because the client does not read.
  package func drop() {
    guard connection != nil else { return }
    isEnding = true
    shutdown(descriptor, Int32(SHUT_RDWR))
    wake()
  }

  // MARK: For the server

  /// How much is sent at a time. The library offers half of a connection's memory, which then would be in use
  /// for every stream.
  private static let partBytes = 4096

  func open(_ connection: OpaquePointer, on server: WebServer) -> OpaquePointer? {
    self.connection = connection
    self.server = server
    descriptor = flipclock_http_socket(connection)
    // The library releases the stream with the response.
    let context = Unmanaged.passRetained(self)
    // Only clients of HTTP/1.0 use the buffer; others get chunks of any size.
    let response = MHD_create_response_from_callback(
      flipclock_http_unknown_size, 1024,
      { context, _, bytes, count in
        guard let context, let bytes else { return flipclock_http_end_of_stream }
        let stream = Unmanaged<EventStream>.fromOpaque(context).takeUnretainedValue()
        return stream.fill(
          UnsafeMutableRawBufferPointer(start: bytes, count: min(count, EventStream.partBytes)))
      }, context.toOpaque(),
      { context in if let context { Unmanaged<EventStream>.fromOpaque(context).release() } })
    if response == nil { context.release() }
    return response
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    connection = nil
    isSuspended = false
    closed()
  }

  /// Called before the server stops, because the library does not stop while a connection is suspended.
  func prepareToStop() {
    isEnding = true
    guard isSuspended, let connection else { return }
    isSuspended = false
    MHD_resume_connection(connection)
  }

  private func wake() {
    guard isSuspended, let connection else { return }
    isSuspended = false
    MHD_resume_connection(connection)
    server?.runSoon()
  }

  private func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard let connection, !isClosed else { return flipclock_http_end_of_stream }
    let count = queue.fill(buffer, now: clock())
    if count > 0 { return count }
    if isEnding { return flipclock_http_end_of_stream }
    isSuspended = true
    MHD_suspend_connection(connection)
    return 0
  }
}
