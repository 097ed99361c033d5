// SPDX-License-Identifier: Apache-2.0

import CivilTime
import TestSupport
import Testing

@testable import ConfigChecks
@testable import Settings

/// Files as users write them who have only looked at the README, each with all messages of `check`.
@Suite struct BeginnerTests {
  static let files: [(text: String, said: [String])] = [
    (
      "[teams.TSV Nord]\n",
      [
        "error 1:12 a space in the table's name [teams.TSV Nord]; write [teams.tsv-nord], and in the next line name = \"TSV Nord\""
      ]
    ),
    (
      "[teams.\"TSV Nord\"]\n",
      [
        "error 1:8 'TSV Nord' is not an id for a team; write [teams.tsv-nord], and in the next line name = \"TSV Nord\""
      ]
    ),
    (
      "[teams.LIONS]\n",
      [
        "error 1:8 'LIONS' is not an id for a team; write [teams.lions], and in the next line name = \"LIONS\""
      ]
    ),
    (
      "[teams]\nhome = \"LIONS\"\n",
      [
        "error 2:8 [teams.home] must be a table, found the string 'LIONS'; write [teams.home], and in the next line name = \"LIONS\""
      ]
    ),
    (
      "[teams]\nname = \"LIONS\"\n",
      ["error 2:1 'name' below [teams], which has only tables with names; write [teams.home] above it"]
    ),
    (
      "[widgets.my clock]\n",
      ["error 1:13 a space in the table's name [widgets.my clock]; write [widgets.my-clock]"]
    ),
    (
      "[game]\nbest-of = 5\n",
      [
        "error 2:1 unknown key 'best-of' in [game]; for the best of 5 sets, write periods = 5 and periods-to-win = 3"
      ]
    ),
    (
      "[game]\nsets = 5\n",
      [
        "error 2:1 unknown key 'sets' in [game]; for the best of 5 sets, write periods = 5 and periods-to-win = 3"
      ]
    ),
    (
      "[widgets.c]\ntype = \"clock\"\n",
      [
        "error 2:8 'type' in [widgets.c] must be \"flip-clock\", \"score\", \"date\", \"text\", \"board\", \"analog-clock\", \"timer\", \"world-clock\" or \"image\", found the string 'clock'; did you mean 'flip-clock', 'analog-clock' or 'world-clock'?"
      ]
    ),
    (
      "[remote]\nport = \"8080\"\n",
      [
        "error 2:8 'port' in [remote] must be a whole number from 1 to 65535, found the string '8080'; write 8080 without quotes"
      ]
    ),
    (
      "[input]\nenabled = \"true\"\n",
      [
        "error 2:11 'enabled' in [input] must be true or false, found the string 'true'; write true without quotes"
      ]
    ),
    (
      "[display]\nbrightness = 10\n",
      [
        "error 2:14 'brightness' in [display] must be from \"1%\" to \"100%\", found the number 10; write \"10%\""
      ]
    ),
    (
      "[display]\nbrightness = \"0%\"\n",
      [
        "error 2:14 'brightness' in [display] must be from \"1%\" to \"100%\", found the string '0%'; the darkest is \"1%\"; 'flipclockctl blank', or display = \"off\" in [schedule.NAME], switches it off"
      ]
    ),
    (
      "[display]\nbrightness = 0.3\n",
      [
        "error 2:14 'brightness' in [display] must be from \"1%\" to \"100%\", found the number 0.3; write \"30%\""
      ]
    ),
    (
      "[widgets.w]\ntype = \"world-clock\"\ncities = [\"Tokio\", \"Berln\", \"Europe/Pariss\"]\n",
      [
        "error 3:11 unknown time zone 'Tokio'; did you mean 'Asia/Tokyo'?",
        "error 3:20 unknown time zone 'Berln'; did you mean 'Europe/Berlin'?",
        "error 3:29 unknown time zone 'Europe/Pariss'; did you mean 'Europe/Paris'?",
      ]
    ),
    (
      "[widgets.w]\ntype = \"world-clock\"\ncities = [\"Tokyo\", \"New York\", \"Office = los angeles\"]\n",
      []
    ),
    (
      "[input]\nenabled = true\n[input.keys]\nKP1 = \"message TIME OUT for 30s\"\n",
      ["warning 4:7 'KP1' in [input.keys]: 'for 30s' is part of the message; write --for 30s"]
    ),
    (
      "[input]\nenabled = true\n[input.keys]\nKP1 = \"message clear\"\n",
      ["warning 4:7 'KP1' in [input.keys]: 'clear' is part of the message; write --clear"]
    ),
    (
      "[widgets.party]\ntype = \"timer\"\nsource = \"countdown\"\nuntil = \"2020-01-01T00:00:00Z\"\n",
      ["warning 1:10 the countdown 'party' has ended; write a later 'until'"]
    ),
    (
      "[widgets.news]\ntype = \"board\"\ncolumns = 10\nrows = 1\ntext = \"COFFEE IS READY\"\n",
      [
        "warning 5:8 [widgets.news] has no row for 'READY': with columns = 10, the text has 2 lines; write rows = 2, or more 'columns'"
      ]
    ),
    (
      "[schedule]\nfrom = \"22:30\"\nto = \"06:30\"\n",
      [
        "error 2:1 'from' below [schedule], which has only tables with names; write [schedule.night] above it"
      ]
    ),
    (
      "[burn-in]\nrefresh-duration = \"2h\"\n",
      ["error 2:20 'refresh-duration' in [burn-in] must be from \"10s\" to \"1h\", found '2h'; write \"1h\""]
    ),
    (
      "[locale]\nlanguage = \"Deutsch\"\n",
      ["error 2:12 'language' in [locale] has the unknown language 'Deutsch'; did you mean \"de\" (Deutsch)?"]
    ),
  ]

  @Test("Each beginner's file gets exactly these messages", arguments: files)
  func messages(_ text: String, _ said: [String]) throws {
    let root = try TemporaryDirectory()
    root.put("etc/flipclock/config.toml", text)
    var checks = SettingsChecks.standard
    checks.advice = Advice.problem
    checks.configuration = { Advice.countdowns($0, at: Instant(seconds: 1_795_132_800)) }
    #expect(found(ConfigCheck(.standard(root: root.path), checks: checks)) == said)
  }

  @Test(
    "The name of a game in any language of the display's words suggests the preset",
    arguments: [
      ("Tischtennis", "table-tennis"), ("Fußball", "football"), ("soccer", "football"),
      ("Eishockey", "ice-hockey"),
      ("hockey", "ice-hockey"), ("baloncesto", "basketball"), ("pallavolo", "volleyball"),
      ("siatkówka", "volleyball"),
      ("バドミントン", "badminton"), ("Tenis de mesa", "table-tennis"), ("handbal", "handball"),
      ("fléchettes", "darts"),
    ])
  func presets(_ name: String, _ preset: String) throws {
    let root = try TemporaryDirectory()
    root.put("etc/flipclock/config.toml", "[game]\npreset = \"\(name)\"\n")
    let said = found(ConfigCheck(.standard(root: root.path), checks: .standard))
    #expect(said.count == 1 && said.first?.hasSuffix("; did you mean '\(preset)'?") == true, "\(said)")
  }

  private func found(_ check: ConfigCheck) -> [String] {
    check.result.diagnostics.map { diagnostic in
      let hint = diagnostic.hint.map { "; \($0)" } ?? ""
      return
        "\(diagnostic.severity.rawValue) \(diagnostic.line):\(diagnostic.column) \(diagnostic.message)\(hint)"
    }
  }
}
