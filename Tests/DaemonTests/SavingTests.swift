// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import Scoreboard
import Settings
import TOMLConfig
import Synchronization
import TestSupport
import Testing
import WallState

@testable import Daemon

/// Temporary faults of the disk, at every step of a save.
@Suite struct SavingTests {
  enum Fault: String, CaseIterable, Sendable {
    case full, inputOutputOnce, readOnly, directoryRemoved

    var errno: Int32 {
      switch self {
      case .full: return ENOSPC
      case .inputOutputOnce: return EIO
      case .readOnly: return EROFS
      case .directoryRemoved: return ENOTDIR
      }
    }
  }

  /// A disk with a fault at one step. With `directoryRemoved`, the directory is renamed and a file takes its
  /// place, so that later saves fail at their first step.
  final class Disk: Sendable {
    private struct State {
      var isFaulty = false
      var isRemoved = false
      var attempts = 0
    }

    let directory: String
    private let fault: Fault
    private let step: AtomicFile.Step
    private let state = Mutex(State())

    init(_ directory: String, _ fault: Fault, at step: AtomicFile.Step) {
      (self.directory, self.fault, self.step) = (directory, fault, step)
    }

    func perform(_ step: AtomicFile.Step) throws(SystemError) {
      let fails = state.withLock { state in
        if step == .create { state.attempts += 1 }
        guard state.isFaulty, step == self.step else { return false }
        if fault == .inputOutputOnce { state.isFaulty = false }
        guard fault == .directoryRemoved else { return true }
        state.isRemoved = true
        state.isFaulty = false
        #expect(rename(directory, "\(directory).removed-\(state.attempts)") == 0)
        #expect(close(creat(directory, 0o600)) == 0)
        return false
      }
      if fails { throw SystemError("\(step)", directory, errno: Errno(rawValue: fault.errno)) }
    }

    func fail() { state.withLock { $0.isFaulty = true } }

    func recover() {
      state.withLock { state in
        state.isFaulty = false
        if state.isRemoved {
          #expect(unlink(directory) == 0 && mkdir(directory, 0o700) == 0)
          state.isRemoved = false
        }
      }
    }

    var attempts: Int { state.withLock { $0.attempts } }
  }

  /// A daemon's store, and the match that it saves.
  final class Wall {
    let directory: TemporaryDirectory
    let disk: Disk
    let loop: EventLoop
    let time: VirtualTime
    let store: StateStore
    var match = Match(Scoreboard(teams: [.init(id: "home", name: "HOME")]))
    var changes: [Bool] = []
    /// When the state was saved again, in seconds since the start.
    var retries: [Int64] = []
    var results: [Result<Void, SystemError>] = []

    init(_ fault: Fault, at step: AtomicFile.Step) throws {
      directory = try TemporaryDirectory()
      let disk = Disk(directory.file("state"), fault, at: step)
      self.disk = disk
      let time = VirtualTime(now: 0)
      self.time = time
      loop = try EventLoop(virtualTime: time)
      store = try StateStore(
        directory: disk.directory, on: loop, log: Log(style: .journal, threshold: .emergency),
        before: { (step: AtomicFile.Step) throws(SystemError) in try disk.perform(step) })
      store.retry.saveAgain = { [unowned self] in
        retries.append(time.now / 1_000_000_000)
        save()
      }
      store.retry.changed = { [unowned self] in changes.append(store.retry.unsaved != nil) }
    }

    func save() { store.save(SavedWall(match)) { [unowned self] in results.append($0) } }

    /// Performs a change, and waits for the end of its save. No simulated time passes.
    func score(_ points: Int) throws {
      try match.apply(.setScore(team: "home", to: points))
      let ended = results.count
      save()
      #expect(try loop.settle { results.count > ended })
    }

    /// Waits for the next attempt and its end.
    func retry() throws {
      let (begun, ended) = (retries.count, results.count)
      // The writer may wake the loop once more after a result that was read already.
      for _ in 0..<10 where retries.count == begun { try loop.turn(timeoutMilliseconds: 120_000) }
      #expect(try loop.settle { results.count > ended })
    }

