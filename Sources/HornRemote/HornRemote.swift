// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import Glibc
import Horn
import LinuxSystem
import Remotes
import Varlink

/// Plays a sound when a clock of the daemon ends, if the daemon's config says so.
///
/// The device is opened shortly before an end and closed after the sound. While no clock runs or the horn is
/// off, only the connection to the daemon wakes the program.
package final class HornRemote {
  let link: DaemonLink
  /// What the daemon's config says; off until it is known.
  private var settings = HornState()
  private var device: SoundDevice
  private let loop: EventLoop
  private let service: ServiceManager
  private let log: Log
  private let timer: LoopTimer
  private var signals: SignalWatch?
  private var watch = EndWatch([])
  private var samples: [Sound: [Int16]] = [:]
  private var lastProblem: SoundError?
  /// How many sounds have begun.
  private(set) var sounded = 0

  /// How long before an end the device is opened, in nanoseconds.
  private static let lead: Int64 = 1_000_000_000

  /// - Parameter candidates: the daemon's sockets (`SocketPath.candidates`).
  package init(
    candidates: [String], on loop: EventLoop, service: ServiceManager, log: Log
  ) throws(SystemError) {
    self.loop = loop
    self.service = service
    self.log = log
    link = try DaemonLink(candidates: candidates, on: loop)
    device = try SoundDevice(settings.device, on: loop)
    timer = try LoopTimer(.boottime, on: loop)
    link.happened = { [weak self] in self?.handle($0) }
    device.finished = { [weak self] in self?.soundEnded($0) }
    timer.handler = { [weak self] _ in self?.timePassed() }
  }

  /// Runs until SIGTERM or SIGINT.
  package func run() throws(SystemError) {
    signals = try SignalWatch([SIGTERM, SIGINT], on: loop) { [weak self] _ in self?.stop() }
    start()
    service.ready(status: status)
    try loop.run()
  }

  func start() { link.start() }

  private func stop() {
    service.stopping()
    link.happened = { _ in }
    link.close()
    timer.disarm()
    device.close()
    loop.stop()
  }

  private var status: String {
    let device = "device '\(settings.device)'" + (lastProblem == nil ? "" : " (not usable)")
    let horn = settings.on ? "\(device), \(settings.volume) %" : "off"
    return "\(link.isConnected ? "daemon connected" : "no daemon"), \(horn); \(sounded) sounds"
  }

  private static var now: Int64 { SystemClock.boottime.now.totalNanoseconds }

  private func handle(_ event: DaemonLink.Event) {
    switch event {
    case .connected:
      log.notice("the daemon is connected")
      report()
      service.status(status)
    case .disconnected:
      log.warning("no connection to the daemon: \(link.problem?.message ?? "it was closed")")
      watch.forget()
      arm()
      service.status(status)
    case .match:
      guard let match = link.match else { return }
      play(watch.follow(match, at: link.matchInstant))
      arm()
    case .display:
      guard let display = link.display else { return }
      adopt(display.horn ?? HornState())
      play(watch.follow(display, at: link.displayInstant))
      arm()
    case .wall, .failed: break
    }
  }

  /// Follows the config.
  private func adopt(_ new: HornState) {
    let old = settings
    // What this program has reported comes back with the rest.
    (settings, settings.connected, settings.problem) = (new, false, nil)
    guard settings != old else { return }
    watch.sounds = settings.on ? Set(settings.sounds) : []
    // A sound that is playing ends with the horn, and before another device or volume is used.
    if !settings.on || settings.device != old.device || settings.volume != old.volume {
      device.close()
      samples = [:]
    }
    if settings.device != old.device {
      do throws(SystemError) {
        let other = try SoundDevice(settings.device, on: loop)
        other.finished = device.finished
        device = other
      } catch {
        log.error("\(error)")
      }
    }
    if !settings.on {
      lastProblem = nil
      report()
    } else if !old.on || settings.device != old.device {
      tryDevice()
    }
    service.status(status)
  }

  /// Opens the device, so that people learn of a problem before the next end. `arm` closes it.
  private func tryDevice() {
    lastProblem = nil
    do throws(SoundError) { try device.open() } catch { complain(error) }
    if lastProblem == nil { report() }
  }

  /// Tells the daemon whether the device can be used.
  private func report() {
    link.perform(VarlinkCall(.reportHorn(problem: lastProblem?.description))) { _ in }
  }

  private func timePassed() {
    play(watch.advance(to: Self.now))
    arm()
  }

  /// Arms the timer for the next end, or for the moment before it at which the device is opened.
  private func arm() {
    let now = Self.now
    guard let next = watch.next else {
      timer.disarm()
      return release()
    }
    if next - now > Self.lead {
      release()
      timer.arm(at: ClockTime(totalNanoseconds: next - Self.lead))
    } else {
      prepare()
      timer.arm(at: ClockTime(totalNanoseconds: next))
    }
  }

  /// Opens the device and computes the sounds, so that they begin at once.
  private func prepare() {
    for sound in watch.sounds { _ = samples(of: sound) }
    guard !device.isPlaying else { return }
    do throws(SoundError) { try device.open() } catch { complain(error) }
  }

  private func release() {
    guard !device.isPlaying else { return }
    device.close()
    samples = [:]
  }

  private func samples(of sound: Sound) -> [Int16] {
    if let known = samples[sound] { return known }
    let made = Synthesis.samples(of: sound, volume: settings.volume)
    samples[sound] = made
    return made
  }

  private func play(_ sounds: [Sound]) {
    for sound in sounds {
      do throws(SoundError) {
        try device.play(samples(of: sound))
        sounded += 1
        if lastProblem != nil {
          log.notice("the sound device '\(settings.device)' works again")
          lastProblem = nil
          report()
        }
        log.info(sound.text)
      } catch {
        complain(error)
      }
    }
    if !sounds.isEmpty { service.status(status) }
  }

  private func soundEnded(_ error: SoundError?) {
    if let error { complain(error) }
    arm()
  }

  /// Logs a problem once; each end tries the device again.
  private func complain(_ error: SoundError) {
    if error != lastProblem {
      log.warning("\(error); trying again at the next end")
      lastProblem = error
      report()
    }
    service.status(status)
  }

  /// Plays one sound.
  package static func play(
    _ sound: Sound, _ options: HornRemoteOptions, on loop: EventLoop
  ) throws(SystemError) -> SoundError? {
    let device = try SoundDevice(options.device, on: loop)
    var result: SoundError?
    device.finished = {
      result = $0
      loop.stop()
    }
    do throws(SoundError) {
      try device.play(Synthesis.samples(of: sound, volume: options.volume))
    } catch {
      return error
    }
    try loop.run()
    return result
  }
}
