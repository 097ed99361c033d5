// SPDX-License-Identifier: Apache-2.0

import ConfigChecks
import Glibc
import Languages
import LinuxSystem
import Scoreboard
import Settings
import TestSupport
import Testing
import Walls
import WallState

@testable import Daemon

private let second: Int64 = 1_000_000_000
private let minute: Int64 = 60 * second

private let teams: [Scoreboard.Team] = [
  .init(id: "home", name: "HOME", color: 0xe5484d), .init(id: "guest", name: "GUEST"),
]

private func match(_ preset: GameRules.Preset) -> Match {
  var match = Match(Scoreboard(teams: []))
  match.adopt(teams, rules: GameRules(preset), at: 0)
  return match
}

private func written(_ match: Match, clock: Int64 = 0, wall: Int64 = 0) throws -> [UInt8] {
  var writer = StateWriter()
  return try writer.bytes(of: SavedWall(match), at: Moment(clock: clock, realtime: wall))
}

private func read(_ text: String) -> StateDocument.Failure? {
  do throws(StateDocument.Failure) { _ = try StateDocument(reading: Array(text.utf8)) } catch { return error }
  return nil
}

@Suite struct StateTests {
  private func withDirectory(_ body: (String) throws -> Void) throws {
    let directory = try TemporaryDirectory()
    try body(directory.path)
  }

  private let quiet = Log(style: .journal, threshold: .emergency)

  @Test("A match that another one has replaced is kept with its history")
  func replaced() throws {
    var (old, new) = (match(.basketball), match(.tennis))
    try old.apply(.setScore(team: "guest", to: 42))
    try old.apply(.startTimer(.game), at: 3 * second)
    try old.apply(.addScore(team: "home", by: 2), at: 9 * second)
    try old.apply(.undo, at: 10 * second)
    old.pauseTimers(at: 11 * second)
    // Its steps have the same numbers.
    try new.apply(.addScore(team: "home", by: 1), at: 12 * second)
    var writer = StateWriter()
    for id in ["1a-2", nil] {
      var wall = SavedWall(new)
      wall.replaced = ReplacedMatch(match: old, id: id, next: 7)
      let moment = Moment(clock: 20 * second, realtime: 1_000 * second)
      let bytes = try writer.bytes(of: wall, at: moment)
      let document = try StateDocument(reading: bytes)
      #expect(document.wall.replaced == wall.replaced && document.leftOut.isEmpty)
      // A later start: the pause does not count.
      let now = Moment(clock: 5 * second, realtime: 2_000 * second)
      let later = document.resumed(by: Configuration(), at: now)
      #expect(later.replaced?.match.scoreboard.reading(of: .game, at: now.clock)?.value == 592 * second)
      #expect(later.replaced?.match.past.map(\.number) == old.past.map(\.number))
      #expect(later.replaced?.match.scoreboard.rules.preset == "basketball")
      // Cut off, or damaged: the rest is used.
      let text = String(decoding: bytes, as: UTF8.self)
      let damaged = text.replacing("\"next\":7", with: "\"next\":\"x\"")
      let rest = try StateDocument(reading: Array(damaged.utf8))
      #expect(rest.wall.replaced == nil && rest.leftOut == ["replaced"] && rest.match.past == new.past)
    }
  }

  @Test("A match is saved and read with its history and parked teams")
  func roundTrip() throws {
    try withDirectory { path in
      let loop = try EventLoop()
      var match = match(.basketball)
      try match.apply(.setScore(team: "guest", to: 42))
      try match.apply(.setTeam(team: "home", name: "نمور", shortName: "é", color: 1))
      try match.apply(.undo)
      match.adopt([teams[0]], rules: GameRules(.basketball), at: 0)
      let store = try StateStore(directory: "\(path)/deep", on: loop, log: quiet)
      #expect(store.load() == nil)
      var outcome: Result<Void, SystemError>?
      store.save(SavedWall(match)) { outcome = $0 }
      while outcome == nil { try loop.turn(timeoutMilliseconds: 1000) }
      #expect((try? outcome?.get()) != nil)
      let document = try #require(store.load())
      var read = document.match
      read.adopt([teams[0]], rules: GameRules(.basketball), at: 0)
      #expect(read == match && !document.lostHistory)
      try read.apply(.redo)
      #expect(read.scoreboard.team("home")?.name == "نمور")
      store.close()
    }
  }

