// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// Blanking: the CRTC is off, which puts a TV into standby, while card, buffers and DRM mastership are kept. A
/// display that is found while blanked is switched off at once (`announceConnected`). The first frame after
/// unblanking sets the mode again.
extension KMSOutput {
  /// The maximum number of retries while the card is busy, and the delay between them in nanoseconds.
  private static let maximumTries = 50
  private static let retryDelay: Int64 = 100_000_000

  func blankChanged() {
    recovery.blankTries = 0
    guard lifeCycle.state == .showing, let screen, let description else { return }
    guard !isBlank else {
      drain()
      // If the flip never completed, the screen counts as lost, and a new one is searched for after unblanking.
      if flight.isAtKernel { screen.isLost = true }
      if flight.isAccepted { screen.chain.flip() }
      dropFlight()
      return turnOff()
    }
    dropFlight()
    if screen.isLost { handle(.changed) } else { post(.connected(description)) }
  }

  func turnOff() {
    guard let device, let screen, isBlank else { return }
    let connector = screen.pipe.connector.name
    screen.needsModeset = true
    // The original picture must be restored on exit even if no frame was ever shown.
    original?.isReplaced = true
    do throws(SystemError) {
      try switchOff(screen, device)
      recovery.blankTries = 0
      freeRetired()
      log.info("\(connector): display switched off")
    } catch {
      switch CommitFailure(error) {
      case .cardGone: cardGone(error)
      case .notMaster:
        screen.isLost = true
        handle(.failed(.cardBusy(path: device.path)))
      case .busy where recovery.blankTries < Self.maximumTries:
        recovery.blankTries += 1
        session?.timers.frame.arm(inNanoseconds: Self.retryDelay)
      case .busy, .tooMuch, .refused:
        log.warning("\(connector): cannot switch the display off; it keeps its last picture: \(error)")
      }
    }
  }

  private func switchOff(_ screen: Screen, _ device: any KMSDevice) throws(SystemError) {
    do throws(SystemError) {
      try device.turnOff(screen.pipe, leaveOthers: screen.flags.contains(.leaveOthers))
    } catch {
      guard CommitFailure(error) == .refused, !screen.flags.contains(.leaveOthers) else { throw error }
      try device.turnOff(screen.pipe, leaveOthers: true)
    }
  }
}
