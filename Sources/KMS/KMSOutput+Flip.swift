// SPDX-License-Identifier: Apache-2.0

import Display
import Glibc
import LinuxSystem
import Raster

extension KMSOutput {
  public func present(_ frame: PixelBuffer, damage: [PixelRect]) {
    guard canPresent, let screen, let bytes = screen.chain.draw(frame, damage: damage) else { return }
    statistics.bytesCopied += UInt64(bytes)
    ledger.queued(at: now, chained: isInPresented)
    arm(watchdog, in: environment.timings.watchdog)
    submit(frame)
  }

  /// Submits the pending buffer to the kernel: with a modeset the first time, as a page flip afterwards.
  ///
  /// - Parameter frame: the buffer's content, if available.
  private func submit(_ frame: PixelBuffer? = nil) {
    guard let device, let screen, let pending = screen.chain.pending else { return }
    lastToken += 1
    let state = screen.state(framebuffer: screen.chain.framebuffer(pending), token: lastToken)
    var flags: CommitFlags = screen.needsModeset ? [.modeset] : []
    if screen.needsModeset, screen.leavesOthers { flags.insert(.leaveOthers) }
    do throws(SystemError) { try device.commit(state, flags) } catch {
      return commitFailed(error, on: screen, device)
    }
    let time = now
    screen.chain.pendingWasQueued()
    pacer.queued(token: lastToken, at: time)
    guard screen.needsModeset else {
      isAtKernel = true
      return
    }
    screen.needsModeset = false
    hasSetMode = true
    freeRetired()
    // QEMU's VGA clears its memory at a modeset, so the picture is written again. On other cards this changes
    // nothing.
    statistics.bytesCopied += UInt64(screen.chain.renew(frame))
    // A modeset has already waited for completion, and no event follows; only the frame grid paces this frame.
    watchdog?.disarm()
    act(on: pacer.completed(token: lastToken, sequence: 0, time: nil, now: time), sequence: 0)
  }

  func deviceReady(_ readiness: EventLoop.Readiness) {
    guard let device else { return }
    var flip: FlipEvent?
    do throws(SystemError) {
      let token = lastToken
      try device.readEvents { if $0.token == token { flip = $0 } }
    } catch {
      return cardGone(error)
    }
    if let flip { return flipped(flip, device) }
    // A hangup without data would wake the loop again and again.
    if !readiness.isDisjoint(with: [.hangup, .failed]), readiness.isDisjoint(with: .readable) {
      cardGone(SystemError("poll", device.path, errno: Errno(rawValue: ENODEV)))
    }
  }

  private func flipped(_ event: FlipEvent, _ device: any KMSDevice) {
    watchdog?.disarm()
    isAtKernel = false
    let time = device.hasMonotonicTimestamps ? event.time : nil
    let action = pacer.completed(token: event.token, sequence: event.sequence, time: time, now: now)
    act(on: action, sequence: event.sequence)
  }

  func frameTimerFired() {
    if isBlank {
      turnOff()
    } else if screen?.chain.pending != nil {
      submit()
    } else {
      act(on: pacer.timerFired(now: now), sequence: 0)
    }
  }

  private func act(on action: FlipPacer.Action, sequence: UInt32) {
    switch action {
    case .none: break
    case .wait(let time): frameTimer?.arm(at: ClockTime(totalNanoseconds: time))
    case .present(let presentation): finish(presentation, sequence: sequence)
    }
  }

  private func finish(_ presentation: Presentation, sequence: UInt32) {
    guard let screen else { return }
    screen.chain.queuedWasShown()
    ladder.flipCompleted()
    statistics.framesPresented += 1
    let missed = ledger.completed(
      sequence: sequence == 0 ? nil : UInt64(sequence), time: presentation.time, period: screen.period)
    statistics.flipsMissed += UInt64(max(missed, 0))
    guard isReady else { return }
    // Called directly and not through the outbox, so that the next frame can still make the next vblank.
    isInPresented = true
    handler?(.presented(presentation))
    isInPresented = false
  }

  private func commitFailed(_ error: SystemError, on screen: Screen, _ device: any KMSDevice) {
    switch CommitFailure(error) {
    case .busy:
      // The frame stays pending; the watchdog limits the retries.
      arm(frameTimer, in: screen.period / 2)
    case .notMaster:
      isScreenLost = true
      handle(.failed(.cardBusy(path: device.path)))
    case .cardGone: cardGone(error)
    case .refused where !screen.needsModeset: climb("page flip refused: \(error)")
    case .tooMuch, .refused:
      if CommitFailure(error) == .tooMuch {
        rejectAllLike(screen.candidate, screen.pipe, error)
      } else {
        reject(screen.candidate, screen.pipe, error)
      }
      dropFlight()
      isScreenLost = true
      handle(.changed)
    }
  }
}
