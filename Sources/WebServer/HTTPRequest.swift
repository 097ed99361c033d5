// SPDX-License-Identifier: Apache-2.0

/// A complete HTTP request.
package struct HTTPRequest: Hashable, Sendable {
  package var method: String
  /// The path as it was sent: percent escapes are not decoded.
  package var path: String
  /// The parameters after `?`, as they were sent. Of a repeated parameter, the last value.
  package var query: [String: String]
  /// The header fields by their names in lower case. The values of a repeated field are joined by `, `, as
  /// RFC 9110 says, and those of `cookie` by `; `.
  package var headers: [String: String]
  package var body: [UInt8]
  /// The client's address; behind a trusted proxy, that of the proxy's client.
  package var address: PeerAddress
  /// Whether a trusted proxy says that its client used HTTPS.
  package var isSecure = false

  package init(
    method: String, path: String, query: [String: String] = [:], headers: [String: String] = [:],
    body: [UInt8] = [], address: PeerAddress = .loopback
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
    self.address = address
  }

  package mutating func add(header name: String, _ value: String) {
    let name = name.lowercased()
    guard let before = headers[name] else {
      headers[name] = value
      return
    }
    headers[name] = before + (name == "cookie" ? "; " : ", ") + value
  }
}
