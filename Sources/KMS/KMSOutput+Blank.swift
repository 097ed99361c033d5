// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// Blanking: the CRTC is off, which puts a TV into standby, while card, buffers and DRM mastership are kept.
/// A display that is found while blanked is switched off at once (`announceConnected`). The first frame after
/// unblanking sets the mode again.
extension KMSOutput {
  /// The maximum number of retries while the card is busy, and the delay between them in nanoseconds.
  private static let maximumTries = 50
  private static let retryDelay: Int64 = 100_000_000

  func blankChanged() {
    recovery.blankTries = 0
    guard isFound, let screen, let description else { return }
    guard !isBlank else {
      drain()
      // If the flip never completed, the screen counts as lost, and a new one is searched for after
      // unblanking.
      if flight.isAtKernel { screen.isLost = true }
      if flight.isAccepted { screen.chain.flip() }
      dropFlight()
      return turnOff()
    }
    dropFlight()
    if screen.isLost {
      lookSoon()
    } else {
      report(self, .event(.connected(description)))
    }
  }

  func turnOff() {
    guard let card, let screen, isBlank else { return }
    screen.needsModeset = true
    // The original picture must be restored on exit even if no frame was ever shown.
    card.original.isReplaced = true
    do throws(SystemError) {
      try switchOff(screen, card)
      recovery.blankTries = 0
      freeRetired()
      log.info("\(name): display switched off")
    } catch {
      switch CommitFailure(error) {
      case .cardGone: card.wasLost(error)
      case .notMaster: card.masterWasLost()
      case .busy where recovery.blankTries < Self.maximumTries:
        recovery.blankTries += 1
        timers.frame.arm(inNanoseconds: Self.retryDelay)
      case .busy, .tooMuch, .refused:
        log.warning("\(name): cannot switch the display off; it keeps its last picture: \(error)")
      }
    }
  }

  private func switchOff(_ screen: Screen, _ card: KMSCard) throws(SystemError) {
    let leavesForeign = screen.flags.contains(.leaveForeign)
    do throws(SystemError) {
      try card.device.turnOff(screen.pipe, turningOff: leavesForeign ? nil : card.foreign)
      if !leavesForeign { card.foreign = CardObjects() }
    } catch {
      guard CommitFailure(error) == .refused, !leavesForeign else { throw error }
      try card.device.turnOff(screen.pipe, turningOff: nil)
    }
  }
}
