// SPDX-License-Identifier: Apache-2.0

import Raster

/// Draws a layer tree: builds a display list, compares it with the last frame's, and draws only the
/// differences, except where opaque layers cover them.
///
/// A frame allocates memory only if layers were added since the last one (`reserve`), or for a picture that
/// is rotated about y or larger than the screen: the temporary memory grows with the largest of these
/// pictures and is kept. Masks allocate one offscreen buffer of the screen's size per nesting level, which is
/// kept. Very fragmented damage, which is rare, may also need more memory.
struct Compositor: ~Copyable {
  // Building the display list.
  var items: [DrawItem] = []
  /// The contents of the spaces being visited, back to front.
  var space: [SpaceEntry] = []
  private var previous: [Layer] = []
  var current: [Layer] = []
  private var damage = Region()
  /// The parts of the screen that show layers which have left the tree since the last frame.
  private var vacated = Region()
  private(set) var frame: UInt64 = 0
  private var isInvalid = true
  private var screen = PixelRect.empty
  /// Whether a snapshot is being drawn, which must not change what the layers recorded about the last frame.
  private(set) var isSnapshot = false

  // Drawing the display list.
  var remaining = Region()
  /// The range of each item's clips in `clips`.
  var clipRanges: [Range<Int>] = []
  var clips: [PixelRect] = []
  /// The clips of the enclosing masks.
  var openMasks: [Range<Int>] = []
  var offscreens: [Bitmap] = []
  var outline: [Point] = []
  var filler = PolygonFiller()
  var scratch = RowScratch()

  /// Reserves memory for `layers` layers on a screen of `size`.
  mutating func reserve(layers: Int, size: PixelSize) {
    guard layers > items.capacity else { return }
    let count = max(2 * items.capacity, layers)
    items.reserveCapacity(count)
    space.reserveCapacity(count)
    openMasks.reserveCapacity(8)
    outline.reserveCapacity(64)
    previous.reserveCapacity(count)
    current.reserveCapacity(count)
    clipRanges.reserveCapacity(count)
    clips.reserveCapacity(8 * count + 4 * Region.maximumRects)
    damage.reserveCapacity()
    vacated.reserveCapacity()
    remaining.reserveCapacity()
    scratch.reserve(for: size)
    filler.reserve(width: size.width)
  }

  mutating func invalidate() { isInvalid = true }

  /// Called when the layer leaves the tree: discards what was recorded, which is invalid in another scene.
  mutating func forget(_ layer: Layer) {
    if let item = layer.trace.item { vacated.insert(item.bounds) }
    if let mask = layer.trace.mask { vacated.insert(mask.bounds) }
    layer.trace = LayerTrace()
  }

  mutating func render(_ root: Layer, into buffer: PixelBuffer) -> [PixelRect] {
    frame += 1
    items.removeAll(keepingCapacity: true)
    swap(&previous, &current)
    current.removeAll(keepingCapacity: true)
    damage.removeAll()
    var inherited = InheritedState(screen: buffer.bounds)
    inherited.isResting = screen == buffer.bounds
    screen = buffer.bounds
    visit(root, outer: nil, inherited)
    for layer in previous {
      if layer.trace.frame != frame, let item = layer.trace.item, layer.scene === root.scene {
        damage.insert(item.bounds)
        layer.trace.item = nil
        layer.trace.image = nil
      }
      if layer.trace.maskFrame != frame, let mask = layer.trace.mask, layer.scene === root.scene {
        damage.insert(mask.bounds)
        layer.trace.mask = nil
      }
    }
    damage.formUnion(vacated)
    vacated.removeAll()
    if isInvalid {
      damage.removeAll()
      damage.insert(buffer.bounds)
      isInvalid = false
    }
    damage.formIntersection(buffer.bounds)
    damage.simplify()
    if !damage.isEmpty { draw(damage, into: buffer) }
    return damage.rects
  }

