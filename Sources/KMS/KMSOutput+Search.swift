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
    searches.isTrial = now >= searches.forgiving
    if searches.isTrial { searches.forgive() }
    let search = CardSearch(
      source: environment.cards, preferences: preferences,
      acceptsFirmware: now >= session.startTime + environment.timings.firmwareGrace,
      remembered: device.flatMap { searches.remembered[$0.path] } ?? [:],
      connector: screen?.pipe.connector.id,
      avoided: searches.avoided)
    switch search.run(current: device) {
    case .success(let found): use(found)
    case .failure(let problem):
      if let device, isGone(device, problem) { closeCard(.gone) }
      if case .noDisplay = problem { takeApart() }
      screen?.isLost = true
      handle(.failed(problem))
    }
  }

  /// Switches the pipe of a display that is gone off, completely. Otherwise the kernel would see an unchanged mode when
  /// the display is back, and would not enable the encoder.
  private func takeApart() {
    searches.forgive()
    guard let device, let screen, device.isMaster else { return }
    drain()
    do throws(SystemError) {
      do throws(SystemError) { try device.disable(screen.pipe) } catch {
        // The connector of a DisplayPort hub may no longer exist, and then cannot be named.
        try device.turnOff(screen.pipe, leaveOthers: true)
      }
      original?.isReplaced = true
      retireScreen()
      freeRetired()
    } catch {
      log.debug("\(screen.pipe.connector.name): \(error)")
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
    if searches.edids.updateValue(pipe.connector.edid, forKey: pipe.connector.id) != pipe.connector.edid {
      searches.forgive()
    }
    switch makeScreen(found) {
    case .success(nil): lookAgainIfNeeded(pipe.connector)
    case .success(let screen?):
      retireScreen()
      self.screen = screen
      searches.looks = 0
      recovery.nextCheck = now + environment.timings.slowProbe
      flight.begin(period: screen.period, now: now)
      handle(.found)
      lookAgainIfNeeded(pipe.connector)
    case .failure(let problem):
      screen?.isLost = true
      handle(.failed(problem))
    }
  }

  /// Arms a search of the display that is shown, if it may have to be driven in another way later without an event.
  private func lookAgainIfNeeded(_ connector: ConnectorDescription) {
    guard lifeCycle.state == .showing else { return }
    var delay = Int64.max
    if connector.mayGetEDIDLater {
      // A television that is waking up has no EDID for some seconds. One that never has costs a wakeup a minute.
      delay = searches.looks < 12 ? environment.timings.quickLook : 6 * environment.timings.slowProbe
      searches.looks += 1
    }
    if !lifeCycle.hasHotplugEvents { delay = min(delay, environment.timings.slowProbe) }
    if searches.forgiving != .max { delay = min(delay, max(searches.forgiving - now, 0)) }
    if delay != .max { session?.timers.probe.arm(inNanoseconds: delay) }
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
    searches.forgive()
    flight.cardWasOpened()
    if original?.path != device.path {
      original = OriginalPicture(path: device.path, crtcs: SavedCRTC.all(of: found.card))
    }
  }

  /// Whether the screen shows `candidate` on `pipe` as configured, and the kernel's state is what was set.
  private func isShowing(_ candidate: ScanoutCandidate, _ pipe: Pipe) -> Bool {
    guard let screen else { return false }
    return !screen.isLost && screen.pipe.usesSameObjects(as: pipe) && screen.candidate.isSame(as: candidate)
      && screen.matches(preferences) && !pipe.connector.linkIsBad
  }

  /// Creates buffers for the first mode and format that the kernel accepts. Returns nil if that is what is shown.
  private func makeScreen(_ found: CardSearch.Found) -> Result<Screen?, DisplayProblem> {
    let (pipe, path) = (found.choice.pipe, found.device.path)
    for candidate in found.choice.candidates where !isRejected(candidate, pipe) {
      if isShowing(candidate, pipe) { return .success(nil) }
      do throws(SystemError) {
        let screen: Screen
        do throws(SystemError) { screen = try makeScreen(candidate, pipe, on: found.device) } catch {
          guard [.refused, .tooMuch].contains(CommitFailure(error)), isFirstRefusal(candidate, pipe) else {
            throw error
          }
          screen = try makeScreen(candidate, pipe, on: found.device)
        }
        if candidate != found.choice.candidates.first { reportFallback(candidate, pipe) }
        if pipe.connector.hasEDID {
          searches.remembered[path, default: [:]][pipe.connector.name] = candidate.timing
        }
        return .success(screen)
      } catch {
        switch CommitFailure(error) {
        case .cardGone:
          closeCard(.gone)
          return .failure(.cardLost(path: path, error))
        case .notMaster: return .failure(.cardBusy(path: path))
        case .busy, .tooMuch, .refused: reject(candidate, pipe, error)
        }
      }
    }
    let error = searches.lastRefusal ?? SystemError("commit", path, errno: Errno(rawValue: EINVAL))
    // The next search tries another CRTC, if there is one, with the best candidate.
    searches.rejected.removeAll()
    if searches.avoided.insert(pipe.crtc.id).inserted, hasOtherCRTC(found) {
      loop.defer { [weak self] in self?.handle(.changed) }
    } else {
      // Everything was refused. The card is opened again for the next search.
      searches.avoided.removeAll()
      closeCard(.reopening)
    }
    return .failure(.refused(connector: pipe.connector.name, error))
  }

  private func hasOtherCRTC(_ found: CardSearch.Found) -> Bool {
    let name = found.choice.pipe.connector.name
    let choice = PipeSelection.select(on: found.card, preferences, avoided: searches.avoided)
    guard case .success(let other) = choice, other.pipe.connector.name == name else { return false }
    return !searches.avoided.contains(other.pipe.crtc.id)
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
    let state = PipeState(pipe: pipe, timing: candidate.timing, framebuffer: first.framebuffer)
    do throws(SystemError) {
      let flags = try acceptedFlags(state, on: device)
      return Screen(pipe: pipe, candidate: candidate, flags: flags, buffers: (first, second), preferences)
    } catch {
      device.destroyBuffer(first)
      device.destroyBuffer(second)
      throw error
    }
  }

  /// Returns the flags with which the kernel accepts the state: all else off and reset if possible.
  private func acceptedFlags(_ state: PipeState, on device: any KMSDevice) throws(SystemError) -> CommitFlags
  {
    var refusal: SystemError?
    for extra in [[], .leaveOthers, .keepForeignState, [.leaveOthers, .keepForeignState]] as [CommitFlags] {
      let flags = extra.union(.modeset)
      do throws(SystemError) {
        try device.commit(state, flags.union(.testOnly))
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

  /// Creates a buffer. If there is not enough memory for a third one, frees the old buffers first; the display
  /// is dark in the meantime.
  private func makeBuffer(
    _ size: PixelSize, _ format: ScanoutFormat, on device: any KMSDevice
  ) throws(SystemError) -> ScanoutBuffer {
    do throws(SystemError) { return try device.createBuffer(size, format: format) } catch {
      guard CommitFailure(error) == .tooMuch, device === self.device else { throw error }
      // A better mode is only tried; what is shown stays.
      if searches.isTrial, screen?.isLost == false { throw error }
      retireScreen()
      guard card?.retired.isEmpty == false else { throw error }
      freeRetired()
      return try device.createBuffer(size, format: format)
    }
  }

  private func isRejected(_ candidate: ScanoutCandidate, _ pipe: Pipe) -> Bool {
    searches.rejected.contains(rejection(candidate, pipe))
  }

  private func rejection(_ candidate: ScanoutCandidate, _ pipe: Pipe) -> SearchMemory.Rejection {
    SearchMemory.Rejection(connector: pipe.connector.id, crtc: pipe.crtc.id, candidate: candidate)
  }

  /// Whether the kernel refuses the candidate for the first time. A refusal may be temporary, so it is believed only
  /// the second time.
  func isFirstRefusal(_ candidate: ScanoutCandidate, _ pipe: Pipe) -> Bool {
    searches.refused.insert(rejection(candidate, pipe)).inserted
  }

  func reject(_ candidate: ScanoutCandidate, _ pipe: Pipe, _ error: SystemError) {
    searches.rejected.insert(rejection(candidate, pipe))
    searches.lastRefusal = error
    // Legacy drivers cannot check a mode without setting it.
    if searches.forgiving == .max, device?.isAtomic == true {
      searches.forgiving = now + environment.timings.forgiveness
    }
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
          searches.rejected.insert(rejection(other, pipe))
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
