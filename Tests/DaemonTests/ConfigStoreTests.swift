// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import Settings
import TOMLConfig
import TestSupport
import Testing

@testable import Daemon

/// Changes to config files while the daemon runs, with shorter waiting times.
@Suite struct ConfigStoreTests {
  private static let quiet = Log(style: .journal, threshold: .emergency)
  private static let ms: Int64 = 1_000_000
  /// The usual times divided by 25.
  private static let scaled = ConfigStore.Patience(quiet: 4 * ms, limit: 20 * ms, unfinished: 40 * ms)

  /// A store that loads when files have changed, as in the daemon, and a record of its configurations.
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

  // MARK: Random changes

  private static let directories = [
    "etc", "run", "usr", "usr/lib", "etc/flipclock", "run/flipclock", "usr/lib/flipclock",
    "etc/flipclock/config.toml.d", "run/flipclock/config.toml.d", "usr/lib/flipclock/config.toml.d",
  ]
  private static let files =
    ["etc", "run", "usr/lib"].flatMap { root in
      ["config.toml", "config.toml.d/10-a.toml", "config.toml.d/20-b.toml"].map { "\(root)/flipclock/\($0)" }
    }

  /// Makes a random change, which may fail, and returns its description.
  private func change(_ root: TemporaryDirectory, _ random: inout SplitMix, step: Int) -> String {
    let directory = Self.directories[random.int(0...(Self.directories.count - 1))]
    let file = Self.files[random.int(0...(Self.files.count - 1))]
    let spare = "spare/\(random.int(0...2))"
    let value = step
    switch random.int(0...11) {
    case 0, 1:
      return "mkdir \(directory) \(mkdir(root.file(directory), 0o755) == 0)"
    case 2:
      root.remove(directory)
      return "rm -r \(directory)"
    case 3:
      return "mv \(directory) \(spare) \(rename(root.file(directory), root.file(spare)) == 0)"
    case 4:
      return "mv \(spare) \(directory) \(rename(root.file(spare), root.file(directory)) == 0)"
    case 5:
      return "ln -s \(spare) \(directory) \(symlink(root.file(spare), root.file(directory)) == 0)"
    case 6:
      root.remove(spare)
      root.write("spare/file", text(value))
      return "ln -s file \(file) \(symlink(root.file("spare/file"), root.file(file)) == 0)"
    case 7: return "write spare/file \(root.write("spare/file", text(value)))"
    case 8:
      unlink(root.file(file))
      return "rm \(file)"
    case 9:
      root.write("spare/new", text(value))
      return "mv new \(file) \(rename(root.file("spare/new"), root.file(file)) == 0)"
    default: return "write \(file) \(root.write(file, text(value)))"
    }
  }

  @Test(
    "After any sequence of changes, the configuration is that of the existing files",
    arguments: 0..<60)
  func randomChanges(seed: Int) throws {
    var random = SplitMix(seed: UInt64(seed))
    let root = try TemporaryDirectory()
    mkdir(root.file("spare"), 0o755)
    for directory in Self.directories where random.int(0...2) > 0 { mkdir(root.file(directory), 0o755) }
    // Directories that are kept open, like a shell's working directory. The kernel reports the deletion of an
    // open directory only when it is closed.
    var held: [Int32] = []
    defer { for descriptor in held { close(descriptor) } }
    let sources: SettingsSources =
      seed % 3 == 0 ? .explicit(root.file("etc/flipclock/config.toml")) : .standard(root: root.path)
    let loop = try EventLoop()
    let watched = try Watched(sources, on: loop, Self.scaled)
    var steps: [String] = []
    for step in 0..<14 {
      for directory in Self.directories where seed % 2 == 0 && random.int(0...3) == 0 {
        let descriptor = open(root.file(directory), O_RDONLY | O_DIRECTORY)
        if descriptor >= 0 { held.append(descriptor) }
      }
      steps.append(change(root, &random, step: step))
      // A third of the changes are not followed by a pause, the others by up to 12 ms.
      try loop.turn(for: random.int(0...2) == 0 ? 0 : random.unit() * 12)
    }
    let expected = SettingsLoader.load(sources, mode: .running)
    let agrees = try loop.turn {
      watched.store.lastReload.ok == (expected.configuration != nil)
        && (expected.configuration == nil || watched.store.configuration == expected.configuration)
    }
    #expect(agrees, "\(steps)")
    // At most one load is still due; without further changes, the files are not loaded again.
    let count = watched.seen.count
    try loop.turn(for: 50)
    #expect(watched.seen.count <= count + 1)
  }

