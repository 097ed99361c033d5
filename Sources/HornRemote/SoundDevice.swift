// SPDX-License-Identifier: Apache-2.0

import CALSA
import Horn
import LinuxSystem

/// An ALSA device that plays one sound at a time, without blocking. It is open only while it plays or is
/// about to.
final class SoundDevice {
  /// Called when a sound has ended, with the error if it could not be played to its end. The device is
  /// closed.
  var finished: (SoundError?) -> Void = { _ in }
  private(set) var isPlaying = false
  var isOpen: Bool { pcm != nil }

  private let name: String
  private let loop: EventLoop
  private var pcm: OpaquePointer?
  /// The mono samples of the sound that is played, and how many of them the device has accepted.
  private var samples: [Int16] = []
  private var position = 0
  private var watches: [EventLoop.Watch] = []
  private var descriptors: [pollfd] = []
  /// Fires when the device has played everything, or has not done so in time.
  private let endTimer: LoopTimer
  /// Writes again, if the device's descriptors cannot be watched or it cannot continue yet.
  private let retryTimer: LoopTimer
  private var recoveries = 0
  private var stereo = [Int16](repeating: 0, count: 2 * chunk)

  /// Frames per write.
  private static let chunk = 1024
  /// The length of the device's buffer in microseconds.
  private static let latency: UInt32 = 100_000
  private static let retryInterval: Int64 = 20_000_000
  /// A device that fails more often during a sound is given up.
  private static let recoveryLimit = 20
  /// How much longer than the rest of the sound the device may take until it accepts more of it, in
  /// nanoseconds.
  private static let reserve: Int64 = 1_000_000_000

  /// - Parameter name: as in ALSA's configuration, such as `default` or `hw:1`.
  init(_ name: String, on loop: EventLoop) throws(SystemError) {
    self.name = name
    self.loop = loop
    // After a suspend, the rest of a sound is not played.
    endTimer = try LoopTimer(.boottime, on: loop)
    retryTimer = try LoopTimer(.monotonic, on: loop)
    calsa_silence()
    endTimer.handler = { [weak self] _ in self?.timeIsUp() }
    retryTimer.handler = { [weak self] _ in self?.continueFeeding() }
  }

  deinit { close() }

  /// Opens and configures the device; does nothing if it is open.
  func open() throws(SoundError) {
    guard pcm == nil else { return }
    do throws(SoundError) {
      try open(name)
    } catch {
      // A device without the format or the rate is used with conversion.
      guard error.operation == "configure", (try? open("plug:'\(name)'")) != nil else { throw error }
    }
  }

  private func open(_ name: String) throws(SoundError) {
    var opened: OpaquePointer?
    let result = calsa_open(&opened, name)
    guard result >= 0, let opened else {
      releaseConfiguration()
      throw SoundError("open", self.name, code: result)
    }
    let configured = calsa_configure(opened, 2, UInt32(Synthesis.rate), Self.latency)
    guard configured >= 0 else {
      snd_pcm_close(opened)
      releaseConfiguration()
      throw SoundError("configure", self.name, code: configured)
    }
    pcm = opened
  }

  /// Begins to play mono samples. A sound that is playing ends.
  func play(_ samples: [Int16]) throws(SoundError) {
    let wasOpen = isOpen
    do throws(SoundError) {
      try begin(samples)
    } catch {
      close()
      // A device that has been open for a while may have been unplugged and connected again.
      guard wasOpen else { throw error }
      do throws(SoundError) { try begin(samples) } catch {
        close()
        throw error
      }
    }
  }

  private func begin(_ samples: [Int16]) throws(SoundError) {
    try open()
    guard let pcm else { return }
    if isPlaying {
      snd_pcm_drop(pcm)
      let result = snd_pcm_prepare(pcm)
      guard result >= 0 else { throw SoundError("prepare", name, code: result) }
    }
    stopWatching()
    self.samples = samples
    (position, recoveries, isPlaying) = (0, 0, true)
    armDeadline()
    try feed()
    if position < samples.count { watch() }
  }

  /// Stops and closes the device.
  func close() {
    stopWatching()
    retryTimer.disarm()
    endTimer.disarm()
    (isPlaying, samples, position) = (false, [], 0)
    guard let pcm else { return }
    self.pcm = nil
    snd_pcm_close(pcm)
    releaseConfiguration()
  }

  /// Frees ALSA's configuration. It is read again when a device is opened, because devices may have changed.
  private func releaseConfiguration() { snd_config_update_free_global() }

  private func timeIsUp() {
    // Samples are left if the device accepts no more, or if the machine was suspended.
    let isComplete = position == samples.count
    finish(isComplete ? nil : SoundError("write to", name, code: ETIMEDOUT))
  }

