// SPDX-License-Identifier: Apache-2.0

import TOMLConfig
import Testing

@testable import ConfigChecks
@testable import Settings

/// Bad values that are valid TOML of the right type are reported at their positions.
@Suite struct StandardChecksTests {
  private func found(_ text: String, mode: Report.Mode = .check) -> [String] {
    result(text, mode: mode).diagnostics.map { diagnostic in
      let hint = diagnostic.hint.map { "; \($0)" } ?? ""
      return
        "\(diagnostic.severity.rawValue) \(diagnostic.line):\(diagnostic.column) \(diagnostic.message)\(hint)"
    }
  }

  private func result(_ text: String, mode: Report.Mode) -> LoadResult {
    SettingsLoader.load(texts: [("t.toml", Array(text.utf8))], mode: mode, checks: .standard)
  }

  private static let kindsWithZone = ConfigTables.widgets.filter { $0.keys.contains { $0.name == "zone" } }
    .map(\.typeName)

  @Test("An unknown time zone is reported in every widget that has one", arguments: kindsWithZone)
  func zones(type: String) {
    let text = "[widgets.w]\ntype = \"\(type)\"\nzone = \"Europe/Berln\"\n"
    let message = "3:8 unknown time zone 'Europe/Berln'; did you mean 'Europe/Berlin'?"
    #expect(found(text) == ["error \(message)"])
    #expect(found(text, mode: .running) == ["warning \(message)"])
    #expect(result(text, mode: .running).configuration != nil)
  }

