// SPDX-License-Identifier: Apache-2.0

import Display
import Raster
import TestSupport
import Testing

@testable import KMS

@Suite("Choosing connector, CRTC and plane")
struct PipeSelectionTests {
  private func select(
    _ card: CardDescription, connector: String = "auto", rules: [OutputRule] = [],
    hints: [String: PipeHint] = [:]
  ) -> PipeAssignment {
    PipeSelection.select(on: card, OutputPreferences(connector: connector, rules: rules), hints: hints)
  }

  private func first(_ card: CardDescription, connector: String = "auto") throws -> PipeChoice {
    try #require(select(card, connector: connector).choices.first)
  }

  private func names(_ assignment: PipeAssignment) -> [String] {
    assignment.choices.map(\.pipe.connector.name)
  }

  private func problem(_ card: CardDescription, connector: String = "auto") -> DisplayProblem? {
    select(card, connector: connector).problem
  }

  @Test("A Pi with its TV on the second socket uses that socket's own CRTC and plane")
  func secondSocket() throws {
    let choice = try first(Hardware.vc4(.disconnected, .connected))
    #expect(choice.pipe.connector.name == "HDMI-A-2")
    #expect(choice.pipe.crtc.id == CRTCID(62))
    #expect(choice.pipe.plane?.id == PlaneID(72))
    #expect(choice.candidates.first?.format == .xrgb8888)
    #expect(choice.candidates.first?.timing.size == PixelSize(width: 1920, height: 1080))
  }

  @Test("Two displays are both used, each with its socket's own CRTC and plane, or one if it is configured")
  func twoDisplays() {
    let card = Hardware.vc4(.connected, .connected)
    let both = select(card)
    #expect(names(both) == ["HDMI-A-1", "HDMI-A-2"])
    #expect(both.choices.map(\.pipe.crtc.id) == [CRTCID(61), CRTCID(62)])
    #expect(both.choices.map(\.pipe.plane?.id) == [PlaneID(71), PlaneID(72)])
    #expect(both.problems.isEmpty)
    #expect(names(select(card, connector: "HDMI-A-2")) == ["HDMI-A-2"])
    let off = select(card, rules: [OutputRule(name: "HDMI-A-1", isEnabled: false)])
    #expect(names(off) == ["HDMI-A-2"])
    #expect(off.problems == ["HDMI-A-1": .notConfigured(connector: "HDMI-A-1")])
  }

  @Test("A rule applies to its connector, or to the display that it matches, on any connector")
  func rules() throws {
    var card = Hardware.vc4(.connected, .connected)
    card.connectors[1].edid = SampleEDID.monitor.bytes()
    let small = ModePreference.size(PixelSize(width: 1280, height: 720), refreshMillihertz: nil)
    let rules = [
      OutputRule(name: "HDMI-A-2", rotation: .half),
      OutputRule(name: "tall", match: "hdr wall 4k", mode: small),
      OutputRule(name: "HDMI-A-1", match: "another display", isEnabled: false),
    ]
    let choices = select(card, rules: rules).choices
    #expect(choices.map(\.rule) == [nil, "tall"])
    #expect(choices.map(\.preferences.rotation) == [.none, .none], "the display's rule comes first")
    #expect(choices.map { $0.candidates.first?.timing.size.height } == [1080, 720])
  }

  @Test("With more displays than CRTCs, those in use keep theirs")
  func tooManyDisplays() {
    var card = Hardware.vc4(.connected, .connected)
    card.encoders[0].possibleCRTCs = 0b0010
    card.encoders[1].possibleCRTCs = 0b0010
    card.encoders[1].crtc = CRTCID(61)
    card.crtcs[1].timing = Hardware.televisionModes[0]
    #expect(names(select(card)) == ["HDMI-A-1"])
    let assignment = select(card, hints: ["HDMI-A-2": PipeHint(isInUse: true)])
    #expect(names(assignment) == ["HDMI-A-2"])
    #expect(assignment.problems == ["HDMI-A-1": .noPipe(connector: "HDMI-A-1")])
    #expect(assignment.foreign == CardObjects())
  }

