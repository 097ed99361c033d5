// SPDX-License-Identifier: Apache-2.0

import Display
import Glibc
import LinuxSystem
import Raster

extension KMSOutput {
  package func present(_ frame: PixelBuffer, damage: [PixelRect]) {
    guard canPresent, let screen else { return }
    statistics.bytesCopied += UInt64(screen.chain.draw(frame, damage: damage))
    flight.wasDrawn()
    session?.timers.watchdog.arm(inNanoseconds: environment.timings.watchdog)
    submit(frame)
  }

  /// Submits the drawn buffer to the kernel: with a modeset the first time, as a page flip afterwards.
  ///
  /// - Parameter frame: the buffer's content, if available.
  private func submit(_ frame: PixelBuffer? = nil) {
    guard let device, let screen, flight.isDrawn else { return }
    let state = screen.state(token: flight.nextToken())
    let hasEvent: Bool
    do throws(SystemError) {
      hasEvent = try device.commit(state, screen.needsModeset ? screen.flags : [])
    } catch {
      return commitFailed(error, on: screen, device)
    }
    let time = now
    flight.wasQueued(at: time, isFlip: hasEvent)
    if hasEvent { return }
    guard screen.needsModeset else {
      session?.timers.watchdog.disarm()
      return act(on: flight.completed(token: flight.token, sequence: 0, time: nil, now: time))
    }
    screen.needsModeset = false
    original?.isReplaced = true
    freeRetired()
    // QEMU's VGA clears its memory at a modeset, so the picture is written again. On other cards the pixels stay
    // the same.
    statistics.bytesCopied += UInt64(screen.chain.renew(frame))
    // A modeset has already waited for completion, and no event follows; only the frame grid paces this frame.
    session?.timers.watchdog.disarm()
    act(on: flight.completed(token: flight.token, sequence: 0, time: nil, now: time))
  }

  func deviceReady(_ readiness: EventLoop.Readiness) {
    guard let device else { return }
    var flip: FlipEvent?
    do throws(SystemError) {
      let token = flight.token
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
    session?.timers.watchdog.disarm()
    let time = device.hasMonotonicTimestamps ? event.time : nil
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
    case .wait(let time): session?.timers.frame.arm(at: ClockTime(totalNanoseconds: time))
    case .present(let presentation, let missed): finish(presentation, missed: missed)
    }
  }

  private func finish(_ presentation: Presentation, missed: Int) {
    guard let screen else { return }
    screen.chain.flip()
    recovery.ladder.flipCompleted()
    lifeCycle.frameWasShown()
    checkConnector(screen)
    statistics.framesPresented += 1
    statistics.flipsMissed += UInt64(max(missed, 0))
    guard screen.isAnnounced else { return }
    // Called directly and not through the outbox, so that the next frame can still make the next vblank.
    flight.isChaining = true
    session?.handler(.presented(presentation))
    flight.isChaining = false
  }

  /// Looks whether the display is still connected, without a probe and at most every ten seconds. Some drivers send
  /// no uevent, and flips to a display that is gone succeed.
  private func checkConnector(_ screen: Screen) {
    guard now >= recovery.nextCheck, let device else { return }
    recovery.nextCheck = now + environment.timings.slowProbe
    let status = try? device.currentStatus(of: screen.pipe.connector.id)
    if status == .some(.some(screen.pipe.connector.status)) { return }
    loop.defer { [weak self] in self?.handle(.changed) }
  }

  private func commitFailed(_ error: SystemError, on screen: Screen, _ device: any KMSDevice) {
    switch CommitFailure(error) {
    case .busy:
      // The frame stays drawn; the watchdog limits the retries.
      session?.timers.frame.arm(inNanoseconds: screen.period / 2)
    case .notMaster:
      screen.isLost = true
      handle(.failed(.cardBusy(path: device.path)))
    case .cardGone: cardGone(error)
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
      handle(.changed)
    }
  }
}
