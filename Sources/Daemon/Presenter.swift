// SPDX-License-Identifier: Apache-2.0

import Display
import KMS
import Layers
import LinuxSystem
import Raster
import Settings
import Widgets

/// Brings a stage to an output: composes into the shadow, presents what changed, and paces itself by
/// the output's events. While nothing moves it does nothing.
final class Presenter {
  let output: any Output
  private(set) var frameTimes = FrameTimes()
  /// What is shown; replaced on a new mode or configuration.
  private(set) var stage: Stage?

  /// The display is dark: there is no stage, so nothing moves and nothing is composed. Set to false, what is to
  /// be shown then comes at once, at rest, in one frame.
  var isBlank: Bool {
    get { output.isBlank }
    set {
      guard newValue != output.isBlank else { return }
      if newValue { goDark() }
      output.isBlank = newValue
    }
  }

  private let log: Log
  private var shadow: Bitmap?
  /// Why the display was lost last, in the output's words; nil if there was no loss yet.
  private(set) var displayProblem: String?
  private var timer: LoopTimer?
  private var isInFlight = false
  private var screenshots: [(PixelBuffer?) -> Void] = []
  /// Builds the stage for a display, showing the model as it is.
  var makeStage: (OutputDescription) -> Stage? = { _ in nil }
  /// Called when motion has come to its end.
  var rested: () -> Void = {}
  private var hasMoved = false
  /// Called when the display comes or goes.
  var displayChanged: () -> Void = {}

  init(output: any Output, on loop: EventLoop, log: Log) throws(SystemError) {
    self.output = output
    self.log = log
    timer = try LoopTimer(.monotonic, on: loop) { [weak self] _ in self?.composeIfPossible() }
  }

  func start() throws(SystemError) {
    try output.start { [weak self] event in self?.handle(event) }
  }

  func stop() {
    timer?.cancel()
    answerScreenshots()
    output.stop()
  }

  // MARK: Events

  private func handle(_ event: OutputEvent) {
    switch event {
    case .connected(let description):
      if !output.logsDisplays {
        log.info("display: \(description.driver) \(description.connector) \(description.mode)")
      }
      isInFlight = false
      if isBlank {
        makeShadow(description.frameSize)
      } else if shadow?.size == description.frameSize, let stage {
        // The same display again: what it showed is lost, what it is to show is not.
        stage.scene.invalidate()
      } else {
        rebuild()
      }
      displayChanged()
      composeIfPossible()
    case .presented:
      isInFlight = false
      answerScreenshots()
      composeIfPossible()
    case .disconnected(let reason):
      if shadow != nil, !output.logsDisplays { log.notice("no display: \(reason)") }
      displayProblem = reason
      isInFlight = false
      timer?.disarm()
      stage = nil
      shadow = nil
      answerScreenshots()
      displayChanged()
    }
  }

  /// Builds the stage anew: a new size, or a new configuration.
  func rebuild() {
    guard let description = output.description, !isBlank else { return }
    makeShadow(description.frameSize)
    let before = stage
    stage = makeStage(description)
    if let before { stage?.goOn(from: before, at: Self.now) }
    composeIfPossible()
  }

  /// Between 0 and 1; dark displays and displays to come ask for it when their stage is made.
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

  /// The shadow is black as the display is, for who asks for a picture of it.
  private func goDark() {
    timer?.disarm()
    isInFlight = false
    stage = nil
    if let shadow { shadow.buffer.clear(shadow.buffer.bounds, clip: shadow.buffer.bounds) }
    answerScreenshots()
  }

  /// Takes a changed choice of card, connector, mode or format, which only KMS has, and of how the display
  /// hangs, which a terminal never does.
  func prefer(_ options: DaemonOptions, _ display: DisplaySettings) {
    switch output {
    case let output as KMSOutput: output.preferences = OutputFactory.preferences(options, display)
    case let output as HeadlessOutput: output.rotation = display.rotation
    default: break
    }
  }

  // MARK: Frames

  /// The scene's time now, seconds of CLOCK_MONOTONIC.
  static var now: Double { Double(SystemClock.monotonic.now.totalNanoseconds) / 1e9 }

  /// Composes and presents the next frame, if there is something to show and nothing is in flight;
  /// otherwise the event that ends the flight, or the timer, comes back here.
  func composeIfPossible() {
    guard let stage, let shadow, output.description != nil, !isInFlight, output.canPresent else { return }
    let target = output.nextPresentationTime
    let start = SystemClock.monotonic.now.totalNanoseconds
    stage.scene.advance(to: Double(target) / 1e9)
    if stage.scene.needsFrame {
      let damage = stage.scene.render(into: shadow.buffer)
      if !damage.isEmpty {
        isInFlight = true
        hasMoved = true
        output.present(shadow.buffer, damage: damage)
        frameTimes.record(nanoseconds: SystemClock.monotonic.now.totalNanoseconds - start)
        return
      }
    }
    // Nothing to show now: come back when an animation begins, or, while one runs that changes no
    // pixel yet, at the next frame.
    switch stage.scene.activity {
    case .resting:
      timer?.disarm()
      if hasMoved {
        hasMoved = false
        rested()
      }
    case .waiting(let until):
      timer?.arm(at: ClockTime(totalNanoseconds: Int64(until * 1e9)))
    case .moving:
      let period = output.description?.mode.framePeriodNanoseconds ?? 16_666_667
      timer?.arm(at: ClockTime(totalNanoseconds: target + period))
    }
  }

  // MARK: Screenshots

  /// Hands over what is on the display, once no frame is on its way there: then it is the shadow.
  /// Nil: there is no display. The pixels are valid during the call only.
  func screenshot(_ completion: @escaping (PixelBuffer?) -> Void) {
    screenshots.append(completion)
    if !isInFlight { answerScreenshots() }
  }

  private func answerScreenshots() {
    let waiting = screenshots
    screenshots = []
    for completion in waiting { completion(output.description == nil ? nil : shadow?.buffer) }
  }
}
