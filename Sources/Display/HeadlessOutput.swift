// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import Raster

/// A display of memory, with the vblanks of an ideal one: for machines without a display, and for tests.
///
/// Vblanks lie on a grid of the mode's period from `start` on. A frame that is presented reaches the
/// glass at the next one, and a one-shot timer tells of it; while nothing is presented nothing wakes.
public final class HeadlessOutput: Output {
  public private(set) var description: OutputDescription?
  public private(set) var statistics = OutputStatistics()

  private let mode: DisplayMode
  private let loop: EventLoop
  private var buffers: ScanoutPair
  /// What there is now has been announced.
  private var isReady = false
  private var timer: LoopTimer?
  private var handler: ((OutputEvent) -> Void)?
  private var grid = VblankGrid(start: 0, period: 1)
  private var ledger = FlipLedger()
  /// The vblank that the queued frame is for.
  private var queued: UInt64?
  /// This turn of the loop told of a completion: a frame presented now is chained to it.
  private var isAnswering = false
  /// Made once: a closure made for every frame is an allocation for every frame.
  private var endAnswer: () -> Void = {}

  public init(mode: DisplayMode, rotation: Rotation = .none, on loop: EventLoop) {
    self.mode = mode
    self.rotation = rotation
    self.loop = loop
    buffers = ScanoutPair(size: mode.size, rotation: rotation)
  }

  /// How frames are turned on their way to the display. After a change it is black, and `.connected` follows.
  public var rotation: Rotation {
    didSet { if rotation != oldValue { rotationChanged() } }
  }

  public var isBlank = false {
    didSet { if isBlank != oldValue { blankChanged() } }
  }

  /// What is on the display now; black before the first frame, and while it is dark.
  public var scanout: PixelBuffer { buffers.current }

  public var canPresent: Bool { isReady && queued == nil && !isBlank }

  public var nextPresentationTime: Int64 {
    let now = SystemClock.monotonic.now.totalNanoseconds
    let next = grid.sequence(after: now)
    // With a frame in flight the next one follows it.
    return grid.time(of: queued.map { max($0 + 1, next) } ?? next)
  }

  public func start(handler: @escaping (OutputEvent) -> Void) throws(SystemError) {
    guard self.handler == nil else { return }
    timer = try LoopTimer(.monotonic, on: loop) { [weak self] _ in self?.complete() }
    self.handler = handler
    endAnswer = { [weak self] in self?.isAnswering = false }
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
    // After the copy: a frame that is copied over a vblank is late for it.
    let now = SystemClock.monotonic.now.totalNanoseconds
    let sequence = grid.sequence(after: now)
    queued = sequence
    ledger.queued(at: now, chained: isAnswering)
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
    isAnswering = true
    handler(.presented(Presentation(time: time, nextTime: nextPresentationTime)))
    // What the handler deferred still answers this completion; it was deferred before this.
    loop.defer(endAnswer)
  }
}
