// SPDX-License-Identifier: Apache-2.0

import Display
import Glibc
import LinuxSystem
import Raster

extension KMSOutput {
  /// Handles a uevent. More are likely to follow, so the search starts a little later.
  func hardwareMayHaveChanged() {
    guard let settle = session?.timers.settle, settle.deadline == nil else { return }
    settle.arm(inNanoseconds: environment.timings.settle)
  }

  /// Searches for a pipe. Switches to it if it differs from the current one or if the current one is lost.
  func search() {
    guard let session else { return }
    let search = CardSearch(
      source: environment.cards, preferences: preferences,
      acceptsFirmware: now >= session.startTime + environment.timings.firmwareGrace,
      remembered: searches.remembered)
    switch search.run(current: device) {
    case .success(let found): use(found)
    case .failure(let problem):
      if let device, isGone(device, problem) { closeCard(.gone) }
      screen?.isLost = true
      handle(.failed(problem))
    }
  }

  private func use(_ found: CardSearch.Found) {
    if found.device !== device {
      closeCard(.released)
      do throws(SystemError) { try open(found) } catch {
        return handle(.failed(.cardLost(path: found.device.path, error)))
      }
    }
    environment.console.takeFront { [weak self] in self?.consoleEvent($0) }
    let pipe = found.choice.pipe
    for note in found.choice.notes where !searches.notes.contains(note) { log.warning(note) }
    searches.notes = found.choice.notes
    let wanted = found.choice.candidates.first { !isRejected($0, pipe) }
    if let screen, !screen.isLost, screen.pipe.usesSameObjects(as: pipe),
      let wanted, screen.candidate.isSame(as: wanted), screen.matches(preferences),
      !pipe.connector.linkIsBad
    {
      return
    }
    switch makeScreen(found) {
    case .success(let screen):
      retireScreen()
      self.screen = screen
      flight.begin(period: screen.period, now: now)
      handle(.found)
    case .failure(let problem):
      screen?.isLost = true
      handle(.failed(problem))
    }
  }

  private func isGone(_ device: any KMSDevice, _ problem: DisplayProblem) -> Bool {
    if case .cardLost(device.path, _) = problem { return true }
    return !environment.cards.paths().contains(device.path)
  }

  private func open(_ found: CardSearch.Found) throws(SystemError) {
    let device = found.device
    let watch = try loop.watch(device.fileDescriptor, for: .readable) { [weak self] readiness in
      self?.deviceReady(readiness)
    }
    card = OpenCard(device: device, watch: watch)
    searches.rejected.removeAll()
    flight.cardWasOpened()
    if original?.path != device.path {
      original = OriginalPicture(path: device.path, crtcs: SavedCRTC.all(of: found.card))
    }
  }

  /// Creates buffers for the first mode and format that the kernel accepts.
  private func makeScreen(_ found: CardSearch.Found) -> Result<Screen, DisplayProblem> {
    let pipe = found.choice.pipe
    for candidate in found.choice.candidates where !isRejected(candidate, pipe) {
      do throws(SystemError) {
        let screen = try makeScreen(candidate, pipe, on: found.device)
        if candidate != found.choice.candidates.first { reportFallback(candidate, pipe) }
        if pipe.connector.hasEDID { searches.remembered[pipe.connector.name] = candidate.timing }
        return .success(screen)
      } catch {
        switch CommitFailure(error) {
        case .cardGone:
          let path = found.device.path
          closeCard(.gone)
          return .failure(.cardLost(path: path, error))
        case .notMaster: return .failure(.cardBusy(path: found.device.path))
        case .busy, .tooMuch, .refused: reject(candidate, pipe, error)
        }
      }
    }
    // The next search starts with the best candidate again, because the cause may be gone.
    searches.rejected.removeAll()
    let error =
      searches.lastRefusal ?? SystemError("commit", found.device.path, errno: Errno(rawValue: EINVAL))
    return .failure(.refused(connector: pipe.connector.name, error))
  }

  private func makeScreen(
    _ candidate: ScanoutCandidate, _ pipe: Pipe, on device: any KMSDevice
  ) throws(SystemError) -> Screen {
    let size = candidate.timing.size
    let first = try makeBuffer(size, candidate.format, on: device)
    let second: ScanoutBuffer
    do throws(SystemError) { second = try makeBuffer(size, candidate.format, on: device) } catch {
      device.destroyBuffer(first)
      throw error
    }
    var leavesOthers = false
    let state = PipeState(pipe: pipe, timing: candidate.timing, framebuffer: first.framebuffer)
    do throws(SystemError) {
      do throws(SystemError) {
        try device.commit(state, [.testOnly, .modeset])
      } catch {
        guard CommitFailure(error) == .refused else { throw error }
        try device.commit(state, [.testOnly, .modeset, .leaveOthers])
        leavesOthers = true
      }
    } catch {
      // A busy card has not rejected the state; the first frame will show whether it works.
      if CommitFailure(error) != .busy {
        device.destroyBuffer(first)
        device.destroyBuffer(second)
        throw error
      }
    }
    return Screen(
      pipe: pipe, candidate: candidate, leavesOthers: leavesOthers, buffers: (first, second), preferences)
  }

  /// Creates a buffer. If there is not enough memory for a third one, frees the old buffers first; the display
  /// is dark in the meantime.
  private func makeBuffer(
    _ size: PixelSize, _ format: ScanoutFormat, on device: any KMSDevice
  ) throws(SystemError) -> ScanoutBuffer {
    do throws(SystemError) { return try device.createBuffer(size, format: format) } catch {
      guard CommitFailure(error) == .tooMuch, device === self.device else { throw error }
      retireScreen()
      guard card?.retired.isEmpty == false else { throw error }
      freeRetired()
      return try device.createBuffer(size, format: format)
    }
  }

  private func isRejected(_ candidate: ScanoutCandidate, _ pipe: Pipe) -> Bool {
    searches.rejected.contains(SearchMemory.Rejection(connector: pipe.connector.id, candidate: candidate))
  }

  func reject(_ candidate: ScanoutCandidate, _ pipe: Pipe, _ error: SystemError) {
    searches.rejected.insert(SearchMemory.Rejection(connector: pipe.connector.id, candidate: candidate))
    searches.lastRefusal = error
    log.debug("\(candidate.timing.displayMode) in \(candidate.format.rawValue): \(error)")
  }

  /// Rejects `candidate`, which needed too much memory or bandwidth for a flip, and all others that need about
  /// as much or more. Each attempt costs a modeset, so candidates that differ little are skipped.
  func rejectAllLike(_ candidate: ScanoutCandidate, _ pipe: Pipe, _ error: SystemError) {
    reject(candidate, pipe, error)
    let isMemory = error.errno.rawValue == ENOMEM
    for timing in pipe.connector.modes {
      for format in ScanoutFormat.allCases {
        let other = ScanoutCandidate(timing: timing, format: format)
        let isAlike =
          isMemory
          ? other.byteCount > candidate.byteCount / 4 * 3 : other.bandwidth > candidate.bandwidth / 10 * 9
        if isAlike {
          searches.rejected.insert(SearchMemory.Rejection(connector: pipe.connector.id, candidate: other))
        }
      }
    }
  }

  private func reportFallback(_ candidate: ScanoutCandidate, _ pipe: Pipe) {
    log.warning(
      "\(pipe.connector.name): the card lacks the memory, bandwidth or format for the preferred mode; "
        + "using \(candidate.timing.displayMode) in \(candidate.format.rawValue)")
  }
}
