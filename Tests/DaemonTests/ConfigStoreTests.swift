// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import Settings
import TestSupport
import Testing

@testable import Daemon

/// Changes of config files while the daemon runs, with the waiting times scaled down.
@Suite struct ConfigStoreTests {
  private static let quiet = Log(style: .journal, threshold: .emergency)
  private static let ms: Int64 = 1_000_000
  /// A hundredth of a second stands for a quarter.
  private static let scaled = ConfigStore.Patience(quiet: 4 * ms, limit: 20 * ms, unfinished: 40 * ms)

  /// A store that loads when files changed, as the daemon does, and records what was in force.
  private final class Watched {
    let store: ConfigStore
    private(set) var seen: [Configuration] = []

    init(_ sources: SettingsSources, on loop: EventLoop, _ patience: ConfigStore.Patience) throws {
      store = try ConfigStore(
        sources, checks: { SettingsChecks() }, on: loop, log: quiet, patience: patience)
      store.filesChanged = { [unowned self] in
        _ = store.load()
        seen.append(store.configuration)
      }
    }
  }

  private func text(_ value: Int) -> String { "[flip]\nperspective = 3.\(100 + value)\n" }
  private func perspective(_ value: Int) -> Double { 3 + Double(100 + value) / 1000 }

  // MARK: Any order, any pace

  private static let directories = [
    "etc", "run", "usr", "usr/lib", "etc/flipclock", "run/flipclock", "usr/lib/flipclock",
    "etc/flipclock/config.toml.d", "run/flipclock/config.toml.d", "usr/lib/flipclock/config.toml.d",
  ]
  private static let files =
    ["etc", "run", "usr/lib"].flatMap { root in
      ["config.toml", "config.toml.d/10-a.toml", "config.toml.d/20-b.toml"].map { "\(root)/flipclock/\($0)" }
    }

  /// One change, mostly to something that can be changed in this way; says what it was.
  private func change(_ root: ScratchDirectory, _ random: inout SplitMix, step: Int) -> String {
    let directory = Self.directories[random.int(0...(Self.directories.count - 1))]
    let file = Self.files[random.int(0...(Self.files.count - 1))]
    let spare = "spare/\(random.int(0...2))"
    let value = step
    switch random.int(0...11) {
    case 0, 1:
      return "mkdir \(directory) \(mkdir(root.place(directory), 0o755) == 0)"
    case 2:
      root.remove(directory)
      return "rm -r \(directory)"
    case 3:
      return "mv \(directory) \(spare) \(rename(root.place(directory), root.place(spare)) == 0)"
    case 4:
      return "mv \(spare) \(directory) \(rename(root.place(spare), root.place(directory)) == 0)"
    case 5:
      return "ln -s \(spare) \(directory) \(symlink(root.place(spare), root.place(directory)) == 0)"
    case 6:
      root.remove(spare)
      root.write("spare/file", text(value))
      return "ln -s file \(file) \(symlink(root.place("spare/file"), root.place(file)) == 0)"
    case 7: return "write spare/file \(root.write("spare/file", text(value)))"
    case 8:
      unlink(root.place(file))
      return "rm \(file)"
    case 9:
      root.write("spare/new", text(value))
      return "mv new \(file) \(rename(root.place("spare/new"), root.place(file)) == 0)"
    default: return "write \(file) \(root.write(file, text(value)))"
    }
  }

  @Test(
    "After any changes in any order and at any pace the files in force are those that are there",
    arguments: 0..<60)
  func randomChanges(seed: Int) throws {
    var random = SplitMix(seed: UInt64(seed))
    let root = try ScratchDirectory()
    mkdir(root.place("spare"), 0o755)
    for directory in Self.directories where random.int(0...2) > 0 { mkdir(root.place(directory), 0o755) }
    let sources: SettingsSources =
      seed % 3 == 0 ? .explicit(root.place("etc/flipclock/config.toml")) : .standard(root: root.path)
    let loop = try EventLoop()
    let watched = try Watched(sources, on: loop, Self.scaled)
    var steps: [String] = []
    for step in 0..<14 {
      steps.append(change(root, &random, step: step))
      // Mostly a quick one; else up to 300 ms, scaled.
      try loop.turn(for: random.int(0...2) == 0 ? 0 : random.unit() * 12)
    }
    let expected = SettingsLoader.load(sources, mode: .running)
    let agrees = try loop.turn {
      watched.store.lastReload.ok == (expected.configuration != nil)
        && (expected.configuration == nil || watched.store.configuration == expected.configuration)
    }
    #expect(agrees, "\(steps)")
    // Nor does it change again by itself.
    let count = watched.seen.count
    try loop.turn(for: 50)
    #expect(watched.seen.count <= count + 1)
  }

