// SPDX-License-Identifier: Apache-2.0

import Raster

/// One thing to draw in a frame, in the order from far to near: a layer's contents with everything
/// settled, or the beginning and the end of what is seen through a mask. It owns nothing: the layer keeps
/// the pixels alive.
struct DrawItem {
  enum Kind: Hashable {
    case image
    case tile
    /// A colour on whole pixels.
    case fill
    /// A colour in any outline.
    case shape
    case beginMask
    case endMask
  }

  var kind: Kind
  var source = Layer.noPixels.buffer
  var sourceRect = PixelRect.empty
  /// The part of `sourceRect`, in its pixels, that is shown, where its edges are not those of pixels.
  var visible: Rect?
  /// From the source rectangle's pixels to the screen's; from the layer's plane for shapes and masks.
  var map = Homography.identity
  /// Of shapes and masks: the rectangle in the layer's plane, and how round its corners are.
  var shape = Rect.zero
  var radius = 0.0
  /// Of a mask: the layer's sublayers lie in it too, and not its contents alone.
  var holdsSublayers = false
  /// What it touches of the screen, cut by the masks above it.
  var bounds: PixelRect
  var edges = PixelBuffer.EdgeStyle.antialiased
  var opacity = 1.0
  var shade = Shade.none
  var color = Color.clear
  /// Parts of the screen that it covers entirely.
  var opaque: (PixelRect, PixelRect) = (.empty, .empty)

  init(kind: Kind, bounds: PixelRect) {
    self.kind = kind
    self.bounds = bounds
  }

  /// The beginning of a mask.
  init(mask: Rect, radius: Double, holdsSublayers: Bool, plane: Homography, bounds: PixelRect) {
    self.init(kind: .beginMask, bounds: bounds)
    self.holdsSublayers = holdsSublayers
    shape = mask
    self.radius = radius
    map = plane
  }

  /// Whether drawing this or `other` leaves the same pixels.
  func looks(like other: DrawItem) -> Bool {
    kind == other.kind && source.base == other.source.base && sourceRect == other.sourceRect
      && visible == other.visible && map == other.map && shape == other.shape && radius == other.radius
      && holdsSublayers == other.holdsSublayers
      && bounds == other.bounds && edges == other.edges && opacity == other.opacity && shade == other.shade
      && color == other.color
  }

  /// Its rows are made anew in every frame.
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
      // The pattern is aligned to the layer's left edge, whatever part of it is drawn.
      buffer.tile(source, sourceRect, from: x, y, over: clip, opacity: opacity, shade: shade)
    case .shape, .beginMask, .endMask:
      break
    }
  }

  /// The outline of a shape or mask on the screen; empty where a corner is behind the eye.
  func makeOutline(_ points: inout [Point]) {
    map.outline(of: shape, radius: radius, &points)
  }
}
