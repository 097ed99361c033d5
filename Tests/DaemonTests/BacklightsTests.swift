// SPDX-License-Identifier: Apache-2.0

import Display
import LinuxSystem
import TestSupport
import Testing

@testable import Daemon

@Suite struct BacklightsTests {
  private let directory: TemporaryDirectory
  private let backlights: Backlights

  init() throws {
    directory = try TemporaryDirectory()
    backlights = Backlights(in: directory.path, log: Log(style: .journal, threshold: .emergency))
  }

  private func add(_ name: String, maximum: Int, value: Int) {
    directory.put("\(name)/max_brightness", "\(maximum)\n")
    directory.put("\(name)/brightness", "\(value)\n")
  }

  private func finds(_ display: String, _ preference: BacklightPreference, _ displays: [String]) -> Bool {
    backlights.find(for: display, preference, displays)
    return backlights.isUsed(for: display)
  }

  private func value(_ name: String) throws -> Int? {
    let bytes = try readFile(directory.file("\(name)/brightness"), limit: 99)
    return Int(String(decoding: bytes.prefix { $0 > 32 }, as: UTF8.self))
  }

  @Test(
    "A panel is dimmed by its backlight, below its lowest level by its picture; other displays by theirs")
  func dimming() throws {
    add("lamp", maximum: 20, value: 20)
    #expect(finds("DSI-1", .auto, ["DSI-1", "HDMI-A-1"]))
    #expect(!finds("HDMI-A-1", .auto, ["DSI-1", "HDMI-A-1"]))
    #expect(backlights.name(for: "DSI-1") == "lamp")
    for (percent, expected, picture) in [
      (50, 10, 1.0), (5, 1, 1.0), (1, 1, 0.2), (0, 1, 0.0), (100, 20, 1.0),
    ] {
      for display in ["DSI-1", "HDMI-A-1"] { #expect(backlights.set(display, percent: percent)) }
      #expect(try value("lamp") == expected)
      #expect(abs(backlights.picture(of: "DSI-1", percent: percent) - picture) < 1e-9)
      #expect(backlights.picture(of: "HDMI-A-1", percent: percent) == Double(percent) / 100)
      #expect(backlights.picture(of: nil, percent: percent) == Double(percent) / 100)
    }
  }

  @Test("A backlight is restored when its display is gone, another one is chosen, or the daemon ends")
  func restoring() throws {
    add("a", maximum: 100, value: 80)
    add("b", maximum: 100, value: 90)
    func dim(_ preference: BacklightPreference) throws -> [Int?] {
      _ = finds("DSI-1", preference, ["DSI-1"])
      _ = backlights.set("DSI-1", percent: 10)
      return [try value("a"), try value("b")]
    }
    #expect(try dim(.auto) == [10, 90])
    #expect(try dim(.named("b")) == [80, 10])
    #expect(try dim(.named("c")) == [80, 90])
    #expect(try dim(.unused) == [80, 90])
    #expect(try dim(.auto) == [10, 90])
    backlights.keep(only: ["HDMI-A-1"])
    #expect(try value("a") == 80)
    #expect(backlights.name(for: "DSI-1") == nil)
    #expect(try dim(.auto) == [10, 90])
    backlights.restore()
    #expect(try value("a") == 80)
  }

  @Test("Connecting another display does not change the backlight of a panel")
  func hotplug() throws {
    add("a", maximum: 100, value: 80)
    #expect(finds("DSI-1", .auto, ["DSI-1"]))
    _ = backlights.set("DSI-1", percent: 10)
    #expect(finds("DSI-1", .auto, ["DSI-1", "HDMI-A-1"]))
    #expect(try value("a") == 10)
  }

  @Test("Two displays do not share a backlight")
  func sharing() {
    add("a", maximum: 100, value: 80)
    #expect(finds("DSI-1", .named("a"), ["DSI-1", "HDMI-A-1"]))
    #expect(!finds("HDMI-A-1", .named("a"), ["DSI-1", "HDMI-A-1"]))
  }

  @Test("If a backlight cannot be opened, the picture is darkened, until a later attempt succeeds")
  func failures() throws {
    add("a", maximum: 100, value: 80)
    directory.remove("a/brightness")
    #expect(!finds("DSI-1", .auto, ["DSI-1"]))
    #expect(backlights.picture(of: "DSI-1", percent: 30) == 0.3)
    add("a", maximum: 100, value: 80)
    #expect(!finds("DSI-1", .auto, ["DSI-1"]))
    backlights.retry()
    #expect(finds("DSI-1", .auto, ["DSI-1"]))
    #expect(backlights.picture(of: "DSI-1", percent: 30) == 1)
  }
}
