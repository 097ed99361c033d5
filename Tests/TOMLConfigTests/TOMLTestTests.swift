// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing

@testable import TOMLConfig

/// The cases of toml-test (https://github.com/toml-lang/toml-test) for TOML 1.0, from Debian's package
/// golang-github-burntsushi-toml-dev.
@Suite struct TOMLTestTests {
  private static let root = "/usr/share/gocode/src/github.com/BurntSushi/toml/internal/toml-test/tests"

  /// Tests for TOML 1.1 in older releases of toml-test, which do not list the tests of each version.
  private static let later: Set<String> = [
    "valid/string/escape-esc.toml", "valid/string/hex-escape.toml", "invalid/string/bad-hex-esc.toml",
    "valid/datetime/no-seconds.toml", "valid/inline-table/newline.toml", "valid/key/unicode.toml",
  ]

  private func files(_ kind: String) throws -> [String] {
    // Newer releases list the tests of each version of TOML.
    if let list = try? String(contentsOfFile: "\(Self.root)/files-toml-1.0.0", encoding: .utf8) {
      return list.split(separator: "\n").map(String.init).filter {
        $0.hasPrefix("\(kind)/") && $0.hasSuffix(".toml")
      }
    }
    let below = try FileManager.default.subpathsOfDirectory(atPath: "\(Self.root)/\(kind)")
    return below.filter { $0.hasSuffix(".toml") }.map { "\(kind)/\($0)" }.filter { !Self.later.contains($0) }
  }

  @Test("Every file of toml-test is accepted or refused as it should be", arguments: ["valid", "invalid"])
  func judged(kind: String) throws {
    let files = try files(kind)
    try #require(files.count >= (kind == "valid" ? 90 : 200), "the corpus is missing; scripts/setup test")
    for name in files {
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: "\(Self.root)/\(name)")))
      do throws(SyntaxError) {
        _ = try Node.parse(bytes, file: 0)
        if kind == "invalid" { Issue.record("\(name) was accepted") }
      } catch {
        if kind == "valid" { Issue.record("\(name):\(error.line):\(error.column): \(error.message)") }
        // The error has our own message, and a position in the file.
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        #expect(error.line >= 1 && error.line <= lines.count + 1 && error.column >= 1, "\(name)")
        #expect(!error.message.isEmpty && !error.message.contains("TOML_"), "\(name)")
      }
    }
  }
}
