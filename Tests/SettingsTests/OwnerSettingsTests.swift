// SPDX-License-Identifier: Apache-2.0

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

  private static let files = [
    "", "[teams.home]\nname = \"BEARS\"\n", "[game]\nperiods = 2\n",
    "[widgets.time]\ntype = \"flip-clock\"\n",
    "[schedule.night]\nto = \"05:00\"\n", "[layout]\nrows = [\"score\"]\n", "[game]\nperiods = 1000\n",
  ]

  @Test("Each key of the selection is a key of the config, and names no file, device or address")
  func selection() {
    for keys in OwnerKey.tables { #expect(!keys.isEmpty) }
    let sentences = ConfigTables.all.flatMap { table in
      table.keys.filter { key in
        OwnerKey((table.title.split(separator: ".") + [key.name[...]]).map(String.init)) != nil
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
      #expect(OwnerKey(path) == nil)
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
      let merged = SettingsLoader.load(
        texts: [("settings.toml", Array(settings.text.utf8)), (path, Array(file.utf8))], mode: .running)
      #expect(result.configuration == merged.configuration, "step \(step): \(settings.text)\(file)")
      #expect(result.diagnostics == merged.diagnostics)
      #expect(result.files == [path])
      // What is reported as set by a file is what that file has.
      for setting in SettingsLoader.settings(.explicit(path), after: ("settings.toml", settings)) {
        let name = setting.key.split(separator: ".").last ?? ""
        switch setting.origin {
        case .config(let file, let line):
          let lines = try String(contentsOfFile: file).split(
            separator: "\n", omittingEmptySubsequences: false)
          #expect(lines[line - 1].hasPrefix("\(name) = "))
        case .settings: #expect(settings.keys.contains(setting.key))
        case .standard: #expect(setting.value == nil)
        }
      }
      if result.configuration == nil { settings = before } else { good += 1 }
    }
    #expect(good > 20)
  }

  @Test(
    "A file with anything else is refused",
    arguments: [
      "[input]\nkeys = []\n", "[teams.home]\nlogo = \"a.png\"\n", "motion = \"none\"\n", "[game\n",
      "[game]\nperiods = 12:00:00\n",
      "[teams.home.name]\nx = 1\n", "[game]\npreset = { a = 1 }\n",
    ])
  func foreign(text: String) {
    #expect(throws: OwnerSettings.Problem.self) {
      try OwnerSettings(reading: Array(text.utf8), of: "settings.toml")
    }
  }

  @Test(
    "A value with a control character is refused",
    arguments: ["\u{1}", "x\ny = 1", "x\r", "\u{7f}", "\u{85}"])
  func controls(value: String) {
    var settings = OwnerSettings()
    #expect(throws: OwnerSettings.Problem.self) { try settings.set("teams.home.name", to: value) }
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
    #expect(throws: OwnerSettings.Problem.self) { try settings.set("schedule", to: nil) }
  }

  @Test(
    "An unknown key has a hint",
    arguments: [
      ("teams.home.colour", "teams.ID.color"), ("game.preste", "game.preset"), ("", ""), ("input.keys", ""),
    ])
  func hints(key: String, hint: String) throws {
    var settings = OwnerSettings()
    do throws(OwnerSettings.Problem) {
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
      throw OwnerSettings.Problem.malformed(path)
    }
    self.init(decoding: bytes, as: UTF8.self)
  }
}
