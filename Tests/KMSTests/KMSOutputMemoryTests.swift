// SPDX-License-Identifier: Apache-2.0

import Display
import Glibc
import LinuxSystem
import Raster
import Testing

@testable import KMS

/// Models QEMU's VGA, which clears its memory, including the buffers' content, at a modeset.
@Suite("A card that clears its memory at a modeset")
struct KMSOutputMemoryTests {
  private let part = PixelRect(x: 8, y: 4, width: 5, height: 5)

  private func rig(_ preferences: OutputPreferences = OutputPreferences(), atomic: Bool = true) throws -> Rig
  {
    let rig = try Rig(preferences: preferences, atomic: atomic)
    rig.card.clearsMemory = true
    return rig
  }

  /// Presents four frames that each change a part, so that both buffers are on the display twice.
  private func expectWholePictures(_ rig: Rig) throws {
    let modesets = rig.card.modesets
    for seed in 1...4 as ClosedRange<UInt32> {
      rig.paint(seed, in: part)
      #expect(try rig.show(part))
      #expect(rig.displayShowsShadow, "frame \(seed)")
    }
    #expect(rig.card.modesets == modesets)
  }

  @Test("It shows the complete picture, at once and later", arguments: [true, false])
  func firstFrame(atomic: Bool) throws {
    let rig = try rig(atomic: atomic)
    #expect(try rig.startShowing())
    #expect(rig.card.modesets == 1)
    #expect(rig.card.flips == 0)
    #expect(rig.displayShowsShadow)
    try expectWholePictures(rig)
    #expect(rig.stop() == [])
  }

  @Test("Unblanked, it shows the complete picture, also rotated and in 16 bits", arguments: [true, false])
  func lit(narrow: Bool) throws {
    let rig = try rig(
      OutputPreferences(format: narrow ? .rgb565 : .auto, rotation: narrow ? .clockwise : .none))
    #expect(try rig.startShowing())
    for round in 1...2 {
      // The second round begins with the other buffer on the display.
      if round == 2 { #expect(try rig.show(part)) }
      rig.displays.isBlank = true
      rig.displays.isBlank = false
      #expect(try rig.run(until: { rig.canPresent }))
      #expect(try rig.show())
      #expect(rig.card.modesets == 1 + round)
      #expect(rig.displayShowsShadow)
      try expectWholePictures(rig)
    }
    #expect(rig.stop() == [])
  }

  @Test("A card that was busy shows the complete picture after two more frames")
  func busy() throws {
    let rig = try rig()
    rig.card.fail(rig.card.modesetCall, EBUSY)
    #expect(try rig.startShowing())
    #expect(rig.card.callCounts[rig.card.modesetCall] == 2)
    for _ in 0..<2 { #expect(try rig.show(part)) }
    #expect(rig.displayShowsShadow)
    try expectWholePictures(rig)
    #expect(rig.stop() == [])
  }
}
