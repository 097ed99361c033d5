// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import ScoringConsole

/// Bytes that terminals send, and the keys that they mean.
private let sequences: [(bytes: String, keys: [TerminalKey])] = [
  ("a", [.character("a")]),
  ("A", [.character("A")]),
  (" ", [.character(" ")]),
  ("\r", [.enter]),
  ("\t", [.tab]),
  ("\u{7f}", [.backspace]),
  ("\u{0e}", [.control("n")]),
  ("é", [.character("é")]),
  ("獅", [.character("獅")]),
  ("\u{1f3c0}", [.character("\u{1f3c0}")]),
  // Arrows in normal and application mode and with Ctrl; function keys of xterm and of the Linux console.
  ("\u{1b}[A", [.sequence]),
  ("\u{1b}OA", [.sequence]),
  ("\u{1b}[1;5D", [.sequence]),
  ("\u{1b}[15~", [.sequence]),
  ("\u{1b}[[A", [.sequence]),
  // Mouse reports in the X10 and SGR formats; focus.
  ("\u{1b}[Mals", [.sequence]),
  ("\u{1b}[<0;10;20M", [.sequence]),
  ("\u{1b}[I", [.sequence]),
  // Control strings, such as replies of the terminal.
  ("\u{1b}]11;rgb:aaaa/bbbb/cccc\u{1b}\\", [.sequence]),
  ("\u{1b}]0;title with letters\u{07}", [.sequence]),
  ("\u{1b}P1$r0 q\u{1b}\\", [.sequence]),
  // Alt and a letter; Escape before an arrow.
  ("\u{1b}a", [.sequence]),
  ("\u{1b}\u{1b}[A", [.escape, .sequence]),
  // Pastes: with keys and an incomplete end sequence inside, and empty.
  ("\u{1b}[200~a\rl\u{1b}[20aa\u{1b}\u{1b}[201~", [.paste]),
  ("\u{1b}[200~\u{1b}[201~", [.paste]),
  // An incomplete sequence before another one.
  ("\u{1b}[12\u{1b}[A", [.sequence, .sequence]),
]

@Suite("Keys of a terminal")
struct TerminalKeyTests {
  private static let escapeTime = TerminalKeyDecoder.escapeTime

  @Test("Every sequence is decoded however it is split into reads, and so is the letter after it")
  func sequencesHoweverCut() {
    for (text, keys) in sequences {
      let bytes = Array((text + "s").utf8)
      for cut in 0...bytes.count {
        for pause in [0, 1_000_000, Self.escapeTime - 1] {
          var decoder = TerminalKeyDecoder()
          var found = decoder.keys(bytes[..<cut], at: 0)
          if let key = decoder.elapsed(at: pause) { found.append(key) }
          found += decoder.keys(bytes[cut...], at: pause)
          #expect(
            found == keys + [.character("s")], "\(text.debugDescription) cut at \(cut) for \(pause) ns")
        }
      }
      var decoder = TerminalKeyDecoder()
      var single: [TerminalKey] = []
      for (index, byte) in bytes.enumerated() {
        single += decoder.keys([byte], at: Int64(index) * (Self.escapeTime - 1))
      }
      #expect(single == keys + [.character("s")], "\(text.debugDescription) byte by byte")
    }
  }

  @Test("On a slow link an arrow may be read as Escape and an unknown key, but never as a letter")
  func slowSequence() {
    for text in ["\u{1b}[A", "\u{1b}[1;5D", "\u{1b}[15~", "\u{1b}[[A", "\u{1b}[<0;10;20M"] {
      let bytes = Array(text.utf8)
      for cut in 1..<bytes.count {
        var decoder = TerminalKeyDecoder()
        var found = decoder.keys(bytes[..<cut], at: 0)
        if let deadline = decoder.deadline, let key = decoder.elapsed(at: deadline) { found.append(key) }
        #expect(found == (cut == 1 ? [.escape] : []))
        #expect(decoder.keys(bytes[cut...], at: 3_000_000_000) == [.sequence], "\(text.debugDescription)")
      }
    }
  }

  @Test("Escape is a key if nothing follows it for a short time, and is reported once")
  func escapeAlone() {
    var decoder = TerminalKeyDecoder()
    #expect(decoder.deadline == nil)
    #expect(decoder.keys([0x1b], at: 5) == [])
    #expect(decoder.deadline == 5 + Self.escapeTime)
    #expect(decoder.elapsed(at: 4 + Self.escapeTime) == nil)
    #expect(decoder.elapsed(at: 5 + Self.escapeTime) == .escape)
    #expect(decoder.elapsed(at: 6 + Self.escapeTime) == nil)
    #expect(decoder.deadline == nil)
    // The keys that follow are separate, also those that could continue a sequence.
    for key: Character in ["a", "O", "P", "X", "]"] {
      #expect(decoder.keys(Array("\(key)s".utf8), at: 1_000_000_000) == [.character(key), .character("s")])
      #expect(decoder.keys([0x1b], at: 2_000_000_000) == [])
      #expect(decoder.elapsed(at: 3_000_000_000) == .escape)
    }
    // The caller's timer may be late, so that the next key arrives first.
    #expect(decoder.keys([0x1b], at: 4_000_000_000) == [])
    #expect(decoder.keys(Array("a".utf8), at: 5_000_000_000) == [.escape, .character("a")])
    // A key with Alt.
    #expect(decoder.keys([0x1b], at: 0) == [])
    #expect(decoder.keys(Array("a".utf8), at: Self.escapeTime - 1) == [.sequence])
  }

  @Test(
    "Invalid UTF-8 is not a key",
    arguments: [[0xff], [0x80], [0xc0, 0x61], [0xc3, 0x61], [0xe2, 0x82, 0x61], [0xed, 0xa0, 0x80]]
      as [[UInt8]])
  func garbage(bytes: [UInt8]) {
    var decoder = TerminalKeyDecoder()
    let keys = decoder.keys(bytes, at: 0)
    #expect(keys.contains(.garbage))
  }

  @Test("Random bytes give the same keys however they are split")
  func anyBytes() {
    var random = SplitMix(seed: 40)
    for _ in 0..<2000 {
      let alphabet: [UInt8] = Array("\u{1b}[]OPM;<~019aAlL\u{07}\\\r é獅".utf8) + [0xff, 0x00]
      let bytes = (0..<random.int(0...40)).map { _ in alphabet[random.int(0...(alphabet.count - 1))] }
      var whole = TerminalKeyDecoder()
      var pieces = TerminalKeyDecoder()
      let cut = random.int(0...bytes.count)
      let found = pieces.keys(bytes[..<cut], at: 5) + pieces.keys(bytes[cut...], at: 5)
      #expect(whole.keys(bytes, at: 5) == found)
    }
  }
}
