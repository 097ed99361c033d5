// SPDX-License-Identifier: Apache-2.0

import Raster

/// Draws a layer tree: walks it into a display list, finds what differs from the last frame, and
/// draws only that, leaving out what opaque layers cover.
///
/// Nothing is allocated in a frame but where layers came since the last one (`reserve`), where a source
/// turned about y is larger than any before, for a mask's offscreen buffer (one of the screen's size for each
/// mask within a mask, kept), and in the rarest tangle of damage.
struct Compositor: ~Copyable {
  // The display list.
  var items: [DrawItem] = []
  /// Of the spaces that are being walked: what lies in them, from far to near.
  var space: [SpaceEntry] = []
  private var previous: [Layer] = []
  var current: [Layer] = []
  private var damage = Region()
  /// Where layers were drawn that have left the tree since.
  private var left = Region()
  private(set) var frame: UInt64 = 0
  private var isInvalid = true
  private var screen = PixelRect.empty
  /// Of what lies on the screen the layers keep note; of a snapshot they do not.
  private(set) var isSnapshot = false

  // Drawing it.
  var remaining = Region()
  /// For each item, which of `clips` are its own.
  var clipRanges: [Range<Int>] = []
  var clips: [PixelRect] = []
  /// The clips of the masks that an item lies in.
  var openMasks: [Range<Int>] = []
  var offscreens: [Bitmap] = []
  var outline: [Point] = []
  var filler = PolygonFiller()
  var scratch = RowScratch()

  init() {}

  /// Makes room for that many layers, on a screen of that size.
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
    left.reserveCapacity()
    remaining.reserveCapacity()
    scratch.reserve(for: size)
    filler.reserve(width: size.width)
  }

  mutating func invalidate() { isInvalid = true }

  /// The layer leaves the tree: what is kept of it is of no use in another scene, nor is another's here.
  mutating func forget(_ layer: Layer) {
    if let item = layer.trace.item { left.insert(item.bounds) }
    if let mask = layer.trace.mask { left.insert(mask.bounds) }
    layer.trace = LayerTrace()
  }

  mutating func render(_ root: Layer, into buffer: PixelBuffer) -> [PixelRect] {
    frame += 1
    items.removeAll(keepingCapacity: true)
    swap(&previous, &current)
    current.removeAll(keepingCapacity: true)
    damage.removeAll()
    var around = Surroundings(screen: buffer.bounds)
    around.isResting = screen == buffer.bounds
    screen = buffer.bounds
    visit(root, outer: nil, around)
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
    damage.formUnion(left)
    left.removeAll()
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

  /// A picture of `root` and all below it in its own space: its bounds as they are presented, with
  /// neither its placement, opacity and hiddenness nor what its superlayers do to it. XRGB8888 where
  /// every pixel is opaque, else ARGB8888. Nothing of what the layers know of the screen changes.
  static func snapshot(of root: Layer) -> Bitmap {
    var compositor = Compositor()
    compositor.isSnapshot = true
    let properties = root.presentation
    let screen = PixelRect(
      x: 0, y: 0, width: pixels(properties.bounds.width), height: pixels(properties.bounds.height))
    let placement = Transform3D.translation(x: -properties.bounds.x, y: -properties.bounds.y)
    compositor.place(root, properties, placement: placement, Surroundings(screen: screen))
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

  /// A side of a picture: whole pixels, and no more than any display has.
  private static func pixels(_ length: Double) -> Int {
    length > 0 ? Int(min((length - 1.0 / 1024).rounded(.up), 16_384)) : 0
  }

  // MARK: The display list and the last frame's

  /// Adds what is drawn of the layer itself.
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

  /// Begins the layer's mask; `endMask` must follow.
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

/// What a layer's place in the tree does to it.
struct Surroundings {
  /// From the nearest flattened plane to the screen.
  var base = Homography.identity
  /// That of the superlayers, together.
  var opacity = 1.0
  /// What of the screen the masks leave.
  var screen: PixelRect
  /// Where masks with soft edges leave all; nil where there are none.
  var solid: PixelRect?
  /// The outline of the nearest of these.
  var mask: OutlineCorners?
  /// Something above has another place among its siblings than in the last frame.
  var isReordered = false
  /// All of this is as in the last frame.
  var isResting = false

  init(screen: PixelRect) { self.screen = screen }
}

/// Something that lies in the space of a transform layer, perhaps by way of others.
struct SpaceEntry {
  var layer: Layer
  /// From the layer to the nearest flattened plane.
  var placement: Transform3D
  /// How far towards the eye its middle comes to lie.
  var depth: Double
  var opacity: Double
  var isReordered: Bool
}
