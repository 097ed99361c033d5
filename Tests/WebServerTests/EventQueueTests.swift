// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import WebServer

@Suite struct EventQueueTests {
  private func read(_ queue: inout EventQueue, _ size: Int, now: Int64 = 0) -> String {
    var buffer = [UInt8](repeating: 0, count: size)
    let count = buffer.withUnsafeMutableBytes { queue.fill($0, now: now) }
    return String(decoding: buffer.prefix(count), as: UTF8.self)
  }

  private func event(_ kind: String, _ data: String) -> StreamEvent {
    StreamEvent(kind, data: Array(data.utf8))
  }

  @Test("Events are sent in their order")
  func order() {
    var queue = EventQueue()
    #expect(queue.isEmpty)
    queue.add(event("a", "1"), now: 0)
    queue.add(event("b", "2"), now: 0)
    #expect(!queue.isEmpty)
    #expect(read(&queue, 1000) == "event: a\ndata: 1\n\nevent: b\ndata: 2\n\n")
    #expect(queue.isEmpty)
    #expect(read(&queue, 1000) == "")
  }

  @Test("A newer event replaces a waiting one of its kind, and is the last in the queue")
  func replacement() {
    var queue = EventQueue()
    queue.add(event("a", "1"), now: 0)
    queue.add(event("b", "2"), now: 0)
    queue.add(event("a", "3"), now: 0)
    #expect(read(&queue, 1000) == "event: b\ndata: 2\n\nevent: a\ndata: 3\n\n")
  }

  @Test("An event that was sent in part is sent completely")
  func begun() {
    var queue = EventQueue()
    queue.add(event("a", "1"), now: 0)
    #expect(read(&queue, 5) == "event")
    queue.add(event("a", "2"), now: 0)
    #expect(read(&queue, 1000) == ": a\ndata: 1\n\nevent: a\ndata: 2\n\n")
  }

  @Test("The age is computed when the event is sent")
  func age() {
    var queue = EventQueue()
    let age = StreamEvent.Age(since: 1_000_000, unit: 1_000_000)
    let event = StreamEvent("match", before: "{\"age\":", age: age, after: Array(",\"match\":{}}".utf8))
    queue.add(event, now: 1_000_000)
    #expect(read(&queue, 1000, now: 43_999_999) == "event: match\ndata: {\"age\":42,\"match\":{}}\n\n")
    queue.add(event, now: 1_000_000)
    #expect(read(&queue, 1000, now: 0) == "event: match\ndata: {\"age\":0,\"match\":{}}\n\n")
  }

  @Test("The delay counts from the time at which the reader last completed an event")
  func delay() {
    var queue = EventQueue()
    #expect(queue.delay(now: 50) == 0)
    queue.add(event("a", "1"), now: 100)
    queue.add(event("b", "2"), now: 200)
    #expect(queue.delay(now: 300) == 200)
    _ = read(&queue, 18, now: 310)
    #expect(queue.delay(now: 400) == 90)
    _ = read(&queue, 1000, now: 420)
    #expect(queue.delay(now: 500) == 0)
  }

  @Test("With any sizes of reads, no event comes after a newer one, and the newest of each kind arrives")
  func random() throws {
    var random = SplitMix(seed: 20)
    for round in 0..<TestEffort.rounds(300, long: 20_000) {
      var queue = EventQueue()
      var text = ""
      var newest: [String: Int] = [:]
      for number in 0..<random.int(1...60) {
        let kind = ["match", "display", "link", "beat"][random.int(0...3)]
        let data = "\(number)" + String(repeating: "x", count: random.int(0...200))
        queue.add(event(kind, data), now: Int64(number))
        newest[kind] = number
        while random.int(0...2) == 0 { text += read(&queue, random.int(1...300), now: Int64(number)) }
      }
      while true {
        let part = read(&queue, random.int(1...300), now: 1000)
        if part.isEmpty { break }
        text += part
      }
      var last = -1
      var arrived: [String: Int] = [:]
      for part in text.split(separator: "\n\n") {
        let lines = part.split(separator: "\n").map(String.init)
        try #require(lines.count == 2, "round \(round): \(lines)")
        let kind = String(lines[0].dropFirst("event: ".count))
        let number = try #require(Int(lines[1].dropFirst("data: ".count).prefix { $0 != "x" }))
        #expect(number > last, "round \(round)")
        last = number
        arrived[kind] = number
      }
      #expect(arrived == newest, "round \(round)")
    }
  }
}
