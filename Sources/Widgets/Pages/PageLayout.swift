// SPDX-License-Identifier: Apache-2.0

import Raster

/// The positions of a page's widgets: rows from top to bottom, the widgets of a row side by side, all centred
/// on the page. A pure function of the sizes.
///
/// Each widget is given a box and returns the size that it uses. If this is larger than the box, because the
/// widget cannot be drawn that small, its row or column takes the missing space from the other rows or
/// columns. If that is not enough, margins and gaps shrink, then lines of text. A widget that still does not
/// fit is left out.
struct PageLayout {
  enum Sizing: Hashable {
    /// Shares the height by weight, up to `limit`, a fraction of the page's height; infinity: no limit.
    case flexible(weight: Double, limit: Double)
    /// A line of text. Its height is this fraction of the layout's `reference`, or less if space is short.
    case line(Double)
  }

  struct Item {
    var sizing: Sizing
    /// Returns the size that the widget uses of a box; larger than the box if the widget cannot be that
    /// small.
    var fit: (Size) -> Size
  }

  let page: Size
  /// The scale of margins and gaps, at most 1.
  private var spacing = 1.0
  /// The scale of the heights of text lines, at most 1.
  private var lineScale = 1.0

  /// - Parameter reference: the length that determines the height of text; nil: the page's shorter side.
  init(page: Size, reference: Double? = nil) {
    self.page = page
    self.reference = reference ?? min(page.height, page.width)
  }

  /// The minimum height of a line of text, in pixels.
  private var leastLine: Double { min(8, reference / 30) }

  /// The margins at the sides, above and below, and the gaps between rows and columns. By default, a flap in
  /// flight is wider than its card by a ninth on each side. The few large cards of a portrait page therefore
  /// need wider margins.
  private var marginX: Double { spaced(page.width * (page.height > page.width ? 0.055 : 0.04)) }
  private var marginY: Double { spaced(page.height * 0.06) }
  private var gap: Double { spaced(min(page.height, page.width * 0.7) * 0.05) }
  private var columnGap: Double { spaced(page.width * 0.05) }
  /// The page's shorter side, which determines the height of text: it is read from the same distance in both
  /// orientations.
  private let reference: Double

  private func spaced(_ length: Double) -> Double { spacing < 1 ? max(length * spacing, 1) : length }

  private var width: Double { max(page.width - 2 * marginX, 1) }

  private func available(rows: Int) -> Double {
    max(page.height - 2 * marginY - gap * Double(max(rows - 1, 0)), 1)
  }

  /// The rectangles of all items, row by row, in whole pixels and inside the page. The rectangle of an item
  /// that does not fit is empty.
  func place(_ rows: [[Item]]) -> [[Rect]] {
    var result = rows.map { $0.map { _ in Rect.zero } }
    var kept = rows.map { Array($0.indices) }
    while true {
      let open = kept.indices.filter { !kept[$0].isEmpty }
      let items = open.map { row in kept[row].map { rows[row][$0] } }
      let (layout, fits) = fits(items)
      if fits.allSatisfy(\.isComplete) {
        for (row, rects) in zip(open, layout.rects(fits)) {
          for (index, rect) in zip(kept[row], rects) { result[row][index] = rect }
        }
        return result
      }
      // Leave out the items that do not fit, which leaves more space for the others.
      for (row, fit) in zip(open, fits) {
        kept[row] = zip(kept[row], fit.sizes).filter { $0.1 != .zero }.map(\.0)
      }
    }
  }

  /// The layout with the most spacing that holds all items, or else the one with the least spacing.
  private func fits(_ rows: [[Item]]) -> (PageLayout, [Fit]) {
    var layout = self
    // A widget that may have any height, and is alone, needs less space around it.
    if rows.count == 1, rows[0].count == 1, rows[0][0].fillsPage { layout.spacing = 0.5 }
    var fits = layout.fit(rows)
    for spacing in [0.5, 0.1] where !fits.allSatisfy(\.isComplete) {
      layout.spacing = spacing
      if spacing < 0.5 { layout.lineScale = layout.scaleOfLines(rows) }
      fits = layout.fit(rows)
    }
    return (layout, fits)
  }

  /// The scale of text lines that leaves the other rows at least half of the height.
  private func scaleOfLines(_ rows: [[Item]]) -> Double {
    let lines = rows.filter { $0.allSatisfy(\.isLine) }
    let wanted = lines.map { row in row.map { limited(.infinity, $0) }.max() ?? 0 }.reduce(0, +)
    let share = available(rows: rows.count) * (lines.count < rows.count ? 0.5 : 1)
    // Lines keep their minimum height.
    return wanted > share ? max(share - leastLine * Double(lines.count), 0) / wanted : 1
  }

  /// The sizes of a row's items for one height, computed once, so that placing uses the same sizes as
  /// measuring.
  private struct Fit {
    var columns: [Double] = []
    /// Zero for an item that does not fit.
    var sizes: [Size] = []
    var height: Double { sizes.map(\.height).max() ?? 0 }
    var isComplete: Bool { !sizes.contains(.zero) }
  }

