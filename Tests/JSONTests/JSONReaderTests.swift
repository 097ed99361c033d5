// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import TestSupport
import Testing

@testable import JSON

private func read(_ text: String) throws(JSONError) -> JSONValue { try JSONReader.read(Array(text.utf8)) }

@Suite struct JSONReaderTests {
  @Test(
    "Valid JSON is read",
    arguments: [
      ("null", .null), ("true", .bool(true)), ("false", .bool(false)),
      (" \t\r\n0 ", .integer(0)), ("-0", .integer(0)), ("7", .integer(7)), ("-12", .integer(-12)),
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", .number(9.223372036854775808e18)), ("7.0", .number(7)), ("7.5", .number(7.5)),
      ("1e2", .number(100)), ("1E+2", .number(100)), ("25e-1", .number(2.5)), ("1e-999", .number(0)),
      (#""""#, .string("")), (#""a/\/\"\\\b\f\n\r\t""#, .string("a//\"\\\u{8}\u{c}\n\r\t")),
      (#""\u0000\u00e9\u20AC\ud83d\ude00""#, .string("\0é€😀")), (#""é😀""#, .string("é😀")),
      ("[]", .array([])), ("[ ]", .array([])),
      ("[1, [2] ,3]", .array([.integer(1), .array([.integer(2)]), .integer(3)])),
      ("{}", .object([:])), ("{ }", .object([:])),
      (#"{"a":1,"b":{"a":null}}"#, .object(["a": .integer(1), "b": .object(["a": .null])])),
    ] as [(String, JSONValue)])
  func valid(_ text: String, _ value: JSONValue) throws {
    #expect(try read(text) == value)
  }

  @Test(
    "Invalid JSON is an error with its position",
    arguments: [
      ("", 0, "unexpected end"), ("  ", 2, "unexpected end"), ("x", 0, "unexpected byte"),
      ("tru", 0, "unexpected byte"), ("nul", 0, "unexpected byte"), ("True", 0, "unexpected byte"),
      ("1 2", 2, "something after the end"), ("01", 1, "something after the end"),
      ("-", 1, "expected a digit"),
      ("+1", 0, "unexpected byte"), (".5", 0, "unexpected byte"), ("1.", 2, "expected a digit"),
      ("1e", 2, "expected a digit"), ("1e+", 3, "expected a digit"), ("1e999", 0, "number out of range"),
      ("NaN", 0, "unexpected byte"), ("Infinity", 0, "unexpected byte"),
      ("0x10", 1, "something after the end"),
      ("[", 1, "unexpected end"), ("[1,]", 3, "unexpected byte"), ("[1 2]", 3, "expected ',' or ']'"),
      ("[,1]", 1, "unexpected byte"), ("]", 0, "unexpected byte"),
      ("{", 1, "expected a member name"), (#"{"a"}"#, 4, "expected ':'"), (#"{"a":}"#, 5, "unexpected byte"),
      (#"{"a":1,}"#, 7, "expected a member name"), ("{a:1}", 1, "expected a member name"),
      ("{'a':1}", 1, "expected a member name"), (#"{"a":1 "b":2}"#, 7, "expected ',' or '}'"),
      (#"{"team":1,"team":2}"#, 10, "member 'team' twice"),
      (#"{"team":1,"\u0074eam":2}"#, 10, "member 'team' twice"),
      (#"""#, 1, "unexpected end"), (#""\"#, 2, "unexpected end"), (#""\x""#, 3, "unknown escape"),
      (#""\u12""#, 5, "expected four hexadecimal digits"), (#""\ud800""#, 7, "half a surrogate pair"),
      (#""\ud800\u0041""#, 13, "half a surrogate pair"), (#""\ude00""#, 7, "half a surrogate pair"),
      ("\"\n\"", 1, "control character in a string"), ("\"\u{1f}\"", 1, "control character in a string"),
    ])
  func invalid(_ text: String, _ offset: Int, _ reason: String) {
    #expect(throws: JSONError(reason: reason, offset: offset)) { try read(text) }
  }

  @Test(
    "Invalid UTF-8 is an error, in member names too",
    arguments: [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82], [0xf4, 0x90, 0x80, 0x80], [0x80]]
      as [[UInt8]])
  func brokenUTF8(_ bytes: [UInt8]) {
    let quote = [UInt8(ascii: "\"")]
    #expect(throws: JSONError(reason: "not UTF-8 in the string", offset: 0)) {
      try JSONReader.read(quote + bytes + quote)
    }
    #expect(throws: JSONError(reason: "not UTF-8 in the string", offset: 1)) {
      try JSONReader.read(Array("{".utf8) + quote + bytes + quote + Array(":1}".utf8))
    }
  }

  @Test("UTF-16 and a byte order mark are refused")
  func otherEncodings() {
    #expect(throws: JSONError.self) { try JSONReader.read("{}".utf8.flatMap { [$0, 0] }) }
    #expect(throws: JSONError.self) { try JSONReader.read([0xef, 0xbb, 0xbf] + Array("{}".utf8)) }
  }

  @Test("Values may be nested 32 deep; 64 KiB of brackets are an ordinary error")
  func depth() throws {
    let nested = { (depth: Int) in
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(try read(nested(32)).array != nil)
    #expect(throws: JSONError(reason: "nested too deeply", offset: 32)) { try read(nested(33)) }
    #expect(throws: JSONError(reason: "nested too deeply", offset: 32)) {
      try read(String(repeating: "[", count: 65536))
    }
    #expect(throws: JSONError.self) { try read(String(repeating: #"{"a":"#, count: 13000)) }
  }

  @Test(
    "A whole number is recognized in every notation",
    arguments: [
      ("7", 7), ("7.0", 7), ("7e0", 7), ("70e-1", 7), ("-3.0", -3), ("1e3", 1000), ("7.5", nil),
      ("1e300", nil), ("9007199254740991.0", 9_007_199_254_740_991), ("9007199254740992", 1 << 53),
      ("9007199254740992.0", nil), ("9007199254740993.0", nil), ("-9007199254740993.0", nil),
      ("9223372036854775808", nil), ("-9223372036854775809", nil), ("\"7\"", nil), ("null", nil),
      ("true", nil),
    ] as [(String, Int?)])
  func wholeNumbers(_ text: String, _ expected: Int?) throws {
    #expect(try read(text).integer == expected)
  }

  @Test("A written value is read as the same value", arguments: 0..<300)
  func roundTrip(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let value = randomValue(depth: 4, &random)
    #expect(try JSONReader.read(value.bytes) == value)
    #expect(!value.bytes.contains(0))
  }

  @Test(
    "Randomly changed bytes are read or refused, and JSONDecoder accepts what is read", arguments: 0..<300)
  func mutations(seed: UInt64) throws {
    struct Anything: Decodable { init(from decoder: any Decoder) {} }
    var random = SplitMix(seed: seed &+ 1000)
    var text = randomValue(depth: 4, &random).bytes
    for _ in 0..<Int.random(in: 1...4, using: &random) where !text.isEmpty {
      let index = Int.random(in: 0..<text.count, using: &random)
      text[index] =
        Bool.random(using: &random)
        ? Array("[]{},:\"\\0e".utf8)[Int.random(in: 0..<10, using: &random)]
        : UInt8.random(in: 0...255, using: &random)
    }
    if (try? JSONReader.read(text)) != nil {
      #expect(throws: Never.self) { try JSONDecoder().decode(Anything.self, from: Data(text)) }
    } else {
      #expect(throws: JSONError.self) { try JSONReader.read(text) }
    }
  }

  private func randomValue(depth: Int, _ random: inout SplitMix) -> JSONValue {
    switch Int.random(in: 0...(depth > 0 ? 7 : 5), using: &random) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &random))
    case 2: return .integer(Int64(bitPattern: random.next() >> UInt64.random(in: 0...63, using: &random)))
    case 3: return .number(Double.random(in: -1e9...1e9, using: &random) + 0.125)
    case 4, 5: return .string(randomString(&random))
    case 6:
      return .array(
        (0..<Int.random(in: 0...4, using: &random)).map { _ in randomValue(depth: depth - 1, &random) })
    default:
      let members = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        (randomString(&random), randomValue(depth: depth - 1, &random))
      }
      return .object(Dictionary(members) { first, _ in first })
    }
  }

  private func randomString(_ random: inout SplitMix) -> String {
    let scalars: [Unicode.Scalar] = [
      "a", "\0", "\"", "\\", "/", "\n", "é", "\u{301}", "😀", "\u{7f}", "\u{2028}", "ש",
    ]
    var text = ""
    for _ in 0..<Int.random(in: 0...8, using: &random) {
      text.unicodeScalars.append(scalars[Int.random(in: 0..<scalars.count, using: &random)])
    }
    return text
  }
}
