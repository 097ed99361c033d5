// SPDX-License-Identifier: Apache-2.0

import Display
import Raster
import TOMLConfig

/// `[display]`
package struct DisplaySettings: Hashable, Sendable {
  /// `auto`, a path (`/dev/dri/card1`, a by-path link) or a driver's name.
  package var card = "auto"
  /// `auto` or a connector's name.
  package var connector = "auto"
  package var mode = ModePreference.auto
  package var format = FormatPreference.auto
  /// Whether colours are dithered when they are reduced to 16 bits a pixel.
  package var dither = true
  /// How the picture is rotated for a display that is mounted sideways. The mode is that of the display,
  /// before rotation.
  package var rotation = Rotation.none
  /// How much of the width and of the height is left free at each edge, in percent, 0 … 10.
  package var margins = 0
  /// Percent, 1 … 100; a brightness that was set by a command has precedence.
  package var brightness = 100
  package var backlight = BacklightPreference.auto

  package init() {}

  /// The size of the picture after `rotation`; nil if `mode` does not specify a size.
  package var pictureSize: PixelSize? {
    guard case .size(let size, _) = mode else { return nil }
    return rotation.size(of: size)
  }
}

extension Section where Target == DisplaySettings {
  static var display: Section {
    Section(
      title: "display",
      text: "Which displays show the picture, and how. `[outputs.NAME]` has what differs for one of them.",
      keys: [
        Key(
          "card", \.card, .card,
          """
          The graphics card. `"auto"` takes all that have a display; otherwise write the path of one, such as
          `"/dev/dri/card1"`, or its driver's name, such as `"vc4"`.
          """),
        Key(
          "connector", \.connector, .connector,
          """
          The connector. `"auto"` takes all that have a display; to use only one, write its name, such as `"HDMI-A-1"`,
          which `flipclockctl status` and `ls /sys/class/drm` print.
          """),
        Key(
          "mode", \.mode, .mode,
          """
          Size and refresh rate. `"auto"` takes the mode that the display prefers; otherwise write `"1920x1080"` or
          `"1920x1080@60"`.
          """),
        Key(
          "format", \.format, .choice(),
          """
          The layout of pixels in the memory that feeds the display. `"auto"` takes 32 bits a pixel if the card can do
          it. `"rgb565"` takes half the memory and bandwidth, for SPI panels and a Raspberry Pi 0 to 3. The others are
          `"xrgb8888"` and `"xrgb2101010"`. If the card cannot do the wanted format, it shows another; the log and
          `flipclockctl status` name it.
          """),
        Key(
          "dither", \.dither, .boolean,
          """
          Whether colours are dithered when the format is `"rgb565"`, so that shades stay smooth; without it they have
          visible steps.
          """),
        Key(
          "rotation", \.rotation, .choice(),
          """
          By how many degrees the picture is turned clockwise, for a display that is mounted sideways: `0`, `90`, `180`
          or `270`. The mode stays that of the display, and the clock is laid out for the turned picture. A terminal is
          not turned. Screenshots show the picture upright and in all its colours, whatever `format`, `dither` and
          `rotation` are.
          """),
        Key(
          "margins", \.margins, .margins,
          """
          For a TV that cuts the edges off: how much stays free at each edge, in percent of the width and of the height.
          Pages, messages and signs are laid out for the size that remains; the background fills the whole display. If
          the TV can show the whole picture ("overscan" off, "just scan", "1:1"), that is better.
          """),
        Key(
          "brightness", \.brightness, .brightness,
          """
          How bright the picture is. A brightness that was set with `flipclockctl brightness` has precedence, also
          after a restart, until this value changes or `flipclockctl brightness default` is run. A display without
          a `backlight` shows a darker picture, which is practically black below 10 %, or 20 % with the theme `night`.
          """),
        Key(
          "backlight", \.backlight, .backlight,
          """
          The backlight that is dimmed instead of the picture. `"auto"` takes that of a built-in panel (a connector
          such as `DSI-1`, `DPI-1`, `SPI-1` or `eDP-1`), if there is one in `/sys/class/backlight`; otherwise write its
          name from that directory. `"none"` darkens the picture. Below the least light of the backlight, the picture is
          darkened as well. When the program ends, the backlight is as bright as before.
          """),
      ])
  }
}

extension ValueKind where Value == String {
  /// `auto`, a path or a driver's name.
  static var card: ValueKind {
    form(
      pattern: nil, maximum: 4_095, "a card",
      hint: "write \"auto\", a path such as \"/dev/dri/card1\" or a driver's name"
    ) { text in
      text.hasPrefix("/") ? text.utf8.count > 1 : text.isWord(1...64, also: "_-")
    }
  }

  /// `auto` or the kernel's name of a connector.
  static var connector: ValueKind {
    form(
      pattern: "^[A-Za-z0-9-]{1,64}$", maximum: 64, "a connector",
      hint: "write \"auto\" or a name such as \"HDMI-A-1\""
    ) { text in
      text.isWord(1...64, also: "-")
    }
  }

  /// The make, model or serial number of a display, or several of them.
  static var displayIdentity: ValueKind {
    form(
      pattern: "^\\S(.*\\S)?$", maximum: 64, "the make, model or serial number of a display",
      hint: "write \"GSM LG ULTRAGEAR\""
    ) { text in
      // The names of a display neither begin nor end with a space.
      !text.isEmpty && text.first != " " && text.last != " "
    }
  }
}

extension PixelSize {
  /// The part of the picture inside margins, in percent of the width and of the height.
  package func inside(margins: Int) -> PixelRect {
    let (x, y) = ((width * margins + 50) / 100, (height * margins + 50) / 100)
    return PixelRect(x: x, y: y, width: width - 2 * x, height: height - 2 * y)
  }
}

extension ValueKind where Value == Int {
  /// What stays free at each edge of a display, in percent.
  static var margins: ValueKind { .percent(from: 0, to: 10) }

  /// The brightness of a display, in percent.
  static var brightness: ValueKind {
    .percent(
      from: 1,
      zeroHint:
        "the darkest is \"1%\"; 'flipclockctl blank', or display = \"off\" in [schedule.NAME], switches it off"
    )
  }
}

extension ValueKind where Value == ModePreference {
  /// `auto`, `WxH` or `WxH@HZ`.
  static var mode: ValueKind {
    form(
      pattern: "^(auto|[0-9]+x[0-9]+(@[0-9]+(\\.[0-9]+)?)?)$", maximum: 32, "a mode",
      hint: "write \"auto\", \"1920x1080\" or \"1920x1080@60\"",
      write: { mode in
        switch mode {
        case .auto: "\"auto\""
        case .size(let size, nil): "\"\(size.width)x\(size.height)\""
        case .size(let size, let rate?):
          "\"\(size.width)x\(size.height)@\(Units.number(Double(rate) / 1_000))\""
        }
      }
    ) { ModePreference($0) }
  }
}

extension ValueKind where Value == BacklightPreference {
  /// `auto`, `none` or a name in /sys/class/backlight.
  static var backlight: ValueKind {
    form(
      pattern: "^[^/\\s]{1,64}$", maximum: 64, "the name of a backlight",
      hint: "write \"auto\", \"none\" or a name from \(Backlight.directory), such as \"10-0045\"",
      write: { preference in
        switch preference {
        case .auto: "\"auto\""
        case .unused: "\"none\""
        case .named(let name): Units.string(name)
        }
      }
    ) { text in
      switch text {
      case "auto": .auto
      case "none": .unused
      default: text.isEmpty || text.contains { $0 == "/" || $0.isWhitespace } ? nil : .named(text)
      }
    }
  }
}
