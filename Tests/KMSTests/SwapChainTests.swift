// SPDX-License-Identifier: Apache-2.0

import Raster
import TestSupport
import Testing

@testable import KMS

@Suite("Swap chain")
struct SwapChainTests {
  @Test(
    "Buffers alternate, and each one gets the newest frame completely",
    arguments: 1...20 as ClosedRange<UInt64>)
  func alwaysNewest(seed: UInt64) {
    var random = SplitMix(seed: seed)
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
      _ = chain.draw(shadow.buffer, damage: damage)
      let index = chain.back
      #expect(index != last)
      chain.flip()
      #expect(chain.back != index)
      last = index
      let shown = memory[index].buffer
      #expect(
        (0..<30).allSatisfy { y in (0..<40).allSatisfy { shown.row32(y)[$0] == shadow.buffer.row32(y)[$0] } })
    }
  }
}