  /// A picture of `root` and its sublayers, of the size of the presented bounds of `root`. The position,
  /// transform, opacity and visibility of `root` and the effects of its superlayers are ignored. XRGB8888 if
  /// every pixel is known to be opaque, else ARGB8888. Does not change what the layers recorded about the
  /// last frame.
  static func snapshot(of root: Layer) -> Bitmap {
    var compositor = Compositor()
    compositor.isSnapshot = true
    let properties = root.presentation
    let screen = PixelRect(
      x: 0, y: 0, width: pixels(properties.bounds.width), height: pixels(properties.bounds.height))
    let placement = Transform3D.translation(x: -properties.bounds.x, y: -properties.bounds.y)
    compositor.place(root, properties, placement: placement, InheritedState(screen: screen))
    compositor.remaining.insert(screen)
    for item in compositor.items {
      compositor.remaining.subtract(item.opaque.0)
      compositor.remaining.subtract(item.opaque.1)
    }
    let isOpaque = compositor.remaining.isEmpty
    let bitmap = Bitmap(
      width: screen.width, height: screen.height, format: isOpaque ? .xrgb8888 : .argb8888)
    compositor.draw(Region(screen), into: bitmap.buffer)
    return bitmap
  }

  /// The length of a picture's side: whole pixels, at most 16384.
  private static func pixels(_ length: Double) -> Int {
    length > 0 ? Int(min((length - 1.0 / 1024).rounded(.up), 16_384)) : 0
  }

  // MARK: Comparison with the last frame

  /// Adds the item of the layer's own contents.
  mutating func add(_ item: DrawItem, of layer: Layer, _ image: LayerImage?, isReordered: Bool) {
    items.append(item)
    if isSnapshot { return }
    current.append(layer)
    let last = layer.trace.frame == frame - 1 ? layer.trace.item : nil
    compare(item, with: last, isReordered: isReordered)
    layer.trace.item = item
    layer.trace.image = image ?? layer.solid
    layer.trace.frame = frame
  }

  /// Begins the layer's mask; must be followed by `endMask`.
  mutating func beginMask(_ mask: DrawItem, of layer: Layer, isReordered: Bool) {
    items.append(mask)
    if isSnapshot { return }
    current.append(layer)
    let last = layer.trace.maskFrame == frame - 1 ? layer.trace.mask : nil
    compare(mask, with: last, isReordered: isReordered)
    layer.trace.mask = mask
    layer.trace.maskFrame = frame
  }

  mutating func endMask(_ mask: DrawItem) {
    var end = mask
    end.kind = .endMask
    items.append(end)
  }

  private mutating func compare(_ item: DrawItem, with last: DrawItem?, isReordered: Bool) {
    if let last {
      if !isReordered, last.looks(like: item) { return }
      damage.insert(last.bounds)
    }
    damage.insert(item.bounds)
  }
}

/// What a layer inherits from its superlayers.
struct InheritedState {
  /// Maps the plane of the closest superlayer that is not a transform layer to the screen.
  var base = Homography.identity
  /// The product of the superlayers' opacities.
  var opacity = 1.0
  /// The part of the screen inside all masks.
  var screen: PixelRect
  /// The part of the screen that masks with soft edges cover fully; nil without such masks.
  var solid: PixelRect?
  /// The outline of the innermost mask with soft edges; nil without such masks.
  var mask: OutlineCorners?
  /// Whether the position of a superlayer among its siblings changed since the last frame.
  var isReordered = false
  /// Whether nothing in this struct changed since the last frame.
  var isResting = false

  init(screen: PixelRect) { self.screen = screen }
}

/// A layer in the space of a transform layer, possibly inside nested transform layers.
struct SpaceEntry {
  var layer: Layer
  /// Maps the layer to the plane of the closest superlayer that is not a transform layer.
  var placement: Transform3D
  /// The depth of the layer's middle towards the eye.
  var depth: Double
  var opacity: Double
  var isReordered: Bool
}
