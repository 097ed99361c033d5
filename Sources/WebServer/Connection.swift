// SPDX-License-Identifier: Apache-2.0

import CMicrohttpd
import Glibc
import LinuxSystem

/// A client's connection.
final class Connection {
  let descriptor: Int32
  /// The other end: a client or a proxy.
  let peer: PeerAddress
  /// The address of the last request's client; before the first one, that of the connection.
  var address: PeerAddress
  /// When the connection is closed, unless the request or the response that it waits for is complete by then
  /// (CLOCK_MONOTONIC, nanoseconds). Nil: never.
  var deadline: Int64?
  /// The request that is being served.
  var exchange: Exchange?
  /// Whether it has been shut down and the library has not noticed yet.
  var isShut = false
  /// The paired device from which its last request came; nil: none.
  var device: String?
  /// Its place in the order in which connections were accepted.
  let number: Int

  init(descriptor: Int32, address: PeerAddress, deadline: Int64, number: Int) {
    self.descriptor = descriptor
    peer = address
    self.address = address
    self.deadline = deadline
    self.number = number
  }

  /// The rank by which connections are closed to make room for others, the lowest first; nil if this one is
  /// not closed.
  var rank: Rank? {
    if isShut { return nil }
    guard let exchange, exchange.isAsked else { return device == nil ? .silent : nil }
    switch exchange.stream?.reader {
    case .device: return nil
    case .spectator: return .other
    case .stranger: return .stranger
    case nil: return device != nil || exchange.isWaiting ? nil : .other
    }
  }

  enum Rank: Int {
    /// It has sent no request, or none after the last response.
    case silent
    /// The stream of a reader that may not see anything.
    case stranger
    /// The stream of a spectator, or a response that is being read.
    case other
  }
}

/// Answers one request. Further answers are ignored, as is an answer after the client has gone.
package struct HTTPResponder {
  let exchange: Exchange

  /// Call it before the answer if the request comes from a paired device. Its connection is then not closed
  /// to make room for others, but only for more connections of the same device.
  package func trust(_ device: String) { exchange.trust(device) }

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
  private(set) var isAsked = false
  private var isSuspended = false
  private var answer: HTTPAnswer?
  private(set) var stream: EventStream?

  /// How much of a body that is too long is read before its connection is closed, so that the client gets an
  /// answer.
  private static let discardedBytes = 64 * 1024

  init(_ request: HTTPRequest, on connection: Connection, raw: OpaquePointer, of server: WebServer) {
    self.request = request
    self.connection = connection
    self.raw = raw
    self.server = server
  }

  var isWaiting: Bool { isAsked && answer == nil }

  func trust(_ device: String) { server.trust(connection, device) }

  // MARK: The request

  /// Called when the header is complete. Returns false to close the connection.
  func begin(_ version: String) -> Bool {
    guard let raw, flipclock_http_header_size(raw) <= server.limits.headerBytes else { return refuse(431) }
    let length = request.headers["content-length"]
    // A proxy may take such a request for a shorter or longer one, and its rest for the next request (RFC
    // 9112 §6.1). The same holds for a blank before a colon, as in `Content-Length : 4` (§5.1).
    if request.headers["transfer-encoding"] != nil, length != nil || version == "HTTP/1.0" {
      return refuse(400)
    }
    if request.headers.keys.contains(where: { $0.utf8.contains { $0 <= UInt8(ascii: " ") } }) {
      return refuse(400)
    }
    guard let length else { return true }
    // Two lengths are joined by a comma, so they are not a number.
    guard let count = Int(length) else { return refuse(400) }
    isTooLong = count > server.limits.bodyBytes
    return count <= Self.discardedBytes || refuse(413)
  }

  /// Answers before the body has arrived, and closes the connection.
  private func refuse(_ status: Int) -> Bool {
    guard let raw else { return false }
    isAsked = true
    let answer = HTTPAnswer.response(last(status))
    self.answer = answer
    return send(answer, on: raw)
  }

  /// The last response of a connection.
  private func last(_ status: Int) -> HTTPResponse {
    var response = server.refusal(status)
    response.headers.append(.init("Connection", "close"))
    return response
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

  /// Called when the request is complete, and again after it was suspended. Returns false to close the
  /// connection.
  func finish() -> Bool {
    guard let raw else { return false }
    if !isAsked {
      isAsked = true
      connection.deadline = nil
      connection.device = nil
      server.statistics.requests += 1
      if isTooLong {
        answer = .response(server.refusal(413))
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
      guard server.admits(stream, on: connection) else {
        stream.close()
        return send(.response(last(503)), on: raw)
      }
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
    server.limit(connection, to: server.limits.responseSeconds)
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
    server.limit(connection, to: server.limits.idleSeconds)
  }

  func prepareToStop() {
    stream?.prepareToStop()
    if answer == nil { answer = .response(HTTPResponse(status: 503)) }
    resume()
  }
}
