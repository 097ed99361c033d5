// SPDX-License-Identifier: Apache-2.0

import CDRM
import Testing

@testable import KMS

@Suite("Parsing kernel events")
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

  @Test("Flips are found among other events; truncated events are not read")
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
