// SPDX-License-Identifier: Apache-2.0

import Display
import Raster
import Scoreboard
import Testing

@testable import Settings
@testable import TOMLConfig

@Suite struct SectionTests {
  /// The setting at `path` in a configuration with `key = text` in `[table]`, which must be valid.
  private func value<Value>(
    _ table: String, _ key: String, _ text: String, _ path: KeyPath<Configuration, Value>
  ) -> Value? {
    let result = load("[\(table)]\n\(key) = \(text)\n")
    if !result.diagnostics.isEmpty { Issue.record("[\(table)] \(key) = \(text): \(found(result))") }
    return result.configuration?[keyPath: path]
  }

  @Test("[display] accepts cards, connectors and modes")
  func display() {
    for text in ["auto", "/dev/dri/card1", "/dev/dri/by-path/pci-0000:00:02.0-card", "vc4", "virtio_gpu"] {
      #expect(value("display", "card", "\"\(text)\"", \.display.card) == text)
    }
    for text in ["auto", "HDMI-A-1", "Virtual-1", "eDP-1"] {
      #expect(value("display", "connector", "\"\(text)\"", \.display.connector) == text)
    }
    for (text, percent) in [("1%", 1), ("60%", 60), ("100%", 100)] {
      #expect(value("display", "brightness", "\"\(text)\"", \.display.brightness) == percent)
    }
    for format in FormatPreference.allCases {
      #expect(value("display", "format", "\"\(format.rawValue)\"", \.display.format) == format)
    }
    for dither in [true, false] {
      #expect(value("display", "dither", "\(dither)", \.display.dither) == dither)
    }
    for rotation in Rotation.allCases {
      #expect(value("display", "rotation", "\(rotation.rawValue)", \.display.rotation) == rotation)
    }
    for (text, width, height, rate) in [
      ("1920x1080", 1920, 1080, nil), ("1920x1080@60", 1920, 1080, 60_000),
      ("1366x768@59.94", 1366, 768, 59_940),
      ("480x320@1", 480, 320, 1_000), ("16384x16384@1000", 16_384, 16_384, 1_000_000),
    ] as [(String, Int, Int, Int?)] {
      let mode = ModePreference.size(PixelSize(width: width, height: height), refreshMillihertz: rate)
      #expect(value("display", "mode", "\"\(text)\"", \.display.mode) == mode)
    }
    #expect(value("display", "mode", "\"auto\"", \.display.mode) == .auto)
  }

  @Test("The picture has the size of the mode, rotated with the display")
  func pictureSize() {
    var display = DisplaySettings()
    #expect(display.pictureSize == nil)
    display.mode = .size(PixelSize(width: 1280, height: 720), refreshMillihertz: nil)
    #expect(display.pictureSize == PixelSize(width: 1280, height: 720))
    display.rotation = .clockwise
    #expect(display.pictureSize == PixelSize(width: 720, height: 1280))
  }

