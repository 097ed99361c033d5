// SPDX-License-Identifier: Apache-2.0

import Raster
import Settings

/// Finds colours and brightnesses that people can hardly see or distinguish, and images of nothing. Draws
/// nothing and opens no font.
package enum LookCheck {
  package static func findings(_ configuration: Configuration) -> [SettingsChecks.Finding] {
    teams(configuration) + brightness(configuration) + images(configuration)
  }

  /// The images for which no picture is named.
  private static func images(_ configuration: Configuration) -> [SettingsChecks.Finding] {
    configuration.widgets.filter { widget in
      (widget.content as? ImageSettings).map { $0.file == nil && $0.folder == nil } ?? false
    }.map {
      SettingsChecks.Finding(
        .table(["widgets", $0.name]), "the image '\($0.name)' has no picture",
        hint: "write file = \"logo.png\" or folder = \"sponsors\"")
    }
  }

  /// The pairs of teams with nearly the same colour.
  private static func teams(_ configuration: Configuration) -> [SettingsChecks.Finding] {
    let teams = configuration.teams
    return teams.indices.flatMap { second in
      teams[..<second].filter { areAlike($0.color, teams[second].color) }.map { first in
        SettingsChecks.Finding(
          .table(["teams", teams[second].id]),
          "the colours of the teams '\(first.id)' and '\(teams[second].id)' can hardly be distinguished",
          hint: "give one of them another 'color'")
      }
    }
  }

  /// Whether each channel of two configured colours differs by less than a fifth of its range. On the
  /// display, dark colours are lightened, which makes their difference smaller.
  private static func areAlike(_ a: UInt32, _ b: UInt32) -> Bool {
    [16, 8, 0].allSatisfy { shift in abs(Int(a >> shift & 0xff) - Int(b >> shift & 0xff)) < 0x33 }
  }

  /// The configured brightnesses at which cards are practically black on a display without a backlight.
  private static func brightness(_ configuration: Configuration) -> [SettingsChecks.Finding] {
    let base = configuration.display.brightness
    let entries = configuration.schedule.compactMap { entry in
      entry.values.brightness.map {
        (SettingsChecks.Finding.Subject.table(["schedule", entry.name]), entry.values.theme, $0)
      }
    }
    return ([(.table(["display"]), nil, base)] + entries).compactMap { subject, name, percent in
      let theme = name.map { configuration.theme(named: $0) } ?? configuration.theme
      let least = leastBrightness(theme)
      guard percent < least else { return nil }
      return SettingsChecks.Finding(
        subject,
        "a brightness of \(percent)% is practically black in \(name.map { "the theme '\($0)'" } ?? "this theme"), unless the "
          + "display has a backlight",
        hint: "write \"\(least)%\" or more")
    }
  }

  /// The minimum luminance that is visible in a dark room, relative to white.
  private static let leastLuminance = 0.008

  /// The minimum brightness, in steps of 5 %, at which the cards of a theme or the symbols on them are
  /// visible.
  static func leastBrightness(_ theme: ThemeSettings) -> Int {
    let steps = Array(stride(from: 5, to: 100, by: 5))
    let colors = [theme.symbol, theme.cardLowerTop].map { Color(rgb: $0) }
    return steps.first { step in
      colors.contains { $0.mixed(with: .black, 1 - Double(step) / 100).luminance >= leastLuminance }
    } ?? 100
  }
}
