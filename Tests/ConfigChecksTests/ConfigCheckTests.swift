// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import ConfigChecks
@testable import Settings

@Suite struct ConfigCheckTests {
  /// Runs `body` with a temporary root directory that has one config file, or none.
  private func withConfig(
    _ text: String?, _ body: (ConfigCheck, String) throws -> Void
  ) throws {
    let root = try TemporaryDirectory()
    let path = root.place("etc/flipclock/config.toml")
    if let text { root.put("etc/flipclock/config.toml", text) }
    try body(ConfigCheck(.standard(root: root.path), checks: .standard), path)
  }

  @Test("A valid config is ok, a missing one means the default, and both exit with 0")
  func good() throws {
    try withConfig("motion = \"none\"\n") { check, path in
      #expect(check.text == "\(path): ok")
      #expect(check.exitCode == 0)
    }
    try withConfig(nil) { check, _ in
      #expect(check.text == "no config file; the built-in default is shown")
      #expect(check.exitCode == 0)
    }
  }

  @Test("Unknown keys and commands are errors with line, column and source, and the exit code is 78")
  func bad() throws {
    let text = "[display]\nbrightnes = \"60%\"\n[input.keys]\nKP1 = \"undo\"\nKP2 = \"unbo\"\n"
    try withConfig(text) { check, path in
      let lines = check.text.split(separator: "\n").map(String.init)
      #expect(lines.first?.hasPrefix("\(path):2:1: error: unknown key 'brightnes'") == true)
      #expect(
        lines.contains {
          $0.hasPrefix("\(path):5:7: error: ") && $0.contains("unknown command 'unbo'; did you mean 'undo'?")
        })
      #expect(lines.contains("  brightnes = \"60%\""))
      #expect(lines.last == "2 errors")
      #expect(check.exitCode == EX_CONFIG)
    }
  }

  @Test("Warnings are printed and counted, and do not fail the check")
  func warnings() throws {
    let text = "[widgets.a]\ntype = \"text\"\n[widgets.b]\ntype = \"text\"\n[layout]\nrows = [\"a\"]\n"
    try withConfig(text) { check, path in
      let lines = check.text.split(separator: "\n").map(String.init)
      #expect(
        lines.first == "\(path):3:10: warning: the widget 'b' is in no row; name it in rows below [layout]")
      #expect(lines.last == "\(path): ok, 1 warning")
      #expect(check.exitCode == 0)
      #expect(check.json.contains("\"ok\":true") && check.json.contains("\"unchecked\":[]"))
      #expect(check.json.contains("\"severity\":\"warning\""))
    }
  }
}
