// SPDX-License-Identifier: Apache-2.0

import CMicrohttpd

/// A response with a body in memory.
package struct HTTPResponse: Hashable, Sendable {
  package struct Header: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  package var status: Int
  package var headers: [Header]
  package var body: [UInt8]

  package init(status: Int, headers: [Header] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The value of the first header field with this name, in any case.
  package subscript(name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// A response that is sent many times: its body is in memory once, and not copied for a request.
package final class PreparedResponse {
  package let value: HTTPResponse
  /// Nil if there is no memory.
  let raw: OpaquePointer?

  package init(_ value: HTTPResponse) {
    self.value = value
    raw = value.make()
  }

  deinit { if let raw { MHD_destroy_response(raw) } }
}

extension HTTPResponse {
  /// A response of the library, with a copy of the body. The caller destroys it.
  func make() -> OpaquePointer? {
    guard let made = body.withUnsafeBytes({ flipclock_http_response($0.baseAddress, $0.count) }) else {
      return nil
    }
    Self.add(headers, to: made)
    return made
  }

  /// Adds header fields. Leaves out a value that the library does not accept, such as one with a line break.
  static func add(_ headers: [Header], to response: OpaquePointer) {
    for header in headers { _ = MHD_add_response_header(response, header.name, header.value) }
  }
}

/// The answer to a request.
package enum HTTPAnswer {
  case response(HTTPResponse)
  case prepared(PreparedResponse)
  /// An event stream, which ends when the client closes it or with `EventStream.end()`.
  case stream(EventStream, headers: [HTTPResponse.Header])
}
