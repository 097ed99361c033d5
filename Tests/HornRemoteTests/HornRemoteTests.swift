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

  /// Has a clock end after 300 ms until its sound is whole on a tape. On a busy machine the program may
  /// notice an end too late to sound (`EndWatch.lateness`), or give the device up.
  ///
  /// - Returns: by how much the sound was later than another timer of the loop, in nanoseconds.
  private func end(
    _ timer: GameTimer.ID, _ remote: HornRemote, on tape: String, _ samples: [Int16]
  ) throws -> Int64 {
    var fired: Int64?
    let reference = try LoopTimer(.boottime, on: loop) { _ in
      fired = SystemClock.boottime.now.totalNanoseconds
    }
    for _ in 0..<10 {
      let (sounded, begin) = (remote.sounded, now)
      try act(.resetTimer(timer), .setTimer(timer, to: 300_000_000), .startTimer(timer))
      let end = now + 300_000_000
      fired = nil
      reference.arm(at: ClockTime(totalNanoseconds: end))
      try wait { remote.sounded > sounded || now > end + 1_000_000_000 }
      let sound = now
      try wait { fired != nil }
      guard remote.sounded > sounded, let fired else { continue }
      #expect(sound >= begin + 300_000_000)
      try wait { isWhole(samples, on: tape) || now > sound + 4_000_000_000 }
      guard isWhole(samples, on: tape) else { continue }
      try pass(milliseconds: 300)
      #expect(remote.sounded == sounded + 1)
      #expect(SoundCard.frames(of: tape).count <= remote.sounded * samples.count)
      return sound - fired
    }
    Issue.record("no sound is whole on \(tape)")
    return 0
  }

  /// Whether a tape ends with a sound.
  private func isWhole(_ samples: [Int16], on tape: String) -> Bool {
    SoundCard.frames(of: tape).map(\.left).suffix(samples.count) == samples[...]
  }

  /// Starts the game clock, and expects that its end is silent after a change, which returns when the program
  /// has it. On a busy machine that may be after the end; then the clock is started again.
  private func expectSilence(_ remote: HornRemote, after change: () throws -> Void) throws {
    var isKnownInTime = false
    while !isKnownInTime {
      let sounded = remote.sounded
      let end = now + 400_000_000
      try act(.resetTimer(.game), .setTimer(.game, to: 400_000_000), .startTimer(.game))
      try wait { remote.link.match?.timers["game"]?.running == true || now >= end }
      try change()
      isKnownInTime = now < end
      try pass(milliseconds: 900)
      if isKnownInTime { #expect(remote.sounded == sounded) }
    }
  }

  @Test func thePeriodsEndSounds() throws {
    let remote = try remote("tape4")
    let samples = Synthesis.samples(of: .period)
    var delay = Int64.max
    // On a busy machine something may come between the two timers. A sound that is always late never passes.
    for _ in 0..<60 where delay > 60_000_000 { delay = try end(.game, remote, on: "tape4", samples) }
    #expect(delay <= 60_000_000 && messages.lines.last == "info: end of the period")
  }

  @Test func aPausedClockDoesNot() throws {
    let remote = try remote("tape5", HornState(on: true, sounds: [.period]))
    try expectSilence(remote) {
      try pass(milliseconds: 100)
      try act(.pauseTimer(.game))
      try wait { remote.link.match?.timers["game"]?.running == false }
    }
    if remote.sounded == 0 { #expect(SoundCard.frames(of: "tape5").isEmpty) }
  }

  @Test func theVolumeAndTheWantedSoundsAreThoseOfTheConfig() throws {
    let remote = try remote("tape6", HornState(on: true, volume: 20, sounds: [.shot]))
    try act(.setTimer(.game, to: 800_000_000), .startTimer(.game))
    _ = try end(.shot, remote, on: "tape6", Synthesis.samples(of: .shot, volume: 20))
    // The game clock ends, too.
    let sounded = remote.sounded
    try pass(milliseconds: 1400)
    #expect(remote.sounded == sounded && messages.lines.allSatisfy { $0 != "info: end of the period" })
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
    _ = try end(.game, remote, on: "tape7", Synthesis.samples(of: .period))
  }

  @Test func changesOfTheConfigAreFollowedAtOnce() throws {
    let remote = try remote("tape8", HornState(on: false))
    try act(.resetTimer(.game), .setTimer(.game, to: 100_000_000), .startTimer(.game))
    try pass(milliseconds: 400)
    #expect(remote.sounded == 0 && SoundCard.frames(of: "tape8").isEmpty)

    // The clock runs when the horn is switched on, and again if the program learned of that too late.
    let expected = Synthesis.samples(of: .period, volume: 30)
    func isAsLoud() -> Bool { isWhole(expected, on: "tape8") }
    for _ in 0..<10 where !isAsLoud() {
      daemon.handler.horn.on = false
      try act(.resetTimer(.game), .setTimer(.game, to: 400_000_000), .startTimer(.game))
      try pass(milliseconds: 50)
      daemon.handler.horn = HornState(on: true, volume: 30, device: "tape8")
      let known = now
      try wait { isAsLoud() || now > known + 3_000_000_000 }
    }
    #expect(isAsLoud() && SoundCard.frames(of: "tape8").count <= remote.sounded * expected.count)

    // Switched off, it is silent at the end of a clock that ran already.
    try expectSilence(remote) {
      daemon.handler.horn.on = true
      try wait { remote.link.display?.horn?.on == true }
      daemon.handler.horn.on = false
      try wait { remote.link.display?.horn?.on == false }
    }

    // Another device is tried at once.
    daemon.handler.horn = HornState(on: true, device: "missing")
    try wait { daemon.handler.hornReports.last??.problem != nil }
    let problem = try #require(daemon.handler.hornReports.last??.problem)
    #expect(problem.contains("cannot open the sound device 'missing'"))
    daemon.handler.horn.device = "tape9"
    try wait { daemon.handler.hornReports.last == .some(HornReport()) }
    _ = try end(.game, remote, on: "tape9", Synthesis.samples(of: .period))
  }

  @Test func theDaemonIsToldWhetherTheProgramRuns() throws {
    let remote = try remote("tape10")
    try wait { daemon.handler.hornReports.last == .some(HornReport()) }
    withExtendedLifetime(remote) {}
  }
}
