// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Settings
@testable import TOMLConfig

@Suite struct TablesTests {
  @Test("An empty text is the built-in default")
  func nothing() {
    let expected = Configuration.builtIn
    #expect(expected.widgets.map(\.name) == ["time", "date", "score"])
    #expect(expected.widgets.map(\.typeName) == ["flip-clock", "date", "score"])
    #expect(expected.layout.rows == [["time"], ["date"], ["score"]])
    for text in ["", "\n", "# nothing\n", "\u{feff}", "[display]\n[widgets]\n[layout]\n[teams]\n"] {
      let result = load(text)
      #expect(result.diagnostics.isEmpty)
      #expect(result.configuration == expected)
    }
  }

  @Test("[teams] changes the built-in teams and adds others")
  func teams() throws {
    let result = load(
      """
      [teams.home]
      name = "Löwen"
      [teams.guest]
      color = "#fff"
      [teams.third-team_3]
      name = "III"
      [teams.fourth]
      """)
    #expect(result.diagnostics.isEmpty)
    let teams = try #require(result.configuration).teams
    #expect(
      teams == [
        TeamSettings(id: "home", name: "Löwen", color: 0xe5484d),
        TeamSettings(id: "guest", name: "GUEST", color: 0xffffff),
        TeamSettings(id: "third-team_3", name: "III", color: 0xf5a524),
        TeamSettings(id: "fourth", name: "FOURTH", color: 0x46a758),
      ])
  }

  @Test("[teams] refuses bad ids, tables and names")
  func badTeams() {
    #expect(
      found(load("[teams]\nHome = {}\nhome = 3\n\"\" = {}\n1st = {}\nguest.name = 7\n")) == [
        "error 2:1 'Home' is not an id for a team; write [teams.home], and in the next line name = \"Home\"",
        "error 3:8 [teams.home] must be a table, found the number 3",
        "error 4:1 '' is not an id for a team; ids are 1 to 32 small letters, digits, '-' and '_', a letter first",
        "error 5:1 '1st' is not an id for a team; ids are 1 to 32 small letters, digits, '-' and '_', a letter first",
        "error 6:14 'name' in [teams.guest] must be a string, found the number 7",
      ])
    let long = String(repeating: "a", count: 33)
    #expect(load("[teams.\(long)]\n").configuration == nil)
    #expect(load("[teams.\(long.dropLast())]\n").configuration != nil)
    let many = (0..<40).map { "[teams.t\($0)]\n" }.joined()
    #expect(
      found(load(many)) == [
        "warning 9:8 [widgets.score] shows the first 8 of 32 teams; name those to show: teams = [\"t0\", \"t1\"]",
        "error 33:8 at most 32 tables [teams.ID] are allowed; remove one",
      ])
  }

  @Test("The layout names existing widgets, each once")
  func layout() {
    #expect(
      found(load("[layout]\nrows = [\"tiem\", [\"date\", \"clock\"], \"date\"]\n")) == [
        "error 2:9 unknown widget 'tiem' in [layout]; did you mean 'time'?",
        "error 2:26 unknown widget 'clock' in [layout]; known are time, date, score",
        "error 2:36 the widget 'date' is in the layout twice",
      ])
    #expect(
      found(load("[layout]\nrows = [\"time\", [], 3, [4]]\n")) == [
        "error 2:17 'rows' in [layout] has an empty row; write [\"time\", [\"date\", \"score\"]]",
        "error 2:21 'rows' in [layout] must contain names of widgets, found the number 3; "
          + "write [\"time\", [\"date\", \"score\"]]",
        "error 2:25 'rows' in [layout] must contain names of widgets, found the number 4; "
          + "write [\"time\", [\"date\", \"score\"]]",
      ])
    #expect(
      found(load("[widgets.a]\ntype = \"text\"\n[layout]\nrows = [\"a\", \"time\"]\n")) == [
        "error 4:14 unknown widget 'time' in [layout]; the built-in widgets are there only while no other has "
          + "a type; add [widgets.time]"
      ])
  }

  @Test("A declared widget that is not in any row is a warning")
  func unplaced() throws {
    let result = load("[widgets.date]\nuppercase = false\n[layout]\nrows = [\"time\"]\n")
    #expect(found(result) == ["warning 1:10 the widget 'date' is in no row; name it in rows below [layout]"])
    let configuration = try #require(result.configuration)
    #expect(configuration.layout.rows == [["time"]])
    // The built-in score is not declared, so it is removed without a warning.
    #expect(configuration.widgets.map(\.name) == ["time", "date"])
  }

  @Test("Unknown keys and tables are errors in check and warnings while running")
  func unknown() {
    let text = """
      conector = "auto"
      card = "auto"
      display_ = 1
      [display]
      brightnes = 3
      cards = "auto"
      [them]
      label = 3
      [widgets.time]
      second = true
      [teams.home]
      colour = "#fff"
      [layout]
      row = []
      [flip]
      Duration = "1s"
      """
    let expected = [
      "1:1 unknown key 'conector' outside of any table",
      "2:1 unknown key 'card' outside of any table; write it below [display]",
      "3:1 unknown key 'display_' outside of any table; did you mean 'display'?",
      "5:1 unknown key 'brightnes' in [display]; did you mean 'brightness'?",
      "6:1 unknown key 'cards' in [display]; did you mean 'card'?",
      "7:2 unknown table [them]; did you mean 'theme'?",
      "10:1 unknown key 'second' in [widgets.time]; did you mean 'seconds'?",
      "12:1 unknown key 'colour' in [teams.home]; did you mean 'color'?",
      "14:1 unknown key 'row' in [layout]; did you mean 'rows'?",
      "16:1 unknown key 'Duration' in [flip]; did you mean 'duration'?",
    ]
    let check = load(text)
    #expect(found(check) == expected.map { "error \($0)" })
    #expect(check.configuration == nil)
    let running = load(text, mode: .running)
    #expect(found(running) == expected.map { "warning \($0)" })
    #expect(running.configuration == .builtIn)
  }

  @Test("All errors of a file are reported at once, in its order")
  func allAtOnce() {
    let result = load(
      "[flip]\nperspective = 99\nduration = 1\n[theme]\nlabel = 1\n[display]\nmode = 1\n", mode: .running)
    #expect(result.diagnostics.map(\.line) == [2, 3, 5, 7])
    #expect(result.configuration == nil)
  }

  @Test("Values that are not tables are refused where a table is expected")
  func notTables() {
    for name in ConfigFormat.settings.tables.map(\.name) {
      #expect(
        found(load("\(name) = 3\n")).first
          == "error 1:\(name.count + 4) [\(name)] must be a table, found the number 3")
      #expect(
        found(load("[[\(name)]]\na = 1\n")).first?
          .hasSuffix("must be a table, found an array; write [\(name)], not [[\(name)]]") == true)
    }
    #expect(load("widgets.time = 3").configuration == nil)
    #expect(load("[[widgets.time]]").configuration == nil)
  }

  @Test("Inline tables and dotted keys are accepted like headers")
  func otherSpellings() throws {
    let expected = load("[teams.home]\nname = \"A\"\n[widgets.time]\nseconds = true\n").configuration
    #expect(expected != nil)
    #expect(load("teams.home.name = \"A\"\nwidgets.time.seconds = true\n").configuration == expected)
    #expect(
      load("teams = { home = { name = \"A\" } }\nwidgets = { time = { seconds = true } }\n").configuration
        == expected)
    let dotted = load("widgets.time.secs = true\n\"widgets\".'score' . nams = 1\n")
    #expect(dotted.diagnostics.map(\.column) == [14, 21])
  }

  @Test("At most a hundred errors are reported")
  func tooMany() {
    let text = (0..<9_000).map { "k\($0) = 1\n" }.joined() + "[flip]\nperspective = 99\n"
    let check = load(text)
    #expect(check.diagnostics.count == Report.maximumDiagnostics + 1)
    #expect(check.diagnostics.last?.message == "and 8901 more like these")
    let running = load(text, mode: .running)
    #expect(running.configuration == nil)
    // The error is reported in spite of the number of warnings.
    #expect(running.diagnostics.filter { $0.severity == .error }.map(\.line) == [9_002])
    #expect(running.diagnostics.last?.message == "and 8900 more like these")
  }
}
