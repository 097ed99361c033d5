// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Settings
@testable import TOMLConfig

@Suite struct FuzzTests {
  /// Fragments with a meaning in TOML, characters outside ASCII, and bytes that are invalid in TOML.
  private static let pieces: [[UInt8]] =
    [
      "[", "]", "{", "}", "=", ".", ",", "\"", "'", "\"\"\"", "'''", "#", "\n", "\r", "\r\n", "\\", "\\u0000",
      "\\U0010ffff",
      "\\x", "inf", "nan", "-", "1e999", "0x", "1979-05-27T07:32:00Z", "12:00", "true", "[[", "]]", "\t",
      "\u{85}", "\u{2028}",
      "\u{feff}", "é", "日", "👍",
    ].map { Array($0.utf8) } + [[0], [0x80], [0xff], [0xc3], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]]

  private func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix) {
    let place = Int.random(in: 0...bytes.count, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 1: bytes.insert(contentsOf: Self.pieces.randomElement(using: &random) ?? [], at: place)
    case 2: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 0...40, using: &random)))
    case 3:
      let end = min(bytes.count, place + Int.random(in: 0...200, using: &random))
      bytes.insert(contentsOf: Array(bytes[place..<end]), at: Int.random(in: 0...bytes.count, using: &random))
    case 4: bytes.removeLast(bytes.count - place)
    default:
      guard place < bytes.count else { return }
      bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    }
  }

  @Test("Config files changed at random never crash, and every error has a position")
  func mutations() throws {
    let shipped = try repositoryFile("config/flipclock.toml").split(separator: "\n")
      .map { line in
        if line.hasPrefix("# example: ") { return line.dropFirst(11) }
        return line.hasPrefix("#") && !line.hasPrefix("# ") && !line.hasPrefix("#:") ? line.dropFirst() : line
      }
      .joined(separator: "\n")
    let seeds = [
      shipped, try repositoryFile("config/examples/match.toml"), "a = [1, {b = '''x'''}]\n[[c]]\nd.e = 1\n",
    ]
    .map { Array($0.utf8) }
    var random = SplitMix(seed: 2)
    var rejected = 0
    for round in 0..<1_500 {
      var bytes = seeds[round % seeds.count]
      for _ in 0..<Int.random(in: 1...5, using: &random) { mutate(&bytes, &random) }
      let result = SettingsLoader.load(texts: [("f.toml", bytes)], mode: round % 2 == 0 ? .check : .running)
      let hasError = result.diagnostics.contains { $0.severity == .error }
      if hasError != (result.configuration == nil) { Issue.record("round \(round): \(result.diagnostics)") }
      if hasError { rejected += 1 }
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      for diagnostic in result.diagnostics {
        // toml++ also treats other characters as line ends, so its last line may have a higher number.
        let isPlaced = diagnostic.line >= 1 && diagnostic.line <= lines.count + 1 && diagnostic.column >= 1
        if !isPlaced || diagnostic.message.isEmpty || diagnostic.description.contains("\u{1b}") {
          Issue.record("round \(round): \(diagnostic)")
        }
      }
    }
    #expect(rejected > 500)
  }
}
