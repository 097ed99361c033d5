// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Layers
import Raster
import Scoreboard
import Settings
import Typography

/// All that one output shows: the page of a configuration at one size, built at once, then following
/// the model. A changed configuration or size makes a new stage.
public final class Stage {
  public let scene: Scene
  private var widgets: [(settings: WidgetSettings, widget: any Widget)] = []

  /// - Parameters:
  ///   - zones: finds a time zone by its name in the config; it has the last word on unknown ones.
  ///   - time: the scene's time at birth, seconds.
  public init(
    _ configuration: Configuration, size: PixelSize, fonts: FontLibrary, zones: (String) -> TimeZone,
    model: StageModel, time: Double
  ) {
    scene = Scene(size: size, time: time)
    let page = Size(width: Double(size.width), height: Double(size.height))
    let flip = configuration.flip
    let context = WidgetContext(
      theme: Theme(configuration.theme, fonts: fonts),
      motion: FlipMotion(duration: flip.duration, stagger: flip.stagger, perspective: flip.perspective),
      scene: scene, page: page,
      teamColors: Dictionary(
        configuration.teams.map { ($0.id, Color(rgb: $0.color)) }, uniquingKeysWith: { first, _ in first }))

    let ground = Layer()
    ground.frame = Rect(x: 0, y: 0, width: page.width, height: page.height)
    ground.contents = LayerImage(Self.ground(context.theme, height: size.height), extent: .repeatSideways)
    scene.root.addSublayer(ground)

    for settings in configuration.widgets {
      widgets.append((settings, Self.widget(settings, zones: zones, context: context)))
    }
    let rows = Self.rows(configuration.layout, isPortrait: size.height > size.width)
      .map { $0.compactMap { name in widgets.first { $0.settings.name == name }?.widget } }
      .filter { !$0.isEmpty }
    let places = PageLayout(page: page).place(
      rows.map { $0.map { widget in PageLayout.Item(sizing: widget.sizing, fit: widget.fittingSize(in:)) } })
    for (row, rects) in zip(rows, places) {
      for (widget, rect) in zip(row, rects) where rect.width >= 1 && rect.height >= 1 {
        widget.layOut(in: rect, model: model)
        scene.root.addSublayer(widget.layer)
      }
    }
    // A widget that no row names, or that has no room, is not shown, but `status` tells its text all the same.
    for (_, widget) in widgets where widget.layer.superlayer == nil {
      widget.update(model, at: time, animated: false)
    }
  }

  private static func rows(_ layout: LayoutSettings, isPortrait: Bool) -> [[String]] {
    guard isPortrait, layout.stackInPortrait else { return layout.rows }
    return layout.rows.flatMap { row in row.map { [$0] } }
  }

  private static func widget(
    _ settings: WidgetSettings, zones: (String) -> TimeZone, context: WidgetContext
  ) -> any Widget {
    switch settings.kind {
    case .flipClock(let clock):
      FlipClockWidget(clock, weight: settings.weight, zone: zones(clock.zone), context: context)
    case .score(let score):
      ScoreWidget(score, weight: settings.weight, context: context)
    case .date(let date):
      LineWidget(.date(date, zones(date.zone)), weight: settings.weight, context: context)
    case .text(let text):
      LineWidget(.text(text), weight: settings.weight, context: context)
    case .analogClock(let clock):
      AnalogClockWidget(clock, weight: settings.weight, zone: zones(clock.zone), context: context)
    }
  }

  /// The ground's gradient as a narrow tile, dithered: eleven levels over a thousand rows would show
  /// as bands.
  private static func ground(_ theme: Theme, height: Int) -> Bitmap {
    let bitmap = Bitmap(width: 8 * Dither.period, height: height, format: .xrgb8888)
    for y in 0..<height {
      let fraction = (Double(y) + 0.5) / Double(max(height, 1))
      let paint = Paint(theme.groundTop).mixed(with: Paint(theme.groundBottom), fraction)
      let row = bitmap.buffer.row32(y)
      for x in 0..<bitmap.width { row[x] = paint.pixel(coverage: 1, threshold: Dither.threshold(x, y)) }
    }
    return bitmap
  }

  // MARK: The model

  /// Shows `model`; what changes begins to move at `time` (scene seconds) when `animated`.
  public func update(_ model: StageModel, at time: Double, animated: Bool) {
    for (_, widget) in widgets { widget.update(model, at: time, animated: animated) }
  }

  /// When the page changes by itself, strictly after `instant`.
  public func nextChange(after instant: Instant) -> Instant? {
    widgets.compactMap { $0.widget.nextChange(after: instant) }.min()
  }

  /// What each widget shows, in the order of the config.
  public var texts: [(name: String, type: String, text: String)] {
    widgets.map { ($0.settings.name, $0.settings.typeName, $0.widget.text) }
  }
}
