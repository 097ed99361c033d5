// SPDX-License-Identifier: Apache-2.0

import Display
import Raster
import Testing

@testable import KMS

@Suite("Choosing connector, CRTC and plane")
struct PipeSelectionTests {
  private func select(_ card: CardDescription, connector: String = "auto") throws -> PipeChoice {
    try PipeSelection.select(on: card, OutputPreferences(connector: connector)).get()
  }

  private func problem(_ card: CardDescription, connector: String = "auto") -> DisplayProblem? {
    switch PipeSelection.select(on: card, OutputPreferences(connector: connector)) {
    case .success: nil
    case .failure(let problem): problem
    }
  }

  @Test("A Pi with its TV on the second socket uses that socket's own CRTC and plane")
  func secondSocket() throws {
    let choice = try select(Hardware.vc4(.disconnected, .connected))
    #expect(choice.pipe.connector.name == "HDMI-A-2")
    #expect(choice.pipe.crtc.id == CRTCID(62))
    #expect(choice.pipe.plane?.id == PlaneID(72))
    #expect(choice.candidates.first?.format == .xrgb8888)
    #expect(choice.candidates.first?.timing.size == PixelSize(width: 1920, height: 1080))
  }

  @Test("With two displays the first socket is used, and the second can be configured")
  func twoDisplays() throws {
    #expect(try select(Hardware.vc4(.connected, .connected)).pipe.connector.name == "HDMI-A-1")
    #expect(
      try select(Hardware.vc4(.connected, .connected), connector: "HDMI-A-2").pipe.connector.name
        == "HDMI-A-2")
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
  func nonDesktop() throws {
    var card = Hardware.vc4(.connected, .connected)
    card.connectors[0] = Hardware.connector(
      32, "HDMI-A-1", encoder: 31, encoders: [31], set: ["non-desktop": 1])
    #expect(try select(card).pipe.connector.name == "HDMI-A-2")
    #expect(try select(card, connector: "HDMI-A-1").pipe.connector.name == "HDMI-A-1")
    card.connectors.removeSubrange(0..<2)
    #expect(problem(card) == .noDisplay(connectors: []))
  }

  @Test("A connector with unknown status comes after a connected one, and analogue TV after digital")
  func order() throws {
    var card = Hardware.vc4(.unknown, .connected)
    #expect(try select(card).pipe.connector.name == "HDMI-A-2")
    card.connectors[1].name = "Composite-1"
    card.connectors[0].status = .connected
    #expect(try select(card).pipe.connector.name == "HDMI-A-1")
    card.connectors[0].status = .unknown
    #expect(try select(card).pipe.connector.name == "Composite-1")
    card.connectors[1].status = .disconnected
    #expect(try select(card).pipe.connector.name == "HDMI-A-1")
  }

  @Test("After a connected display without modes the next one is used")
  func withoutModes() throws {
    var card = Hardware.vc4(.connected, .connected)
    card.connectors[0].modes = []
    #expect(try select(card).pipe.connector.name == "HDMI-A-2")
  }

  @Test("The CRTC that drives the connector is kept, even if another one would fit")
  func keepsCRTC() throws {
    var card = Hardware.vc4(.connected, .disconnected)
    card.encoders[0].possibleCRTCs = 0b0111
    card.encoders[0].crtc = CRTCID(62)
    card.crtcs[2].timing = Hardware.televisionModes[0]
    #expect(try select(card).pipe.crtc.id == CRTCID(62))
    // Atomic cards report the connector's CRTC in a property.
    card.connectors[0].properties["CRTC_ID"] = Property(id: PropertyID(1), value: 61)
    #expect(try select(card).pipe.crtc.id == CRTCID(61))
    // If no CRTC drives the connector, the first idle CRTC is used.
    card.connectors[0].properties["CRTC_ID"]?.value = 0
    card.crtcs[0].timing = Hardware.televisionModes[0]
    #expect(try select(card).pipe.crtc.id == CRTCID(61))
  }

  @Test("A CRTC must fit every encoder of the connector; if none does, the current encoder decides")
  func possibleCRTCs() throws {
    var card = Hardware.vc4(.connected, .disconnected)
    card.connectors[0].encoders = [EncoderID(31), EncoderID(41)]
    card.encoders[0].possibleCRTCs = 0b0110
    card.encoders[1].possibleCRTCs = 0b0101
    #expect(try select(card).pipe.crtc.id == CRTCID(62))
    card.encoders[1].possibleCRTCs = 0b0001
    #expect(try select(card).pipe.crtc.id == CRTCID(61))
    card.encoders[0].possibleCRTCs = 0xffff_ffff
    card.encoders[1].possibleCRTCs = 0xffff_0000
    #expect(problem(card) == .noPipe(connector: "HDMI-A-1"))
  }

  @Test("A cloned CRTC is kept, and the other connector and everything else that is on is turned off")
  func clones() throws {
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
    let pipe = try select(card).pipe
    #expect(pipe.crtc.id == CRTCID(60))
    #expect(pipe.plane?.id == PlaneID(70))
    #expect(pipe.otherConnectors.map(\.name) == ["HDMI-A-2"])
    #expect(pipe.otherCRTCs.map(\.id) == [CRTCID(61)])
    #expect(pipe.otherPlanes.map(\.id) == [PlaneID(73)])
  }

  @Test("Formats come from the plane's list, best first")
  func formats() throws {
    let table: [([ScanoutFormat], [ScanoutFormat])] = [
      ([.rgb565, .xrgb8888], [.xrgb8888, .rgb565]), ([.rgb565], [.rgb565]),
      ([.argb8888, .rgb565], [.argb8888, .rgb565]), ([.argb8888, .xrgb8888], [.xrgb8888]),
    ]
    for (listed, wanted) in table {
      let choice = try select(
        Hardware.simple(modes: [Hardware.mode(64, 48)], formats: listed))
      #expect(choice.candidates.map(\.format) == wanted)
    }
    var card = Hardware.simple(modes: [Hardware.mode(64, 48)])
    card.planes = []
    #expect(try select(card).pipe.plane == nil)
    #expect(try select(card).candidates.map(\.format) == [.xrgb8888, .rgb565])
  }

  @Test("A TV that returns without an EDID gets its previous mode")
  func remembersMode() throws {
    let poor = [Hardware.mode(1024, 768, type: Hardware.preferred), Hardware.mode(800, 600)]
    var card = Hardware.simple(modes: poor)
    let remembered = ["Virtual-1": Hardware.mode(1920, 1080)]
    func first(_ mode: ModePreference = .auto) throws -> PixelSize? {
      try PipeSelection.select(on: card, OutputPreferences(mode: mode), remembered: remembered).get()
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
