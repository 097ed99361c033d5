// SPDX-License-Identifier: Apache-2.0

import Raster

/// A set of pixels as rectangles that do not overlap, so that none is copied twice.
///
/// Few rectangles are expected (a frame's damage is the flaps that move). Past `limit` the region
/// becomes its bounding box: copying a little more is cheaper than keeping books.
struct DamageRegion: Equatable {
  static let limit = 64

  private(set) var rects: [PixelRect] = []
  private(set) var bounds = PixelRect.empty
  private var isCollapsed = false

  init() { rects.reserveCapacity(Self.limit) }

  var isEmpty: Bool { rects.isEmpty }

  /// Keeps its memory.
  mutating func removeAll() {
    rects.removeAll(keepingCapacity: true)
    bounds = .empty
    isCollapsed = false
  }

  mutating func add(_ rect: PixelRect) {
    guard !rect.isEmpty else { return }
    bounds = bounds.union(rect)
    addPieces(of: rect, after: 0, before: rects.count)
    if isCollapsed {
      rects.removeAll(keepingCapacity: true)
      rects.append(bounds)
    }
  }

  /// Adds what of `rect` the rectangles `start ..< end` do not cover.
  private mutating func addPieces(of rect: PixelRect, after start: Int, before end: Int) {
    if isCollapsed { return }
    for index in start..<end {
      let covered = rect.intersection(rects[index])
      guard !covered.isEmpty else { continue }
      // Above, below, left and right of what is there; whole rows stay together for long copies.
      let pieces = (
        PixelRect(x: rect.x, y: rect.y, width: rect.width, height: covered.y - rect.y),
        PixelRect(x: rect.x, y: covered.maxY, width: rect.width, height: rect.maxY - covered.maxY),
        PixelRect(x: rect.x, y: covered.y, width: covered.x - rect.x, height: covered.height),
        PixelRect(x: covered.maxX, y: covered.y, width: rect.maxX - covered.maxX, height: covered.height)
      )
      if !pieces.0.isEmpty { addPieces(of: pieces.0, after: index + 1, before: end) }
      if !pieces.1.isEmpty { addPieces(of: pieces.1, after: index + 1, before: end) }
      if !pieces.2.isEmpty { addPieces(of: pieces.2, after: index + 1, before: end) }
      if !pieces.3.isEmpty { addPieces(of: pieces.3, after: index + 1, before: end) }
      return
    }
    if rects.count >= Self.limit { isCollapsed = true } else { rects.append(rect) }
  }
}
