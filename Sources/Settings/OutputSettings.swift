// SPDX-License-Identifier: Apache-2.0

import Display
import TOMLConfig

/// `[outputs.NAME]`: the settings of one of several displays. A setting that is nil has the value from
/// `[display]`.
package struct OutputSettings: Hashable, Sendable {
  /// The name of the table, the display to which it applies, and what the display's output needs to know.
  package var rule: OutputRule
  /// Percent, 1 … 100.
  package var brightness: Int?
  package var backlight: BacklightPreference?
  /// Percent, 0 … 10.
  package var margins: Int?
  /// The page that the display shows all the time; nil: it shows the common page.
  package var page: String?

  package var name: String { rule.name }

  package init(name: String) { rule = OutputRule(name: name) }
}

extension ConfigTable where Draft == SettingsDraft {
  static var outputs: ConfigTable {
    ConfigTable(
      "outputs", noun: "a display", example: "left", maximum: 32, \.configuration.outputs, name: \.name,
      section: Section.output, start: OutputSettings.init,
      shown: .init("outputs.scoreboard"), check: checkMatches)
  }

  /// Checks that no two tables have the same `match`. Upper and lower case are the same, as in the comparison
  /// with the display.
  private static func checkMatches(
    _ draft: inout SettingsDraft, _ files: ConfigFiles, _ report: inout Report
  ) {
    var owners: [String: String] = [:]
    for output in draft.configuration.outputs {
      guard let match = output.rule.match?.lowercased(),
        let key = files.entries("outputs", output.name, "match").last
      else { continue }
      if let owner = owners[match] {
        report.error(
          key.value.location, "[outputs.\(owner)] and [outputs.\(output.name)] have the same 'match'",
          hint: "leave one of the tables out, or add the serial number")
      } else {
        owners[match] = output.name
      }
    }
  }
}

extension Section where Target == OutputSettings {
  static func output(_ name: String) -> Section {
    Section(
      title: "outputs.\(name)",
      text: """
        One of several displays. NAME is its connector, such as `HDMI-A-1`, or with `match` a name of your choice. It
        selects the display in commands such as `flipclockctl blank --output NAME`. Keys that are left out have their
        values in `[display]`.

        If several tables apply to a display, the first one with a `match` is used. There are at most 32 of these tables.
        """,
      keys: [
        Key(
          "match", \.rule.match, .displayIdentity,
          """
          The display to which the table applies, regardless of its connector: its make, its model or its serial
          number; or make and model; or make, model and serial number, with a space between them. Upper and lower case
          are the same. `flipclockctl status` prints these names. Without it, the table applies to the display on the
          connector NAME.
          """, example: "\"GSM LG ULTRAGEAR\""),
        Key(
          "enabled", \.rule.isEnabled, .boolean, "Whether the display is used. `false` switches it off."),
        Key(
          "mode", \.rule.mode, .mode, "Size and refresh rate, as in `[display]`.",
          example: "\"1920x1080\""),
        Key(
          "format", \.rule.format, .choice(),
          """
          The layout of pixels, as in `[display]`: `"auto"`, `"xrgb8888"`, `"rgb565"` or `"xrgb2101010"`.
          """, example: "\"rgb565\""),
        Key(
          "dither", \.rule.dithers, .boolean,
          "Whether colours are dithered when the format is `\"rgb565\"`.", example: "false"),
        Key(
          "rotation", \.rule.rotation, .choice(),
          "By how many degrees the picture is turned clockwise: `0`, `90`, `180` or `270`.", example: "90"),
        Key(
          "margins", \.margins, .margins,
          "How much stays free at each edge of a TV that cuts the edges off, as in `[display]`.",
          example: "\"3%\""),
        Key(
          "brightness", \.brightness, .brightness,
          "How bright the picture is, as in `[display]`.", example: "\"60%\""),
        Key(
          "backlight", \.backlight, .backlight,
          "The backlight that is dimmed instead of the picture, as in `[display]`.", example: "\"10-0045\""),
        Key(
          "page", \.page, .pageName,
          """
          The page that the display shows all the time. Without it, the display shows the common page, which
          `flipclockctl show` and `[rotation]` change.
          """, example: "\"match\""),
      ])
  }
}
