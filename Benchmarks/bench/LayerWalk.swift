// SPDX-License-Identifier: Apache-2.0

import Layers
import Raster

/// A picture in a frame, in a form that any library can draw.
struct FrameItem {
  var bitmap: Bitmap
  var part: PixelRect
  /// Maps the pixels of `part` to the screen's.
  var map: Homography
  var opacity: Double
  var shade: Shade
  var bounds: PixelRect
  /// Whether the picture is repeated horizontally over `bounds`.
  var isTile: Bool

  /// The upper and the lower edge on the screen.
  var rows: (top: Double, bottom: Double) {
    let ends = [0, Double(part.height)].compactMap { map(Point(x: 0, y: $0))?.y }
    return (ends.min() ?? 0, ends.max() ?? 0)
  }
}

/// A frame of flipclock for the other contestants: the same pictures at the same positions.
struct RecordedFrame {
  var items: [FrameItem]
  /// The rectangles that are redrawn.
  var damage: [PixelRect]
  /// The rectangles that are copied to the scanout.
  var copied: [PixelRect]

  static func pixels(_ rects: [PixelRect]) -> Int { rects.reduce(0) { $0 + $1.area } }
}

/// Lists the pictures in a layer tree, back to front. Ignores masks and transform layers, which clocks do not
/// use.
struct LayerWalk {
  private(set) var items: [FrameItem] = []
  private let screen: PixelRect

  init(_ scene: Scene) {
    screen = PixelRect(scene.size)
    visit(scene.root, outer: nil, base: .identity, opacity: 1)
  }

  private mutating func visit(_ layer: Layer, outer: Transform3D?, base: Homography, opacity: Double) {
    let properties = layer.presentation
    let opacity = opacity * properties.opacity
    guard !properties.isHidden, opacity > 0 else { return }
    let bounds = properties.bounds
    let anchor = Point(
      x: bounds.x + properties.anchorPoint.x * bounds.width,
      y: bounds.y + properties.anchorPoint.y * bounds.height)
    var placement = Transform3D.translation(x: -anchor.x, y: -anchor.y).concatenating(properties.transform)
      .concatenating(.rotation(properties.rotationX, x: 1, y: 0, z: 0))
      .concatenating(
        .translation(x: properties.position.x, y: properties.position.y, z: properties.zPosition))
    if let outer { placement = placement.concatenating(outer) }
    let plane = placement.homography.concatenating(base)
    if let image = properties.contents { add(image, properties, plane, opacity) }
    let inner = Transform3D.translation(x: -anchor.x, y: -anchor.y)
      .concatenating(properties.sublayerTransform).concatenating(.translation(x: anchor.x, y: anchor.y))
    for sublayer in layer.sublayers { visit(sublayer, outer: inner, base: plane, opacity: opacity) }
  }

  private mutating func add(
    _ image: LayerImage, _ properties: LayerProperties, _ plane: Homography, _ opacity: Double
  ) {
    let bounds = properties.bounds
    guard let touched = plane.bounds(of: bounds)?.intersection(screen), !touched.isEmpty else { return }
    let rect = properties.contentsRect
    let (width, height) = (Double(image.bitmap.width), Double(image.bitmap.height))
    let top = min(rect.y, rect.y + rect.height)
    let part = PixelRect(
      x: Int((rect.x * width).rounded()), y: Int((top * height).rounded()),
      width: Int((rect.width * width).rounded()), height: Int((abs(rect.height) * height).rounded()))
    guard !part.isEmpty else { return }
    let isTile = image.extent == .repeatSideways
    let isFlipped = rect.height < 0
    var map = Homography.translation(x: bounds.x, y: isFlipped ? bounds.y + bounds.height : bounds.y)
    if !isTile {
      let scale = Homography.scale(
        x: bounds.width / Double(part.width),
        y: bounds.height / Double(part.height) * (isFlipped ? -1 : 1))
      map = scale.concatenating(map)
    }
    items.append(
      FrameItem(
        bitmap: image.bitmap, part: part, map: map.concatenating(plane), opacity: opacity,
        shade: properties.shade, bounds: touched, isTile: isTile))
  }
}
