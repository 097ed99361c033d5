// SPDX-License-Identifier: Apache-2.0

import Layers
import Raster
import Scoreboard
import Settings
import Typography

/// Finds the widgets of a configuration that do not fit on their page. Computes rectangles only: draws
/// nothing and opens no font.
package enum LayoutCheck {
  /// The sizes of displays whose mode is not configured.
  package static let commonSizes: [PixelSize] = [
    (320, 240), (480, 320), (800, 480), (1024, 600), (1280, 720), (1366, 768), (1920, 1080), (2560, 1440),
    (3840, 2160), (240, 320), (320, 480), (480, 800), (720, 1280), (1080, 1920), (2160, 3840),
  ].map { PixelSize(width: $0.0, height: $0.1) }

  /// The sizes of pages to check: those of the configured modes, rotated like their displays, or else the
  /// common sizes, inside the margins.
  ///
  /// - Parameter common: the sizes of displays whose mode is not configured.
  package static func sizes(
    _ configuration: Configuration, common: [PixelSize] = commonSizes
  ) -> [PixelSize] {
    var displays = [configuration.display]
    for output in configuration.outputs where output.rule.isEnabled {
      var display = configuration.display
      display.mode = output.rule.mode ?? display.mode
      display.rotation = output.rule.rotation ?? display.rotation
      display.margins = output.margins ?? display.margins
      displays.append(display)
    }
    var sizes: [PixelSize] = []
    for display in displays {
      for size in display.pictureSize.map({ [$0] }) ?? common {
        let page = size.inside(margins: display.margins).size
        if !sizes.contains(page) { sizes.append(page) }
      }
    }
    return sizes
  }

  /// A finding for each page and each of its widgets that does not fit at one or more of the sizes.
  package static func findings(
    _ configuration: Configuration, rules: GameRules, sizes: [PixelSize]
  ) -> [SettingsChecks.Finding] {
    let leftOut = leftOut(configuration, rules: rules, sizes: sizes)
    var findings: [SettingsChecks.Finding] = []
    for page in configuration.allPages {
      for widget in configuration.widgets {
        let found = leftOut.filter { $0.page == page.name && $0.name == widget.name }
        guard !found.isEmpty else { continue }
        let sizes = found.map { "\($0.width)x\($0.height)" }.joined(separator: ", ")
        findings.append(
          SettingsChecks.Finding(
            .table(["widgets", widget.name]),
            "the page '\(page.name)' has no room for the widget '\(widget.name)' at \(sizes)",
            hint: LeftOutWidget.remedy))
      }
    }
    return findings
  }

  /// A finding for each widget that leaves details out on a display whose mode is configured. On other
  /// displays `status` reports them.
  package static func details(_ configuration: Configuration, rules: GameRules) -> [SettingsChecks.Finding] {
    sizes(configuration, common: []).flatMap { size in
      plans(configuration, rules: rules, size: size).flatMap(\.leftOutDetails)
    }.map { left in
      SettingsChecks.Finding(
        .table(["widgets", left.widget]), "at \(left.width)x\(left.height) \(left.description)",
        hint: "give it more space, or switch off what it need not show")
    }
  }

  static func leftOut(
    _ configuration: Configuration, rules: GameRules, sizes: [PixelSize]
  ) -> [LeftOutWidget] {
    sizes.flatMap { plans(configuration, rules: rules, size: $0).flatMap(\.leftOut) }
  }

  static func plans(_ configuration: Configuration, rules: GameRules, size: PixelSize) -> [PagePlan] {
    let context = WidgetContext(
      theme: Theme(configuration.theme.withBuiltInFonts, fonts: FontLibrary { _ in }),
      motion: FlipMotion(configuration.flip, configuration.motion), scene: Scene(size: size),
      page: Size(width: Double(size.width), height: Double(size.height)), teamColors: [:],
      zones: { _ in .utc }, rules: rules, language: configuration.language)
    return configuration.allPages.map { Stage.plan($0, configuration, context: context) }
  }
}