  @Test(
    "A drop-in directory, or a config directory, that is created later is watched",
    arguments: ["etc/flipclock/config.toml.d", "etc/flipclock", "etc", "usr/lib/flipclock/config.toml.d"])
  func appearsLater(directory: String) throws {
    let root = try TemporaryDirectory()
    let loop = try EventLoop()
    for path in Self.directories where path < directory && directory.hasPrefix(path) {
      mkdir(root.file(path), 0o755)
    }
    if directory.hasPrefix("usr/") { mkdir(root.file("usr/lib"), 0o755) }
    let watched = try Watched(.standard(root: root.path), on: loop, Self.scaled)
    var path = directory
    for part in ["", "/flipclock", "/config.toml.d"] {
      if !part.isEmpty {
        if directory.hasSuffix(part) || directory.contains("\(part)/") { continue }
        path += part
      }
      mkdir(root.file(path), 0o755)
      // This is longer than all waiting times: the new directory must be watched although no file has
      // changed.
      try loop.turn(for: 60)
    }
    for value in [3, 4] {
      root.write("\(path)/50-mine.toml", text(value))
      #expect(try loop.turn { watched.store.configuration.flip.perspective == perspective(value) })
    }
  }

  @Test(
    "New time stamps and permissions, the same content saved again, and other files are not changes"
  )
  func others() throws {
    let root = try TemporaryDirectory()
    root.write("config.toml", text(3))
    let loop = try EventLoop()
    let watched = try Watched(.explicit(root.file("config.toml")), on: loop, Self.scaled)
    let path = root.file("config.toml")
    let changes: [() -> Void] = [
      { chmod(path, 0o600) }, { utimes(path, nil) }, { root.write("config.toml", self.text(3)) },
      {
        root.write("config.toml.new", self.text(3))
        rename(root.file("config.toml.new"), path)
      },
      { root.write("config.toml~", self.text(4)) }, { root.write("config.log", "x") },
    ]
    for change in changes {
      change()
      try loop.turn(for: 60)
      #expect(watched.seen.count == 0)
    }
    root.write("config.toml", text(5))
    #expect(try loop.turn { watched.seen.count == 1 })
    #expect(watched.store.configuration.flip.perspective == perspective(5))
  }

  @Test("A change is logged once, even if reloads are requested too; the next change is logged again")
  func logged() throws {
    final class Lines: @unchecked Sendable { var all: [String] = [] }
    let lines = Lines()
    let root = try TemporaryDirectory()
    root.write("config.toml", text(3))
    let loop = try EventLoop()
    let store = try ConfigStore(
      .explicit(root.file("config.toml")), checks: { SettingsChecks() }, on: loop,
      log: Log { _, line in lines.all.append(line) }, patience: Self.scaled)
    var reloads = 0
    let reload = {
      _ = store.load()
      if !store.isRepetition { reloads += 1 }
    }
    store.filesChanged = reload
    for (number, isEarly) in [true, false, true].enumerated() {
      lines.all = []
      reloads = 0
      root.write("config.toml", "\(text(4 + number))unknown = 1\n")
      if isEarly { reload() }
      #expect(try loop.turn { store.configuration.flip.perspective == perspective(4 + number) })
      try loop.turn(for: 60)
      for _ in 0..<3 { reload() }
      #expect(lines.all.filter { $0.contains("unknown") }.count == 1 && reloads == 1)
      #expect(store.lastReload.warnings.count == 1)
    }
  }

