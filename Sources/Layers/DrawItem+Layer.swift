// SPDX-License-Identifier: Apache-2.0

import Raster

/// The item of a layer's own contents.
extension DrawItem {
  /// Creates the item that draws `layer`'s own contents or background colour; nil if nothing is visible.
  /// `plane` maps the layer's plane to the screen. `isMasked` means that the item is drawn through a mask of
  /// its own outline.
  init?(
    _ layer: Layer, _ properties: LayerProperties, plane: Homography, opacity: Double, screen: PixelRect,
    isMasked: Bool
  ) {
    let bounds = properties.bounds
    guard bounds.width > 0, bounds.height > 0,
      let touched = plane.bounds(of: bounds)?.intersection(screen), !touched.isEmpty
    else { return nil }
    var image = properties.contents
    if image == nil {
      guard properties.backgroundColor.alpha > 0 else { return nil }
      if isMasked || plane.keepsWholePixels(of: bounds) {
        self.init(kind: .fill, bounds: touched)
        fill(properties.backgroundColor, opacity: opacity)
        if color.alpha == 255 { opaque.0 = touched }
        return
      }
      if plane.kind == .general {
        self.init(kind: .shape, bounds: touched)
        fill(properties.backgroundColor, opacity: opacity)
        shape = bounds
        map = plane
        return
      }
      image = layer.solidImage(properties.backgroundColor)
    }
    // A background colour is not contents, so `contentsRect` does not apply.
    let shown = properties.contents == nil ? .unit : properties.contentsRect
    guard let image, let part = ContentsPart(shown, of: image.bitmap.buffer) else { return nil }
    self.init(kind: image.extent == .resize ? .image : .tile, bounds: touched)
    source = image.bitmap.buffer
    sourceRect = part.pixels
    self.opacity = opacity
    shade = properties.contents == nil ? .none : properties.shade
    switch image.extent {
    case .repeatSideways: map = Homography.translation(x: bounds.x, y: bounds.y).concatenating(plane)
    case .resize:
      edges = isMasked ? .extended : .antialiased
      map = part.map(from: part.whole, to: bounds).concatenating(plane)
      if !part.isWhole, !map.kind.isTranslation { showExactly(part, in: bounds, plane) }
    }
    if self.bounds.isEmpty { return nil }
    findOpaqueParts(of: image)
  }

  private mutating func fill(_ color: Color, opacity: Double) {
    self.color = color
    self.color.alpha = UInt8((Double(color.alpha) * opacity).rounded())
  }

  /// Shows a part whose edges are not pixel edges of the picture.
  private mutating func showExactly(_ part: ContentsPart, in rect: Rect, _ plane: Homography) {
    let whole = part.map(from: part.exact, to: rect)
    let picture = Homography.translation(x: -part.exact.x, y: -part.exact.y).concatenating(whole)
      .concatenating(plane)
    if case .translation(let x, let y) = picture.kind, !part.isFlipped {
      // The picture's pixels coincide with the screen's. Each belongs to the part that contains its centre,
      // so that exactly one of two adjacent parts draws it.
      map = .translation(x: Double(x + sourceRect.x), y: Double(y + sourceRect.y))
      bounds = bounds.intersection(sourceRect.offset(x: x, y: y))
      return
    }
    sourceRect = part.neededPixels
    let inset = Point(x: Double(sourceRect.x), y: Double(sourceRect.y))
    visible = Rect(
      x: part.exact.x - inset.x, y: part.exact.y - inset.y, width: part.exact.width,
      height: part.exact.height)
    map = Homography.translation(x: inset.x, y: inset.y).concatenating(
      Homography.translation(x: -part.exact.x, y: -part.exact.y).concatenating(whole).concatenating(plane))
  }
}

extension Homography.Kind {
  fileprivate var isTranslation: Bool {
    if case .translation = self { true } else { false }
  }
}

extension Layer {
  /// A placeholder for items without pixels.
  nonisolated(unsafe) static let noPixels = Bitmap(width: 1, height: 1, format: .xrgb8888)

  /// The background colour as a single pixel to be stretched, for layers whose edges are not pixel edges.
  func solidImage(_ color: Color) -> LayerImage {
    let pixel = color.premultiplied
    if let solid, solid.bitmap.buffer.row32(0)[0] == pixel { return solid }
    let bitmap = Bitmap(width: 1, height: 1, format: .argb8888)
    bitmap.buffer.row32(0)[0] = pixel
    let image = LayerImage(bitmap)
    solid = image
    return image
  }
}
