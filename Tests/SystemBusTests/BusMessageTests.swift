// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc
import Testing

@testable import SystemBus

@Suite struct BusMessageTests {
  static let values: [BusValue] = [
    .boolean(true), .boolean(false), .byte(255), .int16(-2), .uint16(65535), .int32(.min), .uint32(.max),
    .int64(.min), .uint64(.max), .double((-0.5).bitPattern), .string(""), .string("Käse"), .path("/a/b"),
    .signature("a{sv}"), .bytes([]), .bytes([0, 255, 10]), .array(element: "s", []),
    .array(element: "o", [.path("/"), .path("/x")]), .array(element: "ay", [.bytes([1]), .bytes([])]),
    .structure([.uint32(1), .string("x")]), .variant(.variant(.bytes([7]))),
    .dictionary(key: "u", value: "(yy)", [.init(.uint32(4), .structure([.byte(1), .byte(2)]))]),
    .dictionary(
      key: "s", value: "a{sv}",
      [.init(.string("802-11-wireless"), .properties(["ssid": .bytes([0xff]), "hidden": .boolean(true)]))]),
    .array(element: "a{sv}", [.properties(["address": .string("10.42.0.1"), "prefix": .uint32(24)])]),
  ]

  /// A message that is written, sealed and read again, on a connection to nothing.
  private func written(_ values: [BusValue]) throws -> [BusValue] {
    var sockets: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets) == 0)
    defer { close(sockets[1]) }
    var bus: OpaquePointer?
    try #require(sd_bus_new(&bus) >= 0)
    defer { sd_bus_close_unref(bus) }
    try #require(sd_bus_set_fd(bus, sockets[0], sockets[0]) >= 0 && sd_bus_start(bus) >= 0)
    var made: OpaquePointer?
    try #require(sd_bus_message_new_method_call(bus, &made, "a.b", "/", "a.b", "C") >= 0)
    let message = try #require(made)
    defer { sd_bus_message_unref(message) }
    for value in values { try BusMessage.append(value, to: message) }
    try #require(sd_bus_message_seal(message, 1, 0) >= 0)
    try #require(sd_bus_message_rewind(message, 1) >= 0)
    return try BusMessage.values(of: message)
  }

  @Test func whatIsWrittenIsRead() throws {
    for value in Self.values { #expect(try written([value]) == [value]) }
    #expect(try written(Self.values) == Self.values)
  }

  @Test func aValueOfAnotherTypeIsRefused() {
    #expect(throws: BusError.self) { try written([.array(element: "s", [.uint32(1)])]) }
    #expect(throws: BusError.self) { try written([.path("no path")]) }
  }

  @Test func valuesAreReadByWhatTheyMean() {
    #expect(BusValue.variant(.uint64(7)).integer == 7 && BusValue.uint64(.max).integer == nil)
    #expect(BusValue.string("7").integer == nil && BusValue.path("/x").text == "/x")
    #expect(BusValue.properties(["a": .string("b")]).members == ["a": .string("b")])
    #expect(BusValue.dictionary(key: "u", value: "s", [.init(.uint32(1), .string("x"))]).members == nil)
    #expect(BusValue.variant(.array(element: "s", [.string("x")])).elements == [.string("x")])
  }
}
