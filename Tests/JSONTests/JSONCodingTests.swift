// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import TestSupport
import Testing

@testable import JSON

@Suite struct JSONCodingTests {
  private struct Inner: Codable, Hashable {
    var list: [Int]
    var names: [String: Bool]
  }

  private struct Outer: Codable, Hashable {
    var text: String
    var number: Int
    var share: Double
    var flag: Bool
    var missing: String?
    var inner: Inner
    var inners: [Inner]
    var small: UInt8
  }

  private let value = Outer(
    text: "a\"b/\n\u{1}\u{1f}\\é", number: -7, share: 0.5, flag: true, missing: nil,
    inner: Inner(list: [1, 2], names: ["b": true, "a": false, "periodScores": true, "periods": true]),
    inners: [], small: 255)

  @Test("Values are encoded as Foundation encodes them, and can be decoded again")
  func sameAsFoundation() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let json = try JSONValue(encoding: value)
    #expect(try json.text == String(decoding: encoder.encode(value), as: UTF8.self))
    #expect(try json.decoded(as: Outer.self) == value)
    #expect(try JSONReader.read(json.bytes).decoded(as: Outer.self) == value)
  }

  @Test("A Float is encoded as a Double and decoded again")
  func float() throws {
    #expect(try JSONValue(encoding: [Float(0.5), 7]) == .array([.number(0.5), .number(7)]))
    #expect(try JSONReader.read(Array("[0.5, 7]".utf8)).decoded(as: [Float].self) == [0.5, 7])
    #expect(throws: EncodingError.self) { try JSONValue(encoding: Float.infinity) }
    for value in [JSONValue.string("1"), .number(1e300), .null] {
      #expect(throws: DecodingError.self) { try value.decoded(as: Float.self) }
    }
  }

  @Test("Missing members, wrong types and numbers out of range are refused")
  func refusals() throws {
    for (text, isGood) in [
      (#"{"list":[1],"names":{}}"#, true), (#"{"list":[1],"names":{},"more":1}"#, true),
      (#"{"list":[1]}"#, false), (#"{"list":["1"],"names":{}}"#, false), (#"{"list":{},"names":{}}"#, false),
      (#"{"list":[1.5],"names":{}}"#, false), (#"{"list":null,"names":{}}"#, false), ("[]", false),
    ] {
      let json = try JSONReader.read(Array(text.utf8))
      #expect(((try? json.decoded(as: Inner.self)) != nil) == isGood, "\(text)")
    }
    #expect(throws: DecodingError.self) { try JSONValue.integer(256).decoded(as: UInt8.self) }
    #expect(throws: EncodingError.self) { try JSONValue(encoding: ["a": Double.nan]) }
    #expect(throws: EncodingError.self) { try JSONValue(encoding: [UInt64.max]) }
  }

  @Test("Base64 is encoded as Foundation encodes it, and invalid base64 is refused")
  func base64() {
    var random = SplitMix(seed: 6)
    for count in 0..<70 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(Base64.text(bytes) == Data(bytes).base64EncodedString())
      #expect(Base64.bytes(Base64.text(bytes)) == bytes)
    }
    for text in ["A", "AAA", "A===", "AA=A", "AA A", "AAA\n", "====", "é==="] {
      #expect(Base64.bytes(text) == nil, "\(text)")
    }
  }
}
