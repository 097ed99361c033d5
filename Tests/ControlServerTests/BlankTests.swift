// SPDX-License-Identifier: Apache-2.0

import Commands
import JSON
import Testing

@testable import ControlClient

@Suite struct BlankTests {
  @Test("Blank and Unblank report whether they changed anything, and accept no other parameters")
  func calls() throws {
    let server = try TestServer()
    let peer = try server.connect()
    for method in ["Blank", "Blank", "Unblank", "Unblank"] { peer.call("org.flipclock.Control.\(method)") }
    peer.call("org.flipclock.Control.Blank", #"{"connector":"Virtual-1"}"#)
    try server.settle()
    let replies = peer.replies()
    let changed = [true, false, true, false].map { #"{"parameters":{"changed":\#($0)}}"# }
    #expect(replies.dropLast() == changed[...])
    #expect(replies.last?.contains("InvalidParameter") == true)
    #expect(server.handler.dark == [])
  }

  @Test("With an output, Blank, Unblank and ToggleBlank switch one display; without it, all of them")
  func outputs() throws {
    let server = try TestServer()
    let peer = try server.connect()
    for (method, parameters, reply, dark) in [
      ("Blank", #"{"output":"Virtual-2"}"#, #"{"changed":true}"#, ["Virtual-2"]),
      ("Blank", #"{"output":"Virtual-2"}"#, #"{"changed":false}"#, ["Virtual-2"]),
      ("ToggleBlank", #"{"output":"Virtual-1"}"#, #"{"blanked":true}"#, ["Virtual-1", "Virtual-2"]),
      ("Unblank", #"{"output":"Virtual-2"}"#, #"{"changed":true}"#, ["Virtual-1"]),
      ("ToggleBlank", #"{"output":null}"#, #"{"blanked":true}"#, ["Virtual-1", "Virtual-2"]),
      ("ToggleBlank", "{}", #"{"blanked":false}"#, []),
    ] as [(String, String, String, Set<String>)] {
      peer.call("org.flipclock.Control.\(method)", parameters)
      try server.settle()
      #expect(peer.replies() == [#"{"parameters":\#(reply)}"#])
      #expect(server.handler.dark == dark)
    }
    for method in ["Blank", "Unblank", "ToggleBlank"] {
      peer.call("org.flipclock.Control.\(method)", #"{"output":"HDMI-A-1"}"#)
      try server.settle()
      #expect(
        peer.replies() == [
          #"{"error":"org.flipclock.Control.NoSuchOutput","parameters":{"known":["Virtual-1","Virtual-2"],"#
            + #""output":"HDMI-A-1"}}"#
        ])
    }
    peer.call("org.flipclock.Control.Blank", #"{"output":1}"#)
    try server.settle()
    #expect(peer.replies().first?.contains("InvalidParameter") == true)
    #expect(server.handler.dark == [])
  }

  @Test("Changes of the page, the blanking and the brightness may hold for a time")
  func holds() throws {
    let server = try TestServer()
    let peer = try server.connect()
    for (method, parameters, reply) in [
      ("Blank", "", #"{"changed":true}"#), ("Unblank", #","output":"Virtual-1""#, #"{"changed":true}"#),
      ("ToggleBlank", "", #"{"blanked":true}"#), ("Show", #","page":"match""#, #"{"page":"match"}"#),
      ("SetBrightness", #","percent":40"#, #"{"percent":40}"#),
      ("AddBrightness", #","percent":5"#, #"{"percent":45}"#),
    ] {
      let before = server.handler.holds.count
      peer.call("org.flipclock.Control.\(method)", #"{"milliseconds":1000\#(parameters)}"#)
      try server.settle()
      #expect(peer.replies() == [#"{"parameters":\#(reply)}"#])
      #expect(server.handler.holds.count == before + 1)
      for milliseconds in [-1, 0, 999, 2_678_400_001] {
        peer.call("org.flipclock.Control.\(method)", #"{"milliseconds":\#(milliseconds)\#(parameters)}"#)
        try server.settle()
        #expect(peer.replies().first?.contains("org.flipclock.Control.HoldOutOfRange") == true)
      }
    }
    #expect(server.handler.holds == Array(repeating: 1_000, count: 6))
  }

  @Test("ToggleBlank turns the display off or on, and reports the new state")
  func toggle() throws {
    let server = try TestServer()
    let peer = try server.connect()
    for _ in 0..<3 { peer.call("org.flipclock.Control.ToggleBlank") }
    try server.settle()
    #expect(peer.replies() == [true, false, true].map { #"{"parameters":{"blanked":\#($0)}}"# })
    #expect(server.handler.dark == Set(TestHandler.outputs))
    let daemon = try TestDaemon()
    #expect(daemon.run(Change.toggleBlank()).text == "the display is dark\n")
    #expect(daemon.run(Change.toggleBlank()).text == "the display is lit\n")
  }

  @Test("The client prints whether the display is dark or lit")
  func words() throws {
    let daemon = try TestDaemon()
    #expect(daemon.run(Change.blank()).text == "the display is dark\n")
    #expect(daemon.run(Change.blank()).text == "the display is dark already\n")
    #expect(daemon.run(Change.unblank(), json: true).text == "{\"changed\":true}\n")
    #expect(daemon.run(Change.unblank()).text == "the display is lit already\n")
    #expect(daemon.run(Change.blank(output: "Virtual-2")).text == "the display Virtual-2 is dark\n")
    #expect(daemon.run(Change.toggleBlank(output: "Virtual-2")).text == "the display Virtual-2 is lit\n")
    let refused = daemon.run(Change.unblank(output: "DP-1"))
    #expect(refused.status == .refused)
    #expect(refused.diagnostics == ["there is no display 'DP-1'; there are: Virtual-1, Virtual-2"])
  }

  @Test("The status shows that the display is dark, and the command that turns it on")
  func status() {
    let dark = JSONValue.object(["blanked": .bool(true)])
    #expect(StatusText.table(of: dark).contains("'flipclockctl unblank'"))
    #expect(!StatusText.table(of: .object(["blanked": .bool(false)])).contains("unblank"))
  }
}
