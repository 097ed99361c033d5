// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import Testing

@testable import Daemon

@Suite struct DaemonOptionsTests {
  @Test(
    "Only no arguments and those of the service are recognized without the parser")
  func plain() {
    #expect(DaemonOptions(plain: [])?.display == .auto)
    for choice in DaemonOptions.DisplayChoice.allCases {
      let options = DaemonOptions(plain: ["--display", choice.rawValue])
      #expect(options?.display == choice)
      #expect(options?.config == nil && options?.socket == nil && options?.size == nil)
    }
    for words in [
      ["--display"], ["--display", "window"], ["--display", "kms", "--display"], ["--display=kms"], ["run"],
      ["--help"], ["--version"], ["kms", "--display"], ["--config", "kms"], [""],
    ] {
      #expect(DaemonOptions(plain: words)?.display == nil, "\(words)")
    }
  }

  @Test("The unit file's arguments are recognized without the parser")
  func unit() throws {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let unit = String(
      decoding: try readFile("/\(root)/systemd/flipclockd.service", limit: 1 << 16), as: UTF8.self)
    let line = try #require(unit.split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
    let words = line.split(separator: " ").dropFirst().map(String.init)
    #expect(DaemonOptions(plain: words) != nil, "\(words)")
  }
}
