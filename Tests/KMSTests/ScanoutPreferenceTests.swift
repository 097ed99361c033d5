// SPDX-License-Identifier: Apache-2.0

import Display
import Raster
import Testing

@testable import KMS

@Suite("Configured format and rotation")
struct ScanoutPreferenceTests {
  @Test(
    "The configured format comes first if the plane lists it",
    arguments: [
      (FormatPreference.auto, [ScanoutFormat.rgb565, .xrgb8888, .xrgb2101010], [.xrgb8888, .rgb565]),
      (.xrgb8888, [.rgb565, .xrgb8888, .xrgb2101010], [.xrgb8888, .rgb565]),
      (.rgb565, [.rgb565, .xrgb8888, .xrgb2101010], [.rgb565, .xrgb8888]),
      (.xrgb2101010, [.rgb565, .xrgb8888, .xrgb2101010], [.xrgb2101010, .xrgb8888, .rgb565]),
      (.rgb565, [.xrgb8888], [.xrgb8888]), (.xrgb2101010, [.rgb565], [.rgb565]),
      (.xrgb8888, [.argb8888, .rgb565], [.argb8888, .rgb565]), (.auto, [.xrgb2101010], []),
    ] as [(FormatPreference, [ScanoutFormat], [ScanoutFormat])])
  func order(wanted: FormatPreference, listed: [ScanoutFormat], expected: [ScanoutFormat]) {
    #expect(ScanoutFormat.usable(listed: listed.map(\.fourCC), wanted: wanted) == expected)
  }

  @Test("If the kernel lists no formats, the configured one is tried")
  func unlisted() {
    #expect(ScanoutFormat.usable(listed: [], wanted: .xrgb2101010) == [.xrgb2101010, .xrgb8888, .rgb565])
    #expect(ScanoutFormat.usable(listed: [], wanted: .rgb565) == [.rgb565, .xrgb8888])
    #expect(ScanoutFormat.usable(listed: []) == [.xrgb8888, .rgb565])
  }

