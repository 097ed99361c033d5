// SPDX-License-Identifier: Apache-2.0

import Display
import Testing

@testable import KMS

@Suite("Atomic requests")
struct AtomicRequestTests {
  /// Assigns a pipe to the first connector only. The objects that drive other displays are therefore in
  /// `foreign`.
  private func assignment(_ card: CardDescription) -> PipeAssignment {
    let name = card.connectors.first?.name ?? ""
    return PipeSelection.select(on: card, OutputPreferences(connector: name))
  }

  private func state(_ card: CardDescription) throws -> PipeState {
    let choice = try #require(assignment(card).choices.first)
    return PipeState(
      pipe: choice.pipe, timing: choice.candidates[0].timing, framebuffer: FramebufferID(9), token: 4)
  }

  /// The (object, property, value) triples of a request.
  private func rows(_ request: AtomicRequest) -> [[UInt64]] {
    var rows: [[UInt64]] = []
    var index = 0
    for (object, count) in zip(request.objects, request.counts) {
      for _ in 0..<count {
        rows.append([UInt64(object), UInt64(request.properties[index]), request.values[index]])
        index += 1
      }
    }
    #expect(index == request.properties.count && index == request.values.count)
    return rows
  }

  @Test("A flip sets only the plane's framebuffer, and the damage if the plane supports it")
  func flip() throws {
    var card = Hardware.simple()
    var request = AtomicRequest()
    request.setFlip(try state(card), damageBlob: 33)
    #expect(rows(request) == [[70, 300, 9]])
    card.planes = [Hardware.plane(70, crtcs: 1, more: ["FB_DAMAGE_CLIPS"])]
    request.setFlip(try state(card), damageBlob: 33)
    #expect(rows(request) == [[70, 300, 9], [70, 310, 33]])
    request.setFlip(try state(card), damageBlob: nil)
    #expect(rows(request) == [[70, 300, 9]])
  }

  @Test("Switching off clears the CRTC's ACTIVE but not its mode, and can turn off foreign objects")
  func off() throws {
    var card = Hardware.vc4(.connected, .connected)
    let pipe = try state(card).pipe
    var request = AtomicRequest()
    request.setOff(pipe, turningOff: nil)
    #expect(rows(request) == [[61, 201, 0]])
    card.crtcs[2].timing = Hardware.televisionModes[0]
    card.planes[2].framebuffer = FramebufferID(1)
    request.setOff(try state(card).pipe, turningOff: assignment(card).foreign)
    #expect(rows(request) == [[72, 300, 0], [72, 301, 0], [62, 200, 0], [62, 201, 0], [61, 201, 0]])
  }

  @Test("A modeset sets the whole pipe, turns the rest off and lists each object once")
  func modeset() throws {
    var card = Hardware.vc4(.connected, .connected)
    for index in 0..<2 {
      card.connectors[index].properties["CRTC_ID"] = Property(id: PropertyID(90), value: UInt64(61 + index))
    }
    card.crtcs[2].timing = Hardware.televisionModes[0]
    card.planes[2].framebuffer = FramebufferID(1)
    card.planes[3].framebuffer = FramebufferID(2)
    card.connectors[0].properties["link-status"]?.value = 1
    card.crtcs[1].properties["GAMMA_LUT"]?.value = 12
    card.planes[1] = Hardware.plane(71, crtcs: 2, more: ["rotation", "alpha"])
    card.planes[1].properties["rotation"]?.value = 4
    card.planes[1].properties["alpha"]?.value = 0xffff
    var request = AtomicRequest()
    request.setModes(
      [try state(card)], modeBlobs: [55], turningOff: assignment(card).foreign, keepsForeignState: false)
    #expect(request.objects == [72, 73, 42, 62, 32, 61, 71] as [UInt32])
    let all = rows(request)
    let expected: [[UInt64]] = [
      [72, 300, 0], [72, 301, 0], [73, 300, 0], [73, 301, 0], [42, 90, 0], [62, 200, 0], [62, 201, 0],
      [32, 90, 61], [32, 101, 0], [61, 200, 55], [61, 201, 1], [61, 202, 0], [71, 300, 9], [71, 301, 61],
      [71, 302, 0], [71, 303, 0], [71, 304, 1920 << 16], [71, 305, 1080 << 16], [71, 306, 0], [71, 307, 0],
      [71, 308, 1920], [71, 309, 1080], [71, 310, 1],
    ]
    #expect(all == expected)
    request.setModes([try state(card)], modeBlobs: [55], turningOff: nil, keepsForeignState: false)
    #expect(rows(request) == Array(expected.dropFirst(7)))
  }
}