  @Test(
    "A drop-in directory, or a config directory, that appears later is followed",
    arguments: ["etc/flipclock/config.toml.d", "etc/flipclock", "etc", "usr/lib/flipclock/config.toml.d"])
  func appearsLater(directory: String) throws {
    let root = try ScratchDirectory()
    let loop = try EventLoop()
    for path in Self.directories where path < directory && directory.hasPrefix(path) {
      mkdir(root.place(path), 0o755)
    }
    if directory.hasPrefix("usr/") { mkdir(root.place("usr/lib"), 0o755) }
    let watched = try Watched(.standard(root: root.path), on: loop, Self.scaled)
    var path = directory
    for part in ["", "/flipclock", "/config.toml.d"] {
      if !part.isEmpty {
        if directory.hasSuffix(part) || directory.contains("\(part)/") { continue }
        path += part
      }
      mkdir(root.place(path), 0o755)
      // Longer than any wait: the new directory must be watched although no file has changed.
      try loop.turn(for: 60)
    }
    for value in [3, 4] {
      root.write("\(path)/50-mine.toml", text(value))
      #expect(try loop.turn { watched.store.configuration.flip.perspective == perspective(value) })
    }
  }

  @Test("A change of permissions is a change; of other files in the directory none is")
  func others() throws {
    let root = try ScratchDirectory()
    root.write("config.toml", text(3))
    let loop = try EventLoop()
    let watched = try Watched(.explicit(root.place("config.toml")), on: loop, Self.scaled)
    chmod(root.place("config.toml"), 0o600)
    #expect(try loop.turn { watched.seen.count == 1 })
    root.write("config.toml~", text(4))
    root.write("config.log", "x")
    try loop.turn(for: 60)
    #expect(watched.seen.count == 1)
  }

  // MARK: Saving

  /// How programs save a file, as the steps between which others may look.
  private enum Save: CaseIterable {
    case truncate, truncateWithoutClose, temporary, backup, remove, chunks

    func steps(_ root: ScratchDirectory, _ text: String) -> [() -> Void] {
      let path = root.place("config.toml")
      var descriptor: Int32 = -1
      func open() { descriptor = creat(path, 0o644) }
      func put(_ part: Substring) { _ = Glibc.write(descriptor, String(part), part.utf8.count) }
      func close() { _ = Glibc.close(descriptor) }
      let middle = text.index(text.startIndex, offsetBy: text.count / 2)
      let line = text.firstIndex(of: "\n").map { text.index(after: $0) } ?? middle
      switch self {
      case .truncate: return [{ _ = Glibc.truncate(path, 0) }, { root.write("config.toml", text) }]
      case .truncateWithoutClose: return [open, { put(text[...]) }, close]
      // A first line by itself is a config without an error.
      case .chunks:
        return [
          open, { put(text[..<line]) }, { put(text[line..<middle]) }, { put(text[max(line, middle)...]) },
          close,
        ]
      case .temporary:
        return [{ root.write("config.toml.new", text) }, { rename(root.place("config.toml.new"), path) }]
      case .backup:
        return [{ rename(path, path + "~") }, open, { put(text[...]) }, close, { unlink(path + "~") }]
      case .remove: return [{ unlink(path) }, open, { put(text[...]) }, close]
      }
    }
  }

  @Test(
    "Saves of any editor, close together, never put the default page or half a file in force",
    arguments: 0..<40)
  func saves(seed: Int) throws {
    var random = SplitMix(seed: UInt64(seed) + 1000)
    let root = try ScratchDirectory()
    mkdir(root.place("etc"), 0o755)
    let config = try ScratchDirectory()
    // Without the file the built-in default would be shown.
    symlink(config.path, root.place("etc/flipclock"))
    func text(_ value: Int) -> String { "motion = \"none\"\n\(self.text(value))" }
    config.write("config.toml", text(3))
    let loop = try EventLoop()
    // What is unfinished stays so for the real second: this machine may stop the test for a while.
    let patience = ConfigStore.Patience(quiet: 4 * Self.ms, limit: 20 * Self.ms, unfinished: 1000 * Self.ms)
    let watched = try Watched(.standard(root: root.path), on: loop, patience)
    var whole = [watched.store.configuration]
    for value in 4..<9 {
      let save = Save.allCases[random.int(0...(Save.allCases.count - 1))]
      let steps = save.steps(config, text(value))
      for step in steps {
        step()
        try loop.turn(for: random.unit() * 12)
      }
      whole.append(
        try #require(SettingsLoader.load(.standard(root: root.path), mode: .running).configuration))
      try loop.turn(for: random.unit() * 8)
    }
    #expect(try loop.turn { watched.store.configuration == whole.last })
    #expect(watched.seen.allSatisfy(whole.contains))
  }

  @Test("A file that stays empty, or stays away, is taken at its word after a while")
  func staysEmpty() throws {
    let root = try ScratchDirectory()
    for path in ["etc", "etc/flipclock"] { mkdir(root.place(path), 0o755) }
    root.write("etc/flipclock/config.toml", text(3))
    let loop = try EventLoop()
    let watched = try Watched(.standard(root: root.path), on: loop, Self.scaled)
    #expect(watched.store.configuration.flip.perspective == perspective(3))
    root.write("etc/flipclock/config.toml", "")
    #expect(try loop.turn { watched.store.configuration == .builtIn })
    root.write("etc/flipclock/config.toml", text(4))
    #expect(try loop.turn { watched.store.configuration.flip.perspective == perspective(4) })
    unlink(root.place("etc/flipclock/config.toml"))
    #expect(try loop.turn { watched.store.configuration == .builtIn })
  }
}
