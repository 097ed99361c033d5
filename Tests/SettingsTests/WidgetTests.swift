// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Testing

@testable import Settings
@testable import TOMLConfig

/// Defined here because Swift 6.0.3 does not compile interpolation in a macro's arguments.
private let tooLongText = "\"\(String(repeating: "x", count: 501))\""

@Suite struct WidgetTests {
  /// The values of `type` for all kinds, in quotes.
  private static let types = WidgetSettings.kinds.map { "\"\($0.typeName)\"" }

  @Test(
    "Every kind of widget is selected by its type and has its defaults, besides the keys that it requires")
  func kinds() {
    #expect(Self.types.contains("\"flip-clock\"") && Set(Self.types).count == Self.types.count)
    for kind in ConfigTables.widgets {
      // An image needs one of two keys.
      let required = kind.keys.filter { $0.isRequired || kind.typeName == "image" && $0.name == "file" }
      let lines = required.map { "\($0.name) = \($0.example ?? "")" }
      let loaded = widget(kind.typeName, lines.joined(separator: "\n"))
      #expect(loaded?.typeName == kind.typeName && loaded?.weight == 1)
      guard let content = loaded?.content, lines.isEmpty else { continue }
      #expect(loaded == WidgetSettings(name: "w", weight: 1, content: type(of: content).init()))
    }
  }

  @Test("Every required key is missed where it is left out")
  func required() {
    func check(_ table: String, _ keys: [KeyReference]) {
      for key in keys where key.isRequired {
        let others = keys.filter { $0.isRequired && $0.name != key.name }.map {
          "\($0.name) = \($0.example ?? "")\n"
        }
        let found = found(load(table + others.joined()))
        #expect(found.contains { $0.contains("has no '\(key.name)'") }, "\(table): \(found)")
      }
    }
    for kind in ConfigTables.widgets { check("[widgets.w]\ntype = \"\(kind.typeName)\"\n", kind.keys) }
    let tables = ConfigTables.all.filter { $0.keys.contains(where: \.isRequired) }
    #expect(Set(tables.map(\.title)) == ["schedule.NAME", "input.keys"])
    for table in tables {
      check("[\(table.title == "input.keys" ? "input.keys.A" : table.title)]\n", table.keys)
    }
  }

  private func clock(_ lines: String) -> FlipClockSettings? { settings(lines) }
  private func score(_ lines: String) -> ScoreSettings? { settings(lines) }
  private func date(_ lines: String) -> DateSettings? { settings(lines) }
  private func text(_ lines: String) -> TextSettings? { settings(lines) }

  private static let picturePaths = [
    ("dir/t.toml", "logo.png", "dir/logo.png"), ("t.toml", "a/b.png", "a/b.png"),
    ("/etc/flipclock/config.toml", "../x.png", "/etc/flipclock/../x.png"), ("dir/t.toml", "/x.png", "/x.png"),
  ]

