// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import DaemonDouble
import Horn
import LinuxSystem
import Scoreboard
import TestSupport
import Testing

@testable import HornRemote

/// The program's parts on the loop of a test, with the real CLOCK_BOOTTIME.
@Suite(.serialized) struct HornRemoteTests {
  private final class Messages: @unchecked Sendable {
    var lines: [String] = []
  }

  private let directory: TemporaryDirectory
  private let loop: EventLoop
  private let daemon: DaemonDouble
  private let messages = Messages()

  init() throws {
    try #require(SoundCard.isReady)
    directory = try TemporaryDirectory()
    loop = try EventLoop()
    daemon = try DaemonDouble(at: directory.file("control.sock"), on: loop)
  }

  private var now: Int64 { SystemClock.boottime.now.totalNanoseconds }

  private func remote(_ device: String, _ settings: HornState = HornState(on: true)) throws -> HornRemote {
    let messages = messages
    let log = Log { level, text in messages.lines.append("\(level): \(text)") }
    daemon.handler.horn = settings
    daemon.handler.horn.device = device
    let remote = try HornRemote(
      candidates: [directory.file("control.sock")], on: loop, service: ServiceManager(), log: log)
    remote.start()
    try wait { messages.lines.contains("notice: the daemon is connected") }
    return remote
  }

  private func wait(_ condition: () -> Bool) throws {
    #expect(try loop.turn(until: condition))
  }

  private func pass(milliseconds: Int) throws {
    let end = now + Int64(milliseconds) * 1_000_000
    while now < end { try loop.turn(timeoutMilliseconds: 10) }
  }

  /// Performs actions at the current time. The double's own time only advances by seconds with each change.
  private func act(_ actions: Scoreboard.Action...) throws {
    for action in actions { try daemon.handler.match.apply(action, at: now) }
    daemon.handler.now = now
    daemon.handler.changed()
  }

  /// Has a clock end after 100 ms until its end sounds: one that the program notices too late, on a busy machine, does
  /// not sound (`EndWatch.lateness`).
  private func end(_ timer: GameTimer.ID, _ remote: HornRemote) throws {
    let sounded = remote.sounded
    for _ in 0..<10 where remote.sounded == sounded {
      try act(.resetTimer(timer), .setTimer(timer, to: 100_000_000), .startTimer(timer))
      try pass(milliseconds: 300)
    }
    #expect(remote.sounded > sounded)
  }

  @Test func thePeriodsEndSounds() throws {
    let remote = try remote("tape4")
    var delays: [Int64] = []
    // On a busy machine a sound may be late, but not each of ten.
    while delays.count < 10, delays.last.map({ $0 > 60_000_000 }) ?? true {
      let sounded = remote.sounded
      try act(.resetTimer(.game), .setTimer(.game, to: 300_000_000), .startTimer(.game))
      let end = now + 300_000_000
      try wait { remote.sounded > sounded }
      delays.append(now - end)
      for _ in 0..<20 where SoundCard.frames(of: "tape4").isEmpty { try pass(milliseconds: 300) }
      try pass(milliseconds: 300)
    }
    #expect(delays.allSatisfy { $0 >= 0 } && delays.last.map { $0 <= 60_000_000 } == true)
    #expect(remote.sounded == delays.count && messages.lines.last == "info: end of the period")
    let frames = SoundCard.frames(of: "tape4").map(\.left)
    #expect(frames == (0..<delays.count).flatMap { _ in Synthesis.samples(of: .period) })
  }

