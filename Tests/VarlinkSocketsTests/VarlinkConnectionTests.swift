// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import TestSupport
import Testing

@testable import Varlink
@testable import VarlinkSockets

/// A connection's state machine with a clock, and a peer that reads what is sent.
private struct Driver {
  var machine: VarlinkConnection
  var now = ClockTime(seconds: 1000)
  var sent = ""

  init(_ change: (inout VarlinkConnection.Limits) -> Void = { _ in }) {
    var limits = VarlinkConnection.Limits()
    change(&limits)
    machine = VarlinkConnection(limits: limits, interface: "org.flipclock.Control")
  }

  mutating func receive(_ text: String) { machine.received(Array(text.utf8)) }

  /// Performs all pending actions; the socket accepts `room` bytes in all.
  mutating func run(room: Int = .max) -> [String] {
    var room = room
    var actions: [String] = []
    while let action = machine.nextAction(now) {
      switch action {
      case .begin(let call, let number): actions.append("begin \(call.method) \(number)")
      case .send:
        let count = min(room, machine.unsent.count)
        room -= count
        sent += String(decoding: machine.unsent.prefix(count), as: UTF8.self)
        machine.sent(count)
      case .shutdownWriting: actions.append("shutdown")
      case .close(let reason): actions.append("close \(reason)")
      }
    }
    return actions
  }

  mutating func reply(_ text: String, to number: UInt64, continues: Bool = false) {
    machine.reply(.returning(["r": .string(text)], continues: continues), to: number)
  }

  mutating func wait(_ seconds: Int64) {
    now.seconds += seconds
    machine.timePassed(now)
  }
}

private func call(_ method: String, _ flags: String = "") -> String {
  #"{"method":"\#(method)"\#(flags)}"# + "\0"
}
private func reply(_ text: String, _ continues: String = "") -> String {
  #"{\#(continues)"parameters":{"r":"\#(text)"}}"# + "\0"
}
private func violation(_ reason: String) -> String {
  #"{"error":"org.flipclock.Control.ProtocolViolation","parameters":{"reason":"\#(reason)"}}"# + "\0"
}

@Suite struct VarlinkConnectionTests {
  @Test("A call begins, its reply is sent, and the connection stays open")
  func oneCall() {
    var driver = Driver()
    #expect(driver.run() == [])
    driver.receive(call("a.B"))
    #expect(driver.run() == ["begin a.B 1"])
    driver.reply("x", to: 1)
    #expect(driver.run() == [])
    #expect(driver.sent == reply("x"))
    #expect(driver.machine.isIdle && driver.machine.wantsToRead && driver.machine.deadline == nil)
  }

  @Test("Pipelined calls are processed one at a time, each after the reply to the previous one")
  func pipelining() {
    var driver = Driver()
    driver.receive(call("a.A") + call("a.B") + call("a.C"))
    #expect(driver.run() == ["begin a.A 1"])
    #expect(driver.run() == [])
    driver.reply("late", to: 7)
    #expect(driver.run() == [])
    driver.reply("1", to: 1)
    #expect(driver.run() == ["begin a.B 2"])
    driver.reply("again", to: 1)
    driver.reply("2", to: 2)
    #expect(driver.run() == ["begin a.C 3"])
    driver.reply("3", to: 3)
    #expect(driver.run() == [])
    #expect(driver.sent == reply("1") + reply("2") + reply("3"))
  }

  @Test("The next call waits until the previous reply has been sent")
  func backPressure() {
    var driver = Driver()
    driver.receive(call("a.A") + call("a.B"))
    #expect(driver.run() == ["begin a.A 1"])
    driver.reply("1", to: 1)
    #expect(driver.run(room: 5) == [])
    #expect(driver.machine.wantsToWrite)
    driver.machine.becameWritable()
    #expect(driver.run() == ["begin a.B 2"])
    #expect(driver.sent == reply("1"))
    #expect(!driver.machine.wantsToWrite)
  }

