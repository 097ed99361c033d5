// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import Display

@Suite struct BacklightTests {
  /// A directory such as /sys/class/backlight.
  private struct Machine {
    let directory: TemporaryDirectory
    var path: String { directory.file("class/backlight") }

    init() throws { directory = try TemporaryDirectory() }

    func add(_ name: String, _ files: [String: String], device: String? = nil) {
      for (file, text) in files { directory.put("class/backlight/\(name)/\(file)", "\(text)\n") }
      if let device { directory.link("class/backlight/\(name)/device", to: device) }
    }

    func brightness(_ name: String) -> String? {
      (try? readFile("\(path)/\(name)/brightness", limit: 99)).map {
        String(decoding: $0.prefix { $0 > 32 }, as: UTF8.self)
      }
    }
  }

  // MARK: Levels

  @Test(
    "More brightness never gives less light, and the light matches the brightness within a step",
    arguments: [false, true])
  func levels(isLinear: Bool) {
    for maximum in [1, 2, 7, 31, 100, 255, 1023, 65_535, 96_000, Int(Int32.max)] {
      let backlight = Backlight(name: "lamp", maximum: maximum, isLinear: isLinear)
      var before = Backlight.Level(value: 1, picture: -1)
      for percent in 0...100 {
        let level = backlight.level(percent: percent)
        #expect((1...maximum).contains(level.value))
        #expect((0...1).contains(level.picture))
        #expect(
          level.value > before.value || (level.value == before.value && level.picture >= before.picture))
        before = level
        // The picture is darkened only at the backlight's lowest level.
        #expect(level.picture == 1 || level.value == 1)
        let brightness = Double(percent) / 100
        if level.picture == 1 {
          let wanted = (isLinear ? pow(brightness, 2.2) : brightness) * Double(maximum)
          #expect(abs(Double(level.value) - wanted) <= 0.5, "\(maximum) \(percent)%")
        } else {
          let least = isLinear ? pow(1 / Double(maximum), 1 / 2.2) : 1 / Double(maximum)
          #expect(abs(least * level.picture - brightness) < 1e-9, "\(maximum) \(percent)%")
        }
      }
      #expect(backlight.level(percent: 100) == .init(value: maximum, picture: 1))
      #expect(backlight.level(percent: 0) == .init(value: 1, picture: 0))
    }
  }

  // MARK: The files

  @Test("Backlights are read as the kernel describes them; one without a valid maximum is left out")
  func reading() throws {
    let machine = try Machine()
    machine.add(
      "intel_backlight", ["max_brightness": "96000", "type": "raw", "scale": "linear", "brightness": "5"],
      device: "../../card1-eDP-1")
    machine.add("10-0045", ["max_brightness": "255", "type": "platform"], device: "../../../10-0045")
    for (name, maximum) in [
      ("empty", ""), ("zero", "0"), ("negative", "-1"), ("word", "many"), ("huge", "99999999999999999999"),
    ] {
      machine.add(name, ["max_brightness": maximum])
    }
    machine.add("nothing", ["brightness": "1"])
    #expect(
      Backlight.all(in: machine.path) == [
        Backlight(name: "10-0045", kind: .platform, maximum: 255),
        Backlight(name: "intel_backlight", maximum: 96000, isLinear: true, connector: "eDP-1"),
      ])
    #expect(Backlight.all(in: machine.directory.file("missing")) == [])
  }

  @Test("The value is set, and the original one is restored at the end")
  func control() throws {
    let machine = try Machine()
    machine.add("lamp", ["max_brightness": "255", "brightness": "200"])
    let backlight = try #require(Backlight.all(in: machine.path).first)
    do {
      let control = try BacklightControl(backlight, in: machine.path)
      #expect(machine.brightness("lamp") == "200")
      try control.set(13)
      #expect(machine.brightness("lamp") == "13")
      // What another program sets stays until the level changes.
      machine.add("lamp", ["brightness": "77"])
      try control.set(13)
      #expect(machine.brightness("lamp") == "77")
    }
    machine.add("words", ["max_brightness": "255", "brightness": "bright"])
    #expect(throws: SystemError.self) {
      _ = try BacklightControl(Backlight(name: "words", maximum: 255), in: machine.path)
    }
    #expect(throws: SystemError.self) {
      _ = try BacklightControl(Backlight(name: "missing", maximum: 255), in: machine.path)
    }
  }

  @Test("A released control restores the value, also if it was set several times")
  func restoring() throws {
    let machine = try Machine()
    machine.add("lamp", ["max_brightness": "255", "brightness": "200"])
    do {
      let control = try BacklightControl(Backlight(name: "lamp", maximum: 255), in: machine.path)
      for value in [1, 255, 30] { try control.set(value) }
      #expect(machine.brightness("lamp") == "30")
    }
    #expect(machine.brightness("lamp") == "200")
  }

  // MARK: Choosing

  private static let lamps = [
    Backlight(name: "acpi_video0", kind: .firmware, maximum: 15),
    Backlight(name: "i2c", kind: .raw, maximum: 255),
    Backlight(name: "intel_backlight", kind: .raw, maximum: 96_000, connector: "eDP-1"),
  ]

  @Test(
    "A panel gets its own backlight, else the machine's; external displays get none",
    arguments: [
      (BacklightPreference.auto, "eDP-1", ["eDP-1", "HDMI-A-1"], "intel_backlight"),
      (.auto, "HDMI-A-1", ["eDP-1", "HDMI-A-1"], nil),
      (.auto, "HDMI-A-1", ["HDMI-A-1"], nil),
      (.auto, "DSI-1", ["DSI-1", "HDMI-A-1"], "acpi_video0"),
      (.auto, "DPI-1", ["DPI-1"], "acpi_video0"),
      (.auto, "SPI-1", ["SPI-1"], "acpi_video0"),
      // The lamp may belong to either of the two panels.
      (.auto, "DSI-1", ["DSI-1", "DSI-2"], nil),
      (.auto, "headless", ["headless"], nil),
      (.named("i2c"), "HDMI-A-1", ["HDMI-A-1"], "i2c"),
      (.named("I2C"), "DSI-1", ["DSI-1"], nil),
      (.unused, "eDP-1", ["eDP-1"], nil),
    ] as [(BacklightPreference, String, [String], String?)])
  func choosing(preference: BacklightPreference, connector: String, connectors: [String], lamp: String?) {
    #expect(preference.backlight(for: connector, connectors, among: Self.lamps)?.name == lamp)
    #expect(preference.backlight(for: connector, connectors, among: []) == nil)
  }
}