    var saved: Int? { saved(in: disk.directory) }

    func saved(in directory: String) -> Int? {
      (try? readFile("\(directory)/state.json", limit: 1 << 20)).flatMap { try? StateDocument(reading: $0) }?
        .match.scoreboard.team("home")?.score
    }
  }

  private static let cases = Fault.allCases.flatMap { fault in AtomicFile.Step.allCases.map { (fault, $0) } }
  /// The errno of the last save; nil if it succeeded.
  private static func error(of wall: Wall) -> Int32? {
    guard case .failure(let error)? = wall.results.last else { return nil }
    return error.errno.rawValue
  }

  @Test(
    "After a fault, the latest state is saved at most a minute later",
    arguments: cases)
  func recovery(_ fault: Fault, _ step: AtomicFile.Step) throws {
    let wall = try Wall(fault, at: step)
    try wall.score(1)
    #expect(wall.saved == 1 && wall.store.retry.unsaved == nil)
    wall.disk.fail()
    try wall.score(2)
    #expect(Self.error(of: wall) == fault.errno)
    #expect(wall.store.retry.unsaved?.error.errno.rawValue == fault.errno && wall.changes == [true])
    let isOver = fault == .inputOutputOnce
    if !isOver {
      for _ in 0..<5 {
        try wall.retry()
        #expect(Self.error(of: wall) != nil && wall.store.retry.unsaved != nil)
      }
      // A change meanwhile does not delay the next attempt.
      try wall.score(3)
      #expect(wall.retries == [10, 30, 70, 130, 190])
    }
    wall.disk.recover()
    try wall.retry()
    #expect(wall.store.retry.unsaved == nil && wall.changes == [true, false])
    #expect(wall.saved == (isOver ? 2 : 3))
    #expect(access("\(wall.disk.directory)/\(DirectoryLock.fileName)", F_OK) == 0)
    #expect(wall.retries.last == (isOver ? 10 : 250))
    // When everything is saved, no further attempts follow.
    let (attempts, retries) = (wall.disk.attempts, wall.retries)
    try wall.loop.turn(timeoutMilliseconds: 3_600_000)
    #expect(wall.disk.attempts == attempts && wall.retries == retries)
    // The next fault is reported again, and the first attempt follows after ten seconds again.
    wall.disk.fail()
    try wall.score(4)
    let begin = wall.time.now / 1_000_000_000
    wall.disk.recover()
    try wall.retry()
    #expect(wall.retries.last == begin + 10 && wall.saved == 4)
    #expect(wall.changes == [true, false, true, false])
    wall.store.close()
  }

  @Test("A change during a fault saves everything if the fault is over", arguments: cases)
  func nextChange(_ fault: Fault, _ step: AtomicFile.Step) throws {
    let wall = try Wall(fault, at: step)
    wall.disk.fail()
    try wall.score(2)
    #expect(wall.store.retry.unsaved != nil)
    wall.disk.recover()
    try wall.score(3)
    #expect(wall.store.retry.unsaved == nil && wall.saved == 3 && wall.retries == [])
    wall.store.close()
  }

