// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import Raster

/// A card in use, with its displays and what they share: the open node, its events, and the commits that
/// concern several of them.
final class KMSCard {
  /// Why a card is closed.
  enum CloseReason {
    /// The card was removed, or does not work at all.
    case gone
    /// The card is not used any more, so the original picture is restored.
    case released
    /// The card will be opened again, and its original picture is restored later.
    case reopening
  }

  let device: DRMDevice
  /// Whether this is the firmware's framebuffer, which a native driver replaces.
  let isOfFirmware: Bool
  /// The displays on this card, in the order in which they were found. Some may be unplugged.
  private(set) var outputs: [KMSOutput] = []
  var original: OriginalPicture
  /// The connectors, CRTCs and planes that are on and belong to none of our pipes.
  var foreign = CardObjects()
  private let context: KMSContext
  private let wasClosed: (KMSCard, CloseReason) -> Void
  private var watch: EventLoop.Watch?
  /// Flip events that were read and not delivered yet. Reused, so that page flips do not allocate.
  private var arrived: [FlipEvent] = []
  private var isDelivering = false
  private var isModesetPending = false

  /// - Parameter wasClosed: called once, at the end of `close`.
  init(
    _ found: CardSearch.Found, original: OriginalPicture, _ context: KMSContext,
    wasClosed: @escaping (KMSCard, CloseReason) -> Void
  ) throws(SystemError) {
    device = found.device
    isOfFirmware = found.card.isFirmwareFramebuffer
    self.original = original
    self.context = context
    self.wasClosed = wasClosed
    arrived.reserveCapacity(16)
    watch = try context.loop.watch(device.fileDescriptor, for: .readable) { [weak self] readiness in
      self?.deviceReady(readiness)
    }
  }

  var path: String { device.path }
  var isOpen: Bool { watch != nil }

  // MARK: Displays

  func add(_ output: KMSOutput) { outputs.append(output) }

  func remove(_ output: KMSOutput) { outputs.removeAll { $0 === output } }

  /// Whether a display on this card other than `output` has no problem. It may be blanked.
  func isUsed(otherThanBy output: KMSOutput) -> Bool {
    outputs.contains { $0 !== output && $0.absence.problem == nil }
  }

  /// Handles that another program is master of the card.
  func masterWasLost() {
    for output in outputs { output.failed(.cardBusy(path: path)) }
  }

  /// Closes the card, which was removed or does not work at all.
  func wasLost(_ error: SystemError) { close(.gone, problem: .cardLost(path: path, error)) }

  /// Closes the card.
  ///
  /// - Parameter problem: the problem that its displays have afterwards; nil: they keep the problem that they
  ///   have.
  func close(_ reason: CloseReason, problem: DisplayProblem? = nil) {
    guard isOpen else { return }
    watch?.cancel()
    watch = nil
    let outputs = outputs
    for output in outputs { output.dropFlight() }
    if reason == .released { original.restore(on: device, context.log) }
    for output in outputs { output.leaveCard() }
    if reason != .gone { device.dropMaster() }
    wasClosed(self, reason)
    if let problem { for output in outputs { output.failed(problem) } }
  }

  // MARK: Events

  private func deviceReady(_ readiness: EventLoop.Readiness) {
    do throws(SystemError) { try readEvents() } catch { return wasLost(error) }
    if !arrived.isEmpty { return deliverEvents() }
    // A hangup without data would wake the loop again and again.
    if !readiness.isDisjoint(with: [.hangup, .failed]), readiness.isDisjoint(with: .readable) {
      wasLost(SystemError("poll", path, errno: Errno(rawValue: ENODEV)))
    }
  }

  private func readEvents() throws(SystemError) { try device.readEvents { arrived.append($0) } }

  /// Passes each event to the output whose flip it completes. Handlers present the next frame, and may close
  /// this card.
  private func deliverEvents() {
    guard !isDelivering else { return }
    isDelivering = true
    var index = 0
    while index < arrived.count {
      let event = arrived[index]
      index += 1
      let output = outputs.first {
        $0.flight.token == event.token || $0.recovery.queueTime(of: event.token) != nil
      }
      output?.flipped(event, on: device)
    }
    arrived.removeAll(keepingCapacity: true)
    isDelivering = false
  }

  /// Waits for the event of the flip `token` until `end`, and returns whether it arrived. Events of other
  /// flips are delivered at the end of the loop's turn.
  func waitForFlip(_ token: UInt64, until end: Int64) -> Bool {
    defer {
      if !arrived.isEmpty { context.loop.defer { [weak self] in self?.deliverEvents() } }
    }
    while true {
      let count = arrived.count
      arrived.removeAll { $0.token == token }
      if arrived.count < count { return true }
      guard device.waitForEvent(nanoseconds: max(end - context.now, 0)) else { return false }
      do throws(SystemError) { try readEvents() } catch { return false }
    }
  }

  // MARK: Modes

  /// Sets the mode of `output`, whose first frame is drawn. If other displays on this card also wait for
  /// their mode, all modes whose first frames are drawn by the end of this turn of the loop are set with one
  /// atomic commit.
  ///
  /// - Parameter frame: the drawn frame.
  func setMode(of output: KMSOutput, _ frame: PixelBuffer?) {
    if isModesetPending { return }
    let isAlone = !outputs.contains {
      $0 !== output && ($0.isWaitingForFirstFrame || $0.hasFirstFrame)
    }
    guard !isAlone, device.isAtomic else { return setModes([output], frame) }
    isModesetPending = true
    context.loop.defer { [weak self] in
      guard let self else { return }
      self.isModesetPending = false
      self.setModes(self.outputs.filter(\.hasFirstFrame), nil)
    }
  }

  private func setModes(_ outputs: [KMSOutput], _ frame: PixelBuffer?) {
    if outputs.isEmpty { return }
    var flags: CommitFlags = []
    let states = outputs.compactMap { output in
      flags.formUnion(output.screen?.flags ?? [])
      return output.nextState()
    }
    let begin = context.now
    do throws(SystemError) {
      try device.setModes(states, turningOff: foreign, flags)
    } catch {
      // Together the modes may need too much of the card. Set one after the other, as many as possible
      // succeed.
      guard outputs.count == 1 else {
        for output in outputs { setModes([output], nil) }
        return
      }
      return outputs[0].commitFailed(error)
    }
    if !flags.contains(.leaveForeign) { foreign = CardObjects() }
    original.isReplaced = true
    for output in outputs { output.modeWasSet(frame, after: context.now - begin) }
  }
}
