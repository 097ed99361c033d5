// SPDX-License-Identifier: Apache-2.0

import Display
import Glibc
import LinuxSystem
import Raster

/// Mode, format and buffers: the first combination that the kernel accepts.
extension KMSOutput {
  /// Whether the screen shows `candidate` on the chosen pipe as configured, and the kernel's state is what
  /// was set.
  private func isShowing(_ candidate: ScanoutCandidate, _ choice: PipeChoice) -> Bool {
    guard let screen else { return false }
    return !screen.isLost && screen.pipe.usesSameObjects(as: choice.pipe)
      && screen.candidate.isSame(as: candidate) && screen.matches(choice.preferences)
      && !choice.pipe.connector.linkIsBad
  }

  /// Creates buffers for the first mode and format that the kernel accepts. Returns nil if the display has
  /// that mode and format already.
  func makeScreen(_ choice: PipeChoice, on device: DRMDevice) -> Result<Screen?, DisplayProblem> {
    let pipe = choice.pipe
    let fitting = fittingMemory(choice.candidates)
    for candidate in fitting where !isRejected(candidate, pipe) {
      if isShowing(candidate, choice) { return .success(nil) }
      do throws(SystemError) {
        let screen: Screen
        do throws(SystemError) { screen = try makeScreen(candidate, choice, on: device) } catch {
          guard [.refused, .tooMuch].contains(CommitFailure(error)), isFirstRefusal(candidate, pipe) else {
            throw error
          }
          screen = try makeScreen(candidate, choice, on: device)
        }
        reportFallback(from: choice.candidates.first, to: candidate)
        if pipe.connector.hasEDID { memory.remembered = candidate.timing }
        memory.fitting = max(memory.fitting ?? 0, candidate.memoryNeeded)
        return .success(screen)
      } catch {
        switch CommitFailure(error) {
        case .cardGone: return .failure(.cardLost(path: device.path, error))
        case .notMaster: return .failure(.cardBusy(path: device.path))
        case .busy, .tooMuch, .refused: reject(candidate, pipe, error)
        }
      }
    }
    let error = memory.lastRefusal ?? SystemError("commit", device.path, errno: Errno(rawValue: EINVAL))
    return .failure(.refused(connector: name, error))
  }

  /// Handles that every mode was refused on the CRTC of `choice`. If there is another CRTC, it is tried at
  /// once with the best candidate. Otherwise the card is opened again for the next attempt.
  func everyModeWasRefused(
    _ problem: DisplayProblem, _ choice: PipeChoice, selectAgain: () -> PipeAssignment
  ) {
    memory.rejected.removeAll()
    if memory.avoided.insert(choice.pipe.crtc.id).inserted,
      let other = selectAgain().choices.first(where: { $0.pipe.connector.name == name }),
      !memory.avoided.contains(other.pipe.crtc.id)
    {
      return failed(problem, retryAfter: 0)
    }
    memory.avoided.removeAll()
    closeCardUnlessShared()
    failed(problem)
  }

  /// The candidates for which the machine has enough memory, or else the one that needs the least. With too
  /// little memory the kernel would free and reread the program's own code again and again. What needs no
  /// more memory than a candidate that was accepted before is assumed to fit.
  private func fittingMemory(_ candidates: [ScanoutCandidate]) -> [ScanoutCandidate] {
    if let remembered = memory.fitting, candidates.first.map({ $0.memoryNeeded <= remembered }) == true {
      return candidates
    }
    guard let available = context.availableMemory() else { return candidates }
    let fitting = candidates.filter { $0.memoryNeeded <= max(available, memory.fitting ?? 0) }
    if fitting.count < candidates.count {
      memory.forgiving = min(memory.forgiving, now + timings.forgiveness)
      recovery.note("\(available >> 20) MiB of memory are available")
    }
    guard fitting.isEmpty else { return fitting }
    return candidates.min { $0.memoryNeeded < $1.memoryNeeded }.map { [$0] } ?? []
  }

  private func makeScreen(
    _ candidate: ScanoutCandidate, _ choice: PipeChoice, on device: DRMDevice
  ) throws(SystemError) -> Screen {
    let size = candidate.timing.size
    let first = try makeBuffer(size, candidate.format, on: device)
    let second: ScanoutBuffer
    do throws(SystemError) { second = try makeBuffer(size, candidate.format, on: device) } catch {
      device.destroyBuffer(first)
      throw error
    }
    let state = PipeState(pipe: choice.pipe, timing: candidate.timing, framebuffer: first.framebuffer)
    do throws(SystemError) {
      let flags = try acceptedFlags(state, on: device)
      return Screen(
        pipe: choice.pipe, candidate: candidate, flags: flags, buffers: (first, second), choice.preferences)
    } catch {
      device.destroyBuffer(first)
      device.destroyBuffer(second)
      throw error
    }
  }

