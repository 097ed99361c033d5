// SPDX-License-Identifier: Apache-2.0

import Raster

/// The layout of the clocks of several cities: columns and rows, each clock with its caption beneath. A pure
/// function of the sizes.
struct WorldClockGeometry {
  /// The geometry of each clock.
  private(set) var clock: ClockGeometry
  private(set) var columns: Int
  private(set) var rows: Int
  /// The cap height of the captions, and the height of their block beneath the cards.
  private(set) var capHeight: Double
  private(set) var captionHeight: Double
  /// The gaps between clocks.
  private(set) var columnGap = 0.0
  private(set) var rowGap = 0.0
  private(set) var size = Size.zero

  // In card heights.
  private static let columnGap = 0.5
  private static let widestColumnGap = 1.3
  private static let rowGap = 0.34
  private static let widestRowGap = 0.6
  private static let cap = 0.125
  /// In cap heights of the captions.
  private static let captionBlock = 2.9

  /// The largest cards inside `box`. Full rows are preferred, unless a last row that is not full makes the
  /// cards about 60 % larger.
  ///
  /// - Parameter reference: the shorter side of the page, which sets the minimum size of captions.
  init(cities: Int, _ parts: ClockGeometry.Parts, reference: Double, in box: Size) {
    let cities = max(cities, 1)
    self.init(cities, columns: cities, parts, reference, box)
    for columns in (1..<max(cities, 1)).reversed() {
      let candidate = WorldClockGeometry(cities, columns: columns, parts, reference, box)
      if candidate.merit(cities, box) > 1.04 * merit(cities, box) { self = candidate }
    }
  }

  private func merit(_ cities: Int, _ box: Size) -> Double {
    let fits = size.fits(in: box)
    return Double(clock.metrics.height) * (cities % columns == 0 ? 1 : 0.66) * (fits ? 1 : 0.01)
  }

  private init(
    _ cities: Int, columns: Int, _ parts: ClockGeometry.Parts, _ reference: Double, _ box: Size
  ) {
    self.columns = columns
    rows = (cities + columns - 1) / columns
    let across = Double(columns)
    let down = Double(rows)
    let line = ClockGeometry(parts, in: Size(width: 100_000, height: 1_000))
    let lineUnits = line.size.width / Double(line.metrics.height)
    let widest = box.width / (across * lineUnits + (across - 1) * Self.columnGap)
    let least = max(0.024 * reference, 7)
    var height = min(
      widest, box.height / (down * (1 + Self.cap * Self.captionBlock) + (down - 1) * Self.rowGap))
    if Self.cap * height < least {
      height = min(
        widest, (box.height - down * Self.captionBlock * least) / (down + (down - 1) * Self.rowGap))
    }
    clock = line
    capHeight = least
    captionHeight = 0
    // Rounding to whole pixels may have made the layout larger than the box.
    while true {
      let card = max(height, 8)
      clock = ClockGeometry(parts, in: Size(width: card * lineUnits * 1.02 + 4, height: card))
      let metrics = Double(clock.metrics.height)
      capHeight = max(Self.cap * metrics, least)
      captionHeight = (Self.captionBlock * capHeight).rounded(.down)
      let free = across > 1 ? (box.width - across * clock.size.width) / (across - 1) : 0
      columnGap = min(max(free, Self.columnGap * metrics), Self.widestColumnGap * metrics).rounded(.down)
      let block = clock.size.height + captionHeight
      let air = down > 1 ? (box.height - down * block) / (down - 1) : 0
      rowGap = max((Self.rowGap * metrics).rounded(), min(air, Self.widestRowGap * metrics).rounded(.down))
      size = Size(
        width: across * clock.size.width + (across - 1) * columnGap,
        height: down * block + (down - 1) * rowGap)
      if size.width <= box.width && size.height <= box.height || metrics <= 8 { break }
      height = metrics - 2
    }
  }

  /// The upper left of a city's clock, in whole pixels. A row that is not full is centred.
  func origin(_ index: Int, of cities: Int) -> Point {
    let row = index / columns
    let inRow = min(columns, cities - row * columns)
    let step = clock.size.width + columnGap
    let left = (size.width - Double(inRow) * step + columnGap) / 2
    return Point(
      x: (left + Double(index % columns) * step).rounded(),
      y: Double(row) * (clock.size.height + captionHeight + rowGap))
  }
}
