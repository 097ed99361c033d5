// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A system call of the client failed, with its errno.
package struct TestClientError: Error {
  package let code: Int32
}

/// The port of a bound socket.
package func port(of socket: Int32) -> UInt16 {
  var address = sockaddr_in()
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  withUnsafeMutablePointer(to: &address) {
    _ = $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
  }
  return UInt16(bigEndian: address.sin_port)
}

/// A client that sends any bytes.
package final class TestClient {
  package let socket: Int32
  package private(set) var received: [UInt8] = []
  package private(set) var isClosed = false

  /// Connects to a port of this machine from 127.0.0.`host`.
  package init(port: UInt16, from host: UInt8 = 1) throws {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    self.socket = socket
    func call(_ host: UInt8, _ port: UInt16, _ function: (UnsafePointer<sockaddr>, socklen_t) -> Int32)
      -> Bool
    {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = (0x7f00_0000 | UInt32(host)).bigEndian
      return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          function($0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
    }
    guard call(host, 0, { bind(socket, $0, $1) }), call(1, port, { Glibc.connect(socket, $0, $1) }) else {
      throw TestClientError(code: errno)
    }
  }

  deinit { close() }

  private var isOpen = true

  package func close() {
    guard isOpen else { return }
    isOpen = false
    Glibc.close(socket)
  }

  package func send(_ text: String) { send(Array(text.utf8)) }

  package func send(_ bytes: [UInt8]) { _ = Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

  /// Reads what has arrived.
  @discardableResult
  package func read() -> Int {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var total = 0
    while true {
      let count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if count > 0 {
        received += buffer.prefix(count)
        total += count
      } else {
        if count == 0 || errno != EAGAIN { isClosed = true }
        return total
      }
    }
  }

  package var text: String {
    read()
    return String(decoding: received, as: UTF8.self)
  }

  /// The status of the response; nil if none has arrived.
  package var status: Int? {
    let words = text.prefix { $0 != "\r\n" }.split(separator: " ")
    return words.count > 1 && words[0].hasPrefix("HTTP/1.") ? Int(words[1]) : nil
  }

  /// What comes after the header.
  package var body: String {
    read()
    let parts = received.split(
      separator: Array("\r\n\r\n".utf8), maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2 ? String(decoding: parts[1], as: UTF8.self) : ""
  }

  /// Whether a response with its body has arrived, or the connection is closed.
  package var isComplete: Bool {
    read()
    if isClosed { return true }
    let parts = received.split(
      separator: Array("\r\n\r\n".utf8), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return false }
    for line in String(decoding: parts[0], as: UTF8.self).lowercased().split(separator: "\r\n") {
      let words = line.split(separator: " ")
      if words.first == "content-length:" { return parts[1].count >= Int(words[1]) ?? 0 }
    }
    return true
  }

  package func forget() { received = [] }
}
