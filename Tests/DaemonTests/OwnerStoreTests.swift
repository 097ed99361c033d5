// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import Glibc
import LinuxSystem
import TOMLConfig
import TestSupport
import Testing

@testable import Daemon
@testable import Settings

private let quiet = Log(style: .journal, threshold: .emergency)

@Suite("The file of the settings") struct OwnerStoreTests {
  private func settings(_ changes: [String: String]) throws -> OwnerSettings {
    var settings = OwnerSettings()
    for (key, value) in changes.sorted(by: <) { try settings.set(key, to: value) }
    return settings
  }

  private func store(
    _ directory: TemporaryDirectory, _ loop: EventLoop
  ) throws -> SettingsStore<DisplaySelection> {
    try SettingsStore(directory: directory.path, mode: 0o640, on: loop, log: quiet)
  }

  private func config(
    _ directory: TemporaryDirectory, _ settings: OwnerSettings, _ loop: EventLoop
  ) throws -> ConfigStore {
    let store = try ConfigStore(
      .explicit(directory.file("config.toml")), owner: (directory.file("settings.toml"), settings),
      checks: { SettingsChecks() }, on: loop, log: quiet)
    store.filesChanged = { [unowned store] in _ = store.load() }
    return store
  }

  @Test("Settings are saved, and read again")
  func saved() throws {
    let directory = try TemporaryDirectory()
    let loop = try EventLoop()
    let store = try self.store(directory, loop)
    #expect(store.load() == OwnerSettings())
    let settings = try settings(["game.preset": "tennis", "teams.home.name": "LIONS"])
    var results = 0
    store.save(settings) { if case .success = $0 { results += 1 } }
    store.close()
    #expect(results == 1)
    #expect(try self.store(directory, loop).load() == settings)
  }

  @Test("A damaged file is set aside, whatever was damaged")
  func damaged() throws {
    let text = try settings(["game.preset": "tennis", "teams.home.name": "LIONS"]).text
    var files = (0..<text.utf8.count).map { String(decoding: text.utf8.prefix($0), as: UTF8.self) }
    files += [
      text + "[input]\nx = 1\n", text + "motion = \"none\"\n", String(repeating: "#", count: 1 << 19),
      "\u{0}",
    ]
    for file in files {
      let directory = try TemporaryDirectory()
      directory.write("settings.toml", file)
      let loaded = try self.store(directory, try EventLoop()).load()
      let isAside = directory.names().contains { $0.hasPrefix("settings.toml.bad-") }
      // A file that was cut off after a line is a file.
      #expect(isAside ? loaded == OwnerSettings() : text.hasPrefix(file), "\(file.utf8.count) bytes")
    }
  }

