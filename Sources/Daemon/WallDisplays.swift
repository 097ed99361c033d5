// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Display
import LinuxSystem
import Raster
import Settings
import WallState
import Widgets

/// The displays of this wall. Shows on them what `Wall.shown` says.
final class WallDisplays {
  let presenter: Presenter
  let backlights: Backlights
  let screenshots: Screenshots
  /// Called when a display was connected, disconnected, blanked or unblanked.
  var changed: () -> Void = {}

  private let fonts: FontStore
  let pictures: PictureLibrary
  private let zones: ZoneCache
  let loop: EventLoop
  private let log: Log
  /// The wall as it is shown.
  private(set) var wall: Wall
  private var presented: Wall.Shown
  /// Whether the last changes are not on the disk.
  private var isUnsaved = false
  /// The moment that the widgets show.
  private(set) var instant = WallClock.now
  private(set) var cost: LiveCost

  init(
    _ displays: any Displays, _ wall: Wall, fonts: FontStore, pictures: PictureLibrary, zones: ZoneCache,
    on loop: EventLoop, log: Log
  ) {
    (self.wall, presented) = (wall, wall.shown)
    (self.fonts, self.pictures, self.zones, self.loop, self.log) = (fonts, pictures, zones, loop, log)
    presenter = Presenter(displays: displays, on: loop, log: log)
    backlights = Backlights(log: log)
    screenshots = Screenshots(of: presenter, on: loop)
    cost = LiveCost(from: .now(loop, bytesCopied: 0))
    pictures.arrived = { [weak self] in self?.showPictures() }
    presenter.connectionsChanged = { [weak self] in self?.findBacklights() }
    presenter.content = { [weak self] in self?.content(for: $0, $1) ?? Canvas.Content(size: $1) }
    presenter.makeStage = { [weak self] in self?.makeStage($0) }
    presenter.displayChanged = { [weak self] in self?.changed() }
    presenter.rested = { [weak self] in self?.prepareNextChange() }
  }

  // MARK: Stages

  /// Builds the stage for a canvas, and afterwards frees the memory that only building it needed.
  private func makeStage(_ content: Canvas.Content) -> Stage {
    loop.whenIdle { [fonts] in
      fonts.saveMatches()
      ThisProcess.releaseFreeMemory()
      ThisProcess.releaseProgram()
      return false
    }
    // Existing canvases may show an earlier moment than now. Then `instant` must not change, because the next
    // change after it is searched.
    if presenter.canvases.isEmpty { instant = WallClock.now }
    let stage = Stage(
      wall.shownConfiguration, size: content.size, margins: content.margins, fonts: fonts.library,
      pictures: pictures, zones: { [zones] in zones[$0] }, model: model(at: instant), time: Presenter.now,
      page: content.page ?? wall.shownPage, theme: wall.theme)
    stage.dimmer.setBrightness(pictureBrightness(ofOwner: content.lightOwner), animated: false)
    for widget in stage.leftOut { log.warning("the widget '\(widget.name)' is left out: \(widget.reason)") }
    return stage
  }

  private func model(at instant: Instant) -> StageModel { wall.model(at: instant, isUnsaved: isUnsaved) }

  /// What each widget shows, or would show if there were a display.
  var texts: [(name: String, type: String, text: String)] {
    if let stage = presenter.canvases.first?.stage { return stage.texts }
    return wall.shownConfiguration.texts(of: model(at: WallClock.now)) { zones[$0] }
  }

  /// The first change of what is shown after an instant; nil: there is none.
  func nextChange(after instant: Instant) -> Instant? {
    (presenter.canvases.map { $0.stage.nextChange(after: instant) } + [wall.nextInstant]).compactMap { $0 }
      .min()
  }

  /// Draws the pictures for the next changes, one per turn of the loop, while nothing moves.
  private func prepareNextChange() {
    loop.whenIdle { [weak self] in
      for canvas in self?.presenter.canvases ?? [] {
        if case .resting = canvas.stage.scene.activity, canvas.stage.prepare() { return true }
      }
      // While drawing, the daemon needs about twice the memory of the finished pictures.
      ThisProcess.releaseFreeMemory()
      return false
    }
  }

  // MARK: Showing

  /// Shows a changed wall, animated.
  ///
  /// - Parameters:
  ///   - effects: those of the changes.
  ///   - present: an instant that is shown even if nothing else has changed, and its scene time.
  ///   - isUnsaved: whether the last changes are not on the disk.
  func show(
    _ wall: Wall, after effects: Wall.Effects, at present: (Instant, Double)?, isUnsaved: Bool
  ) {
    self.wall = wall
    self.isUnsaved = isUnsaved
    if effects.rebuilds {
      findBacklights()
      presenter.rebuild()
    }
    guard present != nil || effects != Wall.Effects() || wall.shown != presented else { return }
    let now = Presenter.now
    // If a change is shown late, its motion is as far along as if it had begun in time.
    let start = effects.motionStart.map { start in
      now - Double(min(max(MatchTime.now - start, 0), 1_000_000_000)) / 1e9
    }
    let (instant, time) = present ?? (WallClock.now, now)
    show(at: instant, time, since: start)
  }

