// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// A display that is to be dark: its CRTC is off, which is what sends a TV to sleep, while card, buffers and
/// mastership stay. Whatever display is found meanwhile is switched off as soon as it is (`announceConnected`);
/// the first frame after it sets the mode again.
extension KMSOutput {
  /// How often a card that is at work is asked again, and after how long, nanoseconds.
  private static let mostTries = 50
  private static let retryDelay: Int64 = 100_000_000

  func blankChanged() {
    blankTries = 0
    guard lifeCycle.state == .showing, let screen, let description else { return }
    guard !isBlank else {
      drain()
      // A flip that never came is the recovery's business, once there is something to show again.
      if isAtKernel { isScreenLost = true }
      screen.chain.settle()
      dropFlight()
      return turnOff()
    }
    dropFlight()
    if isScreenLost { handle(.changed) } else { post(.connected(description)) }
  }

  func turnOff() {
    guard let device, let screen, isBlank else { return }
    let connector = screen.pipe.connector.name
    screen.needsModeset = true
    // What was found is to be set again on leaving, even if no frame was ever shown.
    hasSetMode = true
    do throws(SystemError) {
      try switchOff(screen, device)
      blankTries = 0
      freeRetired()
      log(.info, "\(connector): switched off, until it is to be lit again")
    } catch {
      switch CommitFailure(error) {
      case .cardGone: cardGone(error)
      case .notMaster:
        isScreenLost = true
        handle(.failed(.cardBusy(path: device.path)))
      case .busy where blankTries < Self.mostTries:
        blankTries += 1
        arm(frameTimer, in: Self.retryDelay)
      case .busy, .tooMuch, .refused:
        log(.warning, "\(connector): the card does not switch it off, so it shows what it did: \(error)")
      }
    }
  }

  private func switchOff(_ screen: Screen, _ device: any KMSDevice) throws(SystemError) {
    do throws(SystemError) {
      try device.turnOff(screen.pipe, leaveOthers: screen.leavesOthers)
    } catch {
      guard CommitFailure(error) == .refused, !screen.leavesOthers else { throw error }
      try device.turnOff(screen.pipe, leaveOthers: true)
    }
  }
}
