// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import Raster

/// A display in memory with ideal vblanks, for machines without a display and for tests.
package final class HeadlessOutput: StandaloneOutput {
  package let name: String
  package let traits: DisplayTraits = []
  package private(set) var description: OutputDescription?
  package private(set) var statistics = OutputStatistics()

  /// How frames are rotated for the display.
  package private(set) var rotation: Rotation

  private let mode: DisplayMode
  private let loop: EventLoop
  private var buffers: ScanoutPair
  /// Whether `.connected` has been delivered since `start` or the last change of the rotation.
  private var isReady = false
  private var session: Session?

  /// What exists between `start` and `stop`.
  private struct Session {
    let vblanks: IdealVblanks
    let handler: (OutputEvent) -> Void
  }

  package init(
    _ name: String = "Headless-1", mode: DisplayMode, rotation: Rotation = .none, on loop: EventLoop
  ) {
    self.name = name
    self.mode = mode
    self.rotation = rotation
    self.loop = loop
    buffers = ScanoutPair(size: mode.size, rotation: rotation)
  }

  package var isBlank = false {
    didSet { if isBlank != oldValue { blankChanged() } }
  }

  /// The display's current picture; black before the first frame and while blanked.
  package var scanout: PixelBuffer { buffers.current }

  package var isFrameInFlight: Bool { session?.vblanks.isFrameInFlight ?? false }

  package var canPresent: Bool { isReady && !isFrameInFlight && !isBlank }

  package var nextPresentationTime: Int64 {
    session?.vblanks.nextPresentationTime ?? SystemClock.monotonic.now.totalNanoseconds
  }

  package func start(handler: @escaping (OutputEvent) -> Void) throws(SystemError) {
    guard session == nil else { return }
    let vblanks = try IdealVblanks(period: mode.framePeriodNanoseconds, on: loop) { [weak self] in
      self?.shown($0, missed: $1)
    }
    session = Session(vblanks: vblanks, handler: handler)
    loop.defer { [weak self] in self?.connect() }
  }

  private func connect() {
    guard let session else { return }
    let description = OutputDescription(
      driver: "headless", connector: name, mode: mode, rotation: rotation, format: "XRGB8888")
    self.description = description
    isReady = true
    session.handler(.connected(description))
  }

  /// Applies the rotation; the rest of the configuration is for hardware. After a change the display is
  /// black.
  package func apply(_ preferences: OutputPreferences) {
    guard preferences.rotation != rotation else { return }
    rotation = preferences.rotation
    buffers = ScanoutPair(size: mode.size, rotation: rotation)
    guard description != nil else { return }
    description?.rotation = rotation
    isReady = false
    session?.vblanks.dropFrame()
    loop.defer { [weak self] in self?.connect() }
  }

  private func blankChanged() {
    session?.vblanks.dropFrame()
    guard isBlank else { return loop.defer { [weak self] in self?.connect() } }
    buffers.clear()
  }

  package func present(_ frame: PixelBuffer, damage: [PixelRect]) {
    guard canPresent, let session else { return }
    statistics.bytesCopied += UInt64(buffers.copy(frame, damage: damage))
    session.vblanks.queueFrame()
  }

  package func stop() {
    session = nil
    description = nil
    isReady = false
  }

  private func shown(_ presentation: Presentation, missed: Int) {
    guard let session else { return }
    buffers.flip()
    statistics.framesPresented += 1
    statistics.flipsMissed += UInt64(missed)
    session.handler(.presented(presentation))
  }
}

/// Two buffers in memory that are shown alternately.
final class ScanoutPair {
  private let bitmaps: [Bitmap]
  private var damage: ScanoutDamage
  private var back = 1

  /// Creates two black buffers, which will be drawn completely. Frames are rotated by `rotation`.
  init(size: PixelSize, rotation: Rotation) {
    bitmaps = (0..<2).map { _ in Bitmap(width: size.width, height: size.height, format: .xrgb8888) }
    damage = ScanoutDamage(size: size, rotation: rotation)
  }

  /// The buffer on the display.
  var current: PixelBuffer { bitmaps[1 - back].buffer }

  /// Copies what the back buffer lacks of `frame`; returns the number of bytes written.
  func copy(_ frame: PixelBuffer, damage: [PixelRect]) -> Int {
    self.damage.draw(frame, damage: damage, on: bitmaps[back].buffer, index: back)
  }

  /// Makes both buffers black; the next frame's damage must be the whole frame.
  func clear() {
    for bitmap in bitmaps { bitmap.buffer.clear(bitmap.buffer.bounds, clip: bitmap.buffer.bounds) }
  }

  /// Shows the back buffer, as at a vblank.
  func flip() { back = 1 - back }
}