  @Test("Entries that come and go beside the directories on the path cause no wakeups")
  func besideThePath() throws {
    let root = try TemporaryDirectory()
    for path in ["top", "top/club", "top/club/wall"] { mkdir(root.file(path), 0o755) }
    root.write("top/club/wall/config.toml", text(3))
    let loop = try EventLoop()
    let watched = try Watched(.explicit(root.file("top/club/wall/config.toml")), on: loop, Self.scaled)
    try loop.turn(for: 60)
    let before = loop.wakeups
    for parent in ["", "top/", "top/club/"] {
      mkdir(root.file("\(parent)other"), 0o755)
      root.write("\(parent)file", "x")
      rename(root.file("\(parent)file"), root.file("\(parent)other/file"))
      root.remove("\(parent)other")
    }
    try loop.turn(timeoutMilliseconds: 60)
    // The turn itself counts as a wakeup; the changes beside the directories cause none.
    #expect(loop.wakeups == before + 1)
    // Moving one of the directories away is noticed.
    rename(root.file("top"), root.file("away"))
    mkdir(root.file("top"), 0o755)
    for path in ["top/club", "top/club/wall"] { mkdir(root.file(path), 0o755) }
    root.write("top/club/wall/config.toml", text(4))
    #expect(try loop.turn { watched.store.configuration.flip.perspective == perspective(4) })
  }

  // MARK: Saving

  /// Ways in which programs save a file. The file may be read between any two steps of a save.
  private enum Save: CaseIterable {
    case truncate, truncateWithoutClose, temporary, backup, remove, chunks

    func steps(_ root: TemporaryDirectory, _ text: String) -> [() -> Void] {
      let path = root.file("config.toml")
      var descriptor: Int32 = -1
      func open() { descriptor = creat(path, 0o644) }
      func put(_ part: Substring) { _ = Glibc.write(descriptor, String(part), part.utf8.count) }
      func close() { _ = Glibc.close(descriptor) }
      let middle = text.index(text.startIndex, offsetBy: text.count / 2)
      let line = text.firstIndex(of: "\n").map { text.index(after: $0) } ?? middle
      switch self {
      case .truncate: return [{ _ = Glibc.truncate(path, 0) }, { root.write("config.toml", text) }]
      case .truncateWithoutClose: return [open, { put(text[...]) }, close]
      // The first line alone is a valid config.
      case .chunks:
        return [
          open, { put(text[..<line]) }, { put(text[line..<middle]) }, { put(text[max(line, middle)...]) },
          close,
        ]
      case .temporary:
        return [{ root.write("config.toml.new", text) }, { rename(root.file("config.toml.new"), path) }]
      case .backup:
        return [{ rename(path, path + "~") }, open, { put(text[...]) }, close, { unlink(path + "~") }]
      case .remove: return [{ unlink(path) }, open, { put(text[...]) }, close]
      }
    }
  }

  @Test(
    "However a file is saved, neither an incomplete file nor the default is ever used",
    arguments: 0..<40)
  func saves(seed: Int) throws {
    var random = SplitMix(seed: UInt64(seed) + 1000)
    let root = try TemporaryDirectory()
    mkdir(root.file("etc"), 0o755)
    let config = try TemporaryDirectory()
    // Config files are searched for below `root`, so a load while the file is missing would use the built-in
    // default.
    symlink(config.path, root.file("etc/flipclock"))
    func text(_ value: Int) -> String { "motion = \"none\"\n\(self.text(value))" }
    config.write("config.toml", text(3))
    let loop = try EventLoop()
    // Only the wait for unfinished files has its usual length: a busy machine may suspend the test between
    // two steps.
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

  @Test("A file that stays empty or missing is accepted as such after a while")
  func staysEmpty() throws {
    let root = try TemporaryDirectory()
    for path in ["etc", "etc/flipclock"] { mkdir(root.file(path), 0o755) }
    root.write("etc/flipclock/config.toml", text(3))
    let loop = try EventLoop()
    let watched = try Watched(.standard(root: root.path), on: loop, Self.scaled)
    #expect(watched.store.configuration.flip.perspective == perspective(3))
    root.write("etc/flipclock/config.toml", "")
    #expect(try loop.turn { watched.store.configuration == .builtIn })
    root.write("etc/flipclock/config.toml", text(4))
    #expect(try loop.turn { watched.store.configuration.flip.perspective == perspective(4) })
    unlink(root.file("etc/flipclock/config.toml"))
    #expect(try loop.turn { watched.store.configuration == .builtIn })
  }
}