  @Test("Margins are equal at opposite edges, and whole pixels")
  func margins() {
    #expect(value("display", "margins", "\"10%\"", \.display.margins) == 10)
    #expect(value("display", "margins", "\"0%\"", \.display.margins) == 0)
    for (width, height, margins, x, y) in [
      (1920, 1080, 0, 0, 0), (1920, 1080, 3, 58, 32), (1081, 719, 10, 108, 72), (16, 9, 3, 0, 0),
      (1, 1, 10, 0, 0),
    ] {
      #expect(
        PixelSize(width: width, height: height).inside(margins: margins)
          == PixelRect(x: x, y: y, width: width - 2 * x, height: height - 2 * y))
    }
  }

  @Test("[theme] accepts fonts and colours")
  func theme() {
    #expect(value("theme", "symbol-font", "\"Oswald\"", \.theme.symbolFont) == "Oswald")
    #expect(value("theme", "label-font", "'/usr/share/f.ttf'", \.theme.labelFont) == "/usr/share/f.ttf")
    #expect(value("theme", "ground-top", "\"#ff8800\"", \.theme.groundTop) == 0xff8800)
    #expect(value("theme", "ground-bottom", "\"#F80\"", \.theme.groundBottom) == 0xff8800)
    #expect(value("theme", "card-upper-top", "\"#000\"", \.theme.cardUpperTop) == 0)
    #expect(value("theme", "card-upper-bottom", "\"#FFFFFF\"", \.theme.cardUpperBottom) == 0xffffff)
    #expect(value("theme", "card-lower-top", "\"#123456\"", \.theme.cardLowerTop) == 0x123456)
    #expect(value("theme", "card-lower-bottom", "\"#abcdef\"", \.theme.cardLowerBottom) == 0xabcdef)
    #expect(value("theme", "symbol", "\"#fff\"", \.theme.symbol) == 0xffffff)
    #expect(value("theme", "label", "\"#888\"", \.theme.label) == 0x888888)
  }

  @Test("[flip] accepts durations with their units, and a perspective")
  func flip() {
    for (text, seconds) in [
      ("500ms", 0.5), ("0.5s", 0.5), ("0s", 0), ("0ms", 0), ("10s", 10), ("1.5ms", 0.0015),
    ] {
      #expect(value("flip", "duration", "\"\(text)\"", \.flip.duration) == seconds)
    }
    #expect(value("flip", "stagger", "\"2s\"", \.flip.stagger) == 2)
    #expect(value("flip", "perspective", "1", \.flip.perspective) == 1)
    #expect(value("flip", "perspective", "20.0", \.flip.perspective) == 20)
    #expect(value("flip", "perspective", "2.7", \.flip.perspective) == 2.7)
  }

  @Test("[layout] accepts rows of names")
  func layout() {
    #expect(value("layout", "rows", "[\"time\"]", \.layout.rows) == [["time"]])
    #expect(
      value("layout", "rows", "[\"time\", [\"date\", \"score\"]]", \.layout.rows)
        == [["time"], ["date", "score"]])
    #expect(value("layout", "stack-in-portrait", "false", \.layout.stackInPortrait) == false)
  }

  @Test(
    "Bad values are reported at their positions",
    arguments: [
      Rejection("display", "card", "1", "must be a string, found the number 1"),
      Rejection("display", "card", "\"\"", "must be a card, found ''; write \"auto\""),
      Rejection("display", "card", "\"/\"", "must be a card"),
      Rejection("display", "card", "\"vc 4\"", "must be a card"),
      Rejection("display", "connector", "true", "must be a string, found the boolean true"),
      Rejection("display", "connector", "\"HDMI A 1\"", "must be a connector"),
      Rejection("display", "connector", "[]", "must be a string, found an array"),
      Rejection("display", "backlight", "\"\"", "must be the name of a backlight"),
      Rejection("display", "backlight", "\"a b\"", "must be the name of a backlight"),
      Rejection("display", "backlight", "0", "must be a string, found the number 0"),
      Rejection("display", "mode", "\"1080p\"", "must be a mode, found '1080p'; write \"auto\""),
      Rejection("display", "mode", "\"1920x\"", "must be a mode"),
      Rejection("display", "mode", "\"0x1080\"", "must be a mode"),
      Rejection("display", "mode", "\"1920x1080@\"", "must be a mode"),
      Rejection("display", "mode", "\"1920x1080@60Hz\"", "must be a mode"),
      Rejection("display", "mode", "\"1920x1080@60@60\"", "must be a mode"),
      Rejection("display", "mode", "\"99999x1080\"", "must be a mode"),
      Rejection("display", "mode", "\"-1920x1080\"", "must be a mode"),
      Rejection("display", "mode", "\"1920.5x1080\"", "must be a mode"),
      Rejection("display", "mode", "\"1920x1080@1e9\"", "must be a mode"),
      Rejection(
        "display", "format", "\"rgb656\"",
        "must be \"auto\", \"xrgb8888\", \"rgb565\" or \"xrgb2101010\", found the string 'rgb656'"),
      Rejection("display", "format", "16", "found the number 16"),
      Rejection("display", "dither", "\"no\"", "must be true or false"),
      Rejection("display", "rotation", "45", "must be 0, 90, 180 or 270, found the number 45"),
      Rejection("display", "rotation", "-90", "must be 0, 90, 180 or 270"),
      Rejection("display", "rotation", "\"90\"", "must be 0, 90, 180 or 270, found the string '90'"),
      Rejection("display", "rotation", "90.0", "must be 0, 90, 180 or 270"),
      Rejection(
        "display", "brightness", "60",
        "must be from \"1%\" to \"100%\", found the number 60; write \"60%\""),
      Rejection("display", "brightness", "\"0%\"", "must be from \"1%\""),
      Rejection("display", "brightness", "\"101%\"", "must be from"),
      Rejection("display", "brightness", "\"99999999999999999999999%\"", "must be from"),
      Rejection("display", "brightness", "\"60.5%\"", "must be from"),
      Rejection("display", "brightness", "\"-5%\"", "must be from"),
      Rejection("display", "brightness", "\"60\"", "found the string '60'"),
      Rejection("display", "brightness", "true", "found the boolean true"),
      Rejection("theme", "symbol-font", "\"\"", "must be the family or the file of a font"),
      Rejection("theme", "label-font", "\"a\\u001bb\"", "has a control character"),
      Rejection("theme", "label-font", "\"a\\u202eb\"", "has characters that change the direction of text"),
      Rejection("theme", "label-font", "\"a\\u061cb\"", "has characters that change the direction of text"),
      Rejection(
        "theme", "label", "0xff8800", "must be a colour, found the number 16746496; write \"#ff8800\""),
      Rejection("theme", "label", "\"ff8800\"", "must be a colour"),
      Rejection("theme", "label", "\"#ff88\"", "must be a colour"),
      Rejection("theme", "label", "\"#ff880g\"", "must be a colour"),
      Rejection("theme", "label", "\"orange\"", "must be a colour, found the string 'orange'"),
      Rejection("theme", "label", "\"#１２３\"", "must be a colour"),
      Rejection("theme", "label", "{r = 1}", "must be a colour, found a table"),
      Rejection("theme", "label", "2026-05-01", "must be a colour, found a date"),
      Rejection("theme", "label", "12:00:00", "must be a colour, found a time of day"),
      Rejection("theme", "label", "2026-05-01T12:00:00Z", "must be a colour, found a date and time"),
      Rejection("flip", "duration", "500", "needs a unit, found the number 500; write \"500ms\""),
      Rejection("flip", "duration", "0.5", "needs a unit, found the number 0.5"),
      Rejection("flip", "duration", "nan", "needs a unit"),
      Rejection("flip", "duration", "\"500\"", "needs a unit, found the string '500'; write \"500ms\""),
      Rejection("flip", "duration", "\"-1s\"", "must be a duration"),
      Rejection("flip", "duration", "\"1m\"", "must be from"),
      Rejection("flip", "duration", "\".5s\"", "must be a duration"),
      Rejection("flip", "duration", "\"5.s\"", "must be a duration"),
      Rejection("flip", "duration", "\"1e3ms\"", "must be a duration"),
      Rejection("flip", "duration", "\"infs\"", "must be a duration"),
      Rejection("flip", "duration", "\"nans\"", "must be a duration"),
      Rejection("flip", "duration", "\"s\"", "must be a duration"),
      Rejection("flip", "duration", "\"10.001s\"", "must be from \"0s\" to \"10s\", found '10.001s'"),
      Rejection("flip", "duration", "\"9999999999999999999999s\"", "must be from \"0s\" to \"10s\""),
      Rejection("flip", "duration", "true", "must be a duration, found the boolean true"),
      Rejection("flip", "stagger", "\"2001ms\"", "must be from \"0s\" to \"2s\""),
      Rejection("flip", "perspective", "0", "must be from 1 to 20, found 0.0"),
      Rejection("flip", "perspective", "20.5", "must be from 1 to 20, found 20.5"),
      Rejection("flip", "perspective", "nan", "must be from 1 to 20, found nan"),
      Rejection("flip", "perspective", "inf", "must be from 1 to 20, found inf"),
      Rejection("flip", "perspective", "-inf", "must be from 1 to 20, found -inf"),
      Rejection("flip", "perspective", "1e308", "must be from 1 to 20, found 1e+308"),
      Rejection("flip", "perspective", "9223372036854775807", "must be from 1 to 20"),
      Rejection("flip", "perspective", "\"2.7\"", "must be a number, found the string '2.7'"),
      Rejection("layout", "rows", "\"time\"", "must be an array of rows, found the string 'time'"),
      Rejection("layout", "rows", "[]", "must have 1 to 32 rows, found 0"),
      Rejection("layout", "stack-in-portrait", "\"yes\"", "must be true or false, found the string 'yes'"),
      Rejection("layout", "stack-in-portrait", "1", "must be true or false, found the number 1"),
    ])
  func refuses(rejection: Rejection) {
    #expect(problem(rejection) == nil)
  }

  @Test("Texts may have as many marks on a letter as names on the scoreboard")
  func marks() { #expect(ValueKind<String>.scalarsPerCharacter == ShownText.scalarsPerCharacter) }

  @Test("Every key of every table reports a value of a wrong type at its position")
  func wrongTypes() {
    var keys: [(String, String)] = []
    for table in ConfigTables.all where table.title != "widgets.NAME" && table.title != "input.keys" {
      let title = table.title.replacing(".NAME", with: ".a").replacing(".ID", with: ".home")
      keys += table.keys.filter { $0.shape != .table }.map { (title, $0.name) }
    }
    for widget in ConfigTables.builtInWidgets {
      keys += widget.keys.map { ("widgets.\(widget.name)", $0.name) }
    }
    #expect(keys.count > 30)
    for (table, key) in keys {
      for value in ["{ a = 1 }", "1979-05-27", "[[[1]]]"] {
        let result = load("[\(table)]\n  \(key) = \(value)\n")
        #expect(result.configuration == nil, "[\(table)] \(key) = \(value)")
        // Another table may lack a key that it needs, which is reported in line 1.
        #expect(result.diagnostics.contains { $0.line == 2 }, "[\(table)] \(key) = \(value)")
      }
    }
  }
}
