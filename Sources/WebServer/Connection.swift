// SPDX-License-Identifier: Apache-2.0

import CMicrohttpd
import Glibc
import LinuxSystem

/// A client's connection.
final class Connection {
  let descriptor: Int32
  let address: PeerAddress
  /// When the connection is closed, unless the request or the response that it waits for is complete by then
  /// (CLOCK_MONOTONIC, nanoseconds). Nil: never.
  var deadline: Int64?
  /// The request that is being served.
  var exchange: Exchange?
  /// Whether it has been shut down and the library has not noticed yet.
  var isShut = false

  init(descriptor: Int32, address: PeerAddress, deadline: Int64) {
    self.descriptor = descriptor
    self.address = address
    self.deadline = deadline
  }
}

/// Answers one request. Further answers are ignored, as is an answer after the client has gone.
package struct HTTPResponder {
  let exchange: Exchange

  package func answer(_ answer: HTTPAnswer) { exchange.answer(answer) }
}

/// A request and its answer.
final class Exchange {
  private unowned let server: WebServer
  private let connection: Connection
  /// The library's connection; nil after the end of the request.
  private var raw: OpaquePointer?
  private var request: HTTPRequest
  private var isTooLong = false
  private var discarded = 0
  private var isAsked = false
  private var isSuspended = false
  private var answer: HTTPAnswer?
  private var stream: EventStream?

  /// How much of a body that is too long is read before its connection is closed, so that the client gets an answer.
  private static let discardedBytes = 64 * 1024

  init(_ request: HTTPRequest, on connection: Connection, raw: OpaquePointer, of server: WebServer) {
    self.request = request
    self.connection = connection
    self.raw = raw
    self.server = server
  }

  var isWaiting: Bool { isAsked && answer == nil }

  // MARK: The request

  /// Called when the header is complete. Returns false to close the connection.
  func begin() -> Bool {
    guard let length = request.headers["content-length"] else { return true }
    guard let count = Int(length), let raw else { return false }
    isTooLong = count > server.limits.bodyBytes
    if count <= Self.discardedBytes { return true }
    // The library closes the connection after a response that comes before the body.
    isAsked = true
    let answer = HTTPAnswer.response(HTTPResponse(status: 413))
    self.answer = answer
    return send(answer, on: raw)
  }

  /// Called with a part of the body. Returns false to close the connection.
  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if isTooLong || request.body.count + bytes.count > server.limits.bodyBytes {
      isTooLong = true
      discarded += bytes.count
      request.body = []
      return discarded <= Self.discardedBytes
    }
    request.body += bytes
    return true
  }

  /// Called when the request is complete, and again after it was suspended. Returns false to close the connection.
  func finish() -> Bool {
    guard let raw else { return false }
    if !isAsked {
      isAsked = true
      connection.deadline = nil
      server.statistics.requests += 1
      if isTooLong {
        answer = .response(HTTPResponse(status: 413))
      } else {
        let request = request
        // A stream does not need its request, and may be open for hours.
        self.request = HTTPRequest(method: request.method, path: "", address: request.address)
        server.handler(request, HTTPResponder(exchange: self))
      }
    }
    guard let answer else {
      isSuspended = true
      MHD_suspend_connection(raw)
      return true
    }
    return send(answer, on: raw)
  }

  // MARK: The answer

  func answer(_ answer: HTTPAnswer) {
    guard self.answer == nil, raw != nil else {
      if case .stream(let stream, _) = answer { stream.close() }
      return
    }
    self.answer = answer
    resume()
    server.runSoon()
  }

  private func resume() {
    guard isSuspended, let raw else { return }
    isSuspended = false
    MHD_resume_connection(raw)
  }

  private func send(_ answer: HTTPAnswer, on raw: OpaquePointer) -> Bool {
    switch answer {
    case .response(let value):
      guard let response = value.make() else { return false }
      defer { MHD_destroy_response(response) }
      return send(response, status: value.status, on: raw)
    case .prepared(let prepared):
      guard let response = prepared.raw else { return false }
      return send(response, status: prepared.value.status, on: raw)
    case .stream(let stream, let headers):
      guard let response = stream.open(raw, on: server) else {
        stream.close()
        return false
      }
      self.stream = stream
      HTTPResponse.add(headers + [.init("Content-Type", "text/event-stream")], to: response)
      defer { MHD_destroy_response(response) }
      return MHD_queue_response(raw, 200, response) == flipclock_http_yes
    }
  }

  private func send(_ response: OpaquePointer, status: Int, on raw: OpaquePointer) -> Bool {
    connection.deadline = server.now + server.limits.responseSeconds * 1_000_000_000
    server.armTimer(for: connection)
    return MHD_queue_response(raw, UInt32(status), response) == flipclock_http_yes
  }

  // MARK: The end

  /// Called when the response has been sent, or when the client has gone.
  func ended() {
    raw = nil
    isSuspended = false
    stream?.close()
    stream = nil
    connection.exchange = nil
    connection.deadline = server.now + server.limits.idleSeconds * 1_000_000_000
    server.armTimer(for: connection)
  }

  func prepareToStop() {
    stream?.prepareToStop()
    if answer == nil { answer = .response(HTTPResponse(status: 503)) }
    resume()
  }
}