  /// Returns the first flags with which the kernel accepts the state. The flags that are tried first turn
  /// everything else off and reset what other programs have set.
  private func acceptedFlags(_ state: PipeState, on device: DRMDevice) throws(SystemError) -> CommitFlags {
    var refusal: SystemError?
    for flags in [[], .leaveForeign, .keepForeignState, [.leaveForeign, .keepForeignState]] as [CommitFlags] {
      do throws(SystemError) {
        try device.setModes([state], turningOff: card?.foreign, flags.union(.testOnly))
        return flags
      } catch {
        switch CommitFailure(error) {
        // A busy card has not rejected the state; the first frame will show whether it works.
        case .busy: return flags
        case .refused: refusal = refusal ?? error
        case .tooMuch, .notMaster, .cardGone: throw error
        }
      }
    }
    throw refusal ?? SystemError("commit", device.path, errno: Errno(rawValue: EINVAL))
  }

  /// Creates a buffer. If there is not enough memory, frees the old buffers and tries again; the display is
  /// dark in the meantime.
  private func makeBuffer(
    _ size: PixelSize, _ format: ScanoutFormat, on device: DRMDevice
  ) throws(SystemError) -> ScanoutBuffer {
    do throws(SystemError) { return try device.createBuffer(size, format: format) } catch {
      guard CommitFailure(error) == .tooMuch else { throw error }
      // The trial of a better mode must not free the buffers that are shown.
      if memory.isTrial, screen?.isLost == false { throw error }
      retireScreen()
      guard !retired.isEmpty else { throw error }
      freeRetired()
      return try device.createBuffer(size, format: format)
    }
  }

  private func isRejected(_ candidate: ScanoutCandidate, _ pipe: Pipe) -> Bool {
    memory.rejected.contains(rejection(candidate, pipe))
  }

  private func rejection(_ candidate: ScanoutCandidate, _ pipe: Pipe) -> Memory.Rejection {
    Memory.Rejection(crtc: pipe.crtc.id, candidate: candidate)
  }

  /// Records that the kernel refused the candidate, and returns whether it did so for the first time. A
  /// refusal may be temporary, so only the second one counts.
  func isFirstRefusal(_ candidate: ScanoutCandidate, _ pipe: Pipe) -> Bool {
    memory.refused.insert(rejection(candidate, pipe)).inserted
  }

  func reject(_ candidate: ScanoutCandidate, _ pipe: Pipe, _ error: SystemError) {
    memory.rejected.insert(rejection(candidate, pipe))
    memory.lastRefusal = error
    // Legacy drivers cannot check a mode without setting it, so with them a rejection does not end with time.
    // It ends with a hotplug, another display or a changed config.
    if memory.forgiving == .max, device?.isAtomic == true { memory.forgiving = now + timings.forgiveness }
    let attempt = "\(candidate.timing.displayMode) in \(candidate.format.rawValue): \(error)"
    recovery.note(attempt)
    log.debug("\(name): \(attempt)")
  }

  /// Rejects `candidate`, which needed too much memory or bandwidth, and all others that need about as much
  /// or more. Each attempt costs a modeset, so candidates that differ little are skipped.
  func rejectAllLike(_ candidate: ScanoutCandidate, _ pipe: Pipe, _ error: SystemError) {
    reject(candidate, pipe, error)
    let isMemory = error.errno.rawValue == ENOMEM
    for timing in pipe.connector.modes {
      for format in ScanoutFormat.allCases {
        let other = ScanoutCandidate(timing: timing, format: format)
        let isAlike =
          isMemory
          ? other.byteCount > candidate.byteCount / 4 * 3 : other.bandwidth > candidate.bandwidth / 10 * 9
        if isAlike { memory.rejected.insert(rejection(other, pipe)) }
      }
    }
  }

  private func reportFallback(from best: ScanoutCandidate?, to candidate: ScanoutCandidate) {
    guard let best, candidate != best else {
      recovery.lowered = nil
      return
    }
    let reason =
      "there is too little memory or bandwidth, or the card lacks the format, for the preferred mode "
      + "(\(best.timing.displayMode) in \(best.format.rawValue)); "
      + "using \(candidate.timing.displayMode) in \(candidate.format.rawValue)"
    log.warning("\(name): \(reason)")
    recovery.lowered = OutputTrouble(
      reason: reason, since: recovery.lowered?.since ?? now, attempts: recovery.attempts)
  }
}
