// SPDX-License-Identifier: Apache-2.0

extension PixelBuffer {
  /// Draws `sourceRect` over this buffer, transformed by `map`. The map takes pixel positions in that
  /// rectangle to pixel positions in this buffer. The rectangle's top left corner is (0, 0), and pixel edges
  /// are at whole numbers.
  ///
  /// A translation by whole pixels is the same as `blend` if `visible` is nil. Everything else is filtered. A
  /// pixel shows the mean of the source over the area that the pixel covers, or a bilinear sample where the
  /// image is enlarged. This is multiplied by the part of the pixel that the image covers. Nothing outside
  /// `map.bounds(of:)` of the rectangle is touched. The kinds `.axisAligned`, `.rows` and `.columns` are
  /// fast; `.general` is slow.
  ///
  /// Source and destination must have 32-bit formats and must not overlap. Other formats, and maps with a
  /// corner behind the eye, draw nothing.
  ///
  /// - Parameters:
  ///   - visible: the part of the rectangle that is shown, in the rectangle's pixels; nil shows all of it.
  ///     The edges of the part may lie between pixels. The pixels outside are used only as neighbours of
  ///     those inside.
  ///   - edges: `.extended` leaves the coverage to the caller.
  public func draw(
    _ source: PixelBuffer, _ sourceRect: PixelRect, visible: Rect? = nil, through map: Homography,
    edges: EdgeStyle = .antialiased, opacity: Double, shade: Shade, clip: PixelRect,
    scratch: inout RowScratch
  ) {
    let kind = map.kind
    if case .translation(let x, let y) = kind, visible == nil {
      blend(source, sourceRect, to: x, y, opacity: opacity, shade: shade, clip: clip)
      return
    }
    let part = sourceRect.saturated.intersection(source.bounds)
    guard is32Bit, source.is32Bit, opacity.opacity255 > 0, !part.isEmpty else { return }
    let inset = Point(x: Double(part.x) - Double(sourceRect.x), y: Double(part.y) - Double(sourceRect.y))
    let local = Homography.translation(x: inset.x, y: inset.y).concatenating(map)
    var outline = Rect(x: 0, y: 0, width: Double(part.width), height: Double(part.height))
    var shadeRow = inset.y
    var shadeCount = sourceRect.height
    if let visible {
      shadeRow -= visible.y
      shadeCount = visible.height < Double(sourceRect.height) ? Int(max(visible.height, 1)) : shadeCount
      let x = max(visible.x - inset.x, 0)
      let y = max(visible.y - inset.y, 0)
      outline = Rect(
        x: x, y: y, width: min(visible.maxX - inset.x, outline.width) - x,
        height: min(visible.maxY - inset.y, outline.height) - y)
      guard outline.width > 0, outline.height > 0 else { return }
    }
    guard local.isFinite, let image = local.bounds(of: outline) else { return }
    let target = writable(image, clip: clip)
    guard !target.isEmpty else { return }
    let drawing = Drawing(
      source: source, part: part, outline: outline, map: local, edges: edges, opacity: min(opacity, 1),
      shade: shade, shadeRow: shadeRow, shadeCount: shadeCount, target: target,
      reach: edges == .extended ? writable(image, clip: bounds) : target)
    switch kind {
    case .translation, .axisAligned, .rows: drawRows(drawing, &scratch)
    case .columns: drawColumns(drawing, &scratch)
    case .general: drawGeneral(drawing)
    }
  }

  /// How pixels that the image covers partly are drawn.
  public enum EdgeStyle: Hashable, Sendable {
    /// Multiplied by the part of the pixel that the image covers.
    case antialiased
    /// Drawn as if the image continued. For images that are drawn through a mask with the same outline.
    case extended
  }

  /// A drawing operation after clipping.
  struct Drawing {
    var source: PixelBuffer
    /// The part of the source rectangle that lies inside the source.
    var part: PixelRect
    /// The rectangle of `part` that is visible, in pixels from the corner of `part`.
    var outline: Rect
    /// Maps pixels from the corner of `part` to destination pixels.
    var map: Homography
    var edges: EdgeStyle
    var opacity: Double
    var shade: Shade
    /// The offset of `part`'s first row in the rectangle that the shade applies to, and that rectangle's
    /// height.
    var shadeRow: Double
    var shadeCount: Int
    /// The pixels that may be touched.
    var target: PixelRect
    /// The pixels that must be computed: the target or, with extended edges, the whole image within the
    /// buffer.
    var reach: PixelRect
  }

  private func drawRows(_ drawing: Drawing, _ scratch: inout RowScratch) {
    let source = drawing.source
    let rows = SourceRows(
      base: UnsafeRawPointer(source.row32(drawing.part.y) + drawing.part.x), bytesPerRow: source.bytesPerRow,
      width: drawing.part.width, height: drawing.part.height, mask: source.storedBits)
    let target = drawing.target
    let reach = drawing.reach
    let sampler = RowSampler(
      source: rows, outline: drawing.outline, map: drawing.map, edges: drawing.edges,
      opacity: drawing.opacity,
      shade: drawing.shade, shadeRow: drawing.shadeRow, shadeCount: drawing.shadeCount,
      storedBits: storedBits,
      width: reach.width, scratch: &scratch)
    var edge = RowSampler.Edge.none
    for y in target.y..<target.maxY {
      let row = row32(y)
      let mayBeDrawn = drawing.edges == .extended ? nil : row
      guard
        let span = sampler.span(y, left: reach.x, right: reach.maxX, below: &edge, or: mayBeDrawn),
        !span.isDrawn
      else { continue }
      let first = max(span.start, target.x)
      let count = min(span.start + span.count, target.maxX) - first
      Kernels.over(row + first, span.pixels + (first - span.start), count: count, setting: storedBits)
    }
  }
}
