// SPDX-License-Identifier: Apache-2.0

import CommandSamples
import Commands
import LinuxSystem
import Testing

@testable import ControlServer

@Suite("What flipclock-host reports about the network") struct NetworkNoticeCallTests {
  private final class Lines: @unchecked Sendable { var all: [String] = [] }

  private static let point =
    #"{"network":{"phase":"access_point","accessPoint":{"name":"wall","password":"SECRET-PASSWORD","url":"http://10.42.0.1:8080/"}}}"#

  @Test("It is removed when its sender disconnects, and replaced by another sender")
  func sender() throws {
    let server = try TestServer()
    func report(_ peer: TestPeer, _ parameters: String) throws -> [String] {
      peer.call("org.flipclock.Control.ReportNetwork", parameters)
      try server.settle()
      return peer.replies()
    }
    var first: TestPeer? = try server.connect()
    #expect(try report(try #require(first), Self.point) == [#"{"parameters":{}}"#])
    #expect(server.handler.network?.phase == .accessPoint)
    let second = try server.connect()
    _ = try report(second, #"{"network":{"phase":"joining","network":"Home"}}"#)
    #expect(server.handler.network == NetworkNotice(.joining, network: "Home"))
    // The first one's is not shown any more.
    first = nil
    try server.settle()
    #expect(server.handler.network?.phase == .joining)
    var third: TestPeer? = try server.connect()
    _ = try report(try #require(third), Self.point)
    third = nil
    try server.settle()
    #expect(server.handler.network == nil)
    _ = try report(second, Self.point)
    _ = try report(second, "{}")
    #expect(server.handler.network == nil)
  }

  @Test("No password is logged or returned, not even of a call that is refused")
  func secret() throws {
    let lines = Lines()
    let server = try TestServer(log: Log { _, line in lines.all.append(line) })
    let peer = try server.connect()
    let malformed = [
      #"{"network":{"phase":"joined","network":"SECRET-PASSWORD"},"x":1}"#,
      #"{"network":{"phase":"access_point","accessPoint":{"name":"","password":"SECRET-PASSWORD","url":"http://h/"}}}"#,
      #"{"network":"SECRET-PASSWORD"}"#,
    ]
    for parameters in malformed + [Self.point] {
      peer.call("org.flipclock.Control.ReportNetwork", parameters)
    }
    for method in ["GetStatus", "GetState", "GetHistory", "GetBoards", "GetMatches", "GetSettings"] {
      peer.call("org.flipclock.Control.\(method)")
    }
    peer.call("org.flipclock.Control.SubscribeDisplay", "{}", #","more":true"#)
    try server.settle()
    let replies = peer.replies()
    #expect(replies.count == 11)
    #expect(replies.prefix(3).allSatisfy { $0.contains("InvalidParameter") })
    #expect(server.handler.network?.accessPoint?.password == "SECRET-PASSWORD")
    for text in replies + lines.all { #expect(!text.contains("SECRET"), "\(text)") }
  }
}
