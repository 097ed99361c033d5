// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import Raster

/// A card in use, and what its displays share: the open node, its events, and the commits that concern several of them.
final class KMSCard {
  let device: any KMSDevice
  private unowned let displays: KMSDisplays
  private var watch: EventLoop.Watch?
  /// What is on and belongs to none of our pipes.
  var foreign = ForeignObjects()
  /// Flip events that were read and not delivered yet. Reused, so that page flips do not allocate.
  private var arrived: [FlipEvent] = []
  private var isDelivering = false
  private var isModesetPending = false

  init(_ device: any KMSDevice, of displays: KMSDisplays) throws(SystemError) {
    self.device = device
    self.displays = displays
    arrived.reserveCapacity(16)
    watch = try displays.loop.watch(device.fileDescriptor, for: .readable) { [weak self] readiness in
      self?.deviceReady(readiness)
    }
  }

  var path: String { device.path }

  /// Whether a display on this card other than `output` is in use: it has no problem. It may be blanked.
  func isUsed(otherThanBy output: KMSOutput) -> Bool {
    displays.all.contains { $0 !== output && $0.card === self && $0.absence.problem == nil }
  }

  // MARK: Events

  private func deviceReady(_ readiness: EventLoop.Readiness) {
    do throws(SystemError) { try readEvents() } catch { return displays.cardGone(self, error) }
    if !arrived.isEmpty { return deliverEvents() }
    // A hangup without data would wake the loop again and again.
    if !readiness.isDisjoint(with: [.hangup, .failed]), readiness.isDisjoint(with: .readable) {
      displays.cardGone(self, SystemError("poll", path, errno: Errno(rawValue: ENODEV)))
    }
  }

  private func readEvents() throws(SystemError) { try device.readEvents { arrived.append($0) } }

  /// Passes each event to the output whose flip it completes. Handlers present the next frame, and may close this card.
  private func deliverEvents() {
    guard !isDelivering else { return }
    isDelivering = true
    var index = 0
    while index < arrived.count {
      let event = arrived[index]
      index += 1
      let output = displays.all.first {
        $0.card === self
          && ($0.flight.token == event.token || $0.recovery.queueTime(of: event.token) != nil)
      }
      output?.flipped(event, on: device)
    }
    arrived.removeAll(keepingCapacity: true)
    isDelivering = false
  }

  /// Waits for the event of the flip `token` until `end`, and returns whether it arrived. Events of other flips are
  /// delivered at the end of the loop's turn.
  func waitForFlip(_ token: UInt64, until end: Int64) -> Bool {
    defer {
      if !arrived.isEmpty { displays.loop.defer { [weak self] in self?.deliverEvents() } }
    }
    while true {
      let count = arrived.count
      arrived.removeAll { $0.token == token }
      if arrived.count < count { return true }
      guard device.waitForEvent(nanoseconds: max(end - displays.now, 0)) else { return false }
      do throws(SystemError) { try readEvents() } catch { return false }
    }
  }

  // MARK: Modes

  /// Sets the mode of `output`, whose first frame is drawn. If other displays on this card also wait for their mode,
  /// all modes whose first frames are drawn by the end of this turn of the loop are set with one atomic commit.
  ///
  /// - Parameter frame: the drawn frame.
  func setMode(of output: KMSOutput, _ frame: PixelBuffer?) {
    if isModesetPending { return }
    let isAlone = !displays.all.contains {
      $0 !== output && $0.card === self && ($0.isWaitingForFirstFrame || $0.hasFirstFrame)
    }
    guard !isAlone, device.isAtomic else { return setModes([output], frame) }
    isModesetPending = true
    displays.loop.defer { [weak self] in
      guard let self else { return }
      self.isModesetPending = false
      self.setModes(self.displays.all.filter { $0.card === self && $0.hasFirstFrame }, nil)
    }
  }

  private func setModes(_ outputs: [KMSOutput], _ frame: PixelBuffer?) {
    if outputs.isEmpty { return }
    var flags: CommitFlags = []
    let states = outputs.compactMap { output in
      flags.formUnion(output.screen?.flags ?? [])
      return output.nextState()
    }
    let begin = displays.now
    do throws(SystemError) {
      try device.setModes(
        states, turningOff: flags.contains(.leaveForeign) ? nil : foreign, flags.subtracting(.leaveForeign))
    } catch {
      // Together the modes may need too much of the card. Set one after the other, as many as possible succeed.
      guard outputs.count == 1 else {
        for output in outputs { setModes([output], nil) }
        return
      }
      return outputs[0].commitFailed(error)
    }
    if !flags.contains(.leaveForeign) { foreign = ForeignObjects() }
    displays.pictureWasReplaced(on: self)
    for output in outputs { output.modeWasSet(frame, after: displays.now - begin) }
  }

  // MARK: Closing

  /// Stops watching the node.
  func cancelWatch() {
    watch?.cancel()
    watch = nil
  }
}