  @Test("A setting with which the config would have an error is refused, and names its key")
  func refused() throws {
    let directory = try TemporaryDirectory()
    directory.write("config.toml", "[teams.guest]\nname = \"SHARKS\"\n")
    let store = try config(directory, OwnerSettings(), try EventLoop())
    try store.set(settings(["teams.home.name": "LIONS"]), changed: ["teams.home.name"])
    #expect(store.configuration.teams.map(\.name) == ["LIONS", "SHARKS"])
    for (key, value) in [
      ("game.periods", "100"), ("theme.name", "glass"), ("layout.rows", "[\"nothing\"]"),
      ("teams.home.color", "red"), ("schedule.night.from", "22:30"),
    ] {
      let before = store.configuration
      var changed = store.owner.settings
      try changed.set(key, to: value)
      var refusal: ControlError?
      do throws(ControlError) { try store.set(changed, changed: [key]) } catch { refusal = error }
      guard case .settingRefused(let found, let reason, let problem, _, _, _, _)? = refusal else {
        Issue.record("\(key): \(String(describing: refusal))")
        continue
      }
      #expect(found == key && !reason.isEmpty)
      #expect(
        (problem == nil) == (["layout.rows", "theme.name"].contains(key) || key.hasPrefix("schedule")),
        "\(key)")
      #expect(store.configuration == before && !store.owner.settings.keys.contains(key))
    }
  }

  /// Random sets, resets, imports and edits of the config. A step that would make an error changes nothing.
  @Test("Whatever the order of changes, the config is that of the same files merged", arguments: 0..<3)
  func anyOrder(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    func pick<Value>(_ list: [Value]) -> Value { list[random.int(0...(list.count - 1))] }
    let samples = [
      ("game.preset", ["basketball", "tennis", "chess"]), ("game.periods", ["3", "0"]),
      ("teams.home.name", ["LIONS", "BEARS"]), ("teams.third.name", ["WOLVES"]),
      ("theme.name", ["paper", "glass"]),
      ("layout.rows", ["[\"time\"]", "[\"hall\"]"]), ("display.rotation", ["90", "45"]),
      ("schedule.night.from", ["22:30"]), ("schedule.night.to", ["06:00"]),
      ("schedule.night.brightness", ["10%"]),
    ]
    let edits = [
      "", "[teams.home]\nname = \"SHARKS\"\n", "[game]\nperiods = 2\n", "[layout]\nrows = [\"score\"]\n",
      "[widgets.hall]\ntype = \"text\"\ntext = \"X\"\n", "[game]\nperiods = 1000\n",
      "[schedule.night]\nto = \"05:00\"\n",
      "[teams.home]\nname = \"X\"\n[nonsense]\nx = 1\n", "[game\n",
    ]
    let directory = try TemporaryDirectory()
    directory.write("config.toml", "")
    let path = directory.file("config.toml")
    let loop = try EventLoop()
    let store = try config(directory, OwnerSettings(), loop)
    var expected = store.configuration
    var file = ""
    func result(_ owner: OwnerSettings) -> LoadResult {
      SettingsLoader.load(.explicit(path), after: (directory.file("settings.toml"), owner), mode: .running)
    }
    func merged(_ owner: OwnerSettings) -> Configuration? { result(owner).configuration }
    /// Without the settings with which there are errors. Nil: the file has the errors.
    func usable(_ owner: OwnerSettings) -> Configuration? {
      owner.withoutMistakes(in: directory.file("settings.toml")) { result($0).diagnostics }.flatMap(merged)
    }
    // What sets the keys is reported of the config in force.
    var listed = store.settings
    #expect(listed == result(OwnerSettings()).settings)
    var (changes, refusals, mistakes) = (0, 0, 0)
    for step in 0..<TestEffort.rounds(150, long: 5_000) {
      let before = store.owner.settings
      var wanted = before
      var changed: [String] = []
      switch random.int(0...5) {
      case 0...2:
        let (key, values) = pick(samples)
        try wanted.set(key, to: pick(values))
        changed = [key]
      case 3:
        let key = pick(samples).0
        guard before.keys.contains(key) else { continue }
        changed = [key]
        try wanted.set(key, to: nil)
      case 4:
        wanted = OwnerSettings()
        for _ in 0..<random.int(0...4) {
          let (key, values) = pick(samples)
          try wanted.set(key, to: pick(values))
        }
        wanted = try OwnerSettings(reading: Array(wanted.text.utf8), of: "the file")
      default:
        file = pick(edits)
        directory.write("config.toml", file)
        _ = store.load()
        if let configuration = usable(before) {
          (expected, listed) = (configuration, result(before).settings)
        }
        #expect(store.settings == listed, "step \(step): \(before.text)\(file)")
        // Whatever was set without a file, a file without errors is used.
        #expect((usable(before) == nil) == (merged(OwnerSettings()) == nil))
        #expect(store.configuration == expected, "step \(step): \(before.text)\(file)")
        continue
      }
      do throws(ControlError) {
        try store.set(wanted, changed: changed)
        changes += 1
        #expect(store.owner.settings == wanted)
        if let configuration = usable(wanted) {
          (expected, listed) = (configuration, result(wanted).settings)
        }
      } catch {
        refusals += 1
        // A mistake of the file is not one of the settings.
        let alone = SettingsLoader.load(.directories([]), after: ("settings.toml", wanted), mode: .running)
        if merged(OwnerSettings()) == nil, alone.configuration != nil {
          switch error {
          case .badConfig(let place, _):
            mistakes += 1
            #expect(place.hasPrefix("\(path):"))
          case .settingInConfig(let key, _): #expect(changed.contains(key))
          default: Issue.record("step \(step): \(error)")
          }
        }
        #expect(store.owner.settings == before, "step \(step): \(error)")
      }
      #expect(store.configuration == expected, "step \(step): \(wanted.text)\(file)")
      #expect(store.settings == listed, "step \(step): \(wanted.text)\(file)")
      // A daemon that starts with the same files shows the same.
      if let configuration = usable(store.owner.settings), step % 10 == 0 {
        #expect(try config(directory, store.owner.settings, loop).configuration == configuration)
      }
    }
    #expect(changes > 20 && refusals > 5 && mistakes > 0)
  }

  @Test(
    "Settings that do not fit the other files are not used until these are corrected",
    arguments: [false, true])
  func misfit(isRunning: Bool) throws {
    let directory = try TemporaryDirectory()
    let file = "[widgets.hall]\ntype = \"text\"\ntext = \"HELLO\"\n"
    let settings = try settings(["layout.rows": "[\"time\"]", "teams.home.name": "LIONS"])
    directory.write("config.toml", isRunning ? "" : file)
    let store = try config(directory, settings, try EventLoop())
    if isRunning {
      #expect(store.ownerProblem == nil && store.configuration.layout.rows == [["time"]])
      directory.write("config.toml", file)
      #expect(store.load().ok)
    }
    #expect(store.configuration.widgets.map(\.name) == ["hall"])
    // The others are used.
    #expect(store.configuration.teams.first?.name == "LIONS")
    let problem = try #require(store.ownerProblem)
    #expect(problem.hasPrefix("these settings are not used: layout.rows: "))
    #expect(problem.split(separator: ":")[2].hasSuffix("settings.toml"))
    #expect(store.lastReload.errors.count == 1)
    directory.write("config.toml", "")
    #expect(store.load().ok)
    #expect(store.configuration.layout.rows == [["time"]] && store.ownerProblem == nil)
    // If the other files have the errors, the built-in config is shown, as without settings.
    directory.write("config.toml", file + "x = 1\n[game]\nperiods = 1000\n")
    #expect(try config(directory, settings, try EventLoop()).configuration == .builtIn)
  }
}
