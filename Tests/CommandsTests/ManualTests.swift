// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import Commands

@Suite struct ManualTests {
  private static let path = "man/flipclockctl.1"

  private static func manual() throws -> String {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let file = try #require(fopen("/\(root)/\(path)", "r"))
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  @Test("The manual's synopses match the table of commands")
  func synopses() throws {
    let text = try Self.manual()
    guard let expected = ManualSynopsis.replacing(in: text) else {
      Issue.record("\(Self.path): the lines that begin and end the synopses are missing")
      return
    }
    #expect(expected == text, "\(Self.path): run `make docs`")
  }

  @Test("The manual describes every form of every command")
  func descriptions() throws {
    let lines = try Self.manual().split(separator: "\n").map(String.init)
    let begin = try #require(lines.firstIndex(of: ".Sh COMMANDS"))
    let end = try #require(lines[begin...].dropFirst().firstIndex { $0.hasPrefix(".Sh ") })
    let described = lines[begin..<end].filter { $0.hasPrefix(".It ") }
    for head in ManualSynopsis.heads where !described.contains(head) {
      Issue.record("\(Self.path):\(begin + 1): the section COMMANDS lacks '\(head)'")
    }
    for head in described where !ManualSynopsis.heads.contains(head) {
      Issue.record("\(Self.path): '\(head)' is not a command of Sources/Commands/CommandTable.swift")
    }
  }

  @Test("Forms are converted to mdoc")
  func forms() {
    #expect(
      ManualSynopsis.mdoc("penalty <team> [<time>] [--number <n>]")
        == "Cm penalty Ar team Oo Ar time Oc Oo Fl -number Ar n Oc")
    #expect(
      ManualSynopsis.mdoc("brightness <percent>|+<percent>")
        == "Cm brightness Ar percent | Cm + Ns Ar percent")
    #expect(
      ManualSynopsis.mdoc("set <team> name|color <text>") == "Cm set Ar team Cm name | color Ar text")
  }
}
