// SPDX-License-Identifier: Apache-2.0

import CDRM
import Raster
import Testing

@testable import KMS

struct SplitMix: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}

@Suite("Damage")
struct DamageRegionTests {
  @Test(
    "The region covers what was added, no pixel twice, and little more",
    arguments: 1...60 as ClosedRange<UInt64>)
  func coversOnce(seed: UInt64) {
    var random = SplitMix(state: seed)
    var region = DamageRegion()
    var wanted = [Bool](repeating: false, count: 64 * 64)
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      let rect = PixelRect(
        x: .random(in: 0..<60, using: &random), y: .random(in: 0..<60, using: &random),
        width: .random(in: -2...30, using: &random), height: .random(in: -2...30, using: &random)
      ).intersection(PixelRect(x: 0, y: 0, width: 64, height: 64))
      region.add(rect)
      for y in rect.y..<rect.y + max(rect.height, 0) {
        for x in rect.x..<rect.maxX { wanted[y * 64 + x] = true }
      }
    }
    var covered = [Int](repeating: 0, count: 64 * 64)
    for rect in region.rects {
      for y in rect.y..<rect.maxY { for x in rect.x..<rect.maxX { covered[y * 64 + x] += 1 } }
    }
    #expect(zip(wanted, covered).allSatisfy { $1 <= 1 && (!$0 || $1 == 1) })
    if region.rects != [region.bounds] { #expect(zip(wanted, covered).allSatisfy { $0 == ($1 == 1) }) }
    #expect(region.rects.count <= DamageRegion.limit)
  }

  @Test("Too many pieces become their bounding box, and stay one")
  func collapses() {
    var region = DamageRegion()
    for index in 0..<100 { region.add(PixelRect(x: index * 4, y: index * 2, width: 1, height: 1)) }
    #expect(region.rects == [PixelRect(x: 0, y: 0, width: 397, height: 199)])
    region.add(PixelRect(x: 500, y: 0, width: 1, height: 1))
    #expect(region.rects == [PixelRect(x: 0, y: 0, width: 501, height: 199)])
    region.removeAll()
    region.add(PixelRect(x: 1, y: 1, width: 2, height: 2))
    #expect(region.rects == [PixelRect(x: 1, y: 1, width: 2, height: 2)])
  }
}

@Suite("Swap chain")
struct SwapChainTests {
  @Test(
    "Buffers alternate, and each always ends up with the newest frame",
    arguments: 1...20 as ClosedRange<UInt64>)
  func alwaysNewest(seed: UInt64) {
    var random = SplitMix(state: seed)
    let memory = (0..<2).map { _ in Bitmap(width: 40, height: 30, format: .xrgb8888) }
    let shadow = Bitmap(width: 40, height: 30, format: .xrgb8888)
    var chain = SwapChain(
      ScanoutBuffer(framebuffer: FramebufferID(1), handle: 1, pixels: memory[0].buffer, byteCount: 0),
      ScanoutBuffer(framebuffer: FramebufferID(2), handle: 2, pixels: memory[1].buffer, byteCount: 0))
    var last: Int?
    for _ in 0..<30 {
      var damage: [PixelRect] = []
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        let rect = PixelRect(
          x: .random(in: -5..<40, using: &random), y: .random(in: -5..<30, using: &random),
          width: .random(in: 0...20, using: &random), height: .random(in: 0...20, using: &random))
        damage.append(rect)
        let inside = rect.intersection(shadow.buffer.bounds)
        guard !inside.isEmpty else { continue }
        for y in inside.y..<inside.maxY {
          for x in inside.x..<inside.maxX {
            shadow.buffer.row32(y)[x] = .random(in: 0...UInt32.max, using: &random)
          }
        }
      }
      #expect(chain.draw(shadow.buffer, damage: damage) != nil)
      #expect(chain.draw(shadow.buffer, damage: damage) == nil, "one frame at a time")
      chain.pendingWasQueued()
      #expect(chain.draw(shadow.buffer, damage: damage) == nil)
      let index = chain.queued
      #expect(index != nil && index != last)
      chain.queuedWasShown()
      #expect(chain.current == index)
      last = index
      let shown = memory[index ?? 0].buffer
      #expect(
        (0..<30).allSatisfy { y in (0..<40).allSatisfy { shown.row32(y)[$0] == shadow.buffer.row32(y)[$0] } })
    }
  }
}

