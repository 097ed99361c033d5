// SPDX-License-Identifier: Apache-2.0

extension Region {
  /// Merges rectangles that touch if at most an eighth of their union is wasted. Drawing has a cost per row, so a
  /// few wide rectangles are cheaper than many narrow ones in spite of the extra pixels. Allocates nothing.
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
