// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Control

@Suite struct VarlinkCallTests {
  @Test(
    "A call is read with its flags",
    arguments: [
      (#"{"method":"a.b.C"}"#, VarlinkCall(method: "a.b.C")),
      (#"{"method":"a.b.C","parameters":null}"#, VarlinkCall(method: "a.b.C")),
      (#"{"method":"a.b.C","parameters":{}}"#, VarlinkCall(method: "a.b.C")),
      (
        #"{"parameters":{"x":1},"method":"a.b.C"}"#,
        VarlinkCall(method: "a.b.C", parameters: ["x": .integer(1)])
      ),
      (#"{"method":"a.b.C","oneway":true}"#, VarlinkCall(method: "a.b.C", oneway: true)),
      (#"{"method":"a.b.C","more":true,"oneway":false}"#, VarlinkCall(method: "a.b.C", more: true)),
      (#"{"method":"a.b.C","upgrade":false}"#, VarlinkCall(method: "a.b.C")),
    ])
  func valid(_ text: String, _ call: VarlinkCall) throws {
    #expect(try VarlinkCall(reading: Array(text.utf8)) == call)
    #expect(try VarlinkCall(reading: wireText(call)) == call)
  }

  @Test(
    "What is no call is a violation that says why",
    arguments: [
      ("", "the message is not JSON: unexpected end at byte 0"),
      ("hello", "the message is not JSON: unexpected byte at byte 0"),
      ("[]", "the message is not a JSON object"), ("7", "the message is not a JSON object"),
      ("{}", "the call has no 'method' string"), (#"{"method":7}"#, "the call has no 'method' string"),
      (#"{"method":"a.B","parameters":[]}"#, "'parameters' is not an object"),
      (#"{"method":"a.B","more":1}"#, "'more' is neither true nor false"),
      (#"{"method":"a.B","oneway":null}"#, "'oneway' is neither true nor false"),
      (#"{"method":"a.B","upgrade":true}"#, "'upgrade' is not offered"),
      (#"{"method":"a.B","more":true,"oneway":true}"#, "a call is either 'oneway' or 'more'"),
      (#"{"method":"a.B","id":1}"#, "the call has an unknown member 'id'"),
      (#"{"method":"a.B","method":"a.C"}"#, "the message is not JSON: member 'method' twice at byte 16"),
    ])
  func violations(_ text: String, _ reason: String) {
    #expect(throws: ProtocolViolation(reason: reason)) { try VarlinkCall(reading: Array(text.utf8)) }
  }

  @Test(
    "A method's name is cut at its last dot",
    arguments: [
      ("org.flipclock.Control.SetScore", "org.flipclock.Control", "SetScore"), ("Lonely", "", "Lonely"),
      (".X", "", "X"), ("a.", "a", ""), ("", "", ""),
    ])
  func names(_ method: String, _ interface: String, _ member: String) {
    let call = VarlinkCall(method: method)
    #expect(call.interface == interface)
    #expect(call.member == member)
  }

  @Test(
    "A reply is one JSON object with what it needs and no more",
    arguments: [
      (VarlinkReply.returning(["a": 1]), #"{"parameters":{"a":1}}"#),
      (.returning(["a": 1], continues: true), #"{"continues":true,"parameters":{"a":1}}"#),
      (.returning(["path": "/a/b\0"]), #"{"parameters":{"path":"/a/b\u0000"}}"#),
      (.failing(.noDisplay), #"{"error":"org.flipclock.Control.NoDisplay"}"#),
      (
        .failing(.unknownTeam("x", known: ["home"])),
        #"{"error":"org.flipclock.Control.UnknownTeam","parameters":{"known":["home"],"team":"x"}}"#
      ),
      (
        .returning(["a": Double.nan]),
        #"{"error":"org.flipclock.Control.Failed","parameters":{"reason":"the reply cannot be written as JSON"}}"#
      ),
    ])
  func replies(_ reply: VarlinkReply, _ text: String) {
    #expect(String(decoding: reply.message, as: UTF8.self) == text)
  }

  static let errors: [ControlError] = [
    .interfaceNotFound("a.b"), .methodNotFound("a.B"), .methodNotImplemented("a.B"), .invalidParameter("x"),
    .permissionDenied, .expectedMore, .unknownTeam("x", known: ["home", "guest"]),
    .unknownTeam("", known: []),
    .scoreOutOfRange(1000, minimum: 0, maximum: 999), .noDisplay,
    .periodOutOfRange(0, minimum: 1, maximum: 99), .badText("x", problem: "too_long", maximum: 40),
    .unknownCounter("x", known: []), .counterOutOfRange(6, counter: "fouls", minimum: 0, maximum: 5),
    .unknownTimer("jam", known: ["game"]), .timerOutOfRange(-1, minimum: 0, maximum: 5), .timerAtEnd("game"),
    .gameTimerPaused, .nothingToUndo, .nothingToRedo, .tooManySubscribers(limit: 128),
    .unknownPage("x", known: ["main"]), .stateNotSaved(reason: "disk full"),
    .failed(reason: "r"), .protocolViolation(reason: "p"), .tooManyClients(limit: 256),
    .other(name: "org.flipclock.Control.FromTheFuture", parameters: ["x": .bool(true)]),
    .other(name: "org.flipclock.Control.UnknownTeam", parameters: ["team": .integer(1)]),
  ]

  @Test("An error is the same after the wire, and its message is one line", arguments: errors)
  func errorsOnTheWire(_ error: ControlError) throws {
    let reply = try JSONReader.read(VarlinkReply.failing(error).message)
    let name = try #require(reply["error"]?.string)
    #expect(ControlError(name: name, parameters: reply["parameters"]?.object ?? [:]) == error)
    #expect(!error.message.isEmpty && !error.message.contains("\n"))
  }

  @Test(
    "Every error of the interface files is one that the program knows, with the same fields",
    arguments: errors)
  func errorsInTheInterfaceFiles(_ error: ControlError) throws {
    if case .other = error { return }
    let text =
      error.name.hasPrefix("org.varlink") ? ControlInterface.serviceDescription : ControlInterface.description
    let short = try #require(error.name.split(separator: ".").last)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("error \(short) (") })
    for field in error.parameters.keys { #expect(line.contains("\(field): ")) }
    #expect(line.filter { $0 == ":" }.count == error.parameters.count)
  }
}
