// SPDX-License-Identifier: Apache-2.0

import Display
import Raster
import Testing

@testable import KMS

@Suite("Choosing the mode")
struct ModeSelectionTests {
  private let limit = PixelSize(width: 8192, height: 8192)

  private func names(_ order: (timings: [Timing], notes: [String])) -> [String] {
    order.timings.map { $0.displayMode.description + ($0.isInterlaced ? "i" : "") }
  }

  private func first(
    _ modes: [Timing], active: Timing? = nil, _ preference: ModePreference = .auto
  ) -> String? {
    names(ModeSelection.order(modes, active: active, limit: limit, preference)).first
  }

  @Test("The order is the video= mode, the preferred one, the active one, the first one")
  func automatic() {
    let a = Hardware.mode(800, 600)
    let b = Hardware.mode(1024, 768)
    let preferred = Hardware.mode(1920, 1080, type: Hardware.preferred)
    let user = Hardware.mode(1280, 720, type: Hardware.userDefined)
    #expect(first([a, b, preferred, user], active: b) == "1280x720@60")
    #expect(first([a, b, preferred], active: b) == "1920x1080@60")
    #expect(first([a, b], active: b) == "1024x768@60")
    // The kernel may report the active mode with a name and a type that differ from those in the list.
    var renamed = b
    (renamed.name, renamed.type) = ("x", 64)
    #expect(first([a, b], active: renamed) == "1024x768@60")
    #expect(first([a, b], active: preferred) == "800x600@60")
    #expect(first([]) == nil)
  }

  @Test("A configured mode is found by its size and the nearest rate")
  func configured() {
    let modes = [
      Hardware.mode(1920, 1080, 50_000, type: Hardware.preferred),
      Hardware.mode(1920, 1080, 60_000, flags: Hardware.interlaced),
      Hardware.mode(1920, 1080, 59_940), Hardware.mode(1920, 1080, 60_000), Hardware.mode(1280, 720, 75_000),
      Hardware.mode(1280, 720, 60_000), Hardware.mode(720, 576, 50_000, flags: Hardware.interlaced),
    ]
    let table: [(Int, Int, Int?, String?)] = [
      (1920, 1080, nil, "1920x1080@50"), (1920, 1080, 60_000, "1920x1080@60"),
      (1920, 1080, 59_940, "1920x1080@59.94"), (1920, 1080, 50_000, "1920x1080@50"),
      (1280, 720, nil, "1280x720@60"), (1280, 720, 75_000, "1280x720@75"),
      (720, 576, nil, "720x576@50i"), (1280, 720, 30_000, nil), (640, 480, nil, nil),
      (1280, 720, Int.min, nil), (1280, 720, Int.max, nil),
    ]
    for (width, height, refresh, wanted) in table {
      let preference = ModePreference.size(
        PixelSize(width: width, height: height), refreshMillihertz: refresh)
      let order = ModeSelection.order(modes, active: nil, limit: limit, preference)
      #expect(names(order).first == wanted ?? "1920x1080@50", "\(width)x\(height)@\(refresh ?? 0)")
      #expect(order.notes.isEmpty == (wanted != nil))
    }
  }

  @Test("A mode that is not offered is reported together with those that are")
  func notOffered() {
    let preference = ModePreference.size(PixelSize(width: 640, height: 480), refreshMillihertz: 60_000)
    let order = ModeSelection.order([Hardware.mode(800, 600)], active: nil, limit: limit, preference)
    #expect(
      order.notes == [
        "the display does not offer the configured mode 640x480@60; it offers 800x600@60"
      ])
  }

  @Test("Fallbacks are lower rates first, then smaller sizes, then larger ones, then interlaced")
  func fallbacks() {
    let modes = [
      Hardware.mode(1280, 720), Hardware.mode(1920, 1080, 50_000), Hardware.mode(3840, 2160, 30_000),
      Hardware.mode(1920, 1080, type: Hardware.preferred),
      Hardware.mode(1920, 1080, flags: Hardware.interlaced),
      Hardware.mode(1920, 1080, 24_000), Hardware.mode(640, 480), Hardware.mode(1280, 720),
    ]
    let order = ModeSelection.order(modes, active: nil, limit: limit, .auto)
    #expect(
      names(order) == [
        "1920x1080@60", "1920x1080@50", "1920x1080@24", "1280x720@60", "640x480@60", "3840x2160@30",
        "1920x1080@60i",
      ])
  }

  @Test("Modes larger than the card's framebuffer limit are skipped")
  func cardLimit() {
    let modes = [Hardware.mode(3840, 2160, type: Hardware.preferred), Hardware.mode(1920, 1080)]
    let order = ModeSelection.order(
      modes, active: nil, limit: PixelSize(width: 2048, height: 2048), .auto)
    #expect(names(order) == ["1920x1080@60"])
  }
}