  @Test(
    "A state directory that other users may write to is refused, with its path, the problem and the remedy")
  func unsafeDirectory() throws {
    try withDirectory { path in
      let loop = try EventLoop()
      let shared = "\(path)/shared"
      #expect(mkdir(shared, 0o700) == 0 && chmod(shared, 0o1777) == 0)
      do throws(StartFailure) {
        _ = try StateStore(directory: shared, on: loop, log: quiet)
        Issue.record("the directory was accepted")
      } catch {
        for words in [shared, "every user may write", "1777", "chmod o-w \(shared)", "--state-dir"] {
          #expect(error.description.contains(words), "\(error)")
        }
        #expect(error.exitCode == EX_NOPERM)
      }
      #expect((try? readFile("\(shared)/lock", limit: 64)) == nil, "nothing is created in it")
      #expect(chmod(shared, 0o770) == 0)
      let store = try StateStore(directory: shared, on: loop, log: quiet)
      store.close()
    }
  }

  @Test("A state directory that becomes unsafe while the daemon waits for it is not used")
  func unsafeLater() throws {
    try withDirectory { path in
      let loop = try EventLoop()
      // A file in place of the directory makes the first attempt fail.
      let directory = "\(path)/later/state"
      let blocker = try FileDescriptor(opening: "\(path)/later", O_WRONLY | O_CREAT, mode: 0o600)
      let store = try StateStore(directory: directory, on: loop, log: quiet)
      _ = consume blocker
      #expect(unlink("\(path)/later") == 0)
      #expect(
        mkdir("\(path)/later", 0o700) == 0 && mkdir(directory, 0o700) == 0 && chmod(directory, 0o777) == 0)
      var outcome: Result<Void, SystemError>?
      store.save(SavedWall(match(.basketball))) { outcome = $0 }
      for _ in 0..<20 where outcome == nil { try loop.turn(timeoutMilliseconds: 100) }
      guard case .failure(let error) = outcome else {
        Issue.record("saved: \(outcome as Any)")
        return
      }
      #expect(error.description.contains("every user may write"))
      store.close()
    }
  }

  @Test(
    "What cannot be a state file is set aside, and scores are saved",
    arguments: ["long", "directory", "FIFO"])
  func foreignThings(_ kind: String) throws {
    try withDirectory { path in
      let loop = try EventLoop()
      let state = "\(path)/state.json"
      switch kind {
      case "directory": #expect(mkdir(state, 0o700) == 0)
      case "FIFO": #expect(mkfifo(state, 0o600) == 0)
      default:
        let file = try FileDescriptor(opening: state, O_WRONLY | O_CREAT, mode: 0o600)
        #expect(ftruncate(file.rawValue, 2 << 20) == 0)
      }
      let store = try StateStore(directory: path, on: loop, log: quiet)
      #expect(store.load() == nil)
      var outcome: Result<Void, SystemError>?
      store.save(SavedWall(match(.free))) { outcome = $0 }
      while outcome == nil { try loop.turn(timeoutMilliseconds: 1000) }
      #expect((try? outcome?.get()) != nil)
      #expect(store.load()?.match == match(.free))
      store.close()
      let aside = (fileNames(in: path) ?? []).filter { $0.hasPrefix("state.json.bad-") }
      #expect(aside.count == 1)
      var status = stat()
      #expect(stat("\(path)/\(aside.first ?? "")", &status) == 0)
      #expect(kind != "long" || status.st_size == 1 << 20, "truncated to 1 MiB")
    }
  }

  @Test("Only one process can use a state directory; the second reports which one does")
  func oneDaemon() throws {
    try withDirectory { path in
      let loop = try EventLoop()
      var first: StateStore? = try StateStore(directory: path, on: loop, log: quiet)
      #expect(throws: StartFailure.self) { _ = try StateStore(directory: path, on: loop, log: quiet) }
      do throws(StartFailure) {
        _ = try StateStore(directory: path, on: loop, log: quiet)
      } catch {
        #expect(error.exitCode == EX_TEMPFAIL)
        for words in ["process \(getpid())", path, "--state-dir"] {
          #expect(error.description.contains(words))
        }
      }
      first?.close()
      first = nil
      _ = try StateStore(directory: path, on: loop, log: quiet)
    }
  }

  @Test("A start removes the program's temporary files and nothing else")
  func temporaries() throws {
    let directory = try TemporaryDirectory()
    let kept = [".flipclock-x", "flipclock-1.tmp", ".flipclock-.tmpx", "state.json.tmp", "fonts"]
    for name in kept + [".flipclock-1z.tmp", ".flipclock--2.tmp"] { directory.write(name, "x") }
    mkdir(directory.file(".flipclock-dir.tmp"), 0o755)
    symlink("fonts", directory.file(".flipclock-link.tmp"))
    _ = try StateStore(directory: directory.path, on: try EventLoop(), log: quiet)
    #expect(
      Set(directory.names())
        == Set(kept + [".flipclock-dir.tmp", ".flipclock-link.tmp", DirectoryLock.fileName]))
  }

  @Test("The newest three files that were set aside are kept, truncated to 1 MiB")
  func setAside() throws {
    let directory = try TemporaryDirectory()
    let loop = try EventLoop()
    for round in 0..<6 {
      let text = String(repeating: "x", count: round % 2 == 0 ? 3 << 20 : 10 + round)
      directory.write("state.json", text)
      let store = try StateStore(directory: directory.path, on: loop, log: quiet)
      #expect(store.load() == nil)
      store.close()
    }
    let aside = directory.names().filter { $0.hasPrefix("state.json.bad-") }
    var sizes: [Int] = []
    for name in aside {
      var status = stat()
      #expect(stat(directory.file(name), &status) == 0)
      sizes.append(Int(status.st_size))
    }
    #expect(sizes.sorted() == [13, 15, 1 << 20])
  }

  @Test("A match that was saved in one language continues in another, with the other's words")
  func otherLanguage() throws {
    func configuration(_ tag: String) throws -> Configuration {
      let language = try #require(Language(tag))
      var configuration = Configuration(in: language)
      configuration.game.rules = GameRules(.tennis, words: language.words)
      return configuration
    }
    let tags = ["en", "de", "ja", "pt-PT", "ar"]
    for (from, to) in tags.flatMap({ from in tags.map { (from, $0) } }) {
      var match = try configuration(from).newMatch
      // Deuce, then an advantage, whose name is one of the language's words.
      for team in ["home", "guest", "home", "guest", "home", "guest", "home"] {
        try match.apply(.addScore(team: team, by: 1))
      }
      let read = try StateDocument(reading: written(match)).resumed(by: configuration(to)).match
      let (board, target) = try (continued(match, in: configuration(to)), configuration(to))
      #expect(read.scoreboard == board)
      #expect(read.scoreboard.teams.map(\.score) == match.scoreboard.teams.map(\.score))
      #expect(read.scoreboard.teams.map(\.name) == target.teams.map(\.name))
      #expect(read.scoreboard.periodText == target.newMatch.scoreboard.periodText)
      #expect(read.past.count == 7)
      var undone = read
      #expect(throws: Never.self) { try undone.apply(.undo) }
      #expect(undone.scoreboard.teams.map(\.score) == [3, 3])
    }
  }

  /// The board of a running daemon whose config gets another language.
  private func continued(_ match: Match, in configuration: Configuration) throws -> Scoreboard {
    var match = match
    match.adopt(configuration.scoreboardTeams, rules: configuration.game.rules, at: 0)
    return match.scoreboard
  }

  @Test("A state file of version 1 is read")
  func migration() throws {
    let text = #"{"version":1,"scoreboard":{"teams":[{"id":"home","name":"HOME","score":7}],"parked":[]}}"#
    let document = try StateDocument(reading: Array(text.utf8))
    let now = Moment(clock: 5, realtime: 5)
    let match = document.resumed(teams, rules: GameRules(.basketball), at: now, runs: false)
    #expect(match.scoreboard.teams.map(\.score) == [7, 0])
    #expect(match.scoreboard.team("home")?.color == 0xe5484d)
    #expect(match.past.isEmpty && match.revision == 0 && !document.lostHistory)
  }

  @Test(
    "Damaged, foreign and newer files are rejected",
    arguments: [
      "", "{", "[]", "{}", #"{"version":0}"#, #"{"version":3,"scoreboard":{"teams":[]}}"#,
      #"{"version":2}"#, #"{"version":2,"scoreboard":{"teams":[{"id":"a","name":"A","score":1000}]}}"#,
      #"{"version":2,"scoreboard":{"teams":[],"period":100}}"#,
      #"{"version":2,"scoreboard":{"teams":[],"gameTimer":{"value":9000000000000000000}}}"#,
      #"{"version":2,"scoreboard":{"teams":[],"serving":"home"}}"#,
      #"{"version":2,"scoreboard":{"teams":[{"id":"a","name":"A","score":1,"periodScores":[1]}]}}"#,
    ])
  func foreign(_ text: String) {
    #expect(read(text) != nil)
  }

  @Test(
    "A member's name that is not UTF-8 or has a wrong escape causes no trap",
    arguments: ["\\q", "\\ud800", "\u{1}"])
  func names(name: String) throws {
    let escaped = #"{"version":2,"scoreboard":{"teams":[{"id":"a","\#(name)":0,"name":"A","score":1}]}}"#
    #expect(read(escaped) == .foreign)
    let document = #"{"version":2,"scoreboard":{"teams":[{"id":"a","@":0,"name":"A","score":1}]}}"#
    let bytes = document.utf8.map { $0 == UInt8(ascii: "@") ? 0xff : $0 }
    #expect(try StateDocument(reading: bytes).match.scoreboard.teams.map(\.score) == [1])
  }

  @Test("Every truncated state file is rejected")
  func torn() throws {
    var match = match(.volleyball)
    try match.apply(.addScore(team: "home", by: 3))
    try match.apply(.addPeriod(by: 1, anyway: true))
    let bytes = try written(match)
    #expect(throws: Never.self) { try StateDocument(reading: bytes) }
    var accepted: [Int] = []
    // The last byte is a newline.
    for count in 0..<(bytes.count - 1) where (try? StateDocument(reading: Array(bytes[..<count]))) != nil {
      accepted.append(count)
    }
    #expect(accepted == [])
  }

  @Test("The brightness is saved with the match, and an invalid one is ignored")
  func brightness() throws {
    var match = match(.free)
    try match.apply(.setScore(team: "home", to: 3))
    var writer = StateWriter()
    let moment = Moment(clock: 0, realtime: 0)
    var holds = Holds()
    holds.brightness = .init(percent: 40, insteadOf: 100)
    var wall = SavedWall(match)
    wall.holds = holds
    let bytes = try writer.bytes(of: wall, at: moment)
    #expect(try StateDocument(reading: bytes).wall.holds == holds)
    #expect(try StateDocument(reading: writer.bytes(of: SavedWall(match), at: moment)).wall.holds == Holds())
    let text = String(decoding: bytes, as: UTF8.self)
    for bad in ["0", "101", "-1", "\"40\"", "null", "1e300", "[]"] {
      let changed = text.split(separator: "\"percent\":40", omittingEmptySubsequences: false)
        .joined(separator: "\"percent\":\(bad)")
      #expect(changed != text)
      let document = try StateDocument(reading: Array(changed.utf8))
      #expect(document.wall.holds.brightness == nil)
      #expect(document.match.scoreboard.team("home")?.score == 3 && !document.lostHistory)
    }
  }

  @Test(
    "A damaged entry of a table is left out, and the others are read",
    arguments: [
      #"{"since":0,"end":"x"}"#, #"{"since":0,"end":9e30}"#, #"{"end":1}"#, "null", "[]", "1", "\"x\"", "{}",
      #"{"since":0,"end":1,"text":1,"label":"\u0007"}"#,
    ])
  func damagedEntries(bad: String) throws {
    let good = #"{"since":0,"end":5000000000,"text":"A","percent":40,"insteadOf":100}"#
    let tables = ["boards", "countdowns", "outputBrightness"]
    let text = String(decoding: try written(match(.free)), as: UTF8.self).dropFirst()
    let head = tables.map { "\"\($0)\":{\"bad\":\(bad),\"good\":\(good),\"worse\":\(bad)}," }.joined()
    let document = try StateDocument(reading: Array("{\(head)\(text)".utf8))
    #expect(Array(document.wall.countdowns.keys) == ["good"])
    #expect(Array(document.wall.boards.keys) == ["good"])
    #expect(Array(document.wall.holds.outputBrightness.keys) == ["good"])
    #expect(Set(document.leftOut) == Set(tables.flatMap { ["\($0) 'bad'", "\($0) 'worse'"] }))
  }

  @Test("At most 16 countdowns are read, with names and tables that are what they should be")
  func numberOfEntries() throws {
    let text = String(decoding: try written(match(.free)), as: UTF8.self).dropFirst()
    func document(_ countdowns: String) throws -> StateDocument {
      try StateDocument(reading: Array("{\"countdowns\":\(countdowns),\(text)".utf8))
    }
    let entries = (10..<60).map { "\"c\($0)\":{\"since\":0,\"end\":1}" }.joined(separator: ",")
    let many = try document("{\"b/ad\\u0007\":{\"since\":0,\"end\":1},\(entries)}")
    #expect(many.wall.countdowns.keys.sorted() == (10..<26).map { "c\($0)" })
    #expect(many.leftOut.count == 35 && many.leftOut.allSatisfy { $0 == $0.printable })
    for table in ["[]", "1", "\"x\"", "true"] { #expect(try document(table).leftOut == ["countdowns"]) }
    #expect(try document("{}").leftOut == [])
  }

  @Test("An invalid history is dropped, and the score is kept")
  func lostHistory() throws {
    var match = match(.free)
    try match.apply(.setScore(team: "home", to: 3))
    let text = String(decoding: try written(match), as: UTF8.self)
    #expect(text.contains(#""from":0,"team":"home","to":3"#))
    for (good, bad) in [
      (#""from":0,"team":"home","to":3"#, #""from":1000,"team":"home","to":3"#),
      (#""setScore""#, #""setScores""#),
    ] {
      let changed = text.split(separator: good, omittingEmptySubsequences: false).joined(separator: bad)
      #expect(changed != text)
      let document = try StateDocument(reading: Array(changed.utf8))
      #expect(document.lostHistory && document.match.past.isEmpty)
      #expect(document.match.scoreboard.team("home")?.score == 3)
    }
  }

  @Test("The newest steps of a long history are saved, and the file stays small")
  func bounds() throws {
    var match = match(.free)
    for score in 1...900 { try match.apply(.setScore(team: "home", to: score)) }
    for _ in 0..<300 { try match.apply(.undo) }
    var writer = StateWriter()
    let moment = Moment(clock: 0, realtime: 0)
    let bytes = try writer.bytes(of: SavedWall(match), at: moment)
    #expect(try writer.bytes(of: SavedWall(match), at: moment) == bytes)
    #expect(bytes.count < 80_000)
    var read = try StateDocument(reading: bytes).match
    #expect(read.past == match.past.suffix(200) && read.future == match.future.suffix(200))
    try read.apply(.redo)
    #expect(read.scoreboard.team("home")?.score == 601)
    var wide = match
    wide.adopt((0..<32).map { .init(id: "t\($0)", name: "T") }, rules: GameRules(), at: 0)
    for _ in 0..<100 { try wide.apply(.setPeriod(to: wide.scoreboard.period == 1 ? 99 : 1, anyway: true)) }
    let large = try written(wide)
    #expect(large.count < 400_000)
    #expect(!(try StateDocument(reading: large).match.past.isEmpty))
  }

  @Test("After a restart, a running timer is paused at its saved value, or has continued")
  func resuming() throws {
    var match = match(.basketball)
    try match.apply(.startTimer(.game), at: 1000 * second)
    try match.apply(.addScore(team: "home", by: 2), at: 1060 * second)
    // The match is saved a minute after the timer's start, and read 30 seconds later, after a restart of the
    // machine.
    let bytes = try written(match, clock: 1060 * second, wall: 5_000_000 * second)
    let document = try StateDocument(reading: bytes)
    let now = Moment(clock: 20 * second, realtime: 5_000_030 * second)
    let rules = GameRules(.basketball)
    let stands = document.resumed(teams, rules: rules, at: now, runs: false)
    #expect(stands.scoreboard.reading(of: .game, at: now.clock)?.value == 9 * minute)
    #expect(stands.scoreboard.reading(of: .game, at: now.clock)?.isRunning == false)
    #expect(stands.scoreboard.reading(of: .shot, at: now.clock)?.value == 0)
    var runs = document.resumed(teams, rules: rules, at: now, runs: true)
    #expect(runs.scoreboard.reading(of: .game, at: now.clock)?.value == 8 * minute + 30 * second)
    #expect(runs.scoreboard.reading(of: .game, at: now.clock)?.isRunning == true)
    try runs.apply(.undo, at: now.clock)
    #expect(runs.scoreboard.team("home")?.score == 0)
    #expect(runs.scoreboard.reading(of: .game, at: now.clock)?.value == 8 * minute + 30 * second)
    let unset = Moment(clock: 3 * second, realtime: 0)
    let early = document.resumed(teams, rules: rules, at: unset, runs: true)
    #expect(early.scoreboard.reading(of: .game, at: unset.clock)?.value == 9 * minute)
  }
}
