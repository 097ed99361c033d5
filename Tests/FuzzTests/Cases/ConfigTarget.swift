// SPDX-License-Identifier: Apache-2.0

import ConfigChecks

@testable import Settings
@testable import TOMLConfig

extension FuzzTarget {
  /// A config file as bytes, read as by `check` and as by the daemon. Simple checks replace those of zones
  /// and fonts, which read files.
  static let config = FuzzTarget(
    name: "config",
    seeds: {
      let examples = ["clock", "match", "scoreboard", "world"].map { "config/examples/\($0).toml" }
      var seeds = try examples.map { try Repository.bytes($0) }
      // Each section of the reference config is a seed. Its keys, which are comments there, are uncommented.
      let reference = String(decoding: try Repository.bytes("config/flipclock.toml"), as: UTF8.self)
      var section = ""
      for line in reference.split(separator: "\n") {
        let isKey = line.hasPrefix("#") && !line.hasPrefix("# ") && !line.hasPrefix("#:")
        let key = line.hasPrefix("# example: ") ? line.dropFirst(11) : isKey ? line.dropFirst() : line
        guard !key.hasPrefix("#") else { continue }
        if key.hasPrefix("["), !section.isEmpty {
          seeds.append(Array(section.utf8))
          section = ""
        }
        section += key + "\n"
      }
      return seeds + [Array(section.utf8)]
    },
    run: { bytes in
      var checks = SettingsChecks()
      let command = SettingsChecks.standard.command
      checks.command = command
      // A name with an odd number of bytes stands for one that does not exist.
      checks.zone = { $0.utf8.count % 2 == 0 ? nil : .init("unknown time zone", hint: "write another") }
      checks.font = { $0.utf8.count % 2 == 0 ? nil : .init("unknown font") }
      for mode in [Report.Mode.check, .running] {
        let result = SettingsLoader.load(texts: [("f.toml", bytes)], mode: mode, checks: checks)
        let hasError = result.diagnostics.contains { $0.severity == .error }
        try check(hasError == (result.configuration == nil), "\(result.diagnostics)")
        for diagnostic in result.diagnostics {
          try check(
            diagnostic.line >= 1 && diagnostic.column >= 1 && !diagnostic.message.isEmpty
              && diagnostic.description.split(separator: "\n").allSatisfy {
                $0.allSatisfy { $0 == "\t" || String($0).isHarmless }
              }, "\(diagnostic)".debugDescription)
        }
        _ = result.configuration?.newMatch
      }
    })
}
