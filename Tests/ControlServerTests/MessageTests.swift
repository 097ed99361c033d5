// SPDX-License-Identifier: Apache-2.0

import Commands
import JSON
import Testing

@testable import ControlCalls
@testable import ControlClient

@Suite struct MessageTests {
  @Test("A message is shown for the given time, for ten seconds by default, or until it is cleared")
  func show() throws {
    let server = try TestServer()
    let peer = try server.connect()
    peer.call("org.flipclock.Control.ShowMessage", #"{"text":"TIME OUT","milliseconds":30000}"#)
    try server.settle()
    #expect(peer.replies() == [#"{"parameters":{"milliseconds":30000,"text":"TIME OUT"}}"#])
    #expect(server.handler.message == "TIME OUT")
    #expect(server.handler.messageMilliseconds == 30000)
    peer.call("org.flipclock.Control.ShowMessage", #"{"text":"A"}"#)
    try server.settle()
    #expect(server.handler.messageMilliseconds == 10000)
    peer.call("org.flipclock.Control.ShowMessage", #"{"text":"B","milliseconds":0}"#)
    try server.settle()
    #expect(server.handler.messageMilliseconds == nil)
    #expect(server.handler.message == "B")
    _ = peer.replies()
    peer.call("org.flipclock.Control.ClearMessage")
    peer.call("org.flipclock.Control.ClearMessage")
    try server.settle()
    #expect(peer.replies() == [#"{"parameters":{"text":"B"}}"#, #"{"parameters":{}}"#])
  }

  @Test(
    "A bad text or duration is refused with the reason, and nothing is shown",
    arguments: [
      (#"{"text":""}"#, "BadText", "empty"), (#"{"text":"  "}"#, "BadText", "empty"),
      (#"{"text":"a\nb"}"#, "BadText", "control_character"),
      (#"{"text":"a\u202eb"}"#, "BadText", "direction_control"),
      (#"{"text":"A","milliseconds":-1}"#, "DurationOutOfRange", "86400000"),
      (#"{"text":"A","milliseconds":86400001}"#, "DurationOutOfRange", "86400001"),
      (#"{"text":"A","milliseconds":"30s"}"#, "InvalidParameter", "milliseconds"),
      (#"{"milliseconds":1}"#, "InvalidParameter", "text"),
      (#"{"text":"A","until":1}"#, "InvalidParameter", "until"),
    ])
  func refusals(parameters: String, error: String, word: String) throws {
    let server = try TestServer()
    let peer = try server.connect()
    peer.call("org.flipclock.Control.ShowMessage", parameters)
    try server.settle()
    let reply = peer.replies().first ?? ""
    #expect(reply.contains(error), "\(reply)")
    #expect(reply.contains(word), "\(reply)")
    #expect(server.handler.message == nil)
  }

  @Test("120 characters are shown; more characters, or too many combining marks, are refused")
  func lengths() throws {
    let server = try TestServer()
    let peer = try server.connect()
    func send(_ text: String) throws -> String {
      peer.call("org.flipclock.Control.ShowMessage", #"{"text":"\#(text)"}"#)
      try server.settle()
      return peer.replies().first ?? ""
    }
    let long = try send(String(repeating: "x", count: 10_000))
    #expect(long.contains("too_long") && long.contains(#""maximum":120"#) && long.utf8.count < 300)
    #expect(try send("Z" + String(repeating: "\u{301}", count: 1000)).contains("too_many_marks"))
    #expect(try send(String(repeating: "x", count: 121)).contains("too_long"))
    #expect(server.handler.message == nil)
    _ = try send(String(repeating: "é", count: 120))
    #expect(server.handler.message?.count == 120)
  }

  @Test("The client describes the result, and prints the reply with --json")
  func client() throws {
    let daemon = try TestDaemon()
    #expect(daemon.run(Change.message("A", milliseconds: 90_000)).text == "shown for 1 min 30 s\n")
    #expect(daemon.run(Change.message("A", milliseconds: 1500)).text == "shown for 1500 ms\n")
    #expect(daemon.run(Change.message("A", milliseconds: 0)).text == "shown until it is cleared\n")
    _ = daemon.run(Change.invite(.scorer))
    let waiting = daemon.run(Change.message("A", milliseconds: 10_000)).text
    #expect(waiting == "waits until the code for a phone is closed, and is then shown for 10 s\n")
    #expect(daemon.run(Change.message("A", milliseconds: 0), json: true).text.contains(#""waits":true"#))
    _ = daemon.run(Change.endInvitation)
    #expect(daemon.run(Change.message("A", milliseconds: 0), json: true).text.contains("waits") == false)
    #expect(daemon.run(Change.clearMessage, json: true).text == "{\"text\":\"A\"}\n")
    #expect(daemon.run(Change.clearMessage).text == "there was no message\n")
    let refused = daemon.run(Change.message("a\nb", milliseconds: nil))
    #expect(refused.status == .refused)
    #expect(refused.diagnostics.first?.contains("the text has a control character") == true)
  }

  @Test("The status has the message, in its table too")
  func status() throws {
    var report = StatusReport.example
    report.message = "TIME OUT"
    #expect(try JSONValue(encoding: report)["message"] == .string("TIME OUT"))
    let status = JSONValue.object(["message": .string("TIME\u{1b} OUT")])
    #expect(StatusText.table(of: status).contains("message"))
    #expect(!StatusText.table(of: status).contains("\u{1b}"))
    #expect(!StatusText.table(of: .object([:])).contains("message"))
  }
}