@Suite("Copying to scanout")
struct ScanoutCopyTests {
  @Test("Sizes that differ are clipped to both")
  func clipping() {
    let source = Bitmap(width: 8, height: 8, format: .xrgb8888)
    let target = Bitmap(width: 5, height: 20, format: .rgb565)
    for y in 0..<8 { for x in 0..<8 { source.buffer.row32(y)[x] = 0xffff_ffff } }
    let far = PixelRect(x: -100, y: -100, width: 1000, height: 1000)
    #expect(ScanoutCopy.copy(source.buffer, to: target.buffer, far) == 5 * 8 * 2)
    #expect(target.buffer.row16(7)[4] == 0xffff)
    #expect(target.buffer.row16(8)[0] == 0)
    #expect(
      ScanoutCopy.copy(source.buffer, to: target.buffer, PixelRect(x: 9, y: 0, width: 5, height: 5)) == 0)
  }

  @Test("16-bit pixels keep the high bits of each channel")
  func conversion() {
    let source = Bitmap(width: 4, height: 1, format: .xrgb8888)
    let target = Bitmap(width: 4, height: 1, format: .rgb565)
    let table: [(UInt32, UInt16)] = [
      (0xffff_0000, 0xf800), (0xff00_ff00, 0x07e0), (0xff00_00ff, 0x001f), (0x00f8_fcf8, 0xffff),
    ]
    for (x, row) in table.enumerated() { source.buffer.row32(0)[x] = row.0 }
    #expect(ScanoutCopy.copy(source.buffer, to: target.buffer, source.buffer.bounds) == 8)
    for (x, row) in table.enumerated() { #expect(target.buffer.row16(0)[x] == row.1) }
  }
}

@Suite("What goes to the kernel")
struct AtomicRequestTests {
  private func state(_ card: CardDescription) throws -> PipeState {
    let choice = try PipeSelection.select(on: card, KMSPreferences()).get()
    return PipeState(
      pipe: choice.pipe, timing: choice.candidates[0].timing, framebuffer: FramebufferID(9), token: 4)
  }

  /// (object, property, value) of a request.
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

  @Test("A flip names the plane's framebuffer alone, and the damage where the plane takes it")
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

  @Test("A modeset names the whole pipe, turns the rest off and lists each object once")
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
    request.setModeset(try state(card), modeBlob: 55, leaveOthers: false)
    #expect(request.objects == [72, 73, 42, 62, 32, 61, 71] as [UInt32])
    let all = rows(request)
    let expected: [[UInt64]] = [
      [72, 300, 0], [72, 301, 0], [73, 300, 0], [73, 301, 0], [42, 90, 0], [62, 200, 0], [62, 201, 0],
      [32, 90, 61], [32, 101, 0], [61, 200, 55], [61, 201, 1], [61, 202, 0], [71, 300, 9], [71, 301, 61],
      [71, 302, 0], [71, 303, 0], [71, 304, 1920 << 16], [71, 305, 1080 << 16], [71, 306, 0], [71, 307, 0],
      [71, 308, 1920], [71, 309, 1080], [71, 310, 1],
    ]
    #expect(all == expected)
    request.setModeset(try state(card), modeBlob: 55, leaveOthers: true)
    #expect(rows(request) == Array(expected.dropFirst(7)))
  }
}

@Suite("Events from the kernel")
struct FlipEventTests {
  private func bytes(type: Int32, token: UInt64, length: Int? = nil) -> [UInt8] {
    var event = drm_event_vblank()
    event.base.type = UInt32(type)
    event.base.length = UInt32(length ?? MemoryLayout<drm_event_vblank>.size)
    (event.user_data, event.tv_sec, event.tv_usec, event.sequence) = (token, 3, 7, 11)
    return withUnsafeBytes(of: event) { Array($0) }
  }

  private func parse(_ bytes: [UInt8]) -> [FlipEvent] {
    var events: [FlipEvent] = []
    bytes.withUnsafeBytes { FlipEvent.parse($0) { events.append($0) } }
    return events
  }

  @Test("Flips are found among other events; what does not fit is not read")
  func parsing() {
    let flip = bytes(type: DRM_EVENT_FLIP_COMPLETE, token: 5)
    let other = bytes(type: DRM_EVENT_VBLANK, token: 6)
    let event = FlipEvent(token: 5, sequence: 11, time: 3_000_007_000)
    #expect(parse(flip) == [event])
    #expect(parse(other + flip + flip) == [event, event])
    #expect(parse([]) == [])
    for count in 1..<flip.count { #expect(parse(Array(flip.prefix(count))) == []) }
    for length in [0, 7, 4096] {
      #expect(parse(bytes(type: DRM_EVENT_FLIP_COMPLETE, token: 5, length: length) + flip) == [])
    }
    #expect(parse(bytes(type: DRM_EVENT_FLIP_COMPLETE, token: 5, length: 8)) == [])
  }
}
