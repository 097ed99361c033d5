// SPDX-License-Identifier: Apache-2.0

/// A set of pixels as disjoint rectangles, for damage and for areas still to be drawn.
///
/// Exact while it needs at most `maximumRects` disjoint rectangles, or `maximumParts` after subtractions.
/// Beyond that, insertion merges the two rectangles whose union adds the fewest other pixels, so a region may
/// cover more than was inserted but never less. A subtraction that would need more rectangles keeps some of
/// the pixels; it never adds any. Coordinates saturate at ±2³⁰. After the storage has grown once, inserting
/// and `removeAll` allocate nothing.
public struct Region: Sendable {
  public static let maximumRects = 32
  /// The number of rectangles that a subtraction may leave. It is larger than `maximumRects`, because a pixel
  /// that is not subtracted is drawn needlessly.
  static let maximumParts = 128

  /// The rectangles: disjoint, nonempty, in no particular order.
  public private(set) var rects: [PixelRect] = []

  public init() {}

  public init(_ rect: PixelRect) {
    insert(rect)
  }

  public var isEmpty: Bool { rects.isEmpty }

  /// The number of pixels covered.
  public var area: Int {
    var result = 0
    for rect in rects { result += rect.area }
    return result
  }

  /// Reserves storage for as many rectangles as nearly all insertions and subtractions need, so that these do
  /// not allocate.
  public mutating func reserveCapacity() {
    rects.reserveCapacity(Region.maximumParts + 4)
  }

  /// Empties the region but keeps its storage.
  public mutating func removeAll() {
    rects.removeAll(keepingCapacity: true)
  }

  /// Adds the pixels of `rect`.
  public mutating func insert(_ rect: PixelRect) {
    let new = rect.saturated
    if new.isEmpty { return }
    var index = 0
    while index < rects.count {
      if rects[index].contains(new) { return }
      if new.contains(rects[index]) {
        remove(at: index)
      } else {
        index += 1
      }
    }
    // Appends the new rectangle, and then cuts each old rectangle out of it.
    let old = rects.count
    rects.append(new)
    for index in 0..<old where rects[index].intersects(new) { cut(rects[index], from: old) }
    join(from: old)
    limit()
  }

  /// Adds the pixels of `other`.
  public mutating func formUnion(_ other: Region) {
    if isEmpty {
      rects.append(contentsOf: other.rects)
      return
    }
    for rect in other.rects { insert(rect) }
  }

  /// Keeps only the pixels inside `rect`.
  public mutating func formIntersection(_ rect: PixelRect) {
    let clip = rect.saturated
    var index = 0
    while index < rects.count {
      let common = rects[index].intersection(clip)
      if common.isEmpty {
        remove(at: index)
      } else {
        rects[index] = common
        index += 1
      }
    }
  }

  /// Removes the pixels of `rect`; keeps some of them if removing them would leave too many rectangles.
  public mutating func subtract(_ rect: PixelRect) {
    let hole = rect.saturated
    if hole.isEmpty { return }
    cut(hole, from: 0, most: Region.maximumParts)
  }

  // MARK: - Storage

  /// Replaces all rectangles inside `rect` by it. No rectangle may overlap it only partly.
  mutating func replace(inside rect: PixelRect) {
    var index = 0
    while index < rects.count {
      if rect.contains(rects[index]) { remove(at: index) } else { index += 1 }
    }
    rects.append(rect)
  }

  private mutating func remove(at index: Int) {
    rects.swapAt(index, rects.count - 1)
    rects.removeLast()
  }

  /// Cuts `hole` out of the rectangles from `start` on, in place; skips those whose parts would make the
  /// count exceed `most`.
  private mutating func cut(_ hole: PixelRect, from start: Int, most: Int = .max) {
    var index = start
    var end = rects.count
    while index < end {
      let rect = rects[index]
      guard rect.intersects(hole) else {
        index += 1
        continue
      }
      var parts = 0
      rect.subtracting(hole) { _ in parts += 1 }
      guard rects.count - 1 + parts <= most else {
        index += 1
        continue
      }
      // The last unvisited rectangle moves to this index. The parts are appended after the unvisited
      // rectangles: they do not overlap the hole, so the loop need not visit them.
      end -= 1
      rects[index] = rects[end]
      rects[end] = rects[rects.count - 1]
      rects.removeLast()
      rect.subtracting(hole) { rects.append($0) }
    }
  }

  /// Merges the rectangles from `start` on with any neighbour that shares a whole edge.
  private mutating func join(from start: Int) {
    var index = start
    while index < rects.count {
      let rect = rects[index]
      var partner = 0
      while partner < rects.count {
        if rect.isBeside(rects[partner]) { break }
        partner += 1
      }
      if partner < rects.count {
        rects[min(index, partner)] = rect.union(rects[partner])
        remove(at: max(index, partner))
        index = min(start, min(index, partner))
      } else {
        index += 1
      }
    }
  }

  /// Reduces the count to `maximumRects` by merging the pairs that waste least.
  private mutating func limit() {
    while rects.count > Region.maximumRects {
      var best = (first: 0, second: 1, waste: Int.max)
      for first in 0..<(rects.count - 1) {
        let rect = rects[first]
        for second in (first + 1)..<rects.count {
          let waste = rect.union(rects[second]).area - rect.area - rects[second].area
          if waste < best.waste { best = (first, second, waste) }
        }
      }
      var union = rects[best.first].union(rects[best.second])
      remove(at: best.second)
      remove(at: best.first)
      // Rectangles that overlap the union are merged into it, so that all stay disjoint.
      var index = 0
      while index < rects.count {
        if rects[index].intersects(union) {
          union = union.union(rects[index])
          remove(at: index)
          index = 0
        } else {
          index += 1
        }
      }
      rects.append(union)
    }
  }
}

extension Region {
  /// Merges rectangles that touch if at most an eighth of their union is wasted. Drawing has a cost per row,
  /// so a few wide rectangles are cheaper than many narrow ones in spite of the extra pixels. Allocates
  /// nothing.
  public mutating func simplify() {
    var index = 0
    while index < rects.count {
      var partner = index + 1
      var isJoined = false
      while partner < rects.count, !isJoined {
        isJoined = rects[index].touches(rects[partner]) && join(rects[index].union(rects[partner]))
        partner += 1
      }
      index = isJoined ? 0 : index + 1
    }
  }

  /// Replaces the rectangles inside `union` by it if little is wasted. First grows `union` until no rectangle
  /// overlaps it only partly.
  private mutating func join(_ union: PixelRect) -> Bool {
    var union = union
    var covered = 0
    var index = 0
    while index < rects.count {
      let rect = rects[index]
      index += 1
      if union.contains(rect) {
        covered += rect.area
      } else if rect.intersects(union) {
        union = union.union(rect)
        covered = 0
        index = 0
      }
    }
    guard (union.area - covered) * 8 <= union.area else { return false }
    replace(inside: union)
    return true
  }
}

extension PixelRect {
  /// Whether the rectangles share a part of an edge, or a corner.
  fileprivate func touches(_ other: PixelRect) -> Bool {
    x <= other.maxX && other.x <= maxX && y <= other.maxY && other.y <= maxY
  }
}