  /// Shows an instant.
  ///
  /// - Parameters:
  ///   - time: the scene time.
  ///   - start: when the motion of what has changed began, if that was before `time`.
  private func show(at instant: Instant, _ time: Double, since start: Double?) {
    let before = presented
    presented = wall.shown
    if presented.lights != before.lights {
      showLights(isSwitched: presented.lights.areSwitched(from: before.lights))
    }
    if cost.isDue { cost.keep(.now(loop, bytesCopied: presenter.displays.bytesCopied)) }
    guard !presenter.canvases.isEmpty else { return }
    self.instant = instant
    let model = model(at: instant)
    for canvas in presenter.canvases {
      canvas.stage.scene.advance(to: time)
      canvas.stage.update(model, at: start ?? time, animated: true)
      canvas.stage.show(
        presented, insteadOf: before, ofOwnPage: canvas.content.page != nil, model
      ) { Presenter.now }
    }
    for canvas in presenter.canvases { canvas.composeIfPossible() }
  }

  /// Shows the pictures that have been read.
  private func showPictures() {
    let model = model(at: instant)
    for canvas in presenter.canvases {
      canvas.stage.scene.advance(to: Presenter.now)
      canvas.stage.update(model, at: Presenter.now, animated: true)
      canvas.composeIfPossible()
    }
  }

  // MARK: Light

  /// - Parameter isSwitched: whether displays are switched off or on.
  private func showLights(isSwitched: Bool) {
    let lights = wall.lights
    if isSwitched {
      if presenter.isBlank != lights.common.isBlank { presenter.isBlank = lights.common.isBlank }
      for output in presenter.displays.outputs where output.isBlank != lights[output.name].isBlank {
        presenter.setBlank(output, lights[output.name].isBlank)
      }
    }
    showLevels(animated: !presented.isFading && wall.configuration.motion != .none)
    if isSwitched { changed() }
  }

  private func showLevels(animated: Bool) {
    _ = setBacklights()
    for output in presenter.displays.outputs { presenter.regroup(output) }
    for lightOwner in Set(presenter.canvases.map(\.content.lightOwner)) {
      presenter.setBrightness(pictureBrightness(ofOwner: lightOwner), of: lightOwner, animated: animated)
    }
  }

  /// Sets the backlights of all lit displays to their levels. Returns false if one failed; then the pictures
  /// must be darkened by `showLevels`.
  private func setBacklights() -> Bool {
    let lit = presenter.displays.outputs.filter { $0.description != nil && !$0.isBlank }
    return lit.map { backlights.set($0.name, percent: wall.light(of: $0.name).level) }.allSatisfy { $0 }
  }

  /// How bright a canvas is drawn, 0 … 1.
  private func pictureBrightness(ofOwner name: String?) -> Double {
    backlights.picture(of: name, percent: wall.light(of: name).level)
  }

  // MARK: The displays

  /// What a display is to show.
  private func content(for output: any Output, _ size: PixelSize) -> Canvas.Content {
    // With a backlight or a brightness of its own, its picture is darkened differently from that of other
    // displays.
    let isDimmedAlone = backlights.isUsed(for: output.name) || wall.hasOwnLevel(output.name)
    let settings = settings(of: output)
    return Canvas.Content(
      size: size, margins: settings?.margins ?? wall.configuration.display.margins, page: settings?.page,
      lightOwner: isDimmedAlone ? output.name : nil)
  }

  /// Looks for the backlights of the lit displays, and restores those of displays that are gone.
  private func findBacklights() {
    backlights.keep(only: connected)
    for output in presenter.displays.outputs where output.description != nil && !output.isBlank {
      let preference = settings(of: output)?.backlight ?? wall.configuration.display.backlight
      backlights.find(for: output.name, preference, connected)
    }
  }

  /// The names of the connected displays.
  private var connected: [String] {
    presenter.displays.outputs.filter { $0.description != nil }.map(\.name)
  }

  /// The table of the config that applies to a display.
  func settings(of output: any Output) -> OutputSettings? { wall.configuration.settings(of: output) }

  /// All displays, with the tables of a configuration that apply to them.
  func all(in configuration: Configuration) -> [Wall.Display] {
    presenter.displays.outputs.map {
      Wall.Display(name: $0.name, settings: configuration.settings(of: $0))
    }
  }

  /// Lights the displays that are connected now. Stops the loop if there is none and none can return.
  func adoptConnected() {
    let displays = presenter.displays
    if !setBacklights() { showLevels(animated: false) }
    if connected.isEmpty, displays.traits.contains(.endsWithDisplay) { loop.stop() }
    if presenter.canvases.isEmpty {
      // Frees what was drawn for displays that are dark or gone.
      loop.whenIdle {
        ThisProcess.releaseFreeMemory()
        return false
      }
    }
  }

  func stop() {
    presenter.stop()
    backlights.restore()
  }
}

extension Configuration {
  /// The table that applies to a display.
  fileprivate func settings(of output: any Output) -> OutputSettings? {
    let name = output.description?.rule ?? outputs.map(\.rule).rule(for: output.name)?.name
    return outputs.first { $0.name == name }
  }
}
