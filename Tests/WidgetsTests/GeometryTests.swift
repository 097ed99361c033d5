// SPDX-License-Identifier: Apache-2.0

import Raster
import Settings
import TestSupport
import Testing

@testable import Widgets

/// Page sizes from the smallest panel to the largest screen, landscape and portrait.
let pages: [PixelSize] = [
  (320, 240), (480, 320), (640, 480), (800, 480), (1024, 600), (1280, 800), (1366, 768), (1920, 1080),
  (2560, 1080),
  (3840, 2160),
].flatMap { [PixelSize(width: $0.0, height: $0.1), PixelSize(width: $0.1, height: $0.0)] }

extension PixelSize {
  var page: Rect { Rect(x: 0, y: 0, width: Double(width), height: Double(height)) }
}

@Suite struct ClockGeometryTests {
  static let parts: [ClockGeometry.Parts] = [
    .init(groups: [2, 2], aspect: CardMetrics.aspect, hasColon: true, hasPeriod: false),
    .init(groups: [2, 2, 2], aspect: CardMetrics.aspect, hasColon: true, hasPeriod: true),
    .init(groups: [2, 2], aspect: CardMetrics.aspect, hasColon: false, hasPeriod: true),
    .init(groups: [1, 1], aspect: CardMetrics.pairAspect, hasColon: true, hasPeriod: true),
    .init(groups: [1, 1, 1], aspect: CardMetrics.pairAspect, hasColon: false, hasPeriod: false),
  ]

  @Test(
    "a clock fits its box, with equal cards that do not overlap, on whole pixels", arguments: parts.indices)
  func clockFitsItsBox(_ index: Int) {
    let parts = Self.parts[index]
    var random = SplitMix(seed: UInt64(index))
    let boxes =
      pages.map { Size(width: Double($0.width), height: Double($0.height)) }
      + (0..<200).map { _ in Size(width: 60 + random.unit() * 3000, height: 60 + random.unit() * 2000) }
    for box in boxes {
      let geometry = ClockGeometry(parts, in: box)
      let size = Rect(x: 0, y: 0, width: geometry.size.width, height: geometry.size.height)
      #expect(size.width <= box.width && size.height <= box.height, "\(box)")
      let digits = parts.groups.reduce(0, +)
      #expect(geometry.cards.count == digits + (parts.hasPeriod ? 1 : 0))
      #expect(Set(geometry.cards.prefix(digits).map(\.size)).count == 1)
      #expect(geometry.cards.allSatisfy { $0.isWhole && $0.isInside(size) }, "\(box)")
      #expect(Int(geometry.metrics.height) % 2 == 0)
      for (position, card) in geometry.cards.enumerated() {
        for other in geometry.cards.dropFirst(position + 1) where card.overlaps(other) {
          Issue.record("\(box): \(card) over \(other)")
        }
      }
      let radius = Double(geometry.dotDiameter) / 2
      for dot in geometry.dots {
        let frame = Rect(x: dot.x - radius, y: dot.y - radius, width: 2 * radius, height: 2 * radius)
        #expect(frame.isInside(size))
        #expect(!geometry.cards.contains { $0.overlaps(frame) }, "\(box)")
      }
      // A layout in a box of its own size is the same.
      let again = ClockGeometry(parts, in: geometry.size)
      #expect(again.size == geometry.size && again.metrics == geometry.metrics, "\(box)")
      // The layout fills the width or the height of the box, except for at most 7% and 12 pixels.
      #expect(
        size.width > box.width * 0.93 - 12 || size.height > box.height * 0.93 - 12,
        "\(box) holds only \(geometry.size)")
    }
  }

  @Test("in a tall, narrow box the groups are one above the other")
  func stackedGroups() {
    let wide = ClockGeometry(Self.parts[0], in: Size(width: 1000, height: 500))
    #expect(Set(wide.cards.map(\.y)) == [0])
    #expect(wide.dots.count == 2)
    let high = ClockGeometry(Self.parts[0], in: Size(width: 500, height: 1000))
    #expect(high.dots.isEmpty)
    #expect(Set(high.cards.map(\.y)).count == 2)
    #expect(
      high.metrics.height > ClockGeometry(Self.parts[0], in: Size(width: 500, height: 200)).metrics.height)
    let three = ClockGeometry(Self.parts[1], in: Size(width: 500, height: 1500))
    #expect(Set(three.cards.map(\.y)).count == 4)
    #expect(
      three.cards.last?.size
        == Size(width: Double(three.periodMetrics.width), height: Double(three.periodMetrics.height)))
  }

  @Test(
    "a card has the right proportions, and its parts fit", arguments: [8.0, 20, 44, 131, 606, 1200])
  func cardProportions(height: Double) {
    let metrics = CardMetrics(height: height, aspect: CardMetrics.aspect)
    #expect(metrics.height % 2 == 0 && Double(metrics.height) <= height)
    #expect(abs(Double(metrics.width) - 0.62 * Double(metrics.height)) <= 0.5)
    #expect(metrics.hingeGap % 2 == 0 && metrics.pinHeight % 2 == 0)
    #expect(metrics.hingeGap < metrics.height / 2)
    #expect(metrics.pinHeight > metrics.hingeGap)
    #expect(metrics.capHeight < Double(metrics.height))
  }
}

