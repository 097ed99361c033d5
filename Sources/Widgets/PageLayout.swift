// SPDX-License-Identifier: Apache-2.0

import Raster

/// Where the widgets of a page stand: rows from top to bottom, widgets of a row side by side, the
/// whole in the middle of the page. A pure function of the sizes.
struct PageLayout {
  enum Sizing: Hashable {
    /// Shares the height by weight, but never takes more than this fraction of the page's height.
    case flexible(weight: Double, limit: Double)
    /// A line of text: this fraction of the page's reference height.
    case line(Double)
  }

  struct Item {
    var sizing: Sizing
    /// The size it takes of a box at most this big.
    var fit: (Size) -> Size
  }

  let page: Size

  /// Room at the sides and above and below, and between rows and columns.
  private var marginX: Double { page.width * 0.04 }
  private var marginY: Double { page.height * 0.06 }
  private var gap: Double { reference * 0.05 }
  private var columnGap: Double { page.width * 0.05 }
  /// Lines of text go by the height of a landscape page of this width, so that they are as large on a
  /// page that stands upright.
  private var reference: Double { min(page.height, page.width * 0.625) }

  /// The rectangles of `rows`' items, row by row, on whole pixels and inside the page.
  func place(_ rows: [[Item]]) -> [[Rect]] {
    let width = max(page.width - 2 * marginX, 1)
    let gaps = gap * Double(max(rows.count - 1, 0))
    let available = max(page.height - 2 * marginY - gaps, 1)
    let heights = rowHeights(rows, width: width, available: available)
    let total = heights.reduce(0, +) + gaps
    var y = (page.height - total) / 2
    var result: [[Rect]] = []
    for (row, height) in zip(rows, heights) {
      result.append(place(row, y: y, height: height, width: width))
      y += height + gap
    }
    return result
  }

  /// Lines take what they need; the rest is shared by weight, and what a row cannot use (its widgets
  /// are as wide as the page) goes to the others.
  private func rowHeights(_ rows: [[Item]], width: Double, available: Double) -> [Double] {
    var heights = [Double?](repeating: nil, count: rows.count)
    var rest = available
    for (index, row) in rows.enumerated() where row.allSatisfy(\.isLine) {
      let height = min(used(row, width: width, height: available), rest)
      heights[index] = height
      rest -= height
    }
    while true {
      let open = rows.indices.filter { heights[$0] == nil }
      let weights = open.map { rows[$0].map(\.weight).max() ?? 1 }
      let sum = weights.reduce(0, +)
      guard !open.isEmpty, sum > 0 else { break }
      let shares = weights.map { rest * $0 / sum }
      let wants = zip(open, shares).map { used(rows[$0], width: width, height: $1) }
      let short = zip(open, zip(shares, wants)).filter { $0.1.1 < $0.1.0 - 0.5 }
      // Settle those that want less than their share, then share again; when none does, all are settled.
      for (index, (share, want)) in short.isEmpty ? Array(zip(open, zip(shares, wants))) : short {
        heights[index] = min(want, share)
        rest -= min(want, share)
      }
    }
    return heights.map { $0 ?? 0 }
  }

  private func used(_ row: [Item], width: Double, height: Double) -> Double {
    zip(row, columnWidths(row, width: width)).map { item, columnWidth in
      item.fit(Size(width: columnWidth, height: limited(height, item))).height
    }.max() ?? 0
  }

  private func limited(_ height: Double, _ item: Item) -> Double {
    switch item.sizing {
    case .flexible(_, let limit): min(height, page.height * limit)
    case .line(let fraction): min(height, reference * fraction)
    }
  }

  private func columnWidths(_ row: [Item], width: Double) -> [Double] {
    let sum = max(row.map(\.weight).reduce(0, +), 0.001)
    let rest = max(width - columnGap * Double(max(row.count - 1, 0)), 1)
    return row.map { rest * $0.weight / sum }
  }

  private func place(_ row: [Item], y: Double, height: Double, width: Double) -> [Rect] {
    let columns = columnWidths(row, width: width)
    let sizes = zip(row, columns).map { item, column in
      item.fit(Size(width: column, height: limited(height, item)))
    }
    var x = marginX
    return zip(sizes, columns).map { size, column in
      defer { x += column + columnGap }
      return Rect(
        x: (x + (column - size.width) / 2).rounded(), y: (y + (height - size.height) / 2).rounded(),
        width: size.width.rounded(.down), height: size.height.rounded(.down))
    }
  }
}

extension PageLayout.Item {
  var isLine: Bool {
    if case .line = sizing { return true }
    return false
  }

  var weight: Double {
    if case .flexible(let weight, _) = sizing { return weight }
    return 1
  }
}