  @Test(
    "As many displays as possible get a CRTC of their own, for any combination of possible CRTCs",
    arguments: 0..<200 as Range<UInt64>
  )
  func matching(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let (displays, crtcs) = (Int.random(in: 1...5, using: &random), Int.random(in: 1...5, using: &random))
    let masks = (0..<displays).map { _ in UInt32.random(in: 0..<1 << UInt32(crtcs), using: &random) }
    let card = CardDescription(
      driver: "vc4",
      connectors: (0..<displays).map {
        Hardware.connector(UInt32(30 + $0), "DP-\($0)", encoders: [UInt32(50 + $0)])
      },
      encoders: masks.enumerated().map { Hardware.encoder(UInt32(50 + $0.offset), crtcs: $0.element) },
      crtcs: (0..<crtcs).map { Hardware.crtc(UInt32(60 + $0)) },
      planes: (0..<crtcs).map { Hardware.plane(UInt32(70 + $0), crtcs: 1 << UInt32($0)) })
    let pipes = select(card).choices.map(\.pipe)
    #expect(Set(pipes.map(\.crtc.id)).count == pipes.count)
    #expect(Set(pipes.map { $0.plane?.id }).count == pipes.count)
    for pipe in pipes {
      let index = Int(pipe.connector.id.rawValue) - 30
      #expect(masks[index] & 1 << (pipe.crtc.id.rawValue - 60) != 0)
    }
    /// The largest number of displays from `index` on that can be driven, found by trying everything.
    func most(_ index: Int, _ used: UInt32) -> Int {
      if index == displays { return 0 }
      var best = most(index + 1, used)
      for crtc in 0..<UInt32(crtcs) where masks[index] & ~used & 1 << crtc != 0 {
        best = max(best, 1 + most(index + 1, used | 1 << crtc))
      }
      return best
    }
    #expect(pipes.count == most(0, 0))
  }

