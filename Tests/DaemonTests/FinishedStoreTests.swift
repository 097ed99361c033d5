// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import LinuxSystem
import Scoreboard
import Settings
import TestSupport
import Testing
import WallState
import Walls

@testable import Daemon

private let quiet = Log(style: .journal, threshold: .emergency)

@Suite("The file of the finished matches") struct FinishedStoreTests {
  /// The list of a wall on which `count` matches were finished.
  private func list(_ count: Int) throws -> FinishedMatches {
    let start = Moment(clock: 1, realtime: 1_795_312_916_000_000_000)
    var wall = Wall(alone: Configuration(), displays: [], at: start)
    var effects = Wall.Effects()
    for number in 0..<count {
      let moment = Moment(
        clock: Int64(number + 2) * 1_000_000_000, realtime: Int64(1_795_312_916 + number) * 1_000_000_000)
      for action in [Scoreboard.Action.addScore(team: "home", by: 1), .newGame] {
        _ = try wall.perform(.match(action), at: moment, &effects)
      }
    }
    return wall.finished
  }

  private func store(_ directory: TemporaryDirectory, _ loop: EventLoop) throws -> StateStore {
    try StateStore(directory: directory.path, on: loop, log: quiet)
  }

  @Test("The last 200 matches are saved, and read again")
  func saved() throws {
    let directory = try TemporaryDirectory()
    let loop = try EventLoop()
    var first: StateStore? = try store(directory, loop)
    #expect(first?.loadFinished() == FinishedMatches())
    var wall = SavedWall(Configuration().newMatch)
    wall.finished = try list(210)
    #expect(wall.finished.matches.count == 200)
    var results = 0
    first?.save(wall) { result in if case .success = result { results += 1 } }
    first?.close()
    // The lock of the directory.
    first = nil
    #expect(results == 1)
    let second = try store(directory, loop)
    #expect(second.loadFinished() == wall.finished && second.load() != nil)
    second.close()
  }

  @Test("A damaged file is set aside, and the match is still read")
  func damaged() throws {
    let whole = try JSONValue(encoding: try list(2)).bytes
    var files = stride(from: 0, to: whole.count, by: 7).map { Array(whole.prefix($0)) }
    files += [Array("[]".utf8), Array("{\"matches\":7}".utf8), Array(repeating: 0x20, count: 2 << 20)]
    for bytes in files {
      let directory = try TemporaryDirectory()
      let loop = try EventLoop()
      directory.write("matches.json", String(decoding: bytes, as: UTF8.self))
      var damaged: StateStore? = try store(directory, loop)
      #expect(damaged?.loadFinished() == FinishedMatches())
      #expect(directory.names().contains { $0.hasPrefix("matches.json.bad-") }, "\(bytes.count) bytes")
      var wall = SavedWall(Configuration().newMatch)
      wall.finished = try list(1)
      damaged?.save(wall) { _ in }
      damaged?.close()
      damaged = nil
      let next = try store(directory, loop)
      #expect(next.loadFinished() == wall.finished && next.load() != nil)
      next.close()
    }
  }

  @Test("A save has failed if one of its files was not written")
  func failure() throws {
    let directory = try TemporaryDirectory()
    let loop = try EventLoop()
    let store = try store(directory, loop)
    _ = store.loadFinished()
    mkdir(directory.file("matches.json"), 0o755)
    var wall = SavedWall(Configuration().newMatch)
    wall.finished = try list(1)
    var failures = 0
    store.save(wall) { result in if case .failure = result { failures += 1 } }
    store.close()
    #expect(failures == 1)
  }
}
