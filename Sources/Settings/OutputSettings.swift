// SPDX-License-Identifier: Apache-2.0

import Display
import Raster

/// `[outputs.NAME]`: the settings of one of several displays. What is nil has its value in `[display]`.
package struct OutputSettings: Hashable, Sendable {
  /// The connector's name or, if there is a `match`, any name of the user's.
  package var name: String
  /// The make, model or serial number of the display, or several of them: `make model` or `make model serial`. Nil: the
  /// table applies to the display on the connector `name`.
  package var match: String?
  /// Whether the display is used; a display that is not used is switched off.
  package var isEnabled = true
  package var mode: ModePreference?
  package var format: FormatPreference?
  package var dither: Bool?
  package var rotation: Rotation?
  /// Percent, 1 … 100.
  package var brightness: Int?
  package var backlight: BacklightPreference?
  /// The page that the display shows all the time; nil: it shows the common page.
  package var page: String?

  package init(name: String) { self.name = name }
}

/// What `[outputs.NAME]` says before the pages are known.
struct OutputDraft {
  var settings: OutputSettings
  /// Where `match` is written; if several files have one, the last place.
  var matchLocation: Location?
  /// The value of `page` in each file that sets it.
  var pages: [(name: String, location: Location)] = []

  init(_ name: String) { settings = OutputSettings(name: name) }
}

extension Section where Target == OutputDraft {
  static func output(_ name: String) -> Section {
    let match = ValueKind<String>.displayIdentity
    let page = ValueKind<String>.pageName
    return Section(
      title: "outputs.\(name)",
      text: """
        One of several displays. NAME is its connector, such as `HDMI-A-1`, or with `match` a name of your choice. It
        selects the display in commands such as `flipclockctl blank --output NAME`. Keys that are left out have their
        values in `[display]`.

        If several tables apply to a display, the first one with a `match` is used. There are at most 32 of these tables.
        """,
      keys: [
        Key(
          name: "match", shape: match.shape,
          text: """
            The display to which the table applies, regardless of its connector: its make, its model or its serial
            number; or make and model; or make, model and serial number, with a space between them. Upper and lower case
            are the same. `flipclockctl status` prints these names. Without it, the table applies to the display on the
            connector NAME.
            """, example: "\"GSM LG ULTRAGEAR\"", written: { _ in nil }
        ) { draft, node, place, report in
          guard let text = match.read(node, place, &report) else { return }
          draft.settings.match = text
          draft.matchLocation = node.location
        },
        Key(
          "enabled", \.settings.isEnabled, .boolean, "Whether the display is used. `false` switches it off."),
        Key(
          "mode", \.settings.mode, .mode, "Size and refresh rate, as in `[display]`.",
          example: "\"1920x1080\""),
        Key(
          "format", \.settings.format, .choice(),
          """
          The layout of pixels, as in `[display]`: `"auto"`, `"xrgb8888"`, `"rgb565"` or `"xrgb2101010"`.
          """, example: "\"rgb565\""),
        Key(
          "dither", \.settings.dither, .boolean,
          "Whether colours are dithered when the format is `\"rgb565\"`.", example: "false"),
        Key(
          "rotation", \.settings.rotation, .choice(),
          "By how many degrees the picture is turned clockwise: `0`, `90`, `180` or `270`.", example: "90"),
        Key(
          "brightness", \.settings.brightness, .percent(from: 1),
          "How bright the picture is, as in `[display]`.", example: "\"60%\""),
        Key(
          "backlight", \.settings.backlight, .backlight,
          "The backlight that is dimmed instead of the picture, as in `[display]`.", example: "\"10-0045\""),
        Key(
          name: "page", shape: page.shape,
          text: """
            The page that the display shows all the time. Without it, the display shows the common page, which
            `flipclockctl show` and `[rotation]` change.
            """, example: "\"match\"", written: { _ in nil }
        ) { draft, node, place, report in
          guard let name = page.read(node, place, &report) else { return }
          draft.settings.page = name
          draft.pages.append((name, node.location))
        },
      ])
  }
}

extension ValueKind where Value == String {
  /// The name of a page. Whether there is such a page is known after all files have been read.
  static var pageName: ValueKind {
    ValueKind(
      shape: .form(pattern: ConfigTables.namePattern, maximum: nil), "the name of a page",
      hint: "write \"match\""
    ) {
      if case .string(let name) = $0 { name } else { nil }
    }
  }
}

/// Reads `[outputs.NAME]` of all files, then checks them against the pages and each other.
struct OutputsDecoder {
  static let maximumOutputs = 32

  private var drafts: [OutputDraft] = []

  mutating func collect(_ node: Node, _ report: inout Report) {
    for entry in node.tables("outputs", example: "left", keys: Section.output("").keys.map(\.name), &report)
      ?? []
    {
      guard WidgetsDecoder.isName(entry.key) else {
        report.error(
          entry.keyLocation, "\(entry.key.quoted) is not a name for a display",
          hint: "names are 1 to 32 letters, digits, '-' and '_'")
        continue
      }
      let known = drafts.firstIndex { $0.settings.name == entry.key }
      guard known != nil || drafts.count < Self.maximumOutputs else {
        report.tooMany("outputs.NAME", Self.maximumOutputs, at: entry.keyLocation)
        return
      }
      if known == nil { drafts.append(OutputDraft(entry.key)) }
      Section.output(entry.key).apply(entry.value, to: &drafts[known ?? drafts.count - 1], &report)
    }
  }

  func decode(_ pages: PagesDecoder, _ report: inout Report) -> [OutputSettings] {
    for draft in drafts {
      for page in draft.pages {
        pages.check(page.name, at: page.location, in: "outputs.\(draft.settings.name)", &report)
      }
    }
    checkMatches(&report)
    return drafts.map(\.settings)
  }

  /// Checks that every `match` is in one table only. Upper and lower case are the same, as in the comparison with the
  /// display.
  private func checkMatches(_ report: inout Report) {
    var owners: [String: String] = [:]
    for draft in drafts {
      guard let match = draft.settings.match?.lowercased(), let location = draft.matchLocation else {
        continue
      }
      let name = draft.settings.name
      if let owner = owners[match] {
        report.error(
          location, "[outputs.\(owner)] and [outputs.\(name)] have the same 'match'",
          hint: "leave one of the tables out, or add the serial number")
      } else {
        owners[match] = name
      }
    }
  }
}
