// SPDX-License-Identifier: Apache-2.0

import Commands
import JSON
import Testing

@testable import ControlCalls
@testable import ControlClient
@testable import ControlServer
@testable import Varlink

@Suite struct ShowTests {
  @Test("Show returns the page, and refuses an unknown page with the known ones")
  func show() throws {
    let server = try TestServer()
    let peer = try server.connect()
    peer.call("org.flipclock.Control.Show", #"{"page":"match"}"#)
    try server.settle()
    #expect(peer.replies() == [#"{"parameters":{"page":"match"}}"#])
    #expect(server.handler.page == "match")
    peer.call("org.flipclock.Control.Show", #"{"page":"mtach"}"#)
    peer.call("org.flipclock.Control.Show", #"{"team":"home"}"#)
    try server.settle()
    let replies = peer.replies()
    #expect(replies.count == 2)
    #expect(replies.first?.contains("org.flipclock.Control.UnknownPage") == true)
    #expect(replies.first?.contains(#""known":["clock","match"]"#) == true)
    #expect(replies.last?.contains("org.varlink.service.InvalidParameter") == true)
    #expect(server.handler.page == "match")
  }

  @Test("An unknown page is decoded as it is encoded, and its message suggests the nearest one")
  func unknownPage() {
    let error = ControlError.unknownPage(page: "mtach", known: ["clock", "match"])
    #expect(ControlError(error.wire) == error)
    #expect(error.message == "unknown page 'mtach'; did you mean 'match'? (known: clock, match)")
    let broken = VarlinkError(name: error.wire.name, parameters: ["page": .string("mtach")])
    #expect(ControlError(broken) == .unknown(broken))
  }

  @Test("The status table shows the page if there are several")
  func status() {
    var report = StatusReport.example
    let one = JSONValue.object(["page": .string("main"), "pages": .array([.string("main")])])
    #expect(!StatusText.table(of: one).contains("page"))
    report.page = "match"
    report.pages = ["clock", "match"]
    let several = JSONValue.object([
      "page": .string(report.page), "pages": .array(report.pages.map { .string($0) }),
    ])
    #expect(StatusText.table(of: several).contains("page        match  (of clock, match)"))
  }
}
