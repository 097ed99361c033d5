// SPDX-License-Identifier: Apache-2.0

import Raster

/// Drawing the display list.
extension Compositor {
  /// From near to far each item is given the damage that opaque ones above it do not cover; from far to near
  /// they are drawn there. What lies in a mask is drawn into a buffer of its own first, and that through
  /// the mask.
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

  /// The clips of all items, from the last to the first.
  private mutating func plan(_ damage: Region) {
    clips.removeAll(keepingCapacity: true)
    clipRanges.removeAll(keepingCapacity: true)
    openMasks.removeAll(keepingCapacity: true)
    remaining.removeAll()
    remaining.formUnion(damage)
    for index in items.indices.reversed() {
      // A mask begins where it ends, however much of that is covered meanwhile.
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
      let own = first..<clips.count
      clipRanges.append(own)
      if items[index].kind == .endMask { openMasks.append(own) }
      if own.isEmpty { continue }
      let opaque = items[index].opaque
      if !opaque.0.isEmpty { remaining.subtract(opaque.0) }
      if !opaque.1.isEmpty { remaining.subtract(opaque.1) }
    }
  }

  /// The buffer for what lies in `depth` masks and one more, with anything in it.
  private mutating func offscreen(_ depth: Int, _ size: PixelSize) -> PixelBuffer {
    if depth < offscreens.count, offscreens[depth].size == size { return offscreens[depth].buffer }
    let bitmap = Bitmap(width: size.width, height: size.height, format: .argb8888)
    if depth < offscreens.count { offscreens[depth] = bitmap } else { offscreens.append(bitmap) }
    return bitmap.buffer
  }
}
