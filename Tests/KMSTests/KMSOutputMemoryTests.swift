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

  /// Presents frames that each change a part, until both buffers have been on the display.
  private func expectWholePictures(_ rig: Rig) throws {
    for seed in 1...4 as ClosedRange<UInt32> {
      rig.paint(seed, in: part)
      #expect(try rig.show(part))
      #expect(rig.device.commits.last?.isFlip == true)
      #expect(rig.displayShowsShadow, "frame \(seed)")
    }
  }

  @Test("It shows the complete picture, at once and later", arguments: [true, false])
  func firstFrame(atomic: Bool) throws {
    let rig = try Rig([Hardware.simple()], atomic: atomic)
    rig.device.clearsMemory = true
    #expect(try rig.startShowing())
    #expect(rig.device.commits.map(\.isFlip) == [false])
    #expect(rig.displayShowsShadow)
    try expectWholePictures(rig)
    rig.output.stop()
  }

  @Test("Unblanked, it shows the complete picture, also rotated and in 16 bits", arguments: [true, false])
  func lit(narrow: Bool) throws {
    let preferences = OutputPreferences(
      format: narrow ? .rgb565 : .auto, rotation: narrow ? .clockwise : .none)
    let rig = try Rig([Hardware.simple()], preferences: preferences)
    rig.device.clearsMemory = true
    #expect(try rig.startShowing())
    for round in 1...2 {
      // The second round begins with the other buffer on the display.
      if round == 2 { #expect(try rig.show(part)) }
      rig.output.isBlank = true
      rig.output.isBlank = false
      #expect(try rig.run(until: { rig.output.canPresent }))
      #expect(try rig.show(rig.shadow.buffer.bounds))
      #expect(rig.device.commits.last?.isFlip == false)
      #expect(rig.displayShowsShadow)
      try expectWholePictures(rig)
    }
    rig.output.stop()
  }

  @Test("A card that was busy shows the complete picture after two more frames")
  func busy() throws {
    let rig = try Rig([Hardware.simple()])
    rig.device.clearsMemory = true
    rig.device.commitResults = [failure(EBUSY)]
    #expect(try rig.startShowing())
    #expect(rig.device.commits.count == 2)
    for _ in 0..<2 { #expect(try rig.show(part)) }
    #expect(rig.displayShowsShadow)
    try expectWholePictures(rig)
    rig.output.stop()
  }
}
