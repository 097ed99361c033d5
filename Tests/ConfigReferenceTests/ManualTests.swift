// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import Testing

@testable import ConfigReference

/// flipclockctl(1), whose descriptions are written by hand.
@Suite struct ManualTests {
  @Test("The manual describes every form of every command")
  func descriptions() throws {
    let path = "man/flipclockctl.1"
    let bytes = try readFile("\(ConfigReferenceTests.root)/\(path)", limit: 1 << 20)
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    let begin = try #require(lines.firstIndex(of: ".Sh COMMANDS"))
    let end = try #require(lines[begin...].dropFirst().firstIndex { $0.hasPrefix(".Sh ") })
    let described = lines[begin..<end].filter { $0.hasPrefix(".It ") }
    for head in ManualSynopsis.heads where !described.contains(head) {
      Issue.record("\(path):\(begin + 1): the section COMMANDS lacks '\(head)'")
    }
    for head in described where !ManualSynopsis.heads.contains(head) {
      Issue.record("\(path): no command of Sources/Commands/CommandTable*.swift has the form '\(head)'")
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
