// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Raster

@Suite struct RegionTests {
  /// A plain bitmap of 64×64 points; points outside are not modelled.
  struct Model {
    var points = [Bool](repeating: false, count: 64 * 64)

    mutating func set(_ rect: PixelRect, _ value: Bool) {
      for y in 0..<64 {
        for x in 0..<64 where x >= rect.x && x < rect.maxX && y >= rect.y && y < rect.maxY {
          points[y * 64 + x] = value
        }
      }
    }

    mutating func keep(_ rect: PixelRect) {
      for y in 0..<64 {
        for x in 0..<64 where !(x >= rect.x && x < rect.maxX && y >= rect.y && y < rect.maxY) {
          points[y * 64 + x] = false
        }
      }
    }

    var count: Int { points.reduce(0) { $0 + ($1 ? 1 : 0) } }
  }

  static func isDisjoint(_ region: Region) -> Bool {
    for (i, a) in region.rects.enumerated() {
      if a.isEmpty { return false }
      for b in region.rects[(i + 1)...] where a.intersects(b) { return false }
    }
    return true
  }

  static func covers(_ region: Region, _ model: Model) -> Bool {
    for y in 0..<64 {
      for x in 0..<64 where model.points[y * 64 + x] && !region.contains(x: x, y: y) { return false }
    }
    return true
  }

  @Test("a region of few rectangles equals the bitmap model", arguments: 0..<40)
  func aRegionOfFewRectanglesEqualsTheBitmapModel(seed: UInt64) {
    var random = SplitMix(seed: seed)
    var region = Region()
    var model = Model()
    for _ in 0..<7 {
      let rect = PixelRect(
        x: random.int(0...50), y: random.int(0...50), width: random.int(-2...30), height: random.int(-2...30)
      ).intersection(PixelRect(x: 0, y: 0, width: 64, height: 64))
      switch random.int(0...5) {
      case 0:
        region.subtract(rect)
        model.set(rect, false)
      case 1 where !rect.isEmpty:
        region.formIntersection(rect)
        model.keep(rect)
      case 2:
        var other = Region(rect)
        let second = PixelRect(x: random.int(0...60), y: random.int(0...60), width: 3, height: 3)
        other.insert(second)
        region.formUnion(other)
        model.set(rect, true)
        model.set(second, true)
      default:
        region.insert(rect)
        model.set(rect, true)
      }
      #expect(RegionTests.isDisjoint(region))
      #expect(RegionTests.covers(region, model))
      if region.bounds.maxX <= 64, region.bounds.maxY <= 64 { #expect(region.area == model.count) }
      #expect(region.isEmpty == (model.count == 0))
    }
  }

  @Test(
    "a crowded region stays within its limit, disjoint, and covers all that was inserted",
    arguments: 100..<112)
  func aCrowdedRegionStaysWithinItsLimitDisjointAndCoversAllThatWasInserted(seed: UInt64) {
    var random = SplitMix(seed: seed)
    var region = Region()
    var model = Model()
    for _ in 0..<120 {
      let rect = PixelRect(
        x: random.int(0...60), y: random.int(0...60), width: random.int(1...4), height: random.int(1...4)
      ).intersection(PixelRect(x: 0, y: 0, width: 64, height: 64))
      let before = region.rects.count
      if random.int(0...9) == 0 {
        region.subtract(rect)
        model.set(rect, false)
        #expect(region.rects.count <= Region.maximumParts)
      } else {
        region.insert(rect)
        model.set(rect, true)
        // A subtraction may leave more than `maximumRects`; they stay if the inserted pixels are already
        // covered.
        #expect(region.rects.count <= max(Region.maximumRects, before))
      }
      #expect(RegionTests.isDisjoint(region))
      #expect(RegionTests.covers(region, model))
    }
    #expect(region.bounds.maxX <= 64 && region.bounds.x >= 0)
  }

  @Test("a simplified region covers the same pixels and few more", arguments: 0..<40)
  func aSimplifiedRegionCoversTheSamePixelsAndFewMore(seed: UInt64) {
    var random = SplitMix(seed: seed)
    var region = Region()
    var model = Model()
    for _ in 0..<random.int(1...20) {
      let rect = PixelRect(
        x: random.int(0...55), y: random.int(0...55), width: random.int(1...20), height: random.int(1...20)
      ).intersection(PixelRect(x: 0, y: 0, width: 64, height: 64))
      region.insert(rect)
      model.set(rect, true)
    }
    let before = region
    region.simplify()
    #expect(Self.isDisjoint(region) && Self.covers(region, model))
    #expect(region.rects.count <= before.rects.count)
    for rect in region.rects {
      let covered = before.rects.reduce(0) { $0 + $1.intersection(rect).area }
      // Each merge may waste an eighth of its union, so several merges may waste more; the limit here is
      // half.
      #expect(covered * 2 >= rect.area)
    }
  }

  @Test("rectangles with a narrow gap are merged, distant ones are not")
  func rectanglesWithANarrowGapAreMergedDistantOnesAreNot() {
    var region = Region()
    region.insert(PixelRect(x: 0, y: 0, width: 240, height: 380))
    region.insert(PixelRect(x: 240, y: 0, width: 16, height: 190))
    region.insert(PixelRect(x: 256, y: 0, width: 240, height: 380))
    region.insert(PixelRect(x: 600, y: 0, width: 240, height: 380))
    region.simplify()
    #expect(
      Set(region.rects) == [
        PixelRect(x: 0, y: 0, width: 496, height: 380), PixelRect(x: 600, y: 0, width: 240, height: 380),
      ])
  }

