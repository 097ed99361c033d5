// SPDX-License-Identifier: Apache-2.0

import Raster

/// The positions of a page's widgets on a display that is much wider than 16:9: the rows of the page are
/// divided into columns if this makes the widgets larger. Otherwise the rows are placed from top to bottom,
/// as on other displays.
struct WideLayout {
  /// The minimum aspect ratio of a page with columns: above 2:1, below 21:9.
  static let leastAspect = 2.1
  /// The minimum aspect ratio of a page with three columns.
  private static let aspectForThree = 3.2
  /// The factor by which the quality of columns must exceed that of rows. It is low enough that visibly
  /// better columns are used.
  private static let advantage = 1.08
  /// The maximum factor by which a line of text is larger in a column that has only lines.
  private static let lineGrowth = 2.2
  /// How much the size of a line of text counts, compared with a widget of weight 1.
  private static let lineWeight = 0.5
  /// Pages with more rows have no columns, which limits the number of layouts to compare.
  private static let mostRows = 6

  typealias Rows = [[PageLayout.Item]]

  let page: Size

  /// The rectangles of all items, row by row, as `PageLayout.place` returns them.
  func place(_ rows: Rows) -> [[Rect]] {
    let plain = PageLayout(page: page).place(rows)
    guard page.width >= Self.leastAspect * page.height, (2...Self.mostRows).contains(rows.count) else {
      return plain
    }
    var best = (rects: plain, quality: quality(plain, rows) * Self.advantage)
    for (groups, shares) in arrangements(rows.count) {
      guard let rects = columns(rows, groups, shares) else { continue }
      let quality = quality(rects, rows)
      if quality > best.quality, keepsSizes(rects, plain, rows) { best = (rects, quality) }
    }
    return best.rects
  }

  /// How large the widgets are: the sum of the square roots of their areas, by weight.
  private func quality(_ rects: [[Rect]], _ rows: Rows) -> Double {
    zip(rects.joined(), rows.joined()).map { rect, item in
      (item.isLine ? Self.lineWeight : item.weight) * (rect.width * rect.height).squareRoot()
    }.reduce(0, +)
  }

  /// Whether all widgets that fit in rows also fit in columns, and none is much smaller there.
  private func keepsSizes(_ rects: [[Rect]], _ plain: [[Rect]], _ rows: Rows) -> Bool {
    zip(zip(rects.joined(), plain.joined()), rows.joined()).allSatisfy { rects, item in
      let (rect, before) = rects
      let share = item.isLine ? 0.6 : 0.8
      return rect.width * rect.height >= share * before.width * before.height
    }
  }

  /// All divisions of the rows into two columns or, on very wide pages, three, with the columns' shares of
  /// the width.
  private func arrangements(_ rows: Int) -> [(groups: [Range<Int>], shares: [Double])] {
    var all: [(groups: [Range<Int>], shares: [Double])] = []
    for split in 1..<rows {
      for share in stride(from: 0.2, through: 0.85, by: 0.05) {
        all.append(([0..<split, split..<rows], [share, 1 - share]))
      }
    }
    guard rows >= 3, page.width >= Self.aspectForThree * page.height else { return all }
    for first in 1..<rows - 1 {
      for second in first + 1..<rows {
        for left in stride(from: 0.2, through: 0.6, by: 0.1) {
          for middle in stride(from: 0.2, through: 0.8 - left, by: 0.1) {
            all.append(([0..<first, first..<second, second..<rows], [left, middle, 1 - left - middle]))
          }
        }
      }
    }
    return all
  }

  /// The rectangles of groups of rows side by side, with equal distances between them and from the edges; nil
  /// if a column is empty or the columns are too wide.
  private func columns(_ rows: Rows, _ groups: [Range<Int>], _ shares: [Double]) -> [[Rect]]? {
    var columns: [(rects: [[Rect]], left: Double, width: Double)] = []
    for (group, share) in zip(groups, shares) {
      let group = Array(rows[group])
      let isLines = group.allSatisfy { $0.allSatisfy(\.isLine) }
      let size = Size(width: (page.width * share).rounded(.down), height: page.height)
      let reference = page.height * (isLines ? Self.lineGrowth : 1)
      let rects = PageLayout(page: size, reference: reference).place(group)
      let placed = rects.joined().filter { $0.width > 0 }
      guard let left = placed.map(\.x).min(), let right = placed.map(\.maxX).max() else { return nil }
      columns.append((rects, left, right - left))
    }
    let spare = page.width - columns.map(\.width).reduce(0, +)
    let distance = spare / Double(columns.count + 1)
    guard distance > 0 else { return nil }
    var x = 0.0
    return columns.flatMap { column in
      x += distance
      let shift = (x - column.left).rounded()
      x += column.width
      return column.rects.map { row in
        row.map { rect in
          rect.width > 0 ? Rect(x: rect.x + shift, y: rect.y, width: rect.width, height: rect.height) : rect
        }
      }
    }
  }
}
