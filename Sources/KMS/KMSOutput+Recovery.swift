// SPDX-License-Identifier: Apache-2.0

import Display
import LinuxSystem

extension KMSOutput {
  /// The watchdog expired: the flip in flight is lost ("flip_done timed out" in the kernel's log).
  func flipOverdue() { climb("a frame did not reach the display in time") }

  /// Takes the next step of the recovery ladder.
  func climb(_ reason: String) {
    guard isFound, let screen, let card else { return }
    if let queued = flight.queueTime(of: flight.token) { recovery.overdue = (flight.token, queued) }
    dropFlight()
    screen.isLost = true
    switch recovery.ladder.flipWasLost(mayReopen: !card.isUsed(otherThanBy: self)) {
    case .modeset:
      log.warning("\(name): \(reason); switching the display off and on")
      recovery.note("\(reason); the display was switched off and on")
      // Only a change of ACTIVE makes the kernel enable the encoder again; the same mode alone is no modeset.
      if (try? card.device.turnOff(screen.pipe, turningOff: nil)) != nil {
        retireScreen()
        freeRetired()
      }
      lookSoon()
    case .reopen:
      log.warning("\(name): \(reason); reopening the card")
      recovery.note("\(reason); the card was opened again")
      card.close(.reopening)
      lookSoon()
    case .giveUp(let delay):
      recovery.note("\(reason); waiting for \(delay / 1_000_000_000) s")
      closeCardUnlessShared()
      failed(.flipsLost(connector: name), retryAfter: delay)
    }
  }

  /// Closes the card, so that the next attempt starts afresh. If another display uses the card, takes only
  /// this display's pipe apart.
  func closeCardUnlessShared() {
    guard let card else { return }
    if card.isUsed(otherThanBy: self) {
      memory.forgive()
      takeApart()
    } else {
      card.close(.reopening)
    }
  }
}
