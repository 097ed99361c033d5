// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Varlink

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
    #expect(try VarlinkCall(reading: call.message) == call)
  }

  @Test(
    "An invalid call is a protocol violation with the reason",
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
    "A method's name is split at its last dot",
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
    "A reply is a JSON object with only the required members",
    arguments: [
      (VarlinkReply.returning(["a": .integer(1)]), #"{"parameters":{"a":1}}"#),
      (.returning(["a": .integer(1)], continues: true), #"{"continues":true,"parameters":{"a":1}}"#),
      (.returning(["path": .string("/a/b\0")]), #"{"parameters":{"path":"/a/b\u0000"}}"#),
      (.failing(VarlinkError(name: "a.NoDisplay")), #"{"error":"a.NoDisplay"}"#),
      (
        .failing(.methodNotFound("a.B")),
        #"{"error":"org.varlink.service.MethodNotFound","parameters":{"method":"a.B"}}"#
      ),
    ])
  func replies(_ reply: VarlinkReply, _ text: String) {
    #expect(String(decoding: reply.message, as: UTF8.self) == text)
  }

  @Test("A declared error is decoded from its name and parameters; other errors are not")
  func declaredErrors() {
    let error = ServiceError.invalidParameter(parameter: "team")
    let wire = VarlinkError(error)
    #expect(wire == .invalidParameter("team"))
    #expect(wire.name == "org.varlink.service.InvalidParameter")
    #expect(ServiceError(reading: wire) == error)
    #expect(ServiceError(reading: VarlinkError(name: wire.name)) == nil)
    #expect(ServiceError(reading: VarlinkError(name: "org.flipclock.Control.InvalidParameter")) == nil)
    #expect(VarlinkError.expectedMore.parameters == [:])
  }
}
