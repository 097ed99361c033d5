// SPDX-License-Identifier: Apache-2.0

import Languages
import Scoreboard
import TestSupport
import Testing

@testable import Settings
@testable import TOMLConfig

@Suite("Settings without a file") struct OwnerSettingsTests {
  /// Keys and values of all kinds, good ones and bad ones.
  private static let samples: [(key: String, values: [String])] = [
    ("game.preset", ["basketball", "tennis", "chess"]), ("game.periods", ["3", "0", "many", "\"2\""]),
    ("game.clock-length", ["10:00", "7min", "soon"]), ("game.increments", ["[1, 2]", "[]", "1"]),
    ("game.double-out", ["true", "yes"]),
    ("teams.home.name", ["LIONS", "", "\"", "a\\b", "[teams]"]),
    ("teams.guest.name", ["SHARKS", "ＢＥＡＲＳ"]), ("teams.third.name", ["WOLVES"]),
    ("teams.home.color", ["#f5a524", "red"]), ("theme.name", ["paper", "glass"]),
    ("locale.language", ["de", "ar", "xx"]), ("locale.zone", ["Asia/Tokyo", "local", "a b"]),
    ("widgets.time.hours", ["12", "24", "13"]),
    ("layout.rows", ["[\"time\", [\"date\", \"score\"]]", "[\"clock\"]", "time"]),
    ("display.brightness", ["40%", "0%", "40"]), ("display.rotation", ["90", "45"]),
    ("schedule.night.from", ["22:30", "sunset"]), ("schedule.night.to", ["sunrise", "06:00"]),
    ("schedule.night.brightness", ["10%"]), ("place.latitude", ["52.5", "nan", "inf"]),
  ]

  private static let night = [
    ("schedule.night.from", "21:00"), ("schedule.night.to", "06:00"), ("schedule.night.brightness", "10%"),
  ]

  private static let files = [
    "", "[teams.home]\nname = \"BEARS\"\n", "[game]\nperiods = 2\n",
    "[widgets.time]\ntype = \"flip-clock\"\n",
    "[schedule.night]\nto = \"05:00\"\n", "[layout]\nrows = [\"score\"]\n", "[game]\nperiods = 1000\n",
    "# Of the hall.\n[pages.first]\nrows = [\"time\"]\n",
    "[teams.third]\nname = \"A\"\n[teams.guest]\nshort-name = \"B\"\n",
    "[widgets.score]\ntype = \"score\"\n[widgets.time]\ntype = \"flip-clock\"\n",
    """
    [schedule.noon]
    from = "12:00"
    to = "13:00"
    display = "off"
    [schedule.night]
    brightness = "20%"

    """,
  ]