  /// The size of an item in a box; zero if the item does not fit.
  private func size(_ item: Item, width: Double, height: Double) -> Size {
    let size = item.fit(Size(width: width, height: limited(height, item)))
    let least = item.isLine ? leastLine : 1
    let fits = size.fits(in: Size(width: width, height: height)) && size.width >= 1 && size.height >= least
    return fits ? size : .zero
  }

  /// Columns share the width by weight, but an item that does not fit its column gets the width that it
  /// needs.
  private func fit(_ row: [Item], width: Double, height: Double) -> Fit {
    var least = [Double?](repeating: nil, count: row.count)
    while true {
      let columns = columnWidths(row, width: width, least: least)
      let sizes = zip(row, columns).map { size($0, width: $1, height: height) }
      guard let index = sizes.indices.first(where: { sizes[$0] == .zero && least[$0] == nil }) else {
        return Fit(columns: columns, sizes: sizes)
      }
      let taken = least.compactMap { $0 }.reduce(0, +) + columnGap * Double(row.count - 1)
      least[index] =
        Self.least(from: columns[index], to: width - taken) {
          size(row[index], width: $0, height: height) != .zero
        }
        ?? 0
    }
  }

  /// The smallest whole length above `low`, up to `high`, for which `fits` holds; nil: there is none. If
  /// `fits` holds for a length, it must hold for all longer ones.
  private static func least(from low: Double, to high: Double, _ fits: (Double) -> Bool) -> Double? {
    var (short, long) = (low.rounded(.down), high.rounded(.down))
    guard long > short, fits(long) else { return nil }
    while long - short > 1 {
      let middle = ((short + long) / 2).rounded(.down)
      if fits(middle) { long = middle } else { short = middle }
    }
    return long
  }

  /// Lines of text get their height first. The other rows share the rest by weight, after rows that do not
  /// fit their share have received what they need. Height that a row cannot use, because its widgets already
  /// have the full width, goes to the other rows. At the end, remaining height is offered to all rows again.
  private func fit(_ rows: [[Item]]) -> [Fit] {
    var fits = [Fit?](repeating: nil, count: rows.count)
    var rest = available(rows: rows.count)
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
      let settled: (index: Int, fit: Fit)
      if let needy = flexible.compactMap({ row in tries.first { $0.index == row && !$0.fit.isComplete } })
        .first
      {
        settled = (needy.index, enough(rows[needy.index], from: needy.share, to: rest) ?? needy.fit)
      } else if let short = tries.filter({ $0.spare > max(4, 0.02 * $0.share) }).max(by: {
        $0.spare < $1.spare
      }) {
        // This row cannot use its whole share: what it leaves is more than a rounding error. It keeps this
        // fit, and the other rows get the rest.
        settled = (short.index, short.fit)
      } else {
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
      guard more.height > before.height, more.isComplete || !before.isComplete else { continue }
      rest -= more.height - before.height
      fits[index] = more
    }
    return fits.map { $0 ?? Fit() }
  }

  /// The fit of a row in the smallest height from `share` to `rest` that holds all of it; nil: `rest` is too
  /// small.
  private func enough(_ row: [Item], from share: Double, to rest: Double) -> Fit? {
    Self.least(from: share, to: rest) { fit(row, width: width, height: $0).isComplete }
      .map { fit(row, width: width, height: $0) }
  }

  private func weight(_ row: [Item]) -> Double { max(row.map(\.weight).max() ?? 1, 0.001) }

  private func limited(_ height: Double, _ item: Item) -> Double {
    switch item.sizing {
    case .flexible(_, let limit): min(height, page.height * limit)
    case .line(let fraction): min(height, max(reference * fraction * lineScale, leastLine))
    }
  }

  /// - Parameter least: fixed widths of the columns that need more than their share.
  private func columnWidths(_ row: [Item], width: Double, least: [Double?]) -> [Double] {
    let sum = max(zip(row, least).map { $1 == nil ? $0.weight : 0 }.reduce(0, +), 0.001)
    let taken = least.compactMap { $0 }.reduce(0, +) + columnGap * Double(max(row.count - 1, 0))
    let rest = max(width - taken, 1)
    return zip(row, least).map { item, least in least ?? rest * item.weight / sum }
  }

  private func rects(_ fits: [Fit]) -> [[Rect]] {
    var y = (page.height - fits.map(\.height).reduce(0, +) - gap * Double(max(fits.count - 1, 0))) / 2
    return fits.map { fit in
      defer { y += fit.height + gap }
      var x = marginX
      return zip(fit.sizes, fit.columns).map { size, column in
        defer { x += column + columnGap }
        return Rect(
          x: (x + (column - size.width) / 2).rounded(), y: (y + (fit.height - size.height) / 2).rounded(),
          width: size.width.rounded(.down), height: size.height.rounded(.down))
      }
    }
  }
}

extension PageLayout.Item {
  var isLine: Bool {
    if case .line = sizing { return true }
    return false
  }

  fileprivate var fillsPage: Bool {
    if case .flexible(_, let limit) = sizing { return limit == .infinity }
    return false
  }

  var weight: Double {
    if case .flexible(let weight, _) = sizing { return weight }
    return 1
  }
}

extension Size {
  /// Whether this size fits in a box, with a tolerance for rounding errors far below a pixel. Widgets and
  /// pages must use this function, so that they always agree.
  func fits(in box: Size) -> Bool { width <= box.width + 0.01 && height <= box.height + 0.01 }
}
