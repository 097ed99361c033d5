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

  /// Room at the sides and above and below, and between rows and columns. A flap in flight is wider
  /// than its card by a ninth on either side, which an upright page's few large cards need.
  private var marginX: Double { page.width * (page.height > page.width ? 0.055 : 0.04) }
  private var marginY: Double { page.height * 0.06 }
  private var gap: Double { min(page.height, page.width * 0.7) * 0.05 }
  private var columnGap: Double { page.width * 0.05 }
  /// What lines of text go by: they are read from the same distance whichever way the page stands.
  private var reference: Double { min(page.height, page.width) }

  /// The rectangles of `rows`' items, row by row, on whole pixels and inside the page; empty for those
  /// that have no room.
  func place(_ rows: [[Item]]) -> [[Rect]] {
    let width = max(page.width - 2 * marginX, 1)
    let gaps = gap * Double(max(rows.count - 1, 0))
    let available = max(page.height - 2 * marginY - gaps, 1)
    let fits = fit(rows, width: width, available: available)
    let total = fits.map(\.height).reduce(0, +) + gaps
    var y = (page.height - total) / 2
    var result: [[Rect]] = []
    for (row, fit) in zip(rows, fits) {
      result.append(place(row, sizes: fit.sizes, y: y, height: fit.height, width: width))
      y += fit.height + gap
    }
    return result
  }

  /// What a row's items take of a height: fitted once, so that what is placed is what was counted.
  private struct Fit {
    var sizes: [Size]
    var height: Double { sizes.map(\.height).max() ?? 0 }
  }

  private func fit(_ row: [Item], width: Double, height: Double) -> Fit {
    let columns = zip(row, columnWidths(row, width: width))
    return Fit(
      sizes: columns.map { item, column in
        let size = item.fit(Size(width: column, height: limited(height, item)))
        // What is too small to be drawn at all takes no room rather than its neighbours'.
        return size.width < column + 0.01 && size.height < height + 0.01 ? size : .zero
      })
  }

  /// Lines take what they need; the rest is shared by weight. What a row cannot use (its widgets are as
  /// wide as the page) goes to the others, the row that lacks most first, and in the end what is left
  /// over is offered round again.
  private func fit(_ rows: [[Item]], width: Double, available: Double) -> [Fit] {
    var fits = [Fit?](repeating: nil, count: rows.count)
    var rest = available
    for (index, row) in rows.enumerated() where row.allSatisfy(\.isLine) {
      let fit = fit(row, width: width, height: rest)
      fits[index] = fit
      rest = max(rest - fit.height, 0)
    }
    var open = rows.indices.filter { fits[$0] == nil }
    let flexible = open.sorted { weight(rows[$0]) > weight(rows[$1]) }
    while !open.isEmpty {
      let sum = open.map { weight(rows[$0]) }.reduce(0, +)
      let tries = open.map { index in
        let share = rest * weight(rows[index]) / sum
        let fit = fit(rows[index], width: width, height: share)
        return (index: index, fit: fit, spare: share - fit.height, share: share)
      }
      // Whole pixels always leave a little.
      let short = tries.filter { $0.spare > max(4, 0.02 * $0.share) }
      guard let settled = short.max(by: { $0.spare < $1.spare }) else {
        for attempt in tries {
          fits[attempt.index] = attempt.fit
          rest -= attempt.fit.height
        }
        break
      }
      fits[settled.index] = settled.fit
      rest = max(rest - settled.fit.height, 0)
      open.removeAll { $0 == settled.index }
    }
    for index in flexible where rest > 0 {
      guard let before = fits[index] else { continue }
      let more = fit(rows[index], width: width, height: before.height + rest)
      rest -= max(more.height - before.height, 0)
      if more.height > before.height { fits[index] = more }
    }
    return fits.map { $0 ?? Fit(sizes: []) }
  }

  private func weight(_ row: [Item]) -> Double { max(row.map(\.weight).max() ?? 1, 0.001) }

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

  private func place(_ row: [Item], sizes: [Size], y: Double, height: Double, width: Double) -> [Rect] {
    var x = marginX
    return zip(sizes, columnWidths(row, width: width)).map { size, column in
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