  @Test("neighbours that share an edge become one rectangle")
  func neighboursThatShareAnEdgeBecomeOneRectangle() {
    var region = Region(PixelRect(x: 0, y: 0, width: 10, height: 5))
    region.insert(PixelRect(x: 0, y: 5, width: 10, height: 5))
    region.insert(PixelRect(x: 10, y: 0, width: 3, height: 10))
    #expect(region.rects == [PixelRect(x: 0, y: 0, width: 13, height: 10)])
  }

  @Test("the pair that wastes least is merged")
  func thePairThatWastesLeastIsMerged() {
    var region = Region()
    for i in 0..<32 { region.insert(PixelRect(x: i * 100, y: i * 100, width: 2, height: 2)) }
    region.insert(PixelRect(x: 503, y: 500, width: 2, height: 2))
    #expect(region.rects.count == 32)
    #expect(region.rects.contains(PixelRect(x: 500, y: 500, width: 5, height: 2)))
    #expect(region.area == 31 * 4 + 10)
  }

  @Test(
    "absurd rectangles neither trap nor lose pixels within range",
    arguments: [
      PixelRect(x: .max, y: .max, width: .max, height: .max),
      PixelRect(x: .min, y: .min, width: .max, height: .max),
      PixelRect(x: .min, y: .min, width: .min, height: .min),
      PixelRect(x: -5, y: .max / 2, width: .max / 2, height: .max / 2),
      PixelRect(x: .min / 2, y: .min / 2, width: .max, height: .max),
    ])
  func absurdRectanglesNeitherTrapNorLosePixelsWithinRange(rect: PixelRect) {
    var region = Region(PixelRect(x: 0, y: 0, width: 10, height: 10))
    region.insert(rect)
    region.insert(PixelRect(x: 20, y: 0, width: 10, height: 10))
    #expect(region.contains(x: 5, y: 5) && region.contains(x: 25, y: 5))
    #expect(region.area >= 200)
    region.formIntersection(rect)
    region.subtract(rect)
    #expect(region.isEmpty)
  }

  @Test("a region that is filled again keeps its storage")
  func aWarmRegionKeepsItsStorage() {
    var region = Region()
    var random = SplitMix(seed: 9)
    func fill(_ random: inout SplitMix) {
      for _ in 0..<60 {
        region.insert(
          PixelRect(x: random.int(0...500), y: random.int(0...500), width: 20, height: 20))
      }
    }
    fill(&random)
    region.removeAll()
    #expect(region.isEmpty && region.bounds.isEmpty && region.area == 0)
    let before = region.storageAddress
    var again = SplitMix(seed: 9)
    fill(&again)
    #expect(region.storageAddress == before)
  }
}

extension Region {
  fileprivate var storageAddress: Int {
    rects.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
  }
}

extension Region {
  fileprivate var bounds: PixelRect { rects.reduce(.empty) { $0.union($1) } }

  fileprivate func contains(x: Int, y: Int) -> Bool {
    rects.contains { x >= $0.x && x < $0.maxX && y >= $0.y && y < $0.maxY }
  }
}
