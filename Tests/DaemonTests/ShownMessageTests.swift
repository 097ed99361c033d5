// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import Testing

@testable import Daemon

@Suite struct ShownMessageTests {
  @Test("A message ends when its time is over, with one notification")
  func ends() throws {
    let loop = try EventLoop()
    var changes = 0
    let message = try ShownMessage(on: loop)
    message.changed = { changes += 1 }
    message.show("A", milliseconds: 1)
    #expect(message.text == "A")
    #expect(changes == 1)
    for _ in 0..<100 where message.text != nil { try loop.turn(timeoutMilliseconds: 100) }
    #expect(message.text == nil)
    #expect(changes == 2)
    #expect(message.clear() == nil)
    #expect(changes == 2)
  }

  @Test("A message replaces another and its time; one without a time stays")
  func replaces() throws {
    let loop = try EventLoop()
    let message = try ShownMessage(on: loop)
    message.show("A", milliseconds: 1)
    message.show("B", milliseconds: nil)
    try loop.turn(timeoutMilliseconds: 30)
    #expect(message.text == "B")
    message.show("C", milliseconds: .max)
    try loop.turn(timeoutMilliseconds: 5)
    #expect(message.clear() == "C")
    #expect(message.text == nil)
  }
}
