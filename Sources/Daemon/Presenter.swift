// SPDX-License-Identifier: Apache-2.0

import Display
import LinuxSystem
import Raster
import Widgets

/// Assigns the displays to canvases, and has a canvas compose its next frame when a display has shown the
/// last one.
final class Presenter {
  let displays: any Displays
  private(set) var canvases: [Canvas] = []

  /// Whether displays that are connected later are dark. Setting it also darkens or lights all present
  /// displays.
  var isBlank: Bool {
    get { displays.isBlank }
    set {
      displays.isBlank = newValue
      if newValue { dropUnused() }
    }
  }

  /// Called after a display was connected or disconnected, before `content`.
  var connectionsChanged: () -> Void = {}
  /// Returns what an output is to show.
  var content: (any Output, PixelSize) -> Canvas.Content = { Canvas.Content(size: $1) }
  /// Builds a stage for a canvas.
  var makeStage: (Canvas.Content) -> Stage?
  /// Called after a display was connected or disconnected, and when there is none.
  var displayChanged: () -> Void = {}
  /// Called when motion has ended.
  var rested: () -> Void = {}
  /// Called when a frame was shown or dropped, before the next one is drawn.
  var flightEnded: () -> Void = {}

  /// The reason of the last `DisplayEvent.none`: why there was no display at all. Nil before the first such
  /// event.
  private(set) var displayProblem: String?
  private let loop: EventLoop
  private let log: Log

  init(displays: any Displays, on loop: EventLoop, log: Log) {
    self.displays = displays
    self.loop = loop
    self.log = log
    makeStage = { _ in nil }
  }

  func start() throws(SystemError) {
    try displays.start { [weak self] event in self?.handle(event) }
  }

  func stop() {
    canvases.removeAll()
    displays.stop()
  }

  // MARK: Events

  private func handle(_ event: DisplayEvent) {
    switch event {
    case .output(let output, .connected(let description)):
      if !displays.traits.contains(.logsDisplays) {
        log.info("display: \(description.driver) \(description.connector) \(description.mode)")
      }
      connectionsChanged()
      assign(output)
      displayChanged()
      canvas(of: output)?.composeIfPossible()
    case .output(let output, .presented):
      flightEnded()
      for canvas in canvases {
        if let member = canvas.member(output) { return canvas.composeIfPossible(for: member) }
      }
    case .output(let output, .disconnected(let reason)):
      if !displays.traits.contains(.logsDisplays) { log.notice("no display: \(reason)") }
      connectionsChanged()
      leave(output)
      flightEnded()
      displayChanged()
    case .none(let reason):
      displayProblem = reason
      displayChanged()
    }
  }

  // MARK: Canvases

  func canvas(of output: any Output) -> Canvas? { canvases.first { $0.member(output) != nil } }

  /// Gives an output the canvas with its content. Blank outputs, and those without a display, have none.
  private func assign(_ output: any Output) {
    guard let description = output.description, !output.isBlank else { return leave(output) }
    let content = content(output, description.frameSize)
    if let current = canvas(of: output), current.content != content { leave(output) }
    var canvas = canvases.first { $0.content == content }
    if canvas == nil, let stage = makeStage(content) {
      let new = Canvas(content, stage, on: loop) { [weak self] in self?.rested() }
      canvases.append(new)
      canvas = new
    }
    do throws(SystemError) { try canvas?.join(output) } catch {
      log.error("\(output.name) shows nothing: \(error)")
    }
  }

  private func leave(_ output: any Output) {
    for canvas in canvases { canvas.leave(output) }
    canvases.removeAll(where: \.members.isEmpty)
  }

  private func dropUnused() {
    for output in displays.outputs where output.isBlank { leave(output) }
    flightEnded()
  }

  /// Assigns the displays again and builds new stages. Called after the configuration, or the match's teams
  /// or rules, have changed.
  func rebuild() {
    for output in displays.outputs { regroup(output) }
    for canvas in canvases {
      if let stage = makeStage(canvas.content) { canvas.show(stage) }
    }
  }

  /// Moves an output to another canvas if its content has changed.
  func regroup(_ output: any Output) {
    guard let canvas = canvas(of: output), canvas.content != content(output, canvas.content.size) else {
      return
    }
    assign(output)
    self.canvas(of: output)?.composeIfPossible()
  }

  /// Darkens one display, or lights it.
  func setBlank(_ output: any Output, _ isBlank: Bool) {
    output.isBlank = isBlank
    if isBlank { dropUnused() }
  }

  /// Dims canvases to `brightness`, between 0 and 1. New stages are built with the current brightness.
  ///
  /// - Parameter lightOwner: the output whose own brightness it is; nil for the common one.
  func setBrightness(_ brightness: Double, of lightOwner: String?, animated: Bool) {
    for canvas in canvases where canvas.content.lightOwner == lightOwner {
      canvas.stage.scene.advance(to: Self.now)
      canvas.stage.dimmer.setBrightness(brightness, animated: animated)
      canvas.composeIfPossible()
    }
  }

  /// The current time of scenes, in seconds of CLOCK_MONOTONIC.
  static var now: Double { Double(SystemClock.monotonic.now.totalNanoseconds) / 1e9 }

  /// What an output shows: the shadow, or black while it is blank; nil if there is no display.
  func picture(of output: any Output) -> Bitmap? {
    if let canvas = canvas(of: output) { return canvas.shadow }
    guard output.isBlank, let size = output.description?.frameSize else { return nil }
    let black = Bitmap(width: size.width, height: size.height, format: .xrgb8888)
    black.buffer.clear(black.buffer.bounds, clip: black.buffer.bounds)
    return black
  }
}
