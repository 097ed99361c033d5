// SPDX-License-Identifier: Apache-2.0

import Raster

/// Drawing of the display list.
extension Compositor {
  /// Goes through the items twice. Front to back, it assigns to each item the damage that no opaque item
  /// above covers. Back to front, it draws each item there. Items inside a mask are first drawn into an
  /// offscreen buffer, which is then composed through the mask.
  mutating func draw(_ damage: Region, into buffer: PixelBuffer) {
    plan(damage)
    if buffer.format == .xrgb8888 {
      for rect in remaining.rects { buffer.fill(rect, with: .black, clip: rect) }
    }
    var target = buffer
    var depth = 0
    for index in items.indices {
      let own = clipRanges[items.count - 1 - index]
      if own.isEmpty { continue }
      switch items[index].kind {
      case .beginMask:
        target = offscreen(depth, buffer.size)
        depth += 1
        for clip in clips[own] { target.clear(clip, clip: clip) }
      case .endMask:
        let source = target
        depth -= 1
        target = depth == 0 ? buffer : offscreens[depth - 1].buffer
        items[index].makeOutline(&outline)
        for clip in clips[own] { filler.compose(source, through: outline, into: target, clip: clip) }
      case .shape:
        items[index].makeOutline(&outline)
        for clip in clips[own] { filler.fill(outline, with: items[index].color, into: target, clip: clip) }
      case .image, .tile, .fill:
        for clip in clips[own] { items[index].draw(into: target, clip: clip, scratch: &scratch) }
      }
    }
  }

  /// Computes the clips of all items, from the last to the first.
  private mutating func plan(_ damage: Region) {
    clips.removeAll(keepingCapacity: true)
    clipRanges.removeAll(keepingCapacity: true)
    openMasks.removeAll(keepingCapacity: true)
    remaining.removeAll()
    remaining.formUnion(damage)
    for index in items.indices.reversed() {
      // The beginning of a mask gets the same clips as its end, regardless of what was covered in between.
      if items[index].kind == .beginMask, let own = openMasks.popLast() {
        clipRanges.append(own)
        continue
      }
      let first = clips.count
      let bounds = items[index].bounds
      for rect in remaining.rects {
        let clip = rect.intersection(bounds)
        if !clip.isEmpty { clips.append(clip) }
      }
      if items[index].isResampled, clips.count > first + 1 { mergeClips(from: first, damage) }
      let own = first..<clips.count
      clipRanges.append(own)
      if items[index].kind == .endMask { openMasks.append(own) }
      if own.isEmpty { continue }
      let opaque = items[index].opaque
      if isWorthCutting(opaque.0) { remaining.subtract(opaque.0) }
      if isWorthCutting(opaque.1) { remaining.subtract(opaque.1) }
    }
  }

  /// Whether subtracting `rect` is worthwhile: a thin rectangle, such as the line at a hinge, hides almost
  /// nothing but splits the damage below it.
  private func isWorthCutting(_ rect: PixelRect) -> Bool { rect.width >= 16 && rect.height >= 16 }

  /// Resampling one more row costs about as much as this many pixels.
  private static let rowCost = 96

  /// Merges clips of the item that is being planned, which begin at the index `first`, if resampling fewer
  /// rows saves more than the extra pixels cost. The extra pixels lie in the damage, so the items above draw
  /// over them later.
  private mutating func mergeClips(from first: Int, _ damage: Region) {
    var isMerged = true
    while isMerged {
      isMerged = false
      var a = first
      while a < clips.count {
        var b = a + 1
        while b < clips.count {
          let both = clips[a].union(clips[b])
          let apart = clips[a].area + clips[b].area + (clips[a].height + clips[b].height) * Self.rowCost
          if both.area + both.height * Self.rowCost < apart, isFree(both, from: first, a, b),
            damage.rects.contains(where: { $0.contains(both) })
          {
            clips[a] = both
            clips.swapAt(b, clips.count - 1)
            clips.removeLast()
            isMerged = true
          } else {
            b += 1
          }
        }
        a += 1
      }
    }
  }

  /// Whether no clip except `a` and `b` overlaps `rect`, so that translucent pixels are drawn only once.
  private func isFree(_ rect: PixelRect, from first: Int, _ a: Int, _ b: Int) -> Bool {
    for index in first..<clips.count where index != a && index != b {
      if clips[index].intersects(rect) { return false }
    }
    return true
  }

  /// The buffer for the contents of a mask inside `depth` other masks. Its pixels are undefined.
  private mutating func offscreen(_ depth: Int, _ size: PixelSize) -> PixelBuffer {
    if depth < offscreens.count, offscreens[depth].size == size { return offscreens[depth].buffer }
    let bitmap = Bitmap(width: size.width, height: size.height, format: .argb8888)
    if depth < offscreens.count { offscreens[depth] = bitmap } else { offscreens.append(bitmap) }
    return bitmap.buffer
  }
}
