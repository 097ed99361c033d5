// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Glibc
import Languages
import Raster
import Scoreboard
import Settings
import Typography

@testable import Layers
@testable import Widgets

/// Fixtures that use the built-in font outlines, so that pictures are the same on every machine.
enum Fixture {
  static var fonts: FontLibrary { FontLibrary { _ in } }

  static var themeSettings: ThemeSettings {
    var settings = ThemeSettings()
    settings.symbolFont = FontLibrary.builtInName
    settings.labelFont = FontLibrary.builtInName
    return settings
  }

  static var theme: Theme { Theme(themeSettings, fonts: fonts) }

  /// The built-in themes in the built-in outlines.
  static var themes: [(name: String, settings: ThemeSettings, theme: Theme)] {
    ThemeSettings.builtIn.map {
      let settings = $0.settings.withBuiltInFonts
      return ($0.name, settings, Theme(settings, fonts: fonts))
    }
  }

  static func context(
    _ page: PixelSize, motion: FlipMotion = motion, rules: GameRules = GameRules(),
    language: Language = .english,
    zones: @escaping (String) -> TimeZone = { _ in .utc }
  ) -> WidgetContext {
    WidgetContext(
      theme: theme, motion: motion, scene: Scene(size: page),
      page: Size(width: Double(page.width), height: Double(page.height)),
      teamColors: ["home": Color(rgb: 0xe5484d), "guest": Color(rgb: 0x3e93ff)],
      zones: zones, rules: rules, language: language)
  }

  static let motion = FlipMotion(duration: 0.5, stagger: 0.06, perspective: 2.7)

  static func configuration(_ widgets: [WidgetSettings], rows: [[String]]? = nil) -> Configuration {
    var configuration = Configuration()
    configuration.theme = themeSettings
    configuration.themes = themes.map { NamedTheme(name: $0.name, settings: $0.settings) }
    configuration.widgets = widgets
    configuration.layout.rows = rows ?? widgets.map { [$0.name] }
    return configuration
  }

  static func stage(
    _ configuration: Configuration, _ size: PixelSize, _ model: StageModel, time: Double = 0
  ) -> Stage {
    Stage(configuration, size: size, fonts: fonts, zones: { _ in .utc }, model: model, time: time)
  }

  /// This time of day on a Friday in November.
  static func instant(_ hour: Int, _ minute: Int, _ second: Int = 0) -> Instant {
    Instant(seconds: 1_795_132_800 + Int64(hour * 3600 + minute * 60 + second))
  }

  static func model(_ instant: Instant = instant(9, 59, 59), home: Int = 0, guest: Int = 0) -> StageModel {
    StageModel(
      instant: instant,
      scoreboard: Scoreboard(teams: [
        .init(id: "home", name: "HOME", score: home), .init(id: "guest", name: "GUEST", score: guest),
      ]))
  }
}

extension Bitmap {
  /// Describes the first difference between two 32-bit pictures; nil if they are equal.
  func difference(from other: Bitmap) -> String? {
    let (a, b) = (buffer, other.buffer)
    guard a.size == b.size else { return "\(a.size), not \(b.size)" }
    for y in 0..<height where memcmp(a.row(y), b.row(y), width * 4) != 0 {
      for x in 0..<width where a.row32(y)[x] != b.row32(y)[x] {
        return "(\(x), \(y)): \(String(a.row32(y)[x], radix: 16)), not \(String(b.row32(y)[x], radix: 16))"
      }
    }
    return nil
  }
}

extension Scene {
  /// The whole picture at `time`.
  func picture(at time: Double) -> Bitmap {
    advance(to: time)
    invalidate()
    let bitmap = Bitmap(width: size.width, height: size.height, format: .xrgb8888)
    _ = render(into: bitmap.buffer)
    return bitmap
  }
}

extension Rect {
  var isWhole: Bool { [x, y, width, height].allSatisfy { $0 == $0.rounded() } }
}
