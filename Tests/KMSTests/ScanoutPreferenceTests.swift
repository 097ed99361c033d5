// SPDX-License-Identifier: Apache-2.0

import Display
import Raster
import Testing

@testable import KMS

@Suite("The format that is wanted, and how the display hangs")
struct ScanoutPreferenceTests {
  @Test(
    "The format that is wanted comes first where the plane lists it",
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

  @Test("A kernel that lists no formats is asked for the one that is wanted")
  func unlisted() {
    #expect(ScanoutFormat.usable(listed: [], wanted: .xrgb2101010) == [.xrgb2101010, .xrgb8888, .rgb565])
    #expect(ScanoutFormat.usable(listed: [], wanted: .rgb565) == [.rgb565, .xrgb8888])
    #expect(ScanoutFormat.usable(listed: []) == [.xrgb8888, .rgb565])
  }

  @Test("A format that the plane lacks is told, and only then", arguments: FormatPreference.allCases)
  func notes(wanted: FormatPreference) throws {
    let all = try PipeSelection.select(
      on: Hardware.simple(formats: ScanoutFormat.allCases), KMSPreferences(format: wanted)
    ).get()
    #expect(all.notes.isEmpty)
    let none = try PipeSelection.select(
      on: Hardware.simple(formats: [.argb8888]), KMSPreferences(format: wanted)
    ).get()
    // ARGB8888 is XRGB8888 in all but name.
    #expect(none.notes.isEmpty == (wanted == .auto || wanted == .xrgb8888))
    #expect(none.notes.allSatisfy { $0.hasPrefix("Virtual-1: the card does not support ") })
  }

  @Test(
    "Each format, turned in each way, shows what was drawn, whatever has changed of it",
    arguments: FormatPreference.allCases, Rotation.allCases)
  func showsFrames(format: FormatPreference, rotation: Rotation) throws {
    for dithers in [true, false] {
      let preferences = KMSPreferences(format: format, dithers: dithers, rotation: rotation)
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

  @Test("The kernel is told of the damage where it lies on the display")
  func damage() throws {
    let rig = try Rig([Hardware.simple()], preferences: KMSPreferences(rotation: .clockwise))
    #expect(try rig.startShowing())
    #expect(try rig.show(PixelRect(x: 0, y: 0, width: 1, height: 1)))
    // The upper left of the picture is the upper right of the display.
    #expect(try rig.show(PixelRect(x: 0, y: 0, width: 5, height: 3)))
    #expect(rig.device.commits.last?.damage == [PixelRect(x: 61, y: 0, width: 3, height: 5)])
    rig.output.stop()
  }

  @Test("A new wish takes effect at once; one without effect on the picture changes nothing")
  func reload() throws {
    let rig = try Rig([Hardware.simple(formats: [.xrgb8888, .rgb565])])
    #expect(try rig.startShowing())
    let changes: [(KMSPreferences, Int, ScanoutFormat)] = [
      (KMSPreferences(dithers: false), 1, .xrgb8888), (KMSPreferences(format: .xrgb8888), 1, .xrgb8888),
      (KMSPreferences(format: .rgb565), 2, .rgb565),
      (KMSPreferences(format: .rgb565, dithers: false), 3, .rgb565),
      (KMSPreferences(format: .rgb565, dithers: false, rotation: .counterclockwise), 4, .rgb565),
      (KMSPreferences(format: .rgb565, dithers: false, rotation: .clockwise), 5, .rgb565),
      (KMSPreferences(), 6, .xrgb8888), (KMSPreferences(rotation: .half), 7, .xrgb8888),
    ]
    for (preferences, connections, format) in changes {
      rig.output.preferences = preferences
      try rig.settle(milliseconds: 10)
      #expect(try rig.run(until: { rig.connections.count == connections && rig.output.canPresent }))
      #expect(try rig.show(rig.shadow.buffer.bounds))
      #expect(rig.output.screen?.candidate.format == format)
      #expect(rig.displayShowsShadow)
      #expect(rig.device.buffers.count == 2)
    }
    rig.output.stop()
  }

  @Test("A display that is dark is turned in the dark, and one with a frame on its way for the next")
  func darkAndInFlight() throws {
    let rig = try Rig([Hardware.simple()])
    #expect(try rig.startShowing())
    rig.output.isBlank = true
    rig.output.preferences.rotation = .clockwise
    #expect(try rig.run(until: { rig.connections.count == 2 }))
    #expect(!rig.output.canPresent)
    #expect(rig.device.shown == nil)
    rig.output.isBlank = false
    #expect(try rig.run(until: { rig.output.canPresent }))
    #expect(try rig.show(rig.shadow.buffer.bounds))
    #expect(rig.displayShowsShadow)
    rig.device.completion = .vblanks
    rig.output.present(rig.shadow.buffer, damage: [rig.shadow.buffer.bounds])
    rig.output.preferences.rotation = .half
    #expect(try rig.run(until: { rig.connections.last?.rotation == .half && rig.output.canPresent }))
    #expect(try rig.show(rig.shadow.buffer.bounds))
    #expect(rig.displayShowsShadow)
    rig.output.stop()
  }

  @Test("A format that the card lacks is told once, and the picture stays")
  func missingFormat() throws {
    let rig = try Rig([Hardware.simple(formats: [.xrgb8888])])
    #expect(try rig.startShowing())
    for dithers in [true, false, true] {
      rig.output.preferences = KMSPreferences(format: .rgb565, dithers: dithers)
      try rig.settle(milliseconds: 10)
    }
    let told = "warning: Virtual-1: the card does not support RGB565; using XRGB8888 instead"
    #expect(rig.logged.filter { $0.hasPrefix("warning") } == [told])
    #expect(rig.connections.count == 1)
    #expect(rig.displayShowsShadow)
    rig.output.preferences = KMSPreferences()
    try rig.settle(milliseconds: 10)
    rig.output.preferences = KMSPreferences(format: .rgb565)
    try rig.settle(milliseconds: 10)
    #expect(rig.logged.filter { $0.hasPrefix("warning") } == [told, told])
    rig.output.stop()
  }

  @Test(
    "A panel that is mounted on its side is told with what turns it, until it is turned",
    arguments: [
      (0, nil), (1, Rotation.half), (2, .counterclockwise), (3, .clockwise), (9, nil),
    ] as [(UInt64, Rotation?)])
  func panels(orientation: UInt64, upright: Rotation?) throws {
    var card = Hardware.simple()
    card.connectors[0] = Hardware.connector(
      40, "DSI-1", modes: card.connectors[0].modes, encoder: 50, encoders: [50],
      set: ["panel orientation": orientation])
    for rotation in Rotation.allCases {
      let rig = try Rig([card], preferences: KMSPreferences(rotation: rotation))
      #expect(try rig.startShowing())
      let told = rig.logged.filter { $0.contains("the panel is mounted") }
      let isUseful = upright != nil && upright != rotation
      #expect(told.count == (isUseful ? 1 : 0))
      if isUseful, let upright { #expect(told.first?.contains("rotation = \(upright.rawValue) in") == true) }
      rig.output.stop()
    }
  }
}