@Suite struct PageLayoutTests {
  /// A random item like those of the widgets.
  private static func item(_ random: inout SplitMix) -> PageLayout.Item {
    let weight = [0.01, 1, 1, 2, 100, 0.1 + random.unit() * 5][random.int(0...5)]
    switch random.int(0...3) {
    case 0:
      return PageLayout.Item(sizing: .line(0.062 * weight)) { $0 }
    case 1:
      let aspect = 0.3 + random.unit() * 4
      return PageLayout.Item(sizing: .flexible(weight: weight, limit: 0.62)) { box in
        let height = min(box.height, box.width / aspect)
        return Size(width: height * aspect, height: height)
      }
    default:
      let parts = ClockGeometryTests.parts[random.int(0...ClockGeometryTests.parts.count - 1)]
      return PageLayout.Item(sizing: .flexible(weight: weight, limit: 0.62)) {
        ClockGeometry(parts, in: $0).size
      }
    }
  }

  @Test("nothing overlaps or leaves the page, and everything is on whole pixels", arguments: pages)
  func nothingOverlaps(_ page: PixelSize) {
    var random = SplitMix(seed: UInt64(page.width * 7 + page.height))
    for _ in 0..<60 {
      let rows = (0..<random.int(1...5)).map { _ in (0..<random.int(1...3)).map { _ in Self.item(&random) } }
      let places = PageLayout(page: page.page.size).place(rows)
      #expect(places.map(\.count) == rows.map(\.count))
      let all = places.flatMap { $0 }
      #expect(all.allSatisfy { $0.isWhole && $0.isInside(page.page) }, "\(rows.map(\.count)): \(all)")
      for (index, rect) in all.enumerated() {
        for other in all.dropFirst(index + 1) where rect.overlaps(other) {
          Issue.record("\(rows.map { $0.map(\.sizing) }): \(rect) over \(other)")
        }
      }
    }
  }

  @Test("the clock of the default look takes about 56 % of the height, with the date below")
  func defaultClock() throws {
    let clock = PageLayout.Item(sizing: .flexible(weight: 3, limit: 0.62)) {
      ClockGeometry(ClockGeometryTests.parts[0], in: $0).size
    }
    let date = PageLayout.Item(sizing: .line(0.062)) { $0 }
    let places = PageLayout(page: Size(width: 1920, height: 1080)).place([[clock], [date]])
    let (time, line) = (try #require(places.first?.first), try #require(places.last?.first))
    #expect((0.54...0.6).contains(time.height / 1080))
    #expect(abs(time.midX - 960) <= 1 && abs(line.midX - 960) <= 1)
    #expect(line.y >= time.maxY + 40)
    let block = time.y + line.maxY
    #expect(abs(block - 1080) <= 2)
  }

  @Test("weights share the space, and space that one item cannot use goes to the others")
  func weights() {
    func item(_ weight: Double, most: Double = 9999) -> PageLayout.Item {
      PageLayout.Item(sizing: .flexible(weight: weight, limit: 1)) {
        Size(width: $0.width, height: min($0.height, most))
      }
    }
    func heights(_ rows: [[PageLayout.Item]]) -> [Double] {
      PageLayout(page: Size(width: 1000, height: 1000)).place(rows).map { $0[0].height }
    }
    // There are 880 pixels between the upper and the lower margin. A gap takes 35 of them.
    #expect(heights([[item(1)]]) == [880])
    #expect(heights([[item(1)], [item(3)]]) == [211, 633])
    #expect(heights([[item(1)], [item(1, most: 100)]]) == [745, 100])
    let columns = PageLayout(page: Size(width: 1000, height: 1000)).place([[item(1), item(3)]])[0]
    #expect(columns.map(\.width) == [217, 652])
  }
}
