// SPDX-License-Identifier: Apache-2.0

import CMicrohttpd
import Glibc

/// The functions that libmicrohttpd calls. The context of a server is the `WebServer`, that of a connection
/// its `Connection`, and that of a request its `Exchange`, which is retained until the request has ended.
enum Callbacks {
  private static func server(_ context: UnsafeMutableRawPointer?) -> WebServer? {
    context.map { Unmanaged<WebServer>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func connection(of raw: OpaquePointer, in server: WebServer) -> Connection? {
    server.connections[flipclock_http_socket(raw)]
  }

  static func connection(
    _ context: UnsafeMutableRawPointer?, _ raw: OpaquePointer?,
    _ own: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_ConnectionNotificationCode
  ) {
    guard let server = server(context), let own else { return }
    if code == flipclock_http_started {
      guard let raw, let connection = server.arriving.removeValue(forKey: flipclock_http_socket(raw)) else {
        return
      }
      own.pointee = Unmanaged.passRetained(connection).toOpaque()
      server.opened(connection)
    } else if let pointer = own.pointee {
      own.pointee = nil
      server.closed(Unmanaged<Connection>.fromOpaque(pointer).takeRetainedValue())
    }
  }

  /// Called when the first line of a request has arrived. Sets the deadline for the rest of the request.
  static func begun(
    _ context: UnsafeMutableRawPointer?, _ raw: OpaquePointer?
  ) -> UnsafeMutableRawPointer? {
    guard let server = server(context), let raw, let connection = connection(of: raw, in: server) else {
      return nil
    }
    let limit = server.now + server.limits.requestSeconds * 1_000_000_000
    connection.deadline = min(connection.deadline ?? limit, limit)
    server.armTimer(for: connection)
    return nil
  }

  static func handle(
    _ context: UnsafeMutableRawPointer?, _ raw: OpaquePointer?, _ path: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ body: UnsafePointer<CChar>?,
    _ count: UnsafeMutablePointer<Int>?, _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
  ) -> MHD_Result {
    guard let server = server(context), let raw, let path, let method, let count, let state else {
      return flipclock_http_no
    }
    guard let pointer = state.pointee else {
      guard let connection = connection(of: raw, in: server) else { return flipclock_http_no }
      var request = request(raw, String(cString: method), String(cString: path), connection.peer)
      request.trust(server.proxies)
      server.move(connection, to: request.address)
      let exchange = Exchange(request, on: connection, raw: raw, of: server)
      connection.exchange = exchange
      state.pointee = Unmanaged.passRetained(exchange).toOpaque()
      return exchange.begin(version.map { String(cString: $0) } ?? "")
        ? flipclock_http_yes : flipclock_http_no
    }
    let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
    if count.pointee > 0 {
      defer { count.pointee = 0 }
      return exchange.receive(UnsafeRawBufferPointer(start: body, count: count.pointee))
        ? flipclock_http_yes : flipclock_http_no
    }
    return exchange.finish() ? flipclock_http_yes : flipclock_http_no
  }

  static func completed(
    _ raw: OpaquePointer?, _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
  ) {
    guard let pointer = state?.pointee else { return }
    state?.pointee = nil
    Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue().ended()
  }

  private static func request(
    _ raw: OpaquePointer, _ method: String, _ path: String, _ address: PeerAddress
  ) -> HTTPRequest {
    var request = HTTPRequest(method: method, path: path, address: address)
    for (name, value) in values(flipclock_http_headers, of: raw) { request.add(header: name, value) }
    for (name, value) in values(flipclock_http_arguments, of: raw) { request.query[name] = value }
    return request
  }

  /// The names and values of one kind, in the order of the request.
  private static func values(_ kind: MHD_ValueKind, of raw: OpaquePointer) -> [(String, String)] {
    var values: [(String, String)] = []
    _ = withUnsafeMutablePointer(to: &values) {
      MHD_get_connection_values(
        raw, kind,
        { context, _, name, value in
          guard let context, let name else { return flipclock_http_yes }
          context.assumingMemoryBound(to: [(String, String)].self).pointee
            .append((String(cString: name), value.map { String(cString: $0) } ?? ""))
          return flipclock_http_yes
        }, $0)
    }
    return values
  }
}
