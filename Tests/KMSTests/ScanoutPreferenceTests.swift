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
    #expect(none.notes.allSatisfy { $0.hasPrefix("Virtual-1: the card does not support ") })
  }

  @Test(
    "Each format in each rotation shows what was drawn, for any damage",
    arguments: FormatPreference.allCases, Rotation.allCases)
  func showsFrames(format: FormatPreference, rotation: Rotation) throws {
    for dithers in [true, false] {
      let preferences = OutputPreferences(format: format, dithers: dithers, rotation: rotation)
      let rig = try Rig([Hardware.simple(formats: ScanoutFormat.allCases)], preferences: preferences)
      #expect(try rig.startShowing())
      let description = try #require(rig.connections.first)
      #expect(description.mode.description == "64x48@100")
      #expect(description.frameSize == rotation.size(of: PixelSize(width: 64, height: 48)))
      #expect(rig.displayShowsShadow)
      for seed in 1...6 as ClosedRange<UInt32> {
        let rect = PixelRect(x: Int(seed) * 5 - 9, y: Int(seed) * 7 - 4, width: 13, height: 9)
        rig.paint(seed, in: rect)
        #expect(try rig.show(rect))
        #expect(rig.displayShowsShadow)
      }
      let screen = PixelRect(x: 0, y: 0, width: 64, height: 48)
      #expect(rig.device.commits.allSatisfy { $0.damage.allSatisfy { screen.contains($0) } })
      rig.output.stop()
    }
  }

  @Test("The kernel gets the damage in the display's coordinates")
  func damage() throws {
    let rig = try Rig([Hardware.simple()], preferences: OutputPreferences(rotation: .clockwise))
    #expect(try rig.startShowing())
    #expect(try rig.show(PixelRect(x: 0, y: 0, width: 1, height: 1)))
    // The picture's upper left corner is the display's upper right corner.
    #expect(try rig.show(PixelRect(x: 0, y: 0, width: 5, height: 3)))
    #expect(rig.device.commits.last?.damage == [PixelRect(x: 61, y: 0, width: 3, height: 5)])
    rig.output.stop()
  }

  @Test("A changed preference takes effect at once; one without effect on the picture changes nothing")
  func reload() throws {
    let rig = try Rig([Hardware.simple(formats: [.xrgb8888, .rgb565])])
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
      rig.output.apply(preferences)
      try rig.settle(milliseconds: 10)
      #expect(try rig.run(until: { rig.connections.count == connections && rig.output.canPresent }))
      #expect(try rig.show(rig.shadow.buffer.bounds))
      #expect(rig.output.screen?.candidate.format == format)
      #expect(rig.displayShowsShadow)
      #expect(rig.device.buffers.count == 2)
    }
    rig.output.stop()
  }

  @Test("The rotation changes while blanked, and with a frame in flight")
  func darkAndInFlight() throws {
    let rig = try Rig([Hardware.simple()])
    #expect(try rig.startShowing())
    rig.output.isBlank = true
    rig.output.apply(OutputPreferences(rotation: .clockwise))
    #expect(try rig.run(until: { rig.connections.count == 2 }))
    #expect(!rig.output.canPresent)
    #expect(rig.device.shown == nil)
    rig.output.isBlank = false
    #expect(try rig.run(until: { rig.output.canPresent }))
    #expect(try rig.show(rig.shadow.buffer.bounds))
    #expect(rig.displayShowsShadow)
    rig.device.completion = .vblanks
    rig.output.present(rig.shadow.buffer, damage: [rig.shadow.buffer.bounds])
    rig.output.apply(OutputPreferences(rotation: .half))
    #expect(try rig.run(until: { rig.connections.last?.rotation == .half && rig.output.canPresent }))
    #expect(try rig.show(rig.shadow.buffer.bounds))
    #expect(rig.displayShowsShadow)
    rig.output.stop()
  }

  @Test("A format that the card lacks is reported once, and the picture stays")
  func missingFormat() throws {
    let rig = try Rig([Hardware.simple(formats: [.xrgb8888])])
    #expect(try rig.startShowing())
    for dithers in [true, false, true] {
      rig.output.apply(OutputPreferences(format: .rgb565, dithers: dithers))
      try rig.settle(milliseconds: 10)
    }
    let warning = "warning: Virtual-1: the card does not support RGB565; using XRGB8888 instead"
    #expect(rig.logged.filter { $0.hasPrefix("warning") } == [warning])
    #expect(rig.connections.count == 1)
    #expect(rig.displayShowsShadow)
    rig.output.apply(OutputPreferences())
    try rig.settle(milliseconds: 10)
    rig.output.apply(OutputPreferences(format: .rgb565))
    try rig.settle(milliseconds: 10)
    #expect(rig.logged.filter { $0.hasPrefix("warning") } == [warning, warning])
    rig.output.stop()
  }

  @Test(
    "The rotation for a panel mounted on its side is suggested until it is configured",
    arguments: [
      (0, nil), (1, Rotation.half), (2, .counterclockwise), (3, .clockwise), (9, nil),
    ] as [(UInt64, Rotation?)])
  func panels(orientation: UInt64, upright: Rotation?) throws {
    var card = Hardware.simple()
    card.connectors[0] = Hardware.connector(
      40, "DSI-1", modes: card.connectors[0].modes, encoder: 50, encoders: [50],
      set: ["panel orientation": orientation])
    for rotation in Rotation.allCases {
      let rig = try Rig([card], preferences: OutputPreferences(rotation: rotation))
      #expect(try rig.startShowing())
      let hints = rig.logged.filter { $0.contains("the panel is mounted") }
      let isUseful = upright != nil && upright != rotation
      #expect(hints.count == (isUseful ? 1 : 0))
      if isUseful, let upright { #expect(hints.first?.contains("rotation = \(upright.rawValue) in") == true) }
      rig.output.stop()
    }
  }
}
