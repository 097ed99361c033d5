// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import Raster

/// A display in memory with ideal vblanks, for machines without a display and for tests.
///
/// Vblanks are on a grid of the mode's period, starting at `start`. A presented frame is completed at the next
/// vblank, by a one-shot timer; while nothing is presented there are no wakeups.
public final class HeadlessOutput: Output {
  public private(set) var description: OutputDescription?
  public private(set) var statistics = OutputStatistics()

  private let mode: DisplayMode
  private let loop: EventLoop
  private var buffers: ScanoutPair
  /// Whether `.connected` has been delivered for the current state.
  private var isReady = false
  private var timer: LoopTimer?
  private var handler: ((OutputEvent) -> Void)?
  private var grid = VblankGrid(start: 0, period: 1)
  private var ledger = FlipLedger()
  /// The number of the vblank at which the queued frame is shown.
  private var queued: UInt64?
  /// Whether a completion was reported in this turn of the loop; a frame presented now is chained to it.
  private var isChaining = false
  /// Created once, because creating a closure for each frame would allocate for each frame.
  private var endChain: () -> Void = {}

  public init(mode: DisplayMode, rotation: Rotation = .none, on loop: EventLoop) {
    self.mode = mode
    self.rotation = rotation
    self.loop = loop
    buffers = ScanoutPair(size: mode.size, rotation: rotation)
  }

  /// How frames are rotated for the display. After a change the display is black, and `.connected` follows.
  public var rotation: Rotation {
    didSet { if rotation != oldValue { rotationChanged() } }
  }

  public var isBlank = false {
    didSet { if isBlank != oldValue { blankChanged() } }
  }

  /// The display's current picture; black before the first frame and while blanked.
  public var scanout: PixelBuffer { buffers.current }

  public var canPresent: Bool { isReady && queued == nil && !isBlank }

  public var nextPresentationTime: Int64 {
    let now = SystemClock.monotonic.now.totalNanoseconds
    let next = grid.sequence(after: now)
    // If a frame is in flight, the next one can be shown one vblank later.
    return grid.time(of: queued.map { max($0 + 1, next) } ?? next)
  }

  public func start(handler: @escaping (OutputEvent) -> Void) throws(SystemError) {
    guard self.handler == nil else { return }
    timer = try LoopTimer(.monotonic, on: loop) { [weak self] _ in self?.complete() }
    self.handler = handler
    endChain = { [weak self] in self?.isChaining = false }
    grid = VblankGrid(
      start: SystemClock.monotonic.now.totalNanoseconds, period: mode.framePeriodNanoseconds)
    loop.defer { [weak self] in self?.connect() }
  }

  private func connect() {
    guard let handler else { return }
    let description = describe()
    self.description = description
    isReady = true
    handler(.connected(description))
  }

  private func describe() -> OutputDescription {
    OutputDescription(
      driver: "headless", connector: "Headless-1", mode: mode, rotation: rotation, format: "XRGB8888")
  }

  private func rotationChanged() {
    buffers = ScanoutPair(size: mode.size, rotation: rotation)
    guard description != nil else { return }
    description = describe()
    isReady = false
    queued = nil
    timer?.disarm()
    ledger.reset()
    loop.defer { [weak self] in self?.connect() }
  }

  private func blankChanged() {
    queued = nil
    timer?.disarm()
    ledger.reset()
    guard isBlank else { return loop.defer { [weak self] in self?.connect() } }
    buffers.clear()
  }

  public func present(_ frame: PixelBuffer, damage: [PixelRect]) {
    guard canPresent else { return }
    statistics.bytesCopied += UInt64(buffers.copy(frame, damage: damage))
    // Taken after the copy, so that a frame whose copy runs past a vblank is counted as late.
    let now = SystemClock.monotonic.now.totalNanoseconds
    let sequence = grid.sequence(after: now)
    queued = sequence
    ledger.queued(at: now, chained: isChaining)
    timer?.arm(at: ClockTime(totalNanoseconds: grid.time(of: sequence)))
  }

  public func stop() {
    handler = nil
    description = nil
    isReady = false
    queued = nil
    timer?.cancel()
    timer = nil
  }

  private func complete() {
    guard let sequence = queued, let handler else { return }
    queued = nil
    buffers.flip()
    let time = grid.time(of: sequence)
    statistics.framesPresented += 1
    statistics.flipsMissed += UInt64(ledger.completed(sequence: sequence, time: time, period: grid.period))
    isChaining = true
    handler(.presented(Presentation(time: time, nextTime: nextPresentationTime)))
    // Work that the handler deferred was deferred before this, so it is still chained to this completion.
    loop.defer(endChain)
  }
}
