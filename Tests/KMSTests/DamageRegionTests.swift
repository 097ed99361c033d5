// SPDX-License-Identifier: Apache-2.0

import Raster
import Testing

@testable import KMS

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