  @Test("An image accepts its keys, and its paths begin at the config file", arguments: picturePaths)
  func image(config: String, path: String, expected: String) {
    var checks = SettingsChecks()
    checks.picture = { Problem("no \($0)") }
    checks.pictures = { (["\($0)/1.png"], [Problem("bad \($0)")]) }
    let text = """
      widgets.a = { type = "image", file = "\(path)", fit = "cover" }
      widgets.b = { type = "image", folder = "\(path)", every = "90s" }
      teams.home.logo = "\(path)"
      """
    func load(_ mode: Report.Mode) -> LoadResult {
      SettingsLoader.load(texts: [(config, Array(text.utf8))], mode: mode, checks: checks)
    }
    let all = load(.running).configuration
    let contents = all?.widgets.compactMap { $0.content as? ImageSettings } ?? []
    #expect(contents.map(\.files) == [[expected], ["\(expected)/1.png"]])
    #expect(contents.map(\.fit) == [.cover, .contain] && contents.map(\.every) == [10, 90])
    #expect(all?.logos == ["home": expected])
    #expect(
      found(load(.check)) == [
        "error 1:38 no \(expected)", "error 2:40 bad \(expected)", "error 3:19 no \(expected)",
      ])
  }

  @Test("An image has a file or a folder")
  func imageSource() {
    func message(_ keys: String) -> [String] { found(load("[widgets.w]\ntype = \"image\"\n\(keys)")) }
    #expect(message("file = \"a\"") == [])
    #expect(
      message("fit = \"cover\"") == [
        "error 2:8 [widgets.w] has neither a 'file' nor a 'folder'; write file = \"logo.png\" or folder = \"sponsors\""
      ])
    #expect(
      message("file = \"a\"\nfolder = \"b\"") == [
        "error 3:1 [widgets.w] has a 'file' and a 'folder'; leave one of them out"
      ])
  }

  @Test("A flip clock accepts its keys")
  func flipClock() {
    #expect(clock("") == FlipClockSettings())
    for text in ["12", "\"12\""] { #expect(clock("hours = \(text)")?.hours == .twelve) }
    for text in ["24", "\"24\""] { #expect(clock("hours = \(text)")?.hours == .twentyFour) }
    #expect(clock("seconds = true")?.seconds == true)
    #expect(clock("leading-zero = false")?.leadingZero == false)
    for colon in FlipClockSettings.Colon.allCases {
      #expect(clock("colon = \"\(colon.rawValue)\"")?.colon == colon)
    }
    #expect(clock("cards = \"pair\"")?.cards == .pair)
    #expect(clock("am-pm = false")?.amPM == false)
    for zone in ["local", "Europe/London", "America/Argentina/Buenos_Aires", "Etc/GMT+5", "UTC"] {
      #expect(clock("zone = \"\(zone)\"")?.zone == zone)
    }
    #expect(widget("flip-clock", "weight = 2")?.weight == 2)
    #expect(widget("flip-clock", "")?.weight == 1)
  }

  @Test("A score accepts its keys")
  func scores() {
    #expect(score("") == ScoreSettings())
    #expect(score("teams = [\"guest\"]")?.teams == ["guest"])
    #expect(score("digits = 3")?.digits == 3)
    #expect(score("leading-zero = true")?.leadingZero == true)
    #expect(score("show-names = false")?.showNames == false)
  }

  @Test("A date accepts its keys")
  func dates() throws {
    #expect(date("") == DateSettings())
    for format in ["EEE d.M.yyyy", "dd/MM/yyyy", "d MMMM 'in' yyyy", "'d''oh' d", "''", "EEEE、d", ""] {
      let pattern = try DatePattern(format)
      #expect(date("format = \"\(format)\"")?.format == .pattern(pattern))
    }
    #expect(date("uppercase = false")?.uppercase == false)
    #expect(date("zone = \"UTC\"")?.zone == "UTC")
  }

  @Test("A text accepts its keys")
  func texts() {
    #expect(text("") == TextSettings())
    #expect(text("text = \"Größe ½ 👍\"")?.text == "Größe ½ 👍")
    #expect(text("text = \"\(String(repeating: "ü", count: 500))\"")?.text.count == 500)
    #expect(text("color = \"#f00\"")?.color == 0xff0000)
  }

  @Test("A world clock accepts its keys")
  func worldClocks() {
    func clock(_ lines: String) -> WorldClockSettings? { settings(lines) }
    #expect(clock("") == WorldClockSettings())
    #expect(clock("")?.cities.map(\.name) == ["NEW YORK", "LONDON", "TOKYO"])
    #expect(
      clock("cities = [\"local\", \"Head office =America/Argentina/Buenos_Aires\"]")?.cities == [
        .init(name: "LOCAL", zone: "local"),
        .init(name: "Head office", zone: "America/Argentina/Buenos_Aires"),
      ])
    #expect(clock("hours = 12")?.hours == .twelve)
    #expect(clock("day-mark = \"weekday\"")?.dayMark == .weekday)
    #expect(clock("transition = \"roll\"")?.motion.transition == .roll)
  }

  @Test(
    "Bad values are reported at their positions",
    arguments: [
      ("flip-clock", "hours", "13", "must be 12, 24 or \"auto\", found the number 13"),
      ("flip-clock", "hours", "\"2\"", "did you mean '12'?"),
      ("flip-clock", "hours", "24.0", "must be 12, 24 or \"auto\", found the number 24.0"),
      ("flip-clock", "seconds", "\"true\"", "must be true or false"),
      ("flip-clock", "colon", "\"blinkin\"", "found the string 'blinkin'; did you mean 'blinking'?"),
      ("flip-clock", "colon", "true", "must be \"steady\", \"blinking\" or \"none\", found the boolean true"),
      ("flip-clock", "colon", "12", "found the number 12"),
      ("flip-clock", "cards", "\"digits\"", "did you mean 'digit'?"),
      ("flip-clock", "am-pm", "0", "must be true or false"),
      ("flip-clock", "zone", "\"Europe/../London\"", "must be a time zone"),
      ("flip-clock", "zone", "\"/etc/passwd\"", "must be a time zone"),
      ("flip-clock", "zone", "\"\"", "must be a time zone"),
      ("flip-clock", "zone", "\"Central European Time\"", "write \"local\" or a name"),
      ("flip-clock", "weight", "0", "must be from 0.01 to 100, found 0.0"),
      ("flip-clock", "weight", "-1", "must be from 0.01 to 100"),
      ("flip-clock", "weight", "101", "must be from 0.01 to 100"),
      ("flip-clock", "weight", "\"60%\"", "must be a number, found the string '60%'"),
      ("score", "digits", "4", "must be 2 or 3, found the number 4"),
      ("score", "digits", "\"2\"", "must be 2 or 3, found the string '2'"),
      ("score", "digits", "9223372036854775807", "must be 2 or 3"),
      ("score", "teams", "\"home\"", "must be an array of teams, found the string 'home'; write [\"home\""),
      ("score", "teams", "[]", "must name 1 to 8 teams, found 0"),
      ("date", "format", "\"EEEE d. MMMMM\"", "unknown field 'MMMMM'"),
      ("date", "format", "\"HH:mm\"", "unknown field 'HH'; known are EEEE"),
      ("date", "format", "\"d 'of MMMM\"", "has a quote without its end"),
      ("date", "uppercase", "1", "must be true or false"),
      ("text", "text", "\"a\\nb\"", "has a control character; write it on one line"),
      ("text", "text", tooLongText, "has 501 characters; at most 500"),
      ("text", "text", "false", "must be a string"),
      ("text", "color", "\"red\"", "must be a colour"),
      (
        "world-clock", "cities", "\"UTC\"",
        "must be an array of cities, found the string 'UTC'; write [\"Eu"
      ),
      ("world-clock", "cities", "[]", "must have 1 to 12 cities, found 0"),
      (
        "timer", "source", "\"stopwatch\"",
        "must be \"game-clock\", \"shot-clock\", \"break-clock\" or \"countdown\""
      ),
      ("timer", "tenths", "1", "must be true or false"),
      ("world-clock", "day-mark", "\"offst\"", "did you mean 'offset'?"),
    ])
  func refuses(type: String, key: String, value: String, words: String) {
    let rejection = Rejection("widgets.w", key, value, words)
    let text = "[widgets.w]\ntype = \"\(type)\"\n  \(key) = \(value)\n"
    #expect(problem(rejection, in: text, line: 3) == nil)
  }

  @Test("Texts are counted in characters, and a character has a limited number of marks")
  func characters() {
    func text(_ letter: String, _ count: Int, marks: Int) -> LoadResult {
      let character = letter + String(repeating: "\u{301}", count: marks)
      return load("[widgets.w]\ntype = \"text\"\ntext = \"\(String(repeating: character, count: count))\"\n")
    }
    #expect(found(text("e", 500, marks: 1)) == [])
    #expect(found(text("👩‍👩‍👧‍👦", 500, marks: 0)) == [])
    #expect(
      found(text("e", 501, marks: 1)) == [
        "error 3:8 'text' in [widgets.w] has 501 characters; at most 500 are allowed"
      ])
    #expect(
      found(text("e", 1, marks: 8000)) == [
        "error 3:8 'text' in [widgets.w] has more marks on a letter than can be shown"
      ])
  }

  @Test("A key of another type is reported with that type")
  func keysOfOthers() {
    let result = load("[widgets.w]\ntype = \"date\"\ndigits = 2\nsecondss = true\nhours = 12\n")
    #expect(
      found(result) == [
        "error 3:1 unknown key 'digits' in [widgets.w]; it belongs to widgets of type \"score\"",
        "error 4:1 unknown key 'secondss' in [widgets.w]; known are type, weight, format, uppercase, zone",
        "error 5:1 unknown key 'hours' in [widgets.w]; it belongs to widgets of type \"flip-clock\"",
      ])
  }

  @Test("A countdown requires an end, and no other widget accepts one")
  func countdowns() {
    func timer(_ lines: String) -> LoadResult {
      load("[widgets.w]\ntype = \"timer\"\n\(lines)\n")
    }
    for (text, civil, offset) in [
      ("2026-12-31T23:59:59", "2026-12-31T23:59:59", nil), ("2028-02-29", "2028-02-29T00:00:00", nil),
      ("2026-12-31 18:00", "2026-12-31T18:00:00", nil), ("2026-12-31T18:00Z", "2026-12-31T18:00:00", "Z"),
      ("2026-12-31t18:00:01-05:30", "2026-12-31T18:00:01", "-05:30"),
    ] as [(String, String, String?)] {
      let result = timer("source = \"countdown\"\nuntil = \"\(text)\"")
      #expect(result.diagnostics.isEmpty)
      let settings = result.configuration?.widgets.first?.content as? TimerSettings
      #expect((settings?.until?.offset != nil) == (offset != nil))
      #expect(settings?.until?.instant(in: .utc) == Instant(rfc3339: civil + (offset ?? "Z")))
    }
    let hint = "write \"2026-12-31T23:59:59\", or with an offset \"2026-12-31T23:59:59+01:00\""
    for text in [
      "", "tomorrow", "2026-02-29", "2026-13-01", "2026-12-31T24:00", "2026-12-31T23:59:60", "2026-12-31Z",
      "2026-12-31T23:59:59+1:00", "2026-12-31T23:59:59 ", "+026-12-31", "0000-01-01",
    ] {
      #expect(
        found(timer("source = \"countdown\"\nuntil = \"\(text)\"")) == [
          "error 4:9 'until' in [widgets.w] must be a date and time, found the string '\(text)'; \(hint)"
        ])
    }
    #expect(
      found(timer("source = \"countdown\"\nuntil = 2026-12-31T23:59:59.5")) == [
        "error 4:9 'until' in [widgets.w] must be a date and time, found a date and time, "
          + "2026-12-31T23:59:59.500000000; \(hint)"
      ])
    #expect(
      found(timer("source = \"countdown\"")) == [
        "error 3:10 the countdown [widgets.w] has neither 'countdown' nor 'until'; write countdown = \"doors\", "
          + "a name for 'flipclockctl countdown', or until = \"2026-12-31T23:59:59\""
      ])
    #expect(
      found(timer("countdown = \"doors\"")) == [
        "error 3:1 [widgets.w] has a 'countdown' but is not a countdown; write source = \"countdown\""
      ])
    #expect(
      found(timer("source = \"countdown\"\ncountdown = \"a b\"")) == [
        "error 4:13 'countdown' in [widgets.w] must be the name of a countdown, found the string 'a b'; "
          + "write \"doors\"; names are 1 to 32 letters, digits, '-' and '_'"
      ])
    let named = timer(
      "source = \"countdown\"\ncountdown = \"doors\"\nwarning = \"1min\"\nseconds = false\novertime = true")
    #expect(found(named).isEmpty)
    #expect(
      found(timer("until = \"2026-12-31\"")) == [
        "error 3:1 [widgets.w] has an 'until' but is not a countdown; write source = \"countdown\""
      ])
  }

  @Test("A bad city is reported at its position in the array")
  func badCities() {
    let example = "write [\"Europe/London\", \"New York = America/New_York\"]"
    for (city, column, words) in [
      ("3", 20, "must be a string, found the number 3"),
      ("\"a b\"", 20, "must have cities or time zones, found 'a b'; \(example)"),
      ("\"X = ../etc\"", 20, "must have cities or time zones, found 'X = ../etc'; \(example)"),
      ("\" = UTC\"", 20, "has a city with a name of 0 characters; 1 to 40 are allowed; \(example)"),
    ] {
      let result = load("[widgets.w]\ntype = \"world-clock\"\n  cities = [\"UTC\", \(city)]\n")
      #expect(found(result) == ["error 3:\(column) 'cities' in [widgets.w] \(words)"])
    }
  }

  @Test("A bad type is refused, and the widget is not reported as missing too")
  func badTypes() {
    let choices = Self.types.dropLast().joined(separator: ", ") + " or " + (Self.types.last ?? "")
    let result = load(
      "[widgets.w]\ntype = \"flipclock\"\n[widgets.v]\ntype = 3\n[layout]\nrows = [\"w\", \"v\"]\n")
    #expect(
      found(result) == [
        "error 2:8 'type' in [widgets.w] must be \(choices), found the string 'flipclock'; "
          + "did you mean 'flip-clock'?",
        "error 4:8 'type' in [widgets.v] must be \(choices), found the number 3",
      ])
  }

  @Test("A table without a type changes the built-in widget, and the others stay")
  func patchesBuiltIn() throws {
    let result = load("[widgets.time]\nseconds = true\n[widgets.score]\nweight = 9\n")
    #expect(result.diagnostics.isEmpty)
    let configuration = try #require(result.configuration)
    var expected = Configuration.builtIn
    var clock = FlipClockSettings()
    clock.seconds = true
    expected.widgets[0].content = clock
    expected.widgets[2].weight = 9
    #expect(configuration == expected)
  }

  @Test("A table for the time of a game's page says how it is written, and moves nothing")
  func timeOfGame() throws {
    let game = "[game]\npreset = \"basketball\"\n"
    func widgets(_ keys: String) throws -> [WidgetSettings] {
      let result = load("\(game)[widgets.time]\n\(keys)\n")
      #expect(result.diagnostics.isEmpty, "\(keys): \(result.diagnostics)")
      return try #require(result.configuration).widgets
    }
    let plain = try #require(load(game).configuration).widgets
    var place = 0
    for key in FlipClockSettings.keys + FlipClockSettings.cardKeys {
      let values = [
        "12", "true", "false", "\"Asia/Tokyo\"", "\"pair\"", "\"none\"", "\"8%\"", "\"200ms\"", "1",
        "\"step\"",
      ]
      guard
        let value = values.first(where: {
          load("\(game)[widgets.time]\n\(key.name) = \($0)\n").diagnostics.isEmpty
        })
      else {
        continue
      }
      let changed = try widgets("\(key.name) = \(value)")
      if key.name == "max-height" {
        #expect(changed.map(\.name) == ["score", "time"])
        continue
      }
      place += 1
      var expected = plain
      var score = try #require(expected[0].content as? ScoreSettings)
      score.clock = try #require((changed[0].content as? ScoreSettings)?.clock)
      expected[0].content = score
      #expect(changed == expected, "\(key.name)")
    }
    #expect(place > 5)
    #expect(try (widgets("hours = 12")[0].content as? ScoreSettings)?.clock.hours == .twelve)
    #expect(try widgets("weight = 3").map(\.name) == ["score", "time"])
  }

  @Test("As soon as a widget has a type, only widgets with a table exist")
  func declared() throws {
    let result = load("[widgets.hello]\ntype = \"text\"\ntext = \"Hi\"\n[widgets.time]\nhours = 12\n")
    let configuration = try #require(result.configuration)
    #expect(configuration.widgets.map(\.name) == ["hello", "time"])
    #expect(configuration.widgets.map(\.weight) == [1, 3])
    #expect(configuration.layout.rows == [["hello"], ["time"]])
  }

  @Test("Widgets keep the order of the file")
  func order() throws {
    let names = ["z", "a", "m", "b2", "B1"]
    let text = names.map { "[widgets.\($0)]\ntype = \"text\"\n" }.joined()
    let configuration = try #require(load(text).configuration)
    #expect(configuration.widgets.map(\.name) == names)
    #expect(configuration.layout.rows == names.map { [$0] })
  }

  @Test("A widget that is not built in needs a type")
  func missingType() {
    #expect(
      found(load("[widgets.tiem]\nseconds = true\n[widgets.board]\n")) == [
        "error 1:10 the widget 'tiem' has no type; did you mean 'time'?",
        "error 3:10 the widget 'board' has no type; write type = one of "
          + Self.types.joined(separator: ", "),
      ])
  }

  @Test("A score shows only existing teams")
  func teams() throws {
    let good = load("[widgets.score]\nteams = [\"red\", \"home\"]\n[teams.red]\n")
    #expect(good.diagnostics.isEmpty)
    #expect(good.configuration?.teams.map(\.id) == ["home", "red"])
    #expect(good.configuration?.teams.last?.name == "RED")
    #expect(
      found(load("[widgets.score]\nteams = [\"hoem\", \"blue\"]\n")) == [
        "error 2:10 unknown team 'hoem' in [widgets.score]; did you mean 'home'?",
        "error 2:18 unknown team 'blue' in [widgets.score]; declare it as [teams.ID]; known are home, guest",
      ])
    #expect(
      found(load("[widgets.score]\nteams = [\"home\", \"home\"]\n"))
        == ["error 2:18 'teams' in [widgets.score] names 'home' twice"])
    #expect(
      found(load("[widgets.score]\nteams = [\"home\", 3]\n"))
        == ["error 2:18 'teams' in [widgets.score] must be a string, found the number 3"])
  }
}
