// SPDX-License-Identifier: Apache-2.0

import Commands
import Testing

@testable import Control
@testable import Varlink

@Suite struct BlankTests {
  @Test("Blank and Unblank report whether they changed anything, and accept no parameters")
  func calls() throws {
    let server = try TestServer()
    let peer = try server.connect()
    for method in ["Blank", "Blank", "Unblank", "Unblank"] { peer.call("org.flipclock.Control.\(method)") }
    peer.call("org.flipclock.Control.Blank", #"{"output":"HDMI-A-1"}"#)
    try server.settle()
    let replies = peer.replies()
    let changed = [true, false, true, false].map { #"{"parameters":{"changed":\#($0)}}"# }
    #expect(replies.dropLast() == changed[...])
    #expect(replies.last?.contains("InvalidParameter") == true)
    #expect(!server.handler.isBlank)
  }

  @Test("ToggleBlank turns the display off or on, and reports the new state")
  func toggle() throws {
    let server = try TestServer()
    let peer = try server.connect()
    for _ in 0..<3 { peer.call("org.flipclock.Control.ToggleBlank") }
    try server.settle()
    #expect(peer.replies() == [true, false, true].map { #"{"parameters":{"blanked":\#($0)}}"# })
    #expect(server.handler.isBlank)
    let daemon = try TestDaemon()
    #expect(daemon.run(Change.toggleBlank).text == "the display is dark\n")
    #expect(daemon.run(Change.toggleBlank).text == "the display is lit\n")
  }

  @Test("The client prints whether the display is dark or lit")
  func words() throws {
    let daemon = try TestDaemon()
    #expect(daemon.run(Change.blank).text == "the display is dark\n")
    #expect(daemon.run(Change.blank).text == "the display is dark already\n")
    #expect(daemon.run(Change.unblank, json: true).text == "{\"changed\":true}\n")
    #expect(daemon.run(Change.unblank).text == "the display is lit already\n")
  }

  @Test("The status shows that the display is dark, and the command that turns it on")
  func status() {
    let dark = JSONValue.object(["blanked": .bool(true)])
    #expect(StatusText.table(of: dark).contains("'flipclockctl unblank'"))
    #expect(!StatusText.table(of: .object(["blanked": .bool(false)])).contains("unblank"))
  }
}