  @Test("The display's time zone is checked, and it is the place of the sun's times")
  func displayZone() {
    let message = "2:8 unknown time zone 'Europe/Zurch'; did you mean 'Europe/Zurich'?"
    let text = "[locale]\nzone = \"Europe/Zurch\"\n"
    #expect(found(text) == ["error \(message)"])
    #expect(found(text, mode: .running) == ["warning \(message)"])
    let night = "[schedule.night]\nfrom = \"sunset\"\nto = \"06:00\"\nbrightness = \"10%\"\n"
    #expect(found("[locale]\nzone = \"Europe/Zurich\"\n" + night) == [])
    #expect(
      found("[locale]\nzone = \"Etc/GMT-5\"\n" + night) == [
        "error 4:8 the place of the time zone 'Etc/GMT-5' is not known; "
          + "write latitude = 52.5 and longitude = 13.4 in [place]"
      ])
    #expect(
      found("[locale]\nzone = \"Etc/GMT-5\"\n[place]\nzone = \"local\"\n").first?.contains("'Etc/GMT-5'")
        == true)
  }

  @Test("Unknown time zones of countdowns and cities are reported")
  func otherZones() {
    let countdown =
      "[widgets.w]\ntype = \"timer\"\nsource = \"countdown\"\nuntil = 2026-12-31\nzone = \"berlin\"\n"
    #expect(found(countdown) == ["error 5:8 unknown time zone 'berlin'; did you mean 'Europe/Berlin'?"])
    let cities = "[widgets.w]\ntype = \"world-clock\"\ncities = [\"Tokio\", \"Home = Europe/London\"]\n"
    #expect(found(cities) == ["error 3:11 unknown time zone 'Tokio'; did you mean 'Asia/Tokyo'?"])
    // The display shows that the time is UTC, not the city's.
    let clock = result(cities, mode: .running).configuration?.widgets.first?.content as? WorldClockSettings
    #expect(clock?.cities.map(\.name) == ["TOKIO (UTC)", "HOME"])
    #expect(
      found("[widgets.w]\ntype = \"world-clock\"\ncities = [\"New Yorc\"]\n") == [
        "error 3:11 'cities' in [widgets.w] must have cities or time zones, found 'New Yorc'; "
          + "did you mean 'America/New_York'?"
      ])
  }

  @Test(
    "Time zones are suggested by city and by spelling",
    arguments: [
      ("Tokio", "Asia/Tokyo"), ("Berlin", "Europe/Berlin"), ("europe/berlin", "Europe/Berlin"),
      ("new york", "America/New_York"), ("Europe/Pari", "Europe/Paris"), ("Asia/Tokio", "Asia/Tokyo"),
      ("Germany/Berlin", "Europe/Berlin"),
    ])
  func suggestions(name: String, zone: String) {
    let names = ["America/New_York", "Asia/Tokyo", "Europe/Berlin", "Europe/Paris", "UTC"]
    #expect(ZoneCheck.nearest(to: name, among: names) == zone)
    #expect(ZoneCheck.nearest(to: "Atlantis", among: names) == nil)
  }

  private func game(_ words: String) -> String {
    """
    [teams.lions]
    [teams.falcons]
    [game]
    preset = "basketball"
    [pages.match]
    rows = ["score", "hall"]
    [input.keys]
    KP1 = "\(words)"
    [widgets.hall]
    type = "board"
    [widgets.score]
    type = "score"

    """
  }

  @Test(
    "A key's command is checked against the teams, pages and counters of its config",
    arguments: [
      ("add-score lons +1", "unknown team 'lons'; did you mean 'lions'? (known: lions, falcons)"),
      ("add-score home +1", "unknown team 'home' (known: lions, falcons)"),
      ("show nopage", "unknown page 'nopage' (known: match)"),
      ("board hal DOORS OPEN", "unknown board 'hal'; did you mean 'hall'? (known: hall)"),
      ("board hal --clear", "unknown board 'hal'; did you mean 'hall'? (known: hall)"),
      ("board hal --failed no", "unknown board 'hal'; did you mean 'hall'? (known: hall)"),
      ("set-score lions 1000", "1000 is not a score: it must be between 0 and 999"),
      ("add-score lions 2000", "2000 is not a score: it must be between 0 and 999"),
      ("brightness 300%", "300% is not a brightness: it must be between 1% and 100%"),
      ("set serve hme", "unknown team 'hme' (known: lions, falcons)"),
      (
        "penalty lions 2:00",
        "this game has no penalty clocks; set 'penalties = [\"2:00\"]' in the config's [game] to use them"
      ),
    ])
  func commands(words: String, message: String) {
    #expect(found(game(words)) == ["error 8:7 'KP1' in [input.keys]: \(message)"])
    #expect(found(game(words), mode: .running) == ["warning 8:7 'KP1' in [input.keys]: \(message)"])
    #expect(result(game(words), mode: .running).configuration?.input.keys.count == 1)
  }

  @Test("An unknown counter is reported with the similar one of the game")
  func counters() {
    let lines = found(game("set lions foulz +1"))
    #expect(lines.count == 1)
    #expect(lines.first?.contains("unknown counter 'foulz'; did you mean 'fouls'?") == true)
  }

  @Test(
    "A command that only the current match would refuse is not an error",
    arguments: [
      "add-score lions -1", "undo", "redo", "undo 3", "set lions timeouts 3", "timer reset --shot 14",
      "timer pause", "timer start --shot", "set period -1",
      "set lions fouls -1", "set lions period-score 2 25", "timer add -1:00", "swap", "new-game", "reset",
      "message TIME OUT --for 1h30min", "message --clear", "blank --toggle", "brightness +10%",
      "brightness default", "blank --output HDMI-A-9", "brightness +10% --output nowhere", "show match",
      "set serve none", "set serve lions", "timer set 5min", "board hall OPEN --show", "board hall --clear",
      "board hall - Soup of the day --for 31d", "countdown talk --toggle",
    ])
  func good(words: String) {
    #expect(found(game(words)) == [])
  }

  @Test(
    "A command that cannot be read is an error, in the daemon too",
    arguments: [
      ("shw match", "unknown command 'shw'"),
      ("board hall - --for 10s", "'-' is standard input, from which only 'flipclockctl board' reads"),
      ("board --clear", "which board?"), ("board --show", "which board?"),
    ])
  func syntax(words: String, problem: String) {
    for mode in [Report.Mode.check, .running] {
      let lines = found(game(words), mode: mode)
      #expect(lines.count == 1)
      #expect(lines.first?.hasPrefix("error 8:7 'KP1' in [input.keys]: \(problem)") == true)
    }
  }

  @Test("The shipped config and the examples pass every check")
  func shipped() throws {
    let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    for name in ["flipclock", "examples/clock", "examples/match", "examples/scoreboard", "examples/world"] {
      let check = ConfigCheck("\(root)/config/\(name).toml", checks: .standard)
      #expect(check.result.diagnostics.map(\.summary) == [])
    }
  }
}
