// SPDX-License-Identifier: Apache-2.0

import Display
import Layers
import LinuxSystem
import Raster
import Widgets

/// Shows a stage on an output: composes into the shadow, presents what changed, and is paced by the output's
/// events. While nothing moves it does nothing.
final class Presenter {
  let output: any Output
  private(set) var frameTimes = FrameTimes()
  /// What is shown; nil while there is no display or it is blanked.
  private(set) var stage: Stage?

  /// Whether the display is dark: there is no stage, so nothing moves and nothing is composed. When it is set to
  /// false, a new stage is requested and shown at rest, in one frame.
  var isBlank: Bool {
    get { output.isBlank }
    set {
      guard newValue != output.isBlank else { return }
      if newValue { goDark() }
      output.isBlank = newValue
    }
  }

  /// Called when the display needs a stage of this size; answered by `show(_:)`.
  var stageNeeded: (PixelSize) -> Void = { _ in }
  /// Called after the display was connected or disconnected.
  var displayChanged: () -> Void = {}
  /// Called when motion has ended.
  var rested: () -> Void = {}

  /// Why the display was last lost, as reported by the output; nil if it was never lost.
  private(set) var displayProblem: String?
  private let log: Log
  private let timer: LoopTimer
  private var shadow: Bitmap?
  private var hasMoved = false
  private var screenshots: [(PixelBuffer?) -> Void] = []

  init(output: any Output, on loop: EventLoop, log: Log) throws(SystemError) {
    self.output = output
    self.log = log
    timer = try LoopTimer(.monotonic, on: loop)
    timer.handler = { [weak self] _ in self?.composeIfPossible() }
  }

  func start() throws(SystemError) {
    try output.start { [weak self] event in self?.handle(event) }
  }

  func stop() {
    timer.cancel()
    answerScreenshots()
    output.stop()
  }

  // MARK: Events

  private func handle(_ event: OutputEvent) {
    switch event {
    case .connected(let description):
      if !output.traits.contains(.logsDisplays) {
        log.info("display: \(description.driver) \(description.connector) \(description.mode)")
      }
      if shadow?.size == description.frameSize, let stage {
        // The display's picture is lost, but the stage is still the one to show.
        stage.scene.invalidate()
      } else {
        stage = nil
        makeShadow(description.frameSize)
        if !isBlank { stageNeeded(description.frameSize) }
      }
      displayChanged()
      composeIfPossible()
    case .presented:
      answerScreenshots()
      composeIfPossible()
    case .disconnected(let reason):
      if shadow != nil, !output.traits.contains(.logsDisplays) {
        log.notice("no display: \(reason)")
      }
      displayProblem = reason
      timer.disarm()
      stage = nil
      shadow = nil
      answerScreenshots()
      displayChanged()
    }
  }

  /// The size of the stage to show; nil while there is no display or it is blanked.
  var stageSize: PixelSize? { isBlank ? nil : output.description?.frameSize }

  /// Shows `stage`, of `stageSize`, instead of the current one.
  func show(_ stage: Stage) {
    guard let stageSize else { return }
    makeShadow(stageSize)
    if let before = self.stage { stage.resume(from: before, at: Self.now) }
    self.stage = stage
    composeIfPossible()
  }

  /// Dims the display to `brightness`, between 0 and 1. Does nothing without a stage; new stages are built with the
  /// current brightness.
  func setBrightness(_ brightness: Double, animated: Bool) {
    guard let stage else { return }
    stage.scene.advance(to: Self.now)
    stage.dimmer.setBrightness(brightness, animated: animated)
    composeIfPossible()
  }

  private func makeShadow(_ size: PixelSize) {
    guard shadow?.size != size else { return }
    shadow = Bitmap(width: size.width, height: size.height, format: .xrgb8888)
  }

  /// Drops the stage, and makes the shadow black, so that screenshots are black too.
  private func goDark() {
    timer.disarm()
    stage = nil
    if let shadow { shadow.buffer.clear(shadow.buffer.bounds, clip: shadow.buffer.bounds) }
    answerScreenshots()
  }

  // MARK: Frames

  /// The current time of scenes, in seconds of CLOCK_MONOTONIC.
  static var now: Double { Double(SystemClock.monotonic.now.totalNanoseconds) / 1e9 }

  /// Composes and presents the next frame if there is something to show and no frame is in flight. Otherwise the
  /// event that ends the flight, or the timer, calls this again.
  func composeIfPossible() {
    guard let stage, let shadow, output.description != nil, output.canPresent else { return }
    let target = output.nextPresentationTime
    let start = SystemClock.monotonic.now.totalNanoseconds
    stage.scene.advance(to: Double(target) / 1e9)
    if stage.scene.needsFrame {
      let damage = stage.scene.render(into: shadow.buffer)
      if !damage.isEmpty {
        hasMoved = true
        output.present(shadow.buffer, damage: damage)
        frameTimes.record(nanoseconds: SystemClock.monotonic.now.totalNanoseconds - start)
        return
      }
    }
    // There is nothing to show now. Try again when the next animation begins, or at the next frame if a running
    // animation has not changed a pixel yet.
    switch stage.scene.activity {
    case .resting:
      timer.disarm()
      if hasMoved {
        hasMoved = false
        rested()
      }
    case .waiting(let until):
      timer.arm(at: ClockTime(totalNanoseconds: Int64(until * 1e9)))
    case .moving:
      let period = output.description?.mode.framePeriodNanoseconds ?? 16_666_667
      timer.arm(at: ClockTime(totalNanoseconds: target + period))
    }
  }

  // MARK: Screenshots

  /// Calls `completion` with the display's picture, which is the shadow once no frame is in flight, or with nil if
  /// there is no display. The pixels are valid only during the call.
  func screenshot(_ completion: @escaping (PixelBuffer?) -> Void) {
    screenshots.append(completion)
    if !output.isFrameInFlight { answerScreenshots() }
  }

  private func answerScreenshots() {
    let waiting = screenshots
    screenshots = []
    for completion in waiting { completion(output.description == nil ? nil : shadow?.buffer) }
  }
}
