// SPDX-License-Identifier: Apache-2.0

import Display
import Raster

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
  /// How the picture is rotated for a display that is mounted sideways. The mode is that of the display, before
  /// rotation.
  package var rotation = Rotation.none
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
          "brightness", \.brightness, .percent(from: 1),
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

/// `[flip]`
package struct FlipSettings: Hashable, Sendable {
  /// The duration of a whole flip in seconds. Zero turns the motion off.
  package var duration = 0.5
  /// The delay between the starts of two cards, in seconds. A card that changes starts this long after the next card
  /// to its right that changes; with `Order.cascade`, this long after the card to its left.
  package var stagger = 0.06
  /// The distance of the eye from the card, in card heights: it determines the perspective.
  package var perspective = 2.7

  package init() {}
}

extension Section where Target == FlipSettings {
  static var flip: Section {
    Section(
      title: "flip",
      text:
        "How cards change, for all widgets. The `duration` and `perspective` of a widget have precedence.",
      keys: [
        Key(
          "duration", \.duration, .duration(maximum: 10),
          "The time from one symbol to the next. `\"0s\"` changes the cards without a flip."),
        Key(
          "stagger", \.stagger, .duration(maximum: 2),
          "How much later a card starts than its neighbour on the right."),
        Key(
          "perspective", \.perspective, .number(1...20),
          "The distance of the eye in heights of a card: `1` is a strong perspective, `20` is nearly flat."),
      ])
  }
}