  @Test("A note is logged only for a format that the plane lacks", arguments: FormatPreference.allCases)
  func notes(wanted: FormatPreference) throws {
    let all = try #require(
      PipeSelection.select(
        on: Hardware.simple(formats: ScanoutFormat.allCases), OutputPreferences(format: wanted)
      ).choices.first)
    #expect(all.notes.isEmpty)
    let none = try #require(
      PipeSelection.select(
        on: Hardware.simple(formats: [.argb8888]), OutputPreferences(format: wanted)
      ).choices.first)
    // ARGB8888 has the same bytes as XRGB8888.
    #expect(none.notes.isEmpty == (wanted == .auto || wanted == .xrgb8888))
    #expect(none.notes.allSatisfy { $0.hasPrefix("the card does not support ") })
  }

  @Test(
    "Each format in each rotation shows what was drawn, for any damage",
    arguments: FormatPreference.allCases, Rotation.allCases)
  func showsFrames(format: FormatPreference, rotation: Rotation) throws {
    for dithers in [true, false] {
      let preferences = OutputPreferences(format: format, dithers: dithers, rotation: rotation)
      let rig = try Rig(preferences: preferences, formats: ScanoutFormat.allCases)
      #expect(try rig.startShowing())
      let description = try #require(rig.descriptions.first)
      #expect(description.mode.size == PixelSize(width: 64, height: 48))
      #expect(description.frameSize == rotation.size(of: PixelSize(width: 64, height: 48)))
      #expect(rig.displayShowsShadow)
      for seed in 1...6 as ClosedRange<UInt32> {
        let rect = PixelRect(x: Int(seed) * 5 - 9, y: Int(seed) * 7 - 4, width: 13, height: 9)
        rig.paint(seed, in: rect)
        #expect(try rig.show(rect))
        #expect(rig.displayShowsShadow)
      }
      // The kernel refuses damage outside of the display, and the output would then connect again.
      #expect(rig.descriptions.count == 1)
      #expect(rig.stop() == [])
    }
  }

  @Test("The kernel gets the damage in the display's coordinates")
  func damage() throws {
    let rig = try Rig(preferences: OutputPreferences(rotation: .clockwise))
    #expect(try rig.startShowing())
    #expect(try rig.show(PixelRect(x: 0, y: 0, width: 1, height: 1)))
    // The picture's upper left corner is the display's upper right corner.
    #expect(try rig.show(PixelRect(x: 0, y: 0, width: 5, height: 3)))
    #expect(rig.card.state.damage[70] == [PixelRect(x: 61, y: 0, width: 3, height: 5)])
    #expect(rig.stop() == [])
  }

  @Test("A changed preference takes effect at once; one without effect on the picture changes nothing")
  func reload() throws {
    let rig = try Rig()
    #expect(try rig.startShowing())
    let changes: [(OutputPreferences, Int, ScanoutFormat)] = [
      (OutputPreferences(dithers: false), 1, .xrgb8888), (OutputPreferences(format: .xrgb8888), 1, .xrgb8888),
      (OutputPreferences(format: .rgb565), 2, .rgb565),
      (OutputPreferences(format: .rgb565, dithers: false), 3, .rgb565),
      (OutputPreferences(format: .rgb565, dithers: false, rotation: .counterclockwise), 4, .rgb565),
      (OutputPreferences(format: .rgb565, dithers: false, rotation: .clockwise), 5, .rgb565),
      (OutputPreferences(), 6, .xrgb8888), (OutputPreferences(rotation: .half), 7, .xrgb8888),
    ]
    for (preferences, connections, format) in changes {
      rig.displays.apply(preferences)
      try rig.run(seconds: 0.1)
      #expect(try rig.run(until: { rig.descriptions.count == connections && rig.canPresent }))
      #expect(try rig.show())
      #expect(rig.output?.screen?.candidate.format == format)
      #expect(rig.displayShowsShadow)
      #expect(rig.card.framebuffers.count == 2)
    }
    #expect(rig.stop() == [])
  }

  @Test("The rotation changes while blanked, and with a frame in flight")
  func darkAndInFlight() throws {
    let rig = try Rig()
    #expect(try rig.startShowing())
    rig.displays.isBlank = true
    rig.displays.apply(OutputPreferences(rotation: .clockwise))
    #expect(try rig.run(until: { rig.descriptions.count == 2 }))
    #expect(!rig.canPresent)
    #expect(rig.picture == nil)
    rig.displays.isBlank = false
    #expect(try rig.run(until: { rig.canPresent }))
    #expect(try rig.show())
    #expect(rig.displayShowsShadow)
    rig.present(rig.shadow.buffer.bounds)
    rig.displays.apply(OutputPreferences(rotation: .half))
    #expect(try rig.run(until: { rig.descriptions.last?.rotation == .half && rig.canPresent }))
    #expect(try rig.show())
    #expect(rig.displayShowsShadow)
    #expect(rig.stop() == [])
  }

  @Test("A format that the card lacks is reported once, and the picture stays")
  func missingFormat() throws {
    let rig = try Rig(formats: [.xrgb8888])
    #expect(try rig.startShowing())
    for dithers in [true, false, true] {
      rig.displays.apply(OutputPreferences(format: .rgb565, dithers: dithers))
      try rig.run(seconds: 0.1)
    }
    let warning = "warning: HDMI-A-1: the card does not support RGB565; using XRGB8888 instead"
    #expect(rig.logged.filter { $0.hasPrefix("warning") } == [warning])
    #expect(rig.descriptions.count == 1)
    #expect(rig.displayShowsShadow)
    rig.displays.apply(OutputPreferences())
    try rig.run(seconds: 0.1)
    rig.displays.apply(OutputPreferences(format: .rgb565))
    try rig.run(seconds: 0.1)
    #expect(rig.logged.filter { $0.hasPrefix("warning") } == [warning, warning])
    #expect(rig.stop() == [])
  }

  @Test(
    "The rotation for a panel that is not mounted upright is suggested until it is configured",
    arguments: [
      (0, nil), (1, Rotation.half), (2, .counterclockwise), (3, .clockwise), (9, nil),
    ] as [(UInt64, Rotation?)])
  func panels(orientation: UInt64, upright: Rotation?) throws {
    for rotation in Rotation.allCases {
      let rig = try Rig(preferences: OutputPreferences(rotation: rotation), names: ["DSI-1"])
      rig.card.state[40, "panel orientation"] = orientation
      #expect(try rig.startShowing())
      let hints = rig.logged.filter { $0.contains("the panel is mounted") }
      let isUseful = upright != nil && upright != rotation
      #expect(hints.count == (isUseful ? 1 : 0))
      if isUseful, let upright { #expect(hints.first?.contains("rotation = \(upright.rawValue) in") == true) }
      #expect(rig.stop() == [])
    }
  }
}
