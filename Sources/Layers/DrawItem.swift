// SPDX-License-Identifier: Apache-2.0

import Raster

/// One item of the display list, which is ordered back to front: a layer's contents with all parameters
/// resolved, or the beginning or end of a mask. It does not own its pixels; the layer keeps them alive.
struct DrawItem {
  enum Kind: Hashable {
    case image
    case tile
    /// A rectangle of whole pixels in one colour.
    case fill
    /// An outline that is filled with one colour.
    case shape
    case beginMask
    case endMask
  }

  var kind: Kind
  var source = Layer.noPixels.buffer
  var sourceRect = PixelRect.empty
  /// The part of `sourceRect` that is visible, in pixels from its top left corner; nil if all of it is
  /// visible.
  var visible: Rect?
  /// Maps the source rectangle's pixels to the screen's; for shapes and masks, maps the layer's plane.
  var map = Homography.identity
  /// The rectangle of a shape or mask in the layer's plane.
  var shape = Rect.zero
  /// The part of the screen that the item touches, clipped by the enclosing masks.
  var bounds: PixelRect
  var edges = PixelBuffer.EdgeStyle.antialiased
  var opacity = 1.0
  var shade = Shade.none
  var color = Color.clear
  /// Parts of the screen that the item covers with opaque pixels.
  var opaque: (PixelRect, PixelRect) = (.empty, .empty)

  init(kind: Kind, bounds: PixelRect) {
    self.kind = kind
    self.bounds = bounds
  }

  /// Creates the item that begins a mask.
  init(mask: Rect, plane: Homography, bounds: PixelRect) {
    self.init(kind: .beginMask, bounds: bounds)
    shape = mask
    map = plane
  }

  /// Whether drawing this item and `other` gives the same pixels.
  func looks(like other: DrawItem) -> Bool {
    kind == other.kind && source.base == other.source.base && sourceRect == other.sourceRect
      && visible == other.visible && map == other.map && shape == other.shape && bounds == other.bounds
      && edges == other.edges && opacity == other.opacity && shade == other.shade
      && color == other.color
  }

  /// Whether the item's rows are resampled in every frame.
  var isResampled: Bool {
    guard kind == .image else { return false }
    if case .rows = map.kind { return true }
    return false
  }

  /// Draws an image, a tile or a fill.
  func draw(into buffer: PixelBuffer, clip: PixelRect, scratch: inout RowScratch) {
    switch kind {
    case .image:
      buffer.draw(
        source, sourceRect, visible: visible, through: map, edges: edges, opacity: opacity, shade: shade,
        clip: clip, scratch: &scratch)
    case .fill:
      buffer.fill(bounds, with: color, clip: clip)
    case .tile:
      guard case .translation(let x, let y) = map.kind else { return }
      // The pattern is aligned with the layer's left edge, whichever part of it is drawn.
      buffer.tile(source, sourceRect, from: x, y, over: clip, opacity: opacity, shade: shade)
    case .shape, .beginMask, .endMask:
      break
    }
  }

  /// The outline of a shape or mask on the screen; empty if a corner is behind the eye.
  func makeOutline(_ points: inout [Point]) {
    map.outline(of: shape, &points)
  }
}