  @Test func aPausedClockDoesNot() throws {
    let remote = try remote("tape5", HornState(on: true, sounds: [.period]))
    var isKnownInTime = false
    // On a busy machine the clock may run out before the program knows of the pause; then the test tries again.
    while !isKnownInTime {
      let sounded = remote.sounded
      let end = now + 200_000_000
      try act(.setTimer(.game, to: 200_000_000), .startTimer(.game))
      try wait { remote.link.match?.timers["game"]?.running == true }
      try pass(milliseconds: 100)
      try act(.pauseTimer(.game))
      try wait { remote.link.match?.timers["game"]?.running == false }
      isKnownInTime = now < end
      try pass(milliseconds: 600)
      if isKnownInTime { #expect(remote.sounded == sounded) }
    }
    try wait { SoundCard.frames(of: "tape5").isEmpty == (remote.sounded == 0) }
  }

  @Test func theVolumeAndTheWantedSoundsAreThoseOfTheConfig() throws {
    let remote = try remote("tape6", HornState(on: true, volume: 20, sounds: [.shot]))
    try act(.setTimer(.game, to: 800_000_000), .startTimer(.game))
    try end(.shot, remote)
    let expected = Synthesis.samples(of: .shot, volume: 20)
    try wait { SoundCard.frames(of: "tape6").count >= expected.count }
    // The game clock ends, too.
    try pass(milliseconds: 1400)
    let frames = SoundCard.frames(of: "tape6").map(\.left)
    #expect(frames == (0..<remote.sounded).flatMap { _ in expected })
  }

  @Test func aMissingDeviceIsLoggedOnceAndTriedAgain() throws {
    let remote = try remote("missing")
    for _ in 0..<3 {
      try act(.setTimer(.game, to: 50_000_000), .startTimer(.game))
      try pass(milliseconds: 150)
      try act(.resetTimer(.game))
    }
    func isWarning(_ line: String) -> Bool { line.hasPrefix("warning") }
    try wait { messages.lines.contains(where: isWarning) }
    #expect(remote.sounded == 0)
    let warnings = messages.lines.filter(isWarning)
    #expect(warnings.count == 1 && warnings[0].contains("cannot open the sound device 'missing'"))
  }

  @Test func theDaemonsLossAndReturnAreSilent() throws {
    let remote = try remote("tape7")
    try act(.setTimer(.game, to: 2_000_000_000), .startTimer(.game))
    try pass(milliseconds: 50)
    daemon.stop()
    try pass(milliseconds: 2200)
    #expect(remote.sounded == 0)
    try daemon.start()
    daemon.handler.now = now
    try wait { messages.lines.count { $0 == "notice: the daemon is connected" } == 2 }
    try pass(milliseconds: 100)
    #expect(remote.sounded == 0)
    try end(.game, remote)
  }

  @Test func changesOfTheConfigAreFollowedAtOnce() throws {
    let remote = try remote("tape8", HornState(on: false))
    try act(.resetTimer(.game), .setTimer(.game, to: 100_000_000), .startTimer(.game))
    try pass(milliseconds: 400)
    #expect(remote.sounded == 0 && SoundCard.frames(of: "tape8").isEmpty)

    // The clock runs when the horn is switched on, and again if the program learned of that too late.
    for _ in 0..<10 where remote.sounded == 0 {
      daemon.handler.horn.on = false
      try act(.resetTimer(.game), .setTimer(.game, to: 400_000_000), .startTimer(.game))
      try pass(milliseconds: 50)
      daemon.handler.horn = HornState(on: true, volume: 30, device: "tape8")
      try pass(milliseconds: 600)
    }
    #expect(remote.sounded == 1)
    let expected = Synthesis.samples(of: .period, volume: 30)
    try wait { SoundCard.frames(of: "tape8").count == expected.count }
    let isAsLoud = SoundCard.frames(of: "tape8").map(\.left) == expected
    #expect(isAsLoud)

    // Switched off, it is silent at the end of a clock that ran already.
    var isKnownInTime = false
    while !isKnownInTime {
      daemon.handler.horn.on = true
      try wait { remote.link.display?.horn?.on == true }
      let sounded = remote.sounded
      let end = now + 400_000_000
      try act(.resetTimer(.game), .setTimer(.game, to: 400_000_000), .startTimer(.game))
      try wait { remote.link.match?.timers["game"]?.running == true }
      daemon.handler.horn.on = false
      try wait { remote.link.display?.horn?.on == false }
      isKnownInTime = now < end
      try pass(milliseconds: 900)
      if isKnownInTime { #expect(remote.sounded == sounded) }
    }

    // Another device is tried at once.
    daemon.handler.horn = HornState(on: true, device: "missing")
    try wait { daemon.handler.hornReports.last??.problem != nil }
    let problem = try #require(daemon.handler.hornReports.last??.problem)
    #expect(problem.contains("cannot open the sound device 'missing'"))
    daemon.handler.horn.device = "tape9"
    try wait { daemon.handler.hornReports.last == .some(HornReport()) }
    try end(.game, remote)
    try wait { !SoundCard.frames(of: "tape9").isEmpty }
  }

  @Test func theDaemonIsToldWhetherTheProgramRuns() throws {
    let remote = try remote("tape10")
    try wait { daemon.handler.hornReports.last == .some(HornReport()) }
    withExtendedLifetime(remote) {}
  }
}
