// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// A listener on the loopback interface that speaks as much MQTT as a test needs, on the loop of the test.
package final class BrokerDouble {
  /// A control packet from the client: its type and flags (`head`), and what follows the length (`body`).
  package struct Packet: Equatable {
    package var head: UInt8
    package var body: [UInt8]
    package var type: UInt8 { head >> 4 }

    /// The topic of a message.
    package var topic: String {
      guard body.count >= 2 else { return "" }
      return String(decoding: body[2...].prefix(Int(body[0]) << 8 + Int(body[1])), as: UTF8.self)
    }

    /// The payload of a message with QoS 1 and without properties.
    package var payload: String {
      String(decoding: body.dropFirst(2 + topic.utf8.count + 3), as: UTF8.self)
    }

    package var isRetained: Bool { head & 1 == 1 }
  }

  /// Called with each packet; returns the bytes to send.
  package var answer: (Packet) -> [UInt8] = { _ in [] }
  package private(set) var packets: [Packet] = []
  package private(set) var connections = 0
  package let port: Int

  private let loop: EventLoop
  private let listener: Int32
  private var listening: EventLoop.Watch?
  private var client: Int32 = -1
  private var watch: EventLoop.Watch?
  private var input: [UInt8] = []
  private var fillers: [Int32] = []

  package init(on loop: EventLoop) throws {
    self.loop = loop
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = listener
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(descriptor, pointer, size) + listen(descriptor, 8) + getsockname(descriptor, pointer, &size)
      }
    }
    guard result == 0 else { throw SystemError("bind") }
    port = Int(UInt16(bigEndian: address.sin_port))
    listening = try loop.watch(listener, for: .readable) { [weak self] _ in self?.admit() }
  }

  deinit {
    closeClient()
    for filler in fillers { close(filler) }
    listening?.cancel()
    close(listener)
  }

  /// Fills the backlog, so that the kernel drops the packets of further connections.
  package func ignoreConnections() {
    listening?.cancel()
    listening = nil
    listen(listener, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    for _ in 0..<4 {
      let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
      let filler = socket(AF_INET, type, 0)
      withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          _ = connect(filler, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      fillers.append(filler)
    }
  }

  /// Ends `ignoreConnections`.
  package func admitConnections() {
    for filler in fillers { close(filler) }
    fillers = []
    listen(listener, 8)
    listening = try? loop.watch(listener, for: .readable) { [weak self] _ in self?.admit() }
  }

  package func closeClient() {
    watch?.cancel()
    watch = nil
    if client >= 0 { close(client) }
    client = -1
    input = []
  }

  /// Replies as a broker that accepts everything.
  package func accept() {
    answer = { packet in
      switch packet.type {
      case 1: return Self.accepted()
      // The acknowledgement of a message with QoS 1 has its number, which follows the topic.
      case 3:
        let number = 2 + packet.topic.utf8.count
        return [0x40, 2, packet.body[number], packet.body[number + 1]]
      case 8: return [0x90, 4, packet.body[0], packet.body[1], 0, 1]
      case 10: return [0xb0, 4, packet.body[0], packet.body[1], 0, 0]
      case 12: return [0xd0, 0]
      default: return []
      }
    }
  }

  package func send(_ bytes: [UInt8]) { _ = Glibc.send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

  /// The reply to a connection, in MQTT 5.
  package static func accepted(_ code: UInt8 = 0) -> [UInt8] { [0x20, 3, 0, code, 0] }

  /// A message for the client, in MQTT 5.
  package static func message(_ topic: String, _ payload: [UInt8], isRetained: Bool = false) -> [UInt8] {
    let name = Array(topic.utf8)
    let body = [UInt8(name.count >> 8), UInt8(name.count & 255)] + name + [0] + payload
    return [isRetained ? 0x31 : 0x30] + length(body.count) + body
  }

  static func length(_ count: Int) -> [UInt8] {
    var rest = count
    var bytes: [UInt8] = []
    repeat {
      bytes.append(UInt8(rest % 128) | (rest >= 128 ? 128 : 0))
      rest /= 128
    } while rest > 0
    return bytes
  }

  private func admit() {
    closeClient()
    client = Glibc.accept(listener, nil, nil)
    connections += 1
    watch = try? loop.watch(client, for: .readable) { [weak self] _ in self?.read() }
  }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(client, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    guard count > 0 else {
      if count == 0 { closeClient() }
      return
    }
    input += buffer[..<count]
    while let packet = nextPacket() {
      packets.append(packet)
      let reply = answer(packet)
      if !reply.isEmpty { send(reply) }
    }
  }

  private func nextPacket() -> Packet? {
    var length = 0
    var index = 1
    while index < input.count, index < 5 {
      length |= Int(input[index] & 127) << (7 * (index - 1))
      index += 1
      if input[index - 1] < 128 {
        guard input.count >= index + length else { return nil }
        let packet = Packet(head: input[0], body: Array(input[index..<(index + length)]))
        input.removeFirst(index + length)
        return packet
      }
    }
    return nil
  }
}
