// SPDX-License-Identifier: Apache-2.0

import Display
import Raster
import Testing

@testable import Settings
@testable import TOMLConfig

/// `[outputs.NAME]`, the settings of one of several displays.
@Suite struct OutputsTests {
  private static let pages = "[pages.clock]\nrows = [\"time\"]\n[pages.match]\nrows = [\"score\"]\n"

  /// The settings that these lines below `[outputs.a]` give. The lines must be valid.
  private func output(_ lines: String) -> OutputSettings? {
    let result = load("\(Self.pages)[outputs.a]\n\(lines)\n")
    if !result.diagnostics.isEmpty { Issue.record("\(lines): \(found(result))") }
    return result.configuration?.outputs.first
  }

  @Test("An empty table differs in nothing from [display]")
  func empty() {
    #expect(output("") == OutputSettings(name: "a"))
    #expect(output("")?.rule.isEnabled == true)
    #expect(load("").configuration?.outputs == [])
    #expect(load("[outputs]\n").configuration?.outputs == [])
  }

  @Test("A table has all keys of one display")
  func allKeys() {
    var expected = OutputSettings(name: "a")
    expected.rule.match = "GSM LG ULTRAGEAR"
    expected.rule.isEnabled = false
    expected.rule.mode = .size(PixelSize(width: 1920, height: 1080), refreshMillihertz: 50_000)
    expected.rule.format = .rgb565
    expected.rule.dithers = false
    expected.rule.rotation = .clockwise
    expected.margins = 3
    expected.brightness = 60
    expected.backlight = .named("10-0045")
    expected.page = "match"
    let settings = output(
      """
      match = "GSM LG ULTRAGEAR"
      enabled = false
      mode = "1920x1080@50"
      format = "rgb565"
      dither = false
      rotation = 90
      margins = "3%"
      brightness = "60%"
      backlight = "10-0045"
      page = "match"
      """)
    #expect(settings == expected)
  }

  @Test("A value that equals [display]'s default counts as set")
  func defaults() {
    let settings = output(
      "mode = \"auto\"\nformat = \"auto\"\ndither = true\nrotation = 0\nbrightness = \"100%\"\nbacklight = \"auto\""
    )
    #expect(settings?.rule.mode == .auto)
    #expect(settings?.rule.format == .auto)
    #expect(settings?.rule.dithers == true)
    #expect(settings?.rule.rotation == Rotation.none)
    #expect(settings?.brightness == 100)
    #expect(settings?.backlight == .auto)
  }

  @Test(
    "Names are those of connectors, or any others",
    arguments: ["HDMI-A-1", "eDP-1", "Virtual-1", "left", "Bar_2", String(repeating: "x", count: 32)])
  func names(name: String) {
    #expect(load("[outputs.\(name)]\n").configuration?.outputs == [OutputSettings(name: name)])
  }

  @Test(
    "A display is named by its make, model and serial number", arguments: ["GSM", "0x5B09", "DEL U2415 7MT0"])
  func matches(text: String) {
    #expect(output("match = \"\(text)\"")?.rule.match == text)
  }

  @Test("Displays keep the order of the files, and tables of several files are merged")
  func severalFiles() throws {
    let files = [
      "[outputs.right]\nmatch = \"GSM\"\n[outputs.left]\nrotation = 90\n",
      "[outputs.left]\nrotation = 270\nbrightness = \"40%\"\n[outputs.DP-1]\nenabled = false\n",
      "[outputs.right]\nmatch = \"DEL\"\n",
    ]
    let result = SettingsLoader.load(
      texts: files.enumerated().map { ("\($0.offset).toml", Array($0.element.utf8)) }, mode: .check)
    #expect(found(result) == [])
    let outputs = try #require(result.configuration).outputs
    #expect(outputs.map(\.name) == ["right", "left", "DP-1"])
    #expect(outputs.map(\.rule.match) == ["DEL", nil, nil])
    #expect(outputs.map(\.rule.rotation) == [nil, .counterclockwise, nil])
    #expect(outputs.map(\.brightness) == [nil, 40, nil])
    #expect(outputs.map(\.rule.isEnabled) == [true, true, false])
  }

