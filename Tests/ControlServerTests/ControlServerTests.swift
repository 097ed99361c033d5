// SPDX-License-Identifier: Apache-2.0

import JSON
import Scoreboard
import Testing

@testable import ControlCalls
@testable import ControlServer
@testable import Varlink
@testable import VarlinkSockets

private let home8 = #"{"parameters":{"team":{"id":"home","name":"HOME","score":8}}}"#

struct CallCase: CustomTestStringConvertible {
  let name: String
  let method: String
  let parameters: String
  let reply: String

  init(_ name: String, _ method: String, _ parameters: String, _ reply: String) {
    self.name = name
    self.method = method
    self.parameters = parameters
    self.reply = reply
  }

  var testDescription: String { name }

  static func refused(
    _ name: String, _ method: String, _ parameters: String, _ error: String, _ details: String
  )
    -> CallCase
  {
    CallCase(name, method, parameters, #"{"error":"\#(error)","parameters":{\#(details)}}"#)
  }
}

@Suite struct ControlServerTests {
  static let control = "org.flipclock.Control."
  static let service = "org.varlink.service."
  static let invalid = "org.varlink.service.InvalidParameter"

  @Test(
    "Every method returns its reply or the correct error",
    arguments: [
      CallCase("a score is set", control + "SetScore", #"{"team":"home","score":8}"#, home8),
      CallCase("7.0 is a whole number", control + "SetScore", #"{"score":8.0,"team":"home"}"#, home8),
      CallCase("a point is added", control + "AddScore", #"{"team":"home","points":1}"#, home8),
      CallCase(
        "points are taken away", control + "AddScore", #"{"team":"home","points":-7}"#,
        #"{"parameters":{"team":{"id":"home","name":"HOME","score":0}}}"#),
      CallCase(
        "the config is read", control + "Reload", "null",
        #"{"parameters":{"errors":[],"ok":true,"warnings":[]}}"#),
      CallCase("no display", control + "Screenshot", "{}", #"{"error":"org.flipclock.Control.NoDisplay"}"#),
      CallCase(
        "who it is", service + "GetInfo", "{}",
        #"{"parameters":{"interfaces":["org.varlink.service","org.flipclock.Control"],"product":"flipclockd","#
          + #""url":"https://varlink.org","vendor":"flipclock","version":"0.1.0"}}"#),
      .refused(
        "an unknown team", control + "SetScore", #"{"team":"gast","score":1}"#, control + "UnknownTeam",
        #""known":["home","guest"],"names":["HOME","GUEST"],"team":"gast""#),
      .refused(
        "a score beyond the range", control + "SetScore", #"{"team":"home","score":1000}"#,
        control + "ScoreOutOfRange", #""maximum":999,"minimum":0,"score":1000"#),
      .refused(
        "points to below zero", control + "AddScore", #"{"team":"home","points":-8}"#,
        control + "ScoreOutOfRange", #""maximum":999,"minimum":0,"score":-1"#),
      .refused(
        "the largest points", control + "AddScore", #"{"team":"home","points":9223372036854775807}"#,
        control + "ScoreOutOfRange", #""maximum":999,"minimum":0,"score":9223372036854775807"#),
      .refused(
        "half a point", control + "SetScore", #"{"team":"home","score":7.5}"#, invalid,
        #""parameter":"score""#),
      .refused(
        "a number beyond Int64", control + "SetScore", #"{"team":"home","score":9223372036854775808}"#,
        invalid,
        #""parameter":"score""#),
      .refused(
        "a score as a string", control + "SetScore", #"{"team":"home","score":"8"}"#, invalid,
        #""parameter":"score""#),
      .refused(
        "a team as a number", control + "SetScore", #"{"team":1,"score":8}"#, invalid, #""parameter":"team""#),
      .refused("no team", control + "SetScore", #"{"score":8}"#, invalid, #""parameter":"team""#),
      .refused(
        "a null score", control + "SetScore", #"{"team":"home","score":null}"#, invalid,
        #""parameter":"score""#),
      .refused(
        "parameters too many", control + "SetScore", #"{"team":"home","score":8,"z":1,"extra":2}"#, invalid,
        #""parameter":"extra""#),
      .refused(
        "a parameter for a method without", control + "GetStatus", #"{"x":1}"#, invalid, #""parameter":"x""#),
      .refused(
        "no interface named", service + "GetInterfaceDescription", "{}", invalid, #""parameter":"interface""#),
      .refused(
        "an unknown interface described", service + "GetInterfaceDescription", #"{"interface":"a.b"}"#,
        service + "InterfaceNotFound", #""interface":"a.b""#),
      .refused(
        "an unknown method", control + "Explode", "{}", service + "MethodNotFound",
        #""method":"org.flipclock.Control.Explode""#),
      .refused(
        "an unknown method of the service", service + "Explode", "{}", service + "MethodNotFound",
        #""method":"org.varlink.service.Explode""#),
      .refused(
        "an unknown interface", "org.example.X", "{}", service + "InterfaceNotFound",
        #""interface":"org.example""#),
      .refused(
        "a method without an interface", "GetStatus", "{}", service + "InterfaceNotFound", #""interface":"""#),
    ])
  func calls(_ example: CallCase) throws {
    let test = try TestServer()
    let peer = try test.connect()
    peer.call(example.method, example.parameters)
    try test.settle()
    #expect(peer.replies() == [example.reply])
    #expect(!peer.isEnded)
    peer.setScore("guest", 1)
    try test.settle()
    #expect(peer.replies() == [#"{"parameters":{"team":{"id":"guest","name":"GUEST","score":1}}}"#])
  }

  @Test("GetInterfaceDescription returns the interface files unchanged")
  func descriptions() throws {
    let test = try TestServer()
    let peer = try test.connect()
    for (interface, text) in [
      (ControlInterface.name, ControlInterface.description),
      (ServiceError.interfaceName, VarlinkService.description),
    ] {
      peer.call("org.varlink.service.GetInterfaceDescription", #"{"interface":"\#(interface)"}"#)
      try test.settle()
      let reply = try JSONReader.read(Array(try #require(peer.replies().first).utf8))
      #expect(reply["parameters"]?["description"]?.string == text)
      #expect(text.contains("\ninterface \(interface)\n"))
    }
  }

  @Test("The reply to a change is sent once the change is durable")
  func durable() throws {
    let test = try TestServer()
    test.handler.delays = true
    let peer = try test.connect()
    let other = try test.connect()
    peer.setScore("home", 8)
    other.call("org.flipclock.Control.GetStatus")
    try test.settle()
    #expect(peer.replies() == [])
    #expect(other.replies().count == 1)
    test.handler.pending.removeFirst()()
    try test.settle()
    #expect(peer.replies() == [home8])
  }

  @Test("A change that cannot be saved is an error with the reason")
  func notSaved() throws {
    let test = try TestServer()
    test.handler.saveFailure = "No space left on device"
    let peer = try test.connect()
    peer.setScore("home", 8)
    try test.settle()
    #expect(
      peer.replies() == [
        #"{"error":"org.flipclock.Control.StateNotSaved","parameters":{"reason":"No space left on device"}}"#
      ])
  }

  @Test("Pipelined calls are processed in order, one at a time")
  func pipelining() throws {
    let test = try TestServer()
    test.handler.delays = true
    let peer = try test.connect()
    for score in 1...3 { peer.setScore("home", score) }
    for score in 1...3 {
      try test.settle()
      #expect(test.handler.actions.count == score)
      #expect(test.handler.pending.count == 1)
      test.handler.pending.removeFirst()()
      #expect(peer.replies() == [#"{"parameters":{"team":{"id":"home","name":"HOME","score":\#(score)}}}"#])
    }
  }

  @Test("All calls of a burst are answered, and other clients are served in between")
  func burst() throws {
    let test = try TestServer()
    let peer = try test.connect()
    let other = try test.connect()
    let call = #"{"method":"org.flipclock.Control.SetScore","parameters":{"team":"guest","score":5}}"# + "\0"
    peer.send(String(repeating: call, count: 600))
    other.setScore("home", 8)
    try test.loop.turn(timeoutMilliseconds: 0)
    #expect(other.replies() == [home8])
    #expect(test.handler.actions.count < 100)
    var count = 0
    for _ in 0..<200 {
      try test.loop.turn(timeoutMilliseconds: 0)
      count += peer.replies().count
    }
    #expect(count == 600)
    #expect(!test.isBusy)
  }

  @Test("A oneway call is processed and gets no reply, not even an error")
  func oneway() throws {
    let test = try TestServer()
    let peer = try test.connect()
    peer.setScore("home", 8, #","oneway":true"#)
    peer.setScore("nobody", 8, #","oneway":true"#)
    try test.settle()
    #expect(peer.replies() == [])
    #expect(test.handler.match.scoreboard.team("home")?.score == 8)
    peer.setScore("home", 8)
    try test.settle()
    #expect(peer.replies() == [home8])
  }

  @Test("Oneway calls are processed even if their client has disconnected")
  func onewayAndGone() throws {
    let test = try TestServer()
    do {
      let peer = try test.connect()
      for _ in 0..<100 {
        peer.call("org.flipclock.Control.AddScore", #"{"team":"home","points":1}"#, #","oneway":true"#)
      }
    }
    for _ in 0..<20 { try test.settle() }
    #expect(test.handler.match.scoreboard.team("home")?.score == 107)
    #expect(test.server.clientCount == 0)
  }

  @Test("A method with a single reply accepts 'more'")
  func moreWithoutStream() throws {
    let test = try TestServer()
    let peer = try test.connect()
    peer.setScore("home", 8, #","more":true"#)
    try test.settle()
    #expect(peer.replies() == [home8])
  }

  @Test("A screenshot may be larger than the socket's buffer")
  func screenshot() throws {
    let test = try TestServer()
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    test.handler.image = .success(ScreenshotImage(png: bytes, width: 1920, height: 1080))
    let peer = try test.connect()
    peer.call("org.flipclock.Control.Screenshot")
    var got: [UInt8] = []
    while got.last != 0 {
      try test.settle()
      let more = peer.received()
      try #require(!more.isEmpty)
      got += more
    }
    let reply = try JSONReader.read(Array(got.dropLast()))
    #expect(reply["parameters"]?["width"] == .integer(1920))
    #expect(reply["parameters"]?["height"] == .integer(1080))
    #expect(reply["parameters"]?["png"]?.string == base64(bytes))
    #expect(test.server.statistics.slowReaders == 0)
  }

  @Test("The server reports whether clients still wait for replies; streams do not count")
  func owesAnswers() throws {
    let test = try TestServer()
    #expect(!test.server.owesAnswers)
    let peer = try test.connect()
    #expect(test.server.owesAnswers, "it has just come")
    test.handler.delays = true
    peer.setScore("home", 8)
    try test.settle()
    #expect(test.server.owesAnswers, "the score is not saved yet")
    for completion in test.handler.pending { completion() }
    try test.settle()
    #expect(!test.server.owesAnswers)
    peer.send(#"{"method":"org.flip"#)
    try test.settle()
    #expect(test.server.owesAnswers, "the rest of the call is on its way")
    let watcher = try test.connect()
    watcher.call("org.flipclock.Control.Subscribe", "{}", #","more":true"#)
    try test.settle()
    _ = watcher.received()
    peer.send(#"no"}"# + "\0")
    try test.settle()
    #expect(!test.server.owesAnswers, "a stream owes nothing")
  }
}
