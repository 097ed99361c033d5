// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import Testing

@testable import ControlServer

@Suite("What flipclock-horn reports") struct HornReportTests {
  @Test("It is true until its sender disconnects, unless another program has reported since")
  func sender() throws {
    let server = try TestServer()
    func report(_ peer: TestPeer, _ parameters: String) throws {
      peer.call("org.flipclock.Control.ReportHorn", parameters)
      try server.settle()
    }
    var first: TestPeer? = try server.connect()
    try report(try #require(first), #"{"problem":"no such device"}"#)
    #expect(server.handler.horn == HornReport(problem: "no such device"))
    try report(try #require(first), "{}")
    #expect(server.handler.horn == HornReport())
    var second: TestPeer? = try server.connect()
    try report(try #require(second), "{}")
    first = nil
    try server.settle()
    #expect(server.handler.horn == HornReport())
    second = nil
    try server.settle()
    #expect(server.handler.horn == nil)
  }

  @Test("A problem is not long")
  func limit() throws {
    let server = try TestServer()
    let peer = try server.connect()
    for (length, isAccepted) in [(500, true), (501, false)] {
      peer.call(
        "org.flipclock.Control.ReportHorn", #"{"problem":"\#(String(repeating: "x", count: length))"}"#)
      try server.settle()
      #expect((peer.replies().last == #"{"parameters":{}}"#) == isAccepted)
    }
  }
}
