// SPDX-License-Identifier: Apache-2.0

import Display
import LinuxSystem
import Raster

extension KMSOutput {
  /// The watchdog expired: the flip in flight is lost ("flip_done timed out" in the kernel's log).
  func flipOverdue() { climb("a frame did not reach the display in time") }

  /// Takes the next step of the recovery ladder.
  func climb(_ reason: String) {
    guard lifeCycle.state == .showing, let screen else { return }
    let connector = screen.pipe.connector.name
    dropFlight()
    screen.isLost = true
    switch recovery.ladder.flipWasLost() {
    case .modeset:
      log.warning("\(connector): \(reason); switching the display off and on")
      // Only a change of ACTIVE makes the kernel enable the encoder again; the same mode alone is no modeset.
      if (try? device?.turnOff(screen.pipe, leaveOthers: true)) != nil {
        retireScreen()
        freeRetired()
      }
      handle(.changed)
    case .reopen:
      log.warning("\(connector): \(reason); reopening the card")
      closeCard(.reopening)
      handle(.changed)
    case .giveUp(let delay):
      closeCard(.reopening)
      handle(.failed(.flipsLost(connector: connector), retryAfter: delay))
    }
  }

  func cardGone(_ error: SystemError) {
    guard let path = device?.path else { return }
    closeCard(.gone)
    handle(.failed(.cardLost(path: path, error)))
  }

  /// Drops the frame in flight; the handler gets no `.presented` event for it.
  func dropFlight() {
    session?.timers.watchdog.disarm()
    session?.timers.frame.disarm()
    flight.drop()
    screen?.isAnnounced = false
  }

  func announceConnected() {
    guard let device, let screen else { return }
    dropFlight()
    let description = OutputDescription(
      driver: device.driver, connector: screen.pipe.connector.name,
      mode: screen.candidate.timing.displayMode, rotation: screen.rotation,
      format: screen.candidate.format.rawValue, isDithered: screen.dithering != .none)
    self.description = description
    let commits = device.isAtomic && screen.pipe.plane != nil ? "atomic" : "legacy"
    let rotated = screen.rotation == .none ? "" : "rotated by \(screen.rotation.rawValue)°, "
    let dithered = screen.dithering == .none ? "" : ", dithered"
    log.info(
      "\(description.connector) on \(device.driver) (\(device.path)): \(description.mode), \(rotated)"
        + "\(screen.candidate.format.rawValue)\(dithered), \(commits) commits")
    if let (orientation, upright) = screen.pipe.connector.panelOrientation, upright != screen.rotation {
      log.info(
        "\(description.connector): the panel is mounted \(orientation); "
          + "rotation = \(upright.rawValue) in [display] makes the picture upright")
    }
    post(.connected(description))
    // `turnOff` is called last, because it may find that the card was removed or that another program is master.
    if isBlank { turnOff() }
  }

  func announceDisconnected(_ problem: DisplayProblem) {
    dropFlight()
    screen?.isLost = true
    description = nil
    post(.disconnected(reason: problem.description))
  }

  /// Why the card is closed.
  enum CloseReason {
    /// The card was removed or fails with ENODEV.
    case gone
    /// The card is not used any more, so the original picture is restored.
    case released
    /// The card will be opened again, and its original picture is restored later.
    case reopening
  }

  func closeCard(_ reason: CloseReason) {
    guard let card else { return }
    dropFlight()
    card.watch.cancel()
    if reason == .released { restoreOriginal(on: card.device) }
    retireScreen()
    freeRetired()
    searches.forgive()
    if reason != .reopening { original = nil }
    if reason != .gone { card.device.dropMaster() }
    self.card = nil
  }

  private func restoreOriginal(on device: any KMSDevice) {
    guard let original, original.isReplaced, device.isMaster else { return }
    for crtc in original.crtcs {
      // The framebuffer may be gone with its owner (a boot splash); then there is nothing to restore.
      do throws(SystemError) { try device.restore(crtc) } catch {
        log.debug("\(device.path): cannot restore the previous picture: \(error)")
      }
    }
  }

  func retireScreen() {
    guard let screen else { return }
    card?.retired += screen.chain.buffers
    self.screen = nil
  }

  func freeRetired() {
    guard let card else { return }
    for buffer in card.retired { card.device.destroyBuffer(buffer) }
    self.card?.retired.removeAll()
  }
}

extension ConnectorDescription {
  /// How a built-in panel is mounted, if not upright (the kernel's `panel orientation` property), and the
  /// rotation that makes the picture upright.
  var panelOrientation: (name: String, upright: Rotation)? {
    switch properties["panel orientation"]?.value {
    case 1: ("upside down", .half)
    case 2: ("left side up", .counterclockwise)
    case 3: ("right side up", .clockwise)
    default: nil
    }
  }
}

extension DisplayProblem {
  /// The level at which the problem is logged. It is low if waiting is enough, and high if somebody must fix the
  /// problem.
  var level: Log.Level {
    switch self {
    case .consoleAway, .onlyFirmwareFramebuffer, .noDisplay: .info
    case .permissionDenied, .refused: .error
    default: .warning
    }
  }
}