  @Test("The reason why a card cannot be driven is returned")
  func reasons() {
    #expect(
      problem(Hardware.vc4(.disconnected, .disconnected)) == .noDisplay(connectors: ["HDMI-A-1", "HDMI-A-2"]))
    #expect(
      problem(Hardware.vc4(.connected, .disconnected), connector: "DP-1")
        == .connectorMissing("DP-1", found: ["HDMI-A-1", "HDMI-A-2"]))
    #expect(
      problem(Hardware.vc4(.connected, .disconnected), connector: "HDMI-A-2")
        == .noDisplay(connectors: ["HDMI-A-2"]))
    #expect(problem(Hardware.simple(modes: [])) == .noModes(connector: "Virtual-1"))
    var card = Hardware.simple()
    card.encoders[0].possibleCRTCs = 0
    #expect(problem(card) == .noPipe(connector: "Virtual-1"))
    card = Hardware.simple(formats: [])
    card.planes[0].formats = [0x3231_564e /* NV12 */]
    #expect(problem(card) == .noPipe(connector: "Virtual-1"))
  }

  @Test("A headset is skipped unless configured by name; a writeback connector is never a display")
  func nonDesktop() {
    var card = Hardware.vc4(.connected, .connected)
    card.connectors[0] = Hardware.connector(
      32, "HDMI-A-1", encoder: 31, encoders: [31], set: ["non-desktop": 1])
    #expect(names(select(card)) == ["HDMI-A-2"])
    #expect(names(select(card, connector: "HDMI-A-1")) == ["HDMI-A-1"])
    #expect(names(select(card, rules: [OutputRule(name: "HDMI-A-1")])) == ["HDMI-A-1", "HDMI-A-2"])
    card.connectors.removeSubrange(0..<2)
    #expect(problem(card) == .noDisplay(connectors: []))
  }

  @Test("A connector with unknown status is used only if no display is connected; analogue TV comes last")
  func order() {
    var card = Hardware.vc4(.unknown, .connected)
    #expect(names(select(card)) == ["HDMI-A-2"])
    #expect(names(select(card, rules: [OutputRule(name: "HDMI-A-1")])) == ["HDMI-A-2", "HDMI-A-1"])
    card.connectors[0].name = "Composite-1"
    card.connectors[0].status = .connected
    #expect(names(select(card)) == ["HDMI-A-2", "Composite-1"])
    card.connectors[0].status = .unknown
    card.connectors[1].status = .disconnected
    #expect(names(select(card)) == ["Composite-1"])
  }

  @Test("A connected display without modes does not keep the next one from being used")
  func withoutModes() {
    var card = Hardware.vc4(.connected, .connected)
    card.connectors[0].modes = []
    #expect(names(select(card)) == ["HDMI-A-2"])
    #expect(select(card).problems == ["HDMI-A-1": .noModes(connector: "HDMI-A-1")])
  }

  @Test("The CRTC that drives the connector is kept, even if another one would fit")
  func keepsCRTC() throws {
    var card = Hardware.vc4(.connected, .disconnected)
    card.encoders[0].possibleCRTCs = 0b0111
    card.encoders[0].crtc = CRTCID(62)
    card.crtcs[2].timing = Hardware.televisionModes[0]
    #expect(try first(card).pipe.crtc.id == CRTCID(62))
    // Atomic cards report the connector's CRTC in a property.
    card.connectors[0].properties["CRTC_ID"] = Property(id: PropertyID(1), value: 61)
    #expect(try first(card).pipe.crtc.id == CRTCID(61))
    // If no CRTC drives the connector, the first idle CRTC is used.
    card.connectors[0].properties["CRTC_ID"]?.value = 0
    card.crtcs[0].timing = Hardware.televisionModes[0]
    #expect(try first(card).pipe.crtc.id == CRTCID(61))
  }

  @Test("A CRTC must fit every encoder of the connector; if none does, the current encoder decides")
  func possibleCRTCs() throws {
    var card = Hardware.vc4(.connected, .disconnected)
    card.connectors[0].encoders = [EncoderID(31), EncoderID(41)]
    card.encoders[0].possibleCRTCs = 0b0110
    card.encoders[1].possibleCRTCs = 0b0101
    #expect(try first(card).pipe.crtc.id == CRTCID(62))
    card.encoders[1].possibleCRTCs = 0b0001
    #expect(try first(card).pipe.crtc.id == CRTCID(61))
    card.encoders[0].possibleCRTCs = 0xffff_ffff
    card.encoders[1].possibleCRTCs = 0xffff_0000
    #expect(problem(card) == .noPipe(connector: "HDMI-A-1"))
  }

  @Test("Of two displays on one CRTC one keeps it; everything that is on and is not used is turned off")
  func clones() {
    var card = Hardware.vc4(.connected, .connected)
    card.encoders[0].possibleCRTCs = 0b0111
    card.encoders[1].possibleCRTCs = 0b0111
    card.encoders[0].crtc = CRTCID(60)
    card.encoders[1].crtc = CRTCID(60)
    card.crtcs[0].timing = Hardware.televisionModes[0]
    card.crtcs[1].timing = Hardware.televisionModes[0]
    card.planes[0].crtc = CRTCID(60)
    card.planes[0].framebuffer = FramebufferID(5)
    card.planes[3].framebuffer = FramebufferID(6)
    let both = select(card)
    #expect(both.choices.map(\.pipe.crtc.id) == [CRTCID(60), CRTCID(62)], "the third CRTC is idle")
    #expect(both.choices.map(\.pipe.plane?.id) == [PlaneID(70), PlaneID(72)])
    #expect(both.foreign.crtcs.map(\.id) == [CRTCID(61)])
    #expect(both.foreign.planes.map(\.id) == [PlaneID(73)])
    #expect(both.foreign.connectors.isEmpty)
    let one = select(card, connector: "HDMI-A-1")
    #expect(one.foreign.connectors.map(\.name) == ["HDMI-A-2"])
  }

  @Test("Formats come from the plane's list, best first")
  func formats() throws {
    let table: [([ScanoutFormat], [ScanoutFormat])] = [
      ([.rgb565, .xrgb8888], [.xrgb8888, .rgb565]), ([.rgb565], [.rgb565]),
      ([.argb8888, .rgb565], [.argb8888, .rgb565]), ([.argb8888, .xrgb8888], [.xrgb8888]),
    ]
    for (listed, wanted) in table {
      let choice = try first(
        Hardware.simple(modes: [Hardware.mode(64, 48)], formats: listed))
      #expect(choice.candidates.map(\.format) == wanted)
    }
    var card = Hardware.simple(modes: [Hardware.mode(64, 48)])
    card.planes = []
    #expect(try first(card).pipe.plane == nil)
    #expect(try first(card).candidates.map(\.format) == [.xrgb8888, .rgb565])
  }

  @Test("A TV that returns without an EDID gets its previous mode")
  func remembersMode() throws {
    let poor = [Hardware.mode(1024, 768, type: Hardware.preferred), Hardware.mode(800, 600)]
    var card = Hardware.simple(modes: poor)
    let remembered = ["Virtual-1": PipeHint(remembered: Hardware.mode(1920, 1080))]
    func first(_ mode: ModePreference = .auto) throws -> PixelSize? {
      PipeSelection.select(on: card, OutputPreferences(mode: mode), hints: remembered).choices.first?
        .candidates.first?.timing.size
    }
    #expect(try first() == PixelSize(width: 1024, height: 768))
    card.connectors[0].properties["EDID"]?.value = 0
    #expect(try first() == PixelSize(width: 1920, height: 1080))
    #expect(
      try first(.size(PixelSize(width: 800, height: 600), refreshMillihertz: nil))
        == PixelSize(width: 800, height: 600))
    card.connectors[0].modes.append(Hardware.mode(640, 480, type: Hardware.userDefined))
    #expect(try first() == PixelSize(width: 640, height: 480))
  }
}
