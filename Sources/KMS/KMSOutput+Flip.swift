// SPDX-License-Identifier: Apache-2.0

import Display
import LinuxSystem
import Raster

extension KMSOutput {
  package func present(_ frame: PixelBuffer, damage: [PixelRect]) {
    guard canPresent, let screen else { return }
    statistics.bytesCopied += UInt64(screen.chain.draw(frame, damage: damage))
    flight.wasDrawn()
    timers.watchdog.arm(inNanoseconds: max(timings.watchdog, 2 * recovery.slowestFrame))
    submit(frame)
  }

  /// Submits the drawn buffer to the kernel: with a modeset the first time, as a page flip afterwards.
  ///
  /// - Parameter frame: the buffer's content, if available.
  private func submit(_ frame: PixelBuffer? = nil) {
    guard let card, let screen, flight.isDrawn else { return }
    if screen.needsModeset { return card.setMode(of: self, frame) }
    let hasEvent: Bool
    do throws(SystemError) {
      flight.submit(as: context.nextToken())
      hasEvent = try card.device.flip(screen.state(token: flight.token))
    } catch {
      return commitFailed(error)
    }
    flight.wasQueued(at: now, isFlip: hasEvent)
    if !hasEvent { frameWasSet() }
  }

  /// The state that sets the mode with the drawn buffer.
  func nextState() -> PipeState? {
    flight.submit(as: context.nextToken())
    return screen?.state(token: flight.token)
  }

  /// Records that the mode was set with the drawn buffer.
  ///
  /// - Parameters:
  ///   - frame: the buffer's content, if available.
  ///   - duration: how long the commit took, in nanoseconds.
  func modeWasSet(_ frame: PixelBuffer?, after duration: Int64) {
    guard let screen else { return }
    recovery.frameTook(duration)
    flight.wasQueued(at: now, isFlip: false)
    screen.needsModeset = false
    freeRetired()
    // QEMU's VGA clears its memory at a modeset, so the picture is written again. On other cards the pixels
    // stay the same.
    statistics.bytesCopied += UInt64(screen.chain.renew(frame))
    frameWasSet()
  }

  /// Records that a blocking commit has put the frame on the display. No event follows such a commit, so the
  /// frame counts as presented at the next point of the grid (see `FrameFlight`).
  private func frameWasSet() {
    timers.watchdog.disarm()
    act(on: flight.completed(token: flight.token, sequence: 0, time: nil, now: now))
  }

  /// Handles the event of the flip in flight.
  func flipped(_ event: FlipEvent, on device: DRMDevice) {
    let time = device.hasMonotonicTimestamps ? event.time : nil
    if let queued = flight.queueTime(of: event.token) ?? recovery.queueTime(of: event.token) {
      recovery.frameTook(min(time ?? now, now) - queued)
    }
    guard event.token == flight.token else { return }
    timers.watchdog.disarm()
    act(on: flight.completed(token: event.token, sequence: event.sequence, time: time, now: now))
  }

  func frameTimerFired() {
    if isBlank {
      turnOff()
    } else if flight.isDrawn {
      submit()
    } else {
      act(on: flight.timerFired(now: now))
    }
  }

  private func act(on action: FrameFlight.Action) {
    switch action {
    case .none: break
    case .wait(let time): timers.frame.arm(at: ClockTime(totalNanoseconds: time))
    case .present(let presentation, let missed): finish(presentation, missed: missed)
    }
  }

  private func finish(_ presentation: Presentation, missed: Int) {
    guard let screen else { return }
    screen.chain.flip()
    recovery.ladder.flipCompleted()
    if recovery.ladder.isHealthy, !recovery.attempts.isEmpty {
      recovery.attempts.removeAll()
      absence.flipsRecovered()
      report(self, .flipsRecovered)
    }
    absence.frameWasShown()
    report(self, .frameWasShown)
    statistics.framesPresented += 1
    statistics.flipsMissed += UInt64(max(missed, 0))
    guard screen.isAnnounced else { return }
    flight.isChaining = true
    report(self, .event(.presented(presentation)))
    flight.isChaining = false
  }

  /// Checks whether the display is still connected, without a probe and at most every ten seconds. Some
  /// drivers send no uevent, and flips to a display that is gone succeed.
  func checkConnector() {
    guard now >= recovery.nextCheck, let card, let screen else { return }
    recovery.nextCheck = now + timings.slowProbe
    let status = try? card.device.currentStatus(of: screen.pipe.connector.id)
    if status == .some(.some(screen.pipe.connector.status)) { return }
    lookSoon()
  }

  func commitFailed(_ error: SystemError) {
    guard let screen, let card else { return }
    switch CommitFailure(error) {
    case .busy:
      // The frame stays drawn; the watchdog limits the retries.
      timers.frame.arm(inNanoseconds: screen.period / 2)
    case .notMaster: card.masterWasLost()
    case .cardGone: card.wasLost(error)
    case .refused where !screen.needsModeset: climb("page flip refused: \(error)")
    case .tooMuch, .refused:
      if !isFirstRefusal(screen.candidate, screen.pipe) {
        if CommitFailure(error) == .tooMuch {
          rejectAllLike(screen.candidate, screen.pipe, error)
        } else {
          reject(screen.candidate, screen.pipe, error)
        }
      }
      dropFlight()
      screen.isLost = true
      lookSoon()
    }
  }
}