  private func finish(_ error: SoundError?) {
    close()
    finished(error)
  }

  // MARK: Writing

  private func continueFeeding() {
    guard isPlaying else { return }
    do throws(SoundError) { try feed() } catch { finish(error) }
  }

  /// Writes as many samples as the device accepts.
  private func feed() throws(SoundError) {
    guard let pcm else { return }
    let start = position
    while position < samples.count {
      let count = min(samples.count - position, Self.chunk)
      for index in 0..<count {
        stereo[2 * index] = samples[position + index]
        stereo[2 * index + 1] = samples[position + index]
      }
      let written = snd_pcm_writei(pcm, stereo, snd_pcm_uframes_t(count))
      if written > 0 {
        position += written
      } else if written == 0 || written == -Int(EAGAIN) {
        break
      } else if try !recover(pcm, from: Int32(truncatingIfNeeded: written)) {
        return
      }
    }
    if calsa_is_prepared(pcm) {
      let result = snd_pcm_start(pcm)
      guard result >= 0 else { throw SoundError("start", name, code: result) }
    }
    if position == samples.count { return awaitEnd(pcm) }
    // So a slow device, or a busy machine, plays all of it.
    if position > start { armDeadline() }
    if watches.isEmpty { retryTimer.arm(inNanoseconds: Self.retryInterval) }
  }

  private func armDeadline() {
    endTimer.arm(inNanoseconds: Self.nanoseconds(samples.count - position) + Self.reserve)
  }

  /// Recovers from a failed write. Returns whether to write again now.
  private func recover(_ pcm: OpaquePointer, from error: Int32) throws(SoundError) -> Bool {
    recoveries += 1
    guard recoveries <= Self.recoveryLimit, !calsa_is_disconnected(pcm) else {
      throw SoundError("write to", name, code: calsa_is_disconnected(pcm) ? ENODEV : error)
    }
    switch error {
    case -EINTR: return true
    case -ESTRPIPE where snd_pcm_resume(pcm) == -EAGAIN:
      // The hardware is not awake yet.
      stopWatching()
      recoveries -= 1
      retryTimer.arm(inNanoseconds: Self.retryInterval)
      return false
    case -EPIPE, -ESTRPIPE:
      let result = snd_pcm_prepare(pcm)
      guard result >= 0 else { throw SoundError("prepare", name, code: result) }
      return true
    default: throw SoundError("write to", name, code: error)
    }
  }

  /// Arms the timer that closes the device when it has played the samples that it has.
  private func awaitEnd(_ pcm: OpaquePointer) {
    stopWatching()
    retryTimer.disarm()
    var frames: snd_pcm_sframes_t = 0
    let isKnown = snd_pcm_delay(pcm, &frames) >= 0 && frames >= 0
    let rest = isKnown ? min(frames, Synthesis.rate) : 0
    endTimer.arm(inNanoseconds: Self.nanoseconds(rest) + 20_000_000)
  }

  private static func nanoseconds(_ frames: Int) -> Int64 {
    Int64(frames) * 1_000_000_000 / Int64(Synthesis.rate)
  }

  // MARK: Waiting

  private func watch() {
    guard let pcm else { return }
    let count = max(snd_pcm_poll_descriptors_count(pcm), 0)
    descriptors = [pollfd](repeating: pollfd(), count: Int(count))
    let filled = snd_pcm_poll_descriptors(pcm, &descriptors, UInt32(count))
    descriptors = Array(descriptors.prefix(Int(max(filled, 0))))
    do throws(SystemError) {
      for index in descriptors.indices {
        let interest = EventLoop.Readiness(rawValue: UInt32(UInt16(bitPattern: descriptors[index].events)))
        watches.append(
          try loop.watch(descriptors[index].fd, for: interest) { [weak self] in self?.isReady(index, $0) })
      }
      if !watches.isEmpty { return retryTimer.disarm() }
    } catch {
      // The null device's descriptor cannot be watched.
      stopWatching()
    }
    retryTimer.arm(inNanoseconds: Self.retryInterval)
  }

  private func stopWatching() { watches = [] }

  private func isReady(_ index: Int, _ readiness: EventLoop.Readiness) {
    guard let pcm, isPlaying, descriptors.indices.contains(index) else { return }
    for other in descriptors.indices { descriptors[other].revents = 0 }
    descriptors[index].revents = Int16(truncatingIfNeeded: readiness.rawValue)
    var events: UInt16 = 0
    let result = snd_pcm_poll_descriptors_revents(pcm, &descriptors, UInt32(descriptors.count), &events)
    guard result < 0 || Int32(events) & (POLLOUT | POLLERR | POLLHUP | POLLNVAL) != 0 else { return }
    continueFeeding()
  }
}