  @Test("Each key of the selection is a key of the config, and names no file, device or address")
  func selection() {
    for keys in DisplaySelection.tables { #expect(!keys.isEmpty) }
    let sentences = ConfigTables.all.flatMap { table in
      table.keys.filter { key in
        DisplaySelection.key(at: (table.title.split(separator: ".") + [key.name[...]]).map(String.init))
          != nil
      }
      .map(\.text)
    }
    #expect(sentences.count > 60)
    for text in sentences {
      #expect(["/dev", "PNG", "font", "socket", "address"].allSatisfy { !text.contains($0) }, "\(text)")
    }
    for path in [
      ["input", "x"], ["teams", "home", "logo"], ["theme", "label-font"], ["remote", "address"], ["teams"],
      [],
    ] {
      #expect(DisplaySelection.key(at: path) == nil)
    }
  }

  @Test("Any settings are read from their file as they were", arguments: 0..<4)
  func file(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    var settings = OwnerSettings()
    var expected: [String: String] = [:]
    for _ in 0..<TestEffort.rounds(300, long: 20_000) {
      let (key, values) = Self.samples[random.int(0...(Self.samples.count - 1))]
      let value = random.int(0...3) == 0 ? nil : values[random.int(0...(values.count - 1))]
      try settings.set(key, to: value)
      expected[key] = value
      #expect(Set(settings.keys) == Set(expected.keys))
      #expect(try OwnerSettings(reading: Array(settings.text.utf8), of: "settings.toml") == settings)
      for (number, line) in settings.text.split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
      {
        guard line.contains(" = "), !line.hasPrefix("#") else { continue }
        let key = try #require(settings.key(onLine: number + 1))
        #expect(line.hasPrefix(key.split(separator: ".").last ?? "?"))
      }
    }
  }

  @Test("The settings are a file that applies before all others", arguments: 0..<4)
  func precedence(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let directory = try TemporaryDirectory()
    var settings = OwnerSettings()
    var good = 0
    for step in 0..<TestEffort.rounds(150, long: 5_000) {
      let (key, values) = Self.samples[random.int(0...(Self.samples.count - 1))]
      let value = random.int(0...2) == 0 ? nil : values[random.int(0...(values.count - 1))]
      let before = settings
      try settings.set(key, to: value)
      let file = Self.files[random.int(0...(Self.files.count - 1))]
      directory.write("config.toml", file)
      let path = directory.file("config.toml")
      let result = SettingsLoader.load(.explicit(path), after: ("settings.toml", settings), mode: .running)
      // The tables of the file come first, without their values.
      let headers = file.split(separator: "\n").filter { $0.hasPrefix("[") }.joined(separator: "\n")
      let merged = SettingsLoader.load(
        texts: [
          ("headers.toml", Array(headers.utf8)), ("settings.toml", Array(settings.text.utf8)),
          (path, Array(file.utf8)),
        ], mode: .running)
      #expect(result.configuration == merged.configuration, "step \(step): \(settings.text)\(file)")
      #expect(Set(result.diagnostics.map(\.message)) == Set(merged.diagnostics.map(\.message)))
      #expect(result.files == [path])
      // What is reported as set by a file is what that file has.
      for setting in SettingsLoader.load(.explicit(path), after: ("settings.toml", settings), mode: .running)
        .settings
      {
        let name = setting.key.split(separator: ".").last ?? ""
        switch setting.origin {
        case .config(let file, let line):
          let lines = try String(contentsOfFile: file).split(
            separator: "\n", omittingEmptySubsequences: false)
          // A page excludes all keys of [layout].
          let excludes = setting.value == nil && setting.key.hasPrefix("layout.")
          #expect(lines[line - 1].hasPrefix(excludes ? "[pages.first]" : "\(name) = "))
        case .settings: #expect(settings.keys.contains(setting.key))
        case .standard:
          #expect(setting.value == nil)
          #expect(!setting.key.hasPrefix("layout.") || !file.hasPrefix("# Of the hall."))
        }
      }
      if result.configuration == nil { settings = before } else { good += 1 }
    }
    #expect(good > 20)
  }

  @Test("Settings do not change the order of the tables in files", arguments: 0..<4)
  func order(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let directory = try TemporaryDirectory()
    let path = directory.file("config.toml")
    _ = directory.place("config.toml.d/more.toml")
    let groups: [(title: String, body: String, names: [String])] = [
      ("teams", "", ["red", "blue", "home", "third"]),
      ("widgets", "type = \"flip-clock\"", ["time", "second", "clock"]),
      ("schedule", "from = \"07:00\"\nto = \"18:00\"\ndisplay = \"off\"", ["day", "night", "noon"]),
    ]
    let samples = [
      ("teams.red.name", "LIONS"), ("teams.blue.short-name", "B"), ("teams.home.name", "BEARS"),
      ("teams.third.short-name", "T"), ("teams.other.name", "WOLVES"), ("widgets.time.hours", "12"),
      ("schedule.night.brightness", "10%"), ("schedule.day.to", "19:00"), ("schedule.noon.days", "weekdays"),
    ]
    var moved = 0
    for _ in 0..<TestEffort.rounds(300, long: 10_000) {
      var texts = ["", ""]
      // With built-in teams only, another one in the settings decides which teams there are.
      var written: Set<String> = []
      for (title, body, names) in groups {
        for name in names.shuffled(using: &random) where name == "red" || random.int(0...3) > 0 {
          texts[random.int(0...1)] += "[\(title).\(name)]\n\(body)\n"
          written.insert(name)
        }
      }
      directory.write("config.toml", texts[0])
      directory.write("config.toml.d/more.toml", texts[1])
      var settings = OwnerSettings()
      for (key, value) in samples.shuffled(using: &random).prefix(random.int(1...4)) {
        try settings.set(key, to: value)
      }
      func load(_ settings: OwnerSettings) -> Configuration? {
        SettingsLoader.load(.explicit(path), after: ("settings.toml", settings), mode: .running).configuration
      }
      // A schedule that is only in the settings may lack its times.
      guard let plain = load(OwnerSettings()), let with = load(settings) else { continue }
      #expect(with.teams.filter { written.contains($0.id) }.map(\.id) == plain.teams.map(\.id))
      // Another built-in team has a colour of its own.
      if written.contains("home") || !settings.text.contains("[teams.home]") {
        #expect(
          with.teams.filter { written.contains($0.id) }.map(\.color) == plain.teams.map(\.color),
          "\(settings.text)\(texts)")
      }
      #expect(with.schedule.map(\.name).filter(written.contains) == plain.schedule.map(\.name))
      #expect(
        with.widgets.map(\.name).filter(written.contains)
          == plain.widgets.map(\.name).filter(written.contains))
      #expect(
        with.layout.rows.filter { $0.allSatisfy(written.contains) }
          == plain.layout.rows.filter { $0.allSatisfy(written.contains) })
      let listed = SettingsLoader.load(
        .explicit(path), after: ("settings.toml", settings), mode: .running
      ).settings
      let teams = listed.filter { $0.key.hasPrefix("teams.") && $0.key.hasSuffix(".name") }
        .map { String($0.key.dropFirst(6).dropLast(5)) }
      #expect(teams == with.teams.map(\.id).filter(teams.contains))
      let sorted = SettingsLoader.load(
        texts: [settings.text, texts[0], texts[1]].enumerated().map {
          ("\($0.offset)", Array($0.element.utf8))
        },
        mode: .running
      ).configuration
      if sorted?.teams.map(\.id) != with.teams.map(\.id) { moved += 1 }
    }
    #expect(moved > 20)
  }

  @Test("A value that a config accepts has no kind of mistake", arguments: 0..<4)
  func mismatches(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    // Values of all keys for each key, so that most are of another shape.
    let values =
      Self.samples.flatMap(\.values) + [String(repeating: "x", count: 300), "-1", "0", "1.5", "999999"]
    var (accepted, kinds) = (0, 0)
    for _ in 0..<TestEffort.rounds(400, long: 20_000) {
      var settings = OwnerSettings()
      let (key, own) = Self.samples[random.int(0...(Self.samples.count - 1))]
      let value =
        random.int(0...1) == 0
        ? own[random.int(0...(own.count - 1))] : values[random.int(0...(values.count - 1))]
      try settings.set(key, to: value)
      let result = SettingsLoader.load(
        texts: [("settings.toml", Array(settings.text.utf8))], mode: .running)
      let mismatch = settings.mismatch(of: key)
      if result.configuration != nil {
        accepted += 1
        #expect(mismatch == nil, "\(key) = \(value)")
      } else if mismatch != nil {
        kinds += 1
      }
    }
    #expect(accepted > 40 && kinds > 40)
  }

  @Test(
    "A value that its key does not accept has a kind of mistake",
    arguments: [
      ("game.periods", "100", ShapeMismatch.range(least: "1", most: "99")),
      ("game.periods", "many", .range(least: "1", most: "99")),
      ("display.brightness", "0%", .range(least: "1%", most: "100%")),
      ("display.brightness", "140%", .range(least: "1%", most: "100%")),
      ("display.brightness", "40", .form(example: "100%")), ("display.margins", "2.5%", .form(example: "3%")),
      ("display.margins", "3,5%", .form(example: "10%")),
      ("display.margins", "10.5%", .range(least: "0%", most: "10%")),
      ("place.latitude", "91", .range(least: "-90", most: "90")),
      ("game.clock-length", "soon", .form(example: "10:00")),
      ("teams.home.color", "red", .form(example: "#ff8800")),
      ("game.double-out", "yes", .choice(["true", "false"])),
      ("widgets.time.hours", "13", .choice(["12", "24", "auto"])),
      ("teams.home.name", String(repeating: "x", count: 41), .tooLong(maximum: 40)),
    ])
  func kinds(key: String, value: String, expected: ShapeMismatch) throws {
    var settings = OwnerSettings()
    try settings.set(key, to: value)
    #expect(settings.mismatch(of: key) == expected)
  }

  @Test(
    "A value of a form that only its key knows is refused with an example",
    arguments: [
      ("locale.zone", "Europe/Berlni", "Europe/Berlin"), ("locale.zone", "a b", "Europe/Berlin"),
      ("schedule.night.from", "22.30", "22:30"), ("schedule.night.to", "25:00", "22:30"),
      ("locale.language", "klingon", "pt-BR"), ("locale.language", "x x", "pt-BR"),
    ])
  func forms(key: String, value: String, example: String) throws {
    var settings = OwnerSettings()
    for (key, value) in Self.night { try settings.set(key, to: value) }
    try settings.set(key, to: value)
    var checks = SettingsChecks()
    checks.zone = { $0 == "Europe/Berlin" ? nil : Problem("unknown time zone") }
    let result = SettingsLoader.load(
      texts: [("settings.toml", Array(settings.text.utf8))], mode: .running, checks: checks)
    let refusal = settings.refusal(by: result.diagnostics, in: "settings.toml", of: [key], repairing: nil)
    guard case .refused(key, _, let mismatch)? = refusal else {
      Issue.record("\(String(describing: refusal))")
      return
    }
    #expect(mismatch == .form(example: example))
  }

  @Test(
    "A mistake that depends on more than the key's shape has a kind, too",
    arguments: [
      ("teams.home.name", "", ShapeMismatch.empty), ("teams.home.short-name", "", .empty),
      ("teams.home.name", "a\u{202e}b", .directionControl), ("schedule.night.to", "21:00", .sameTime),
      ("schedule.night.from", "06:00", .sameTime),
    ])
  func kindsOfMore(key: String, value: String, expected: ShapeMismatch) throws {
    // Each time is in the settings or in the file.
    for file in ["", "[schedule.night]\nfrom = \"21:00\"\n", "[schedule.night]\nto = \"06:00\"\n"] {
      var settings = OwnerSettings()
      for (key, value) in Self.night where !file.contains("\n\(key.dropFirst("schedule.night.".count)) ") {
        try settings.set(key, to: value)
      }
      guard !file.contains("\n\(key.dropFirst("schedule.night.".count)) ") else { continue }
      try settings.set(key, to: value)
      let directory = try TemporaryDirectory()
      directory.write("config.toml", file)
      let result = SettingsLoader.load(
        .explicit(directory.file("config.toml")), after: ("settings.toml", settings), mode: .running)
      let refusal = settings.refusal(
        by: result.diagnostics, in: "settings.toml", of: [key], repairing: nil)
      guard case .refused(let found, let reason, let mismatch)? = refusal else {
        Issue.record("\(file): \(String(describing: refusal))")
        continue
      }
      #expect(mismatch == expected && !reason.isEmpty)
      #expect(found == key || key.hasPrefix("schedule") && found.hasPrefix("schedule"), "\(file)")
    }
  }

  @Test("A mistake of a file is that file's, whatever is changed", arguments: 0..<4)
  func mistakesOfFiles(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let directory = try TemporaryDirectory()
    let path = directory.file("config.toml")
    let mistakes = [
      "[game]\nperiods = 1000\n", "[game\n", "[display]\nrotation = 45\n", "[theme]\nname = \"glass\"\n",
      "[schedule.x]\nfrom = \"07:00\"\nto = \"07:00\"\nbrightness = \"10%\"\n",
    ]
    for _ in 0..<TestEffort.rounds(60, long: 2_000) {
      let mistake = mistakes[random.int(0...(mistakes.count - 1))]
      directory.write("config.toml", "# A comment.\n" + mistake)
      var settings = OwnerSettings()
      let (key, value) = [
        ("teams.home.name", "LIONS"), ("display.margins", "5%"), ("locale.language", "de"),
        ("game.increments", "[1, 2]"), ("remote.messages", "[\"HELLO\"]"),
      ][random.int(0...4)]
      try settings.set(key, to: value)
      let result = SettingsLoader.load(.explicit(path), after: ("settings.toml", settings), mode: .running)
      let refusal = settings.refusal(by: result.diagnostics, in: "settings.toml", of: [key], repairing: nil)
      guard case .mistake(let place, let reason)? = refusal else {
        Issue.record("\(mistake): \(String(describing: refusal))")
        continue
      }
      let line = try #require(result.diagnostics.first { $0.severity == .error }).line
      #expect(place == "\(path):\(line)" && line > 1 && !reason.isEmpty)
    }
  }

  @Test("Every form that can be set without a file has an example, which is accepted")
  func examples() throws {
    // People choose the theme from those that there are.
    for key in DisplaySelection.keys where key.name != "name" || key.table != "theme" {
      guard case .form(_, _, let example) = key.shape else { continue }
      let path = key.pattern.map { ["NAME", "ID"].contains($0) ? "night" : $0 }.joined(separator: ".")
      var settings = OwnerSettings()
      for (key, value) in Self.night { try settings.set(key, to: value) }
      let text: String = try #require(example, "\(path)")
      try settings.set(path, to: text)
      let result = SettingsLoader.load(
        texts: [("settings.toml", Array(settings.text.utf8))], mode: .running)
      #expect(
        settings.refusal(by: result.diagnostics, in: "settings.toml", of: [path], repairing: nil) == nil,
        "\(path)")
    }
  }

  @Test("The built-in teams are in use unless a file declares others")
  func builtInTeams() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("config.toml")
    for (text, expected) in [
      ("", ["home", "guest"]), ("[teams.guest]\nname = \"A\"\n", ["home", "guest"]),
      ("[teams.lions]\nname = \"A\"\n", ["lions"]),
      ("[teams.lions]\nname = \"A\"\n[teams.home]\nname = \"B\"\n", ["lions", "home"]),
    ] {
      directory.write("config.toml", text)
      var settings = OwnerSettings()
      try settings.set("game.preset", to: "tennis")
      let keys = SettingsLoader.load(
        .explicit(path), after: ("settings.toml", settings), mode: .running
      ).settings.map(\.key)
      let teams = Set(
        keys.filter { $0.hasPrefix("teams.") }.map { $0.split(separator: ".")[1] }.map(String.init))
      #expect(teams == Set(expected), "\(text)")
    }
  }

  @Test("The default names of the teams are those that the display shows", arguments: Words.languages)
  func teamNames(tag: String) throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("config.toml")
    for words in ["", "[locale.words]\nguest = \"THEM\"\n"] {
      directory.write("config.toml", "[locale]\nlanguage = \"\(tag)\"\n\(words)")
      let result = SettingsLoader.load(
        .explicit(path), after: ("settings.toml", OwnerSettings()), mode: .running)
      let (configuration, all) = (try #require(result.configuration), result.settings)
      for team in configuration.teams {
        #expect(all.first { $0.key == "teams.\(team.id).name" }?.standard == team.name, "\(tag) \(words)")
      }
      #expect(configuration.teams[1].name == (words.isEmpty ? configuration.language.words[.guest] : "THEM"))
    }
  }

  @Test(
    "A default has the effect of no setting, also if other keys are set",
    arguments: GameRules.Preset.allCases,
    ["", "periods 1", "periods 4", "clock-length 7:00", "points-to-win 11", "games-to-win 4"])
  func standards(preset: GameRules.Preset, other: String) throws {
    let directory = try TemporaryDirectory()
    directory.write("config.toml", "")
    let path = directory.file("config.toml")
    var settings = OwnerSettings()
    try settings.set("game.preset", to: preset.rawValue)
    let words = other.split(separator: " ").map(String.init)
    if words.count == 2 { try settings.set("game.\(words[0])", to: words[1]) }
    let before = SettingsLoader.load(.explicit(path), after: ("settings.toml", settings), mode: .running)
    let all = before.settings
    var count = 0
    for setting in all where setting.value == nil {
      let table = setting.key.prefix { $0 != "." }
      // The defaults of other keys follow from these.
      let isBasis = ["game.clock-length", "game.points-to-win"].contains(setting.key)
      guard let standard = setting.standard, ["game", "theme", "display"].contains(table), !isBasis else {
        continue
      }
      count += 1
      var changed = settings
      try changed.set(setting.key, to: standard)
      let after = SettingsLoader.load(.explicit(path), after: ("settings.toml", changed), mode: .running)
      // 0 stands for nothing in some presets, and cannot be set.
      guard let configuration = after.configuration else { continue }
      #expect(configuration == before.configuration, "\(setting.key) = \(standard)")
    }
    #expect(count > 8)
  }

  @Test(
    "A file with anything else is refused",
    arguments: [
      "[input]\nkeys = []\n", "[teams.home]\nlogo = \"a.png\"\n", "motion = \"none\"\n", "[game\n",
      "[game]\nperiods = 12:00:00\n",
      "[teams.home.name]\nx = 1\n", "[game]\npreset = { a = 1 }\n",
    ])
  func foreign(text: String) {
    #expect(throws: SettingsProblem.self) {
      try OwnerSettings(reading: Array(text.utf8), of: "settings.toml")
    }
  }

  @Test(
    "A value with a control character is refused",
    arguments: ["\u{1}", "x\ny = 1", "x\r", "\u{7f}", "\u{85}"])
  func controls(value: String) {
    var settings = OwnerSettings()
    #expect { try settings.set("teams.home.name", to: value) } throws: {
      $0 as? SettingsProblem
        == .refused(
          key: "teams.home.name", reason: "the value has a control character, such as a tab",
          .controlCharacter)
    }
    #expect(settings.isEmpty)
  }

  @Test("All settings of a table are removed by its name")
  func tables() throws {
    var settings = OwnerSettings()
    for key in ["schedule.night.from", "schedule.night.to", "schedule.noon.from"] {
      try settings.set(key, to: "22:30")
    }
    try settings.set("schedule.night", to: nil)
    #expect(settings.keys == ["schedule.noon.from"])
    try settings.set("schedule", to: nil)
    #expect(settings.isEmpty)
  }

  @Test("Removing what is not set is no error, whether it is a key, a table or several tables")
  func removals() throws {
    var settings = OwnerSettings()
    for key in DisplaySelection.keys {
      let path = key.pattern.map { ["NAME", "ID"].contains($0) ? "some" : $0 }
      for count in 1...path.count {
        try settings.set(path.prefix(count).joined(separator: "."), to: nil)
        #expect(settings.isEmpty)
        let wrong = (path.prefix(count - 1) + [path[count - 1] + "."]).joined(separator: ".")
        #expect(throws: SettingsProblem.self) { try settings.set(wrong, to: nil) }
      }
    }
    for path in ["", ".", "team", "teams.Home", "teams.home.name.x", "widgets.date", "input"] {
      #expect(throws: SettingsProblem.self, "\(path)") { try settings.set(path, to: nil) }
    }
    #expect(throws: SettingsProblem.self) { try settings.set("teams", to: "1") }
  }

  @Test(
    "An unknown key has a hint",
    arguments: [
      ("teams.home.colour", "teams.ID.color"), ("game.preste", "game.preset"), ("", ""), ("input.keys", ""),
    ])
  func hints(key: String, hint: String) throws {
    var settings = OwnerSettings()
    do throws(SettingsProblem) {
      try settings.set(key, to: "1")
      Issue.record("\(key) is accepted")
    } catch {
      guard case .unknownKey(key, let found) = error else {
        Issue.record("\(error)")
        return
      }
      #expect((found ?? "").contains(hint))
    }
  }
}

extension String {
  fileprivate init(contentsOfFile path: String) throws {
    guard case .bytes(let bytes) = ConfigFile.read(path, reader: "") else {
      throw SettingsProblem.malformed(path)
    }
    self.init(decoding: bytes, as: UTF8.self)
  }
}
