// SPDX-License-Identifier: Apache-2.0

import Spelling

// The command for what people set without a file.
extension CommandTable {
  private static let settingsWords = ["set", "reset", "export", "import"]

  static let settings: CommandSyntax = CommandSyntax(
    verb: "settings",
    usage: ["", "set <key> <value>", "reset <key>", "export", "import <file>"],
    summary: "Print or change settings without editing a config file.",
    discussion: """
      Without arguments, prints the keys that can be set, their values, and what sets them. A key is a table and a key of \
      the config, such as 'teams.home.name'; a value is written as in the config, a text without quotes. Several keys \
      can be set at once. flipclockd stores the settings in the file settings.toml beside its state. A key that a file of \
      /etc/flipclock sets cannot be set: the file has precedence. 'reset' removes a setting. 'export' prints the file, and \
      'import' replaces all settings by those of a file, or of standard input if it is '-'.
      """,
    operands: [
      .init(name: "action", help: "set, reset, export or import.", isOptional: true),
      .init(name: "key", help: "A table and a key of the config, or a file.", isOptional: true),
      .init(name: "value", help: "The value.", isOptional: true, isRepeated: true),
    ],
    examples: [
      "settings", "settings set game.preset basketball", "settings set teams.home.name LIONS",
      "settings set schedule.night.from 22:30 schedule.night.to sunrise schedule.night.brightness 10%",
      "settings reset game.preset", "settings export", "settings import -",
    ], surfaces: .commandLine,
    completion: { words in
      switch words {
      case []:
        [
          .word("set", "changes a setting"), .word("reset", "removes a setting"),
          .word("export", "prints the file of the settings"), .word("import", "reads such a file"),
        ]
      case ["set"], ["reset"]: [.names(.settings, "key")]
      default: []
      }
    },
    parse: { arguments throws(UsageError) in
      guard let action = arguments.operands.first else { return .request(.command(.settings)) }
      return .request(try settingsRequest(action, Array(arguments.operands.dropFirst())))
    })

  private static func settingsRequest(
    _ action: String, _ words: [String]
  ) throws(UsageError) -> ClientRequest {
    switch action {
    case "set":
      guard words.count >= 2, words.count % 2 == 0 else {
        throw UsageError(
          words.count < 2
            ? "missing \(words.isEmpty ? "<key> and " : "")<value>"
            : "each key needs one value; a value of several words is written in quotes", usage: settings.forms
        )
      }
      return .command(
        .setSettings(
          stride(from: 0, to: words.count, by: 2).map { SettingChange(key: words[$0], value: words[$0 + 1]) })
      )
    case "reset":
      guard !words.isEmpty else { throw UsageError("missing <key>", usage: settings.forms) }
      return .command(.setSettings(words.map { SettingChange(key: $0, value: nil) }))
    case "export" where words.isEmpty: return .exportSettings
    case "import" where words.count == 1: return .importSettings(file: words[0])
    case "export": throw UsageError("'settings export' takes nothing more", usage: settings.forms)
    case "import": throw UsageError("'settings import' takes one file", usage: settings.forms)
    default: throw UsageError(Spelling.unknown("word", action.printable, among: settingsWords))
    }
  }
}