  @Test("A oneway call has no reply and delays nothing; later calls keep their order")
  func oneway() {
    var driver = Driver()
    driver.receive(call("a.A", #","oneway":true"#) + call("a.B"))
    #expect(driver.run() == ["begin a.A 1", "begin a.B 2"])
    driver.machine.reply(.failing(.expectedMore), to: 1)
    #expect(driver.run() == [])
    driver.reply("b", to: 2)
    #expect(driver.run() == [])
    #expect(driver.sent == reply("b"))
  }

  @Test("A call with 'more' gets replies until one without 'continues'")
  func more() {
    var driver = Driver()
    driver.receive(call("a.A", #","more":true"#) + call("a.B"))
    #expect(driver.run() == ["begin a.A 1"])
    for text in ["1", "2"] {
      driver.reply(text, to: 1, continues: true)
      #expect(driver.run() == [])
    }
    driver.reply("3", to: 1)
    #expect(driver.run() == ["begin a.B 2"])
    let continues = #""continues":true,"#
    #expect(driver.sent == reply("1", continues) + reply("2", continues) + reply("3"))
  }

  @Test("A call without 'more' never gets a reply with 'continues'")
  func noMore() {
    var driver = Driver()
    driver.receive(call("a.A"))
    #expect(driver.run() == ["begin a.A 1"])
    driver.reply("1", to: 1, continues: true)
    driver.reply("2", to: 1)
    #expect(driver.run() == [])
    #expect(driver.sent == reply("2"))
  }

  @Test("A stream that is not read is closed when too many bytes are unsent")
  func slowStream() {
    var driver = Driver { $0.unsentBytes = 100 }
    driver.receive(call("a.A", #","more":true"#))
    #expect(driver.run() == ["begin a.A 1"])
    var replies = 0
    while driver.run(room: 0) == [], replies < 20 {
      driver.reply("0123456789", to: 1, continues: true)
      replies += 1
    }
    // Each reply has 51 bytes. The third closes the connection, because 102 are unsent before it.
    #expect(replies == 3)
    #expect(driver.run() == [])
  }

  @Test("A connection that does not read a reply is closed 10 s after the last progress")
  func stalledReader() {
    var driver = Driver()
    driver.receive(call("a.A"))
    #expect(driver.run() == ["begin a.A 1"])
    driver.reply("0123456789", to: 1)
    #expect(driver.run(room: 4) == [])
    #expect(driver.machine.deadline == ClockTime(seconds: 1010))
    driver.wait(9)
    #expect(driver.run() == [])
    driver.machine.becameWritable()
    #expect(driver.run(room: 4) == [])
    #expect(driver.machine.deadline == ClockTime(seconds: 1019))
    driver.wait(10)
    #expect(driver.run() == ["close slowReader"])
    #expect(driver.machine.deadline == nil)
  }

  @Test("An incomplete message times out 10 s after its first byte, even if more bytes arrive")
  func halfMessage() {
    var driver = Driver()
    driver.receive("{")
    #expect(driver.run() == [])
    #expect(driver.machine.deadline == ClockTime(seconds: 1010))
    driver.wait(9)
    driver.receive(#""method""#)
    #expect(driver.run() == [])
    #expect(driver.machine.deadline == ClockTime(seconds: 1010))
    driver.wait(1)
    #expect(driver.run() == ["shutdown"])
    #expect(driver.sent == violation("the message did not end within 10 s"))
    #expect(driver.machine.deadline == ClockTime(seconds: 1020))
    driver.wait(10)
    #expect(driver.run() == ["close finished"])
  }

  @Test("The next incomplete message has its own 10 s")
  func secondHalfMessage() {
    var driver = Driver()
    driver.receive("{")
    #expect(driver.run() == [])
    driver.wait(8)
    driver.receive(String(call("a.A").dropFirst()) + "{")
    #expect(driver.run() == ["begin a.A 1"])
    #expect(driver.machine.deadline == nil)
    driver.wait(100)
    driver.reply("a", to: 1)
    #expect(driver.run() == [])
    #expect(driver.machine.deadline == ClockTime(seconds: 1118))
  }

  @Test("A call in progress has no deadline, and a timer that fires early does nothing")
  func patience() {
    var driver = Driver()
    driver.receive(call("a.A"))
    #expect(driver.run() == ["begin a.A 1"])
    driver.wait(100_000)
    #expect(driver.run() == [])
    driver.reply("a", to: 1)
    driver.receive("{")
    #expect(driver.run() == [])
    driver.machine.timePassed(ClockTime(seconds: 0))
    #expect(driver.run() == [])
    #expect(driver.sent == reply("a"))
  }

  @Test(
    "An invalid message is answered with the reason, and ends the connection",
    arguments: [
      ("␀", "the message is not JSON: unexpected end at byte 0"),
      ("garbage␀", "the message is not JSON: unexpected byte at byte 0"),
      (#"[]␀{"method":"a.B"}␀"#, "the message is not a JSON object"),
      (String(repeating: "x", count: 101), "the message is longer than 100 bytes"),
      (String(repeating: "x", count: 101) + "␀", "the message is longer than 100 bytes"),
    ])
  func violations(_ input: String, _ reason: String) {
    var driver = Driver { $0.callBytes = 100 }
    driver.receive(input.replacing("␀", with: "\0"))
    #expect(driver.run() == ["shutdown"])
    #expect(driver.sent == violation(reason))
    driver.receive(call("a.B"))
    #expect(driver.run() == [])
    driver.machine.inputEnded()
    #expect(driver.run() == ["close finished"])
    #expect(driver.run() == [])
  }

  @Test("Calls before an invalid message are still answered, in order")
  func violationAfterCall() {
    var driver = Driver()
    driver.receive(call("a.A") + "garbage\0")
    #expect(driver.run() == ["begin a.A 1"])
    driver.reply("a", to: 1)
    #expect(driver.run() == ["shutdown"])
    #expect(driver.sent == reply("a") + violation("the message is not JSON: unexpected byte at byte 0"))
  }

  @Test("A client that keeps sending after an error is closed")
  func lingering() {
    var driver = Driver { $0.discardedBytes = 10 }
    driver.receive("x\0")
    #expect(driver.run() == ["shutdown"])
    driver.receive("0123456789")
    #expect(driver.run() == [])
    driver.receive("!")
    #expect(driver.run() == ["close finished"])
  }

  @Test("After the end of its input, a client still gets its replies; then the connection ends")
  func halfClose() {
    var driver = Driver()
    driver.receive(call("a.A") + call("a.B") + "{")
    driver.machine.inputEnded()
    #expect(!driver.machine.wantsToRead)
    #expect(driver.run() == ["begin a.A 1"])
    driver.reply("a", to: 1)
    #expect(driver.run() == ["begin a.B 2"])
    driver.reply("b", to: 2)
    #expect(driver.run() == ["close finished"])
    #expect(driver.sent == reply("a") + reply("b"))
  }

  @Test("After a disconnect, oneway calls are still processed, and calls that need a reply are not")
  func vanished() {
    var driver = Driver()
    driver.receive(call("a.A") + call("a.B", #","oneway":true"#) + call("a.C") + "{")
    #expect(driver.run() == ["begin a.A 1"])
    driver.machine.peerVanished()
    #expect(driver.run() == [])
    #expect(driver.machine.deadline == nil)
    driver.reply("a", to: 1)
    #expect(driver.run() == ["begin a.B 2", "close finished"])
    #expect(driver.sent == "")
  }

  @Test("A stream to a disconnected client ends at once")
  func vanishedStream() {
    var driver = Driver()
    driver.receive(call("a.A", #","more":true"#))
    #expect(driver.run() == ["begin a.A 1"])
    driver.machine.peerVanished()
    #expect(driver.run() == ["close finished"])
  }

  @Test("While a call is in progress, the socket is read until the buffer is full")
  func fullBuffer() {
    var driver = Driver { $0.callBytes = 100 }
    driver.receive(call("a.A"))
    #expect(driver.run() == ["begin a.A 1"])
    while driver.machine.wantsToRead { driver.receive(call("a.B")) }
    #expect(driver.run() == [])
    driver.reply("a", to: 1)
    #expect(driver.run() == ["begin a.B 2"])
    #expect(driver.machine.wantsToRead)
  }

  @Test("A client beyond the limit gets an error")
  func tooMany() {
    var driver = Driver()
    driver.machine.refuse(limit: 256)
    #expect(driver.run() == ["shutdown"])
    #expect(
      driver.sent == #"{"error":"org.flipclock.Control.TooManyClients","parameters":{"limit":256}}"# + "\0")
  }

  @Test(
    "For random events, replies have the order of their calls, and nothing follows the close",
    arguments: 0..<200)
  func randomEvents(seed: UInt64) {
    var random = SplitMix(seed: seed)
    var driver = Driver { $0.callBytes = 200 }
    var begun: UInt64 = 0
    var open = true
    for _ in 0..<200 {
      switch Int.random(in: 0...9, using: &random) {
      case 0...3: if driver.machine.wantsToRead { driver.receive(call("a.A")) }
      case 4...6: driver.reply("\(begun)", to: begun)
      case 7: driver.machine.becameWritable()
      case 8: if Int.random(in: 0...20, using: &random) == 0 { driver.machine.peerVanished() }
      default: if Int.random(in: 0...20, using: &random) == 0 { driver.machine.inputEnded() }
      }
      for action in driver.run(room: Int.random(in: 0...60, using: &random)) {
        #expect(open)
        if action.hasPrefix("begin") {
          begun += 1
          #expect(action == "begin a.A \(begun)")
        } else if action.hasPrefix("close") {
          open = false
        }
      }
    }
    let whole = (1...max(begun, 1)).map { reply("\($0)") }.joined()
    #expect(whole.hasPrefix(driver.sent))
  }
}
