// SPDX-License-Identifier: Apache-2.0

import Commands
import Testing

@testable import Control
@testable import Varlink

@Suite struct BlankTests {
  @Test("Blank and Unblank say whether it was otherwise before, and take nothing")
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

  @Test("One key lights what is dark and darkens what is lit")
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

  @Test("The client and a key say it in one word")
  func words() throws {
    let daemon = try TestDaemon()
    #expect(daemon.run(Change.blank).text == "the display is dark\n")
    #expect(daemon.run(Change.blank).text == "the display is dark already\n")
    #expect(daemon.run(Change.unblank, json: true).text == "{\"changed\":true}\n")
    #expect(daemon.run(Change.unblank).text == "the display is lit already\n")
  }

  @Test("The status says that it is dark, and how it is lit")
  func status() {
    let dark = JSONValue.object(["blanked": .bool(true)])
    #expect(StatusText.table(of: dark).contains("'flipclockctl unblank'"))
    #expect(!StatusText.table(of: .object(["blanked": .bool(false)])).contains("unblank"))
  }
}