  /// Not in the arguments of the macro, because Swift 6.0.3 crashes on this list there.
  static let rejections: [Rejection] = [
    Rejection(
      "outputs.a", "match", "\"\"",
      "'match' in [outputs.a] must be the make, model or serial number of a display, found ''; "
        + "write \"GSM LG ULTRAGEAR\""),
    Rejection("outputs.a", "match", "\"  \"", "must be the make"),
    Rejection("outputs.a", "match", "\" GSM\"", "must be the make"),
    Rejection("outputs.a", "match", "\"GSM \"", "must be the make"),
    Rejection("outputs.a", "match", "\"GSM\\n\"", "has a control character"),
    Rejection("outputs.a", "match", "[\"GSM\"]", "must be a string, found an array"),
    Rejection("outputs.a", "match", "\"\(String(repeating: "x", count: 65))\"", "at most 64"),
    Rejection("outputs.a", "enabled", "\"no\"", "must be true or false, found the string 'no'"),
    Rejection("outputs.a", "mode", "\"1080p\"", "must be a mode, found '1080p'; write \"auto\""),
    Rejection("outputs.a", "mode", "1080", "must be a string"),
    Rejection("outputs.a", "format", "\"rgb656\"", "\"rgb565\" or \"xrgb2101010\""),
    Rejection("outputs.a", "dither", "1", "must be true or false"),
    Rejection("outputs.a", "rotation", "45", "must be 0, 90, 180 or 270, found the number 45"),
    Rejection(
      "outputs.a", "margins", "\"11%\"",
      "must be from \"0%\" to \"10%\", found the string '11%'; write \"10%\""),
    Rejection("outputs.a", "margins", "3", "write \"3%\""),
    Rejection("outputs.a", "brightness", "\"0%\"", "must be from \"1%\""),
    Rejection("outputs.a", "brightness", "60", "write \"60%\""),
    Rejection(
      "outputs.a", "backlight", "\"a/b\"", "must be the name of a backlight, found 'a/b'; write \"auto\""),
    Rejection("outputs.a", "page", "3", "must be the name of a page, found the number 3"),
    Rejection(
      "outputs.a", "page", "\"match\"", "unknown page 'match' in [outputs.a]; declare it as [pages.match]"),
    Rejection("outputs.a", "page", "\"a\\u001bb\"", "declare [pages.NAME]"),
  ]

  @Test("Bad values are reported at their positions", arguments: rejections)
  func refuses(rejection: Rejection) {
    #expect(problem(rejection) == nil)
  }

  @Test("A page must exist, in every file")
  func unknownPages() {
    #expect(
      found(load("\(Self.pages)[outputs.a]\npage = \"mach\"\n")) == [
        "error 6:8 unknown page 'mach' in [outputs.a]; did you mean 'match'?"
      ])
    #expect(
      found(load("[outputs.a]\npage = \"x\"\n\(Self.pages)")) == [
        "error 2:8 unknown page 'x' in [outputs.a]; known are clock, match"
      ])
    let files = ["[outputs.a]\npage = \"x\"\n", "\(Self.pages)[outputs.a]\npage = \"clock\"\n"]
    let result = SettingsLoader.load(
      texts: files.enumerated().map { ("\($0.offset).toml", Array($0.element.utf8)) }, mode: .check)
    #expect(found(result) == ["error 2:8 unknown page 'x' in [outputs.a]; known are clock, match"])
  }

  @Test("Two tables cannot have the same match")
  func sameMatch() {
    #expect(
      found(load("[outputs.a]\nmatch = \"GSM LG\"\n[outputs.b]\nmatch = \"gsm lg\"\n")) == [
        "error 4:9 [outputs.a] and [outputs.b] have the same 'match'; "
          + "leave one of the tables out, or add the serial number"
      ])
    #expect(found(load("[outputs.a]\nmatch = \"GSM\"\n[outputs.b]\nmatch = \"GSM LG\"\n")) == [])
  }

  @Test("Unknown keys, bad names and too many tables are reported at their positions")
  func tables() {
    let unknown = "[outputs.a]\nbrightnes = \"60%\"\ncard = \"auto\"\n"
    #expect(
      found(load(unknown)) == [
        "error 2:1 unknown key 'brightnes' in [outputs.a]; did you mean 'brightness'?",
        "error 3:1 unknown key 'card' in [outputs.a]; known are match, enabled, mode, format, dither, "
          + "rotation, margins, brightness, backlight, page",
      ])
    #expect(load(unknown, mode: .running).configuration?.outputs == [OutputSettings(name: "a")])
    #expect(
      found(load("[outputs.\"HDMI A\"]\n[outputs]\nb = 3\n")) == [
        "error 1:10 'HDMI A' is not a name for a display; names are 1 to 32 letters, digits, '-' and '_'",
        "error 3:5 [outputs.b] must be a table, found the number 3",
      ])
    #expect(found(load("[[outputs.a]]\n")).first?.hasSuffix("write [outputs.a], not [[outputs.a]]") == true)
    #expect(found(load("[output.a]\n")) == ["error 1:2 unknown table [output]; did you mean 'outputs'?"])
    let many = (0..<40).map { "[outputs.o\($0)]\n" }.joined()
    #expect(found(load(many)) == ["error 33:10 at most 32 tables [outputs.NAME] are allowed; remove one"])
  }
}