  @Test("A clean stop saves what an earlier save could not", arguments: cases)
  func stop(_ fault: Fault, _ step: AtomicFile.Step) throws {
    for waits in [false, true] {
      let wall = try Wall(fault, at: step)
      try wall.score(1)
      wall.disk.fail()
      // The save ends before the stop, or during it.
      if waits {
        try wall.score(2)
      } else {
        try wall.match.apply(.setScore(team: "home", to: 2))
        wall.save()
        if fault != .inputOutputOnce { while wall.disk.attempts < 2 { usleep(100) } }
        if fault == .directoryRemoved { #expect(try wall.loop.settle { wall.results.count > 1 }) }
      }
      wall.disk.recover()
      wall.store.close()
      #expect(wall.saved == 2 && wall.store.retry.unsaved == nil)
    }
  }

  @Test("A stop while the disk fails ends after one more attempt")
  func hopeless() throws {
    let wall = try Wall(.full, at: .write)
    wall.disk.fail()
    try wall.score(2)
    wall.store.close()
    #expect(wall.retries.count == 1 && wall.saved == nil)
  }

  // MARK: Settings

  /// A daemon's store of settings.
  private final class Owner {
    let directory: TemporaryDirectory
    let disk: Disk
    let loop: EventLoop
    let store: SettingsStore<DisplaySelection>
    var results: [Bool] = []

    init(_ fault: Fault, at step: AtomicFile.Step) throws {
      directory = try TemporaryDirectory()
      let disk = Disk(directory.file("state"), fault, at: step)
      self.disk = disk
      mkdir(disk.directory, 0o700)
      loop = try EventLoop(virtualTime: VirtualTime(now: 0))
      store = try SettingsStore(
        directory: disk.directory, mode: 0o640, on: loop, log: Log(style: .journal, threshold: .emergency),
        before: { (step: AtomicFile.Step) throws(SystemError) in try disk.perform(step) })
      _ = store.load()
    }

    func submit(_ name: String) throws {
      var settings = OwnerSettings()
      try settings.set("teams.home.name", to: name)
      store.save(settings) { [unowned self] in results.append((try? $0.get()) != nil) }
    }

    /// Saves a name, and waits for the end; whether it is saved.
    func save(_ name: String) throws -> Bool {
      let count = results.count
      try submit(name)
      #expect(try loop.settle { results.count > count })
      return results.last == true
    }

    /// The name in the file.
    var saved: String? {
      (try? readFile(store.path, limit: 1 << 20)).map { String(decoding: $0, as: UTF8.self) }?
        .split(separator: "\"").dropFirst().first.map(String.init)
    }
  }

  @Test("Settings are saved again after a fault, and by a stop", arguments: cases)
  func settings(_ fault: Fault, _ step: AtomicFile.Step) throws {
    for stops in [false, true] {
      let owner = try Owner(fault, at: step)
      #expect(try owner.save("LIONS") && owner.saved == "LIONS")
      owner.disk.fail()
      #expect(try !owner.save("TIGERS") && owner.store.retry.unsaved != nil)
      owner.disk.recover()
      if stops {
        owner.store.close()
      } else {
        // The attempt comes after ten seconds, which pass at once.
        for _ in 0..<3 where owner.store.retry.unsaved != nil {
          try owner.loop.turn(timeoutMilliseconds: 60_000)
        }
        #expect(try owner.loop.settle { owner.store.retry.unsaved == nil })
      }
      #expect(owner.saved == "TIGERS" && owner.store.retry.unsaved == nil)
      owner.store.close()
    }
  }

  @Test("What another program has written is not overwritten by settings that could not be saved before")
  func edited() throws {
    let owner = try Owner(.full, at: .write)
    #expect(try owner.save("LIONS"))
    owner.disk.fail()
    #expect(try !owner.save("TIGERS"))
    owner.disk.recover()
    let text = "teams.home.name = \"WOLVES\"\n"
    try AtomicFile.write(Array(text.utf8), to: owner.store.path, mode: 0o640)
    for _ in 0..<3 { try owner.loop.turn(timeoutMilliseconds: 60_000) }
    #expect(owner.saved == "WOLVES")
    #expect(try owner.store.edited()?.keys == ["teams.home.name"])
    #expect(owner.store.retry.unsaved == nil)
    owner.store.close()
    #expect(owner.saved == "WOLVES")
  }
}

extension EventLoop {
  /// Waits for a writer's thread, which works in real time. No simulated time passes.
  fileprivate func settle(until condition: () -> Bool) throws -> Bool {
    let end = SystemClock.monotonic.now.seconds + 20
    while !condition() {
      guard SystemClock.monotonic.now.seconds < end else { return false }
      try turn(timeoutMilliseconds: 0)
      usleep(100)
    }
    return true
  }
}
