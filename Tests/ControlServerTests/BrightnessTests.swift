// SPDX-License-Identifier: Apache-2.0

import Commands
import Testing

@testable import ControlClient

@Suite struct BrightnessTests {
  @Test("The brightness must be within its range, and relative changes stop at its limits")
  func calls() throws {
    let server = try TestServer()
    let peer = try server.connect()
    for (method, parameters, percent) in [
      ("SetBrightness", #"{"percent":50}"#, 50), ("AddBrightness", #"{"percent":-20}"#, 30),
      ("AddBrightness", #"{"percent":-9223372036854775808}"#, 1),
      ("AddBrightness", #"{"percent":9223372036854775807}"#, 100), ("SetBrightness", #"{"percent":1}"#, 1),
      ("SetBrightness", "{}", 100), ("SetBrightness", #"{"percent":null}"#, 100),
    ] {
      peer.call("org.flipclock.Control.\(method)", parameters)
      try server.settle()
      #expect(peer.replies() == [#"{"parameters":{"percent":\#(percent)}}"#])
      #expect(server.handler.brightness == [percent, percent])
    }
    for parameters in [#"{"percent":0}"#, #"{"percent":101}"#, #"{"percent":-1}"#] {
      peer.call("org.flipclock.Control.SetBrightness", parameters)
    }
    peer.call("org.flipclock.Control.AddBrightness")
    try server.settle()
    let replies = peer.replies()
    #expect(replies.count == 4)
    #expect(
      replies.dropLast().allSatisfy { $0.contains("BrightnessOutOfRange") && $0.contains("\"maximum\":100") })
    #expect(replies.last?.contains("InvalidParameter") == true)
  }

  @Test("With an output, SetBrightness and AddBrightness change one display")
  func outputs() throws {
    let server = try TestServer()
    let peer = try server.connect()
    for (method, parameters, percent, brightness) in [
      ("SetBrightness", #"{"percent":50,"output":"Virtual-2"}"#, 50, [100, 50]),
      ("AddBrightness", #"{"percent":-20,"output":"Virtual-2"}"#, 30, [100, 30]),
      ("AddBrightness", #"{"percent":-20,"output":"Virtual-1"}"#, 80, [80, 30]),
      ("SetBrightness", #"{"output":"Virtual-2"}"#, 100, [80, 100]),
      ("SetBrightness", #"{"percent":10,"output":null}"#, 10, [10, 10]),
    ] {
      peer.call("org.flipclock.Control.\(method)", parameters)
      try server.settle()
      #expect(peer.replies() == [#"{"parameters":{"percent":\#(percent)}}"#])
      #expect(server.handler.brightness == brightness)
    }
    peer.call("org.flipclock.Control.SetBrightness", #"{"percent":50,"output":"left"}"#)
    try server.settle()
    #expect(peer.replies().first?.contains("NoSuchOutput") == true)
    #expect(server.handler.brightness == [10, 10])
  }

  @Test("The client prints the brightness of one display, named by its connector or its settings")
  func query() throws {
    let daemon = try TestDaemon { handler in
      handler.report.brightness = 80
      handler.report.outputs[0].settings = "left"
      handler.report.outputs[0].brightness = 40
    }
    #expect(daemon.run(ClientRequest.brightness()).text == "80%\n")
    #expect(daemon.run(ClientRequest.brightness(output: "Virtual-1")).text == "40%\n")
    #expect(daemon.run(ClientRequest.brightness(output: "left"), json: true).text == "{\"percent\":40}\n")
    let refused = daemon.run(ClientRequest.brightness(output: "right"))
    #expect(refused.status == .refused)
    #expect(refused.diagnostics == ["there is no display 'right'; there are: Virtual-1, left"])
  }

  @Test("A brightness that cannot be saved is an error")
  func unsaved() throws {
    let server = try TestServer()
    server.handler.saveFailure = "the disk is full"
    let peer = try server.connect()
    peer.call("org.flipclock.Control.SetBrightness", #"{"percent":50}"#)
    try server.settle()
    #expect(peer.replies().first?.contains("StateNotSaved") == true)
  }

  @Test("The client prints the brightness, and for 0 % suggests 'blank'")
  func client() throws {
    let daemon = try TestDaemon()
    #expect(daemon.run(ClientRequest.brightness()).text == "100%\n")
    #expect(daemon.run(Change.setBrightness(percent: 40)).text == "40%\n")
    #expect(daemon.run(Change.addBrightness(percent: -10), json: true).text == "{\"percent\":30}\n")
    let refused = daemon.run(Change.setBrightness(percent: 0))
    #expect(refused.status == .refused)
    #expect(refused.diagnostics.first?.contains("'flipclockctl blank'") == true)
    #expect(StatusText.table(of: .object(["brightness": .integer(30)])).contains("dimmed to 30%"))
    #expect(!StatusText.table(of: .object(["brightness": .integer(100)])).contains("dimmed"))
  }
}
