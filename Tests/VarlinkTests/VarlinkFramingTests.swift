// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Varlink

struct FramingCase: CustomTestStringConvertible {
  let name: String
  let pieces: [String]
  let messages: [String]
  /// The number of bytes of the last, incomplete message.
  let rest: Int

  init(_ name: String, _ pieces: [String], _ messages: [String], rest: Int = 0) {
    self.name = name
    self.pieces = pieces
    self.messages = messages
    self.rest = rest
  }

  var testDescription: String { name }
}

@Suite struct VarlinkFramingTests {
  @Test(
    "Messages are complete, however their bytes are split",
    arguments: [
      FramingCase("nothing", [], []),
      FramingCase("no bytes", [""], []),
      FramingCase("one message in one piece", ["one\0"], ["one"]),
      FramingCase("the NUL alone in the next piece", ["one", "\0"], ["one"]),
      FramingCase("byte by byte", ["o", "n", "e", "\0", "t"], ["one"], rest: 1),
      FramingCase("several in one piece", ["one\0two\0three\0"], ["one", "two", "three"]),
      FramingCase("one and a half, then the rest", ["one\0tw", "o\0"], ["one", "two"]),
      FramingCase("half a message", ["on"], [], rest: 2),
      FramingCase("empty messages", ["\0\0", "a\0"], ["", "", "a"]),
      FramingCase("as long as allowed", ["12345678\0"], ["12345678"]),
      FramingCase("as long as allowed, not ended", ["12345678"], [], rest: 8),
    ])
  func messages(_ example: FramingCase) throws {
    var framing = VarlinkFraming(maximum: 8)
    var messages: [String] = []
    for piece in example.pieces {
      framing.append(Array(piece.utf8))
      while let message = try framing.next() { messages.append(String(decoding: message, as: UTF8.self)) }
    }
    #expect(messages == example.messages)
    #expect(framing.bufferedBytes == example.rest)
  }

  @Test(
    "After a message that is too long, every read is an error",
    arguments: [["123456789"], ["123456789␀"], ["1234", "56789"], ["12345678", "9␀"]])
  func oversized(_ pieces: [String]) {
    var framing = VarlinkFraming(maximum: 8)
    for piece in pieces { framing.append(Array(piece.replacing("␀", with: "\0").utf8)) }
    #expect(throws: VarlinkFraming.Oversized(maximum: 8)) { try framing.next() }
    framing.append(Array("fine\0".utf8))
    #expect(throws: VarlinkFraming.Oversized(maximum: 8)) { try framing.next() }
    #expect(framing.bufferedBytes == 0)
  }

  @Test("Messages before one that is too long are still returned")
  func beforeOversized() throws {
    var framing = VarlinkFraming(maximum: 8)
    framing.append(Array("fine\0123456789".utf8))
    #expect(try framing.next() == Array("fine".utf8))
    #expect(throws: VarlinkFraming.Oversized(maximum: 8)) { try framing.next() }
  }

  @Test("A stream that is split anywhere gives the same messages", arguments: 0..<100)
  func cuts(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let messages = (0..<20).map { _ in
      [UInt8](
        repeating: UInt8.random(in: 1...255, using: &random), count: Int.random(in: 0...300, using: &random))
    }
    var stream = Array(messages.map { $0 + [0] }.joined())[...]
    var framing = VarlinkFraming(maximum: 300)
    var got: [[UInt8]] = []
    while !stream.isEmpty {
      let piece = stream.prefix(Int.random(in: 1...500, using: &random))
      stream = stream.dropFirst(piece.count)
      framing.append(piece)
      // Sometimes more bytes are appended before the messages are read.
      if Bool.random(using: &random) { while let message = try framing.next() { got.append(message) } }
    }
    while let message = try framing.next() { got.append(message) }
    #expect(got == messages)
    #expect(framing.bufferedBytes == 0)
  }
}
