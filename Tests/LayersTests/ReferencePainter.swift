// SPDX-License-Identifier: Apache-2.0

import Glibc
import Raster

@testable import Layers

/// Renders a layer tree in doubles, 16×16 samples per pixel, from the definitions: points are multiplied by
/// matrices, samples are intersected with planes, colours are composed. Of the engine it uses only the
/// layers' properties. Pictures are sampled bilinearly.
struct ReferencePainter {
  /// Matrices for row vectors, p′ = p · M.
  typealias Matrix = [[Double]]

  /// A rectangle in a plane, and the map from the screen to it.
  private struct Plate {
    /// Maps (x, y) on the screen to (u / w, v / w) on the plane: u, v and w are sums of x, y and 1 with these
    /// factors.
    private var back: (u: SIMD3<Double>, v: SIMD3<Double>, w: SIMD3<Double>)
    var rect: Rect
    /// The columns and rows of the screen that the rectangle may touch.
    var left: Double
    var right: Double
    var top: Double
    var bottom: Double

    init?(_ matrix: Matrix, _ rect: Rect) {
      let flat = [0, 1, 3].map { row in [0, 1, 3].map { matrix[row][$0] } }
      guard let back = ReferencePainter.inverse(flat) else { return nil }
      func column(_ index: Int) -> SIMD3<Double> { SIMD3(back[0][index], back[1][index], back[2][index]) }
      self.back = (column(0), column(1), column(2))
      self.rect = rect
      let corners = [(rect.x, rect.y), (rect.maxX, rect.y), (rect.x, rect.maxY), (rect.maxX, rect.maxY)].map {
        ReferencePainter.product([[$0.0, $0.1, 0, 1]], matrix)[0]
      }
      guard corners.allSatisfy({ $0[3] > 1e-6 }) else { return nil }
      let (xs, ys) = (corners.map { $0[0] / $0[3] }, corners.map { $0[1] / $0[3] })
      (left, right) = (xs.min() ?? 0, xs.max() ?? 0)
      (top, bottom) = (ys.min() ?? 0, ys.max() ?? 0)
    }

    func isNear(_ x: Int, _ y: Int) -> Bool {
      Double(x) < right && Double(x + 1) > left && Double(y) < bottom && Double(y + 1) > top
    }

    /// The point of the plane at a point of the screen, relative to the rectangle's top left corner; nil if
    /// it is outside the rectangle.
    @inline(__always)
    func hit(_ x: Double, _ y: Double) -> (u: Double, v: Double)? {
      let w = x * back.w.x + y * back.w.y + back.w.z
      let u = (x * back.u.x + y * back.u.y + back.u.z) / w - rect.x
      let v = (x * back.v.x + y * back.v.y + back.v.z) / w - rect.y
      guard u >= 0, v >= 0, u <= rect.width, v <= rect.height else { return nil }
      return (u, v)
    }
  }

  private struct Sheet {
    var plate: Plate
    var masks: [Plate]
    var opacity: Double
    var color: SIMD4<Double>
    var image: LayerImage?
    var contentsRect: Rect
    /// The depth at a point (x, y) of the plane is z / w: z and w are sums of x, y and 1 with these factors.
    var depth: (z: SIMD3<Double>, w: SIMD3<Double>)
  }

  private var sheets: [Sheet] = []
  static let samples = 16
  /// Whether the nearer of two opaque sheets is visible at each sample, regardless of their order.
  var usesDepthBuffer = false

  init(_ root: Layer) {
    gather(root, Self.identity, base: Self.identity, [], opacity: 1)
  }

  // MARK: The tree

  /// - Parameters:
  ///   - space: maps the superlayer to the plane that it is flattened into.
  ///   - base: maps that plane to the screen.
  private mutating func gather(
    _ layer: Layer, _ space: Matrix, base: Matrix, _ masks: [Plate], opacity: Double
  ) {
    let p = layer.presentation
    if p.isHidden || p.opacity <= 0 { return }
    let matrix = Self.product(Self.placement(p), space)
    let opacity = opacity * min(p.opacity, 1)
    guard layer.isTransformLayer else {
      place(layer, matrix, base: base, masks, opacity: opacity)
      return
    }
    var all: [(Layer, Matrix, Double, depth: Double)] = []
    collect(layer, matrix, opacity, &all)
    for (layer, matrix, opacity, _) in all.sorted(by: { $0.depth < $1.depth }) {
      place(layer, matrix, base: base, masks, opacity: opacity)
    }
  }

  private func collect(
    _ layer: Layer, _ matrix: Matrix, _ opacity: Double, _ all: inout [(Layer, Matrix, Double, depth: Double)]
  ) {
    let inner = Self.product(Self.sublayerMatrix(layer.presentation), matrix)
    for sublayer in layer.sublayers {
      let p = sublayer.presentation
      if p.isHidden || p.opacity <= 0 { continue }
      let matrix = Self.product(Self.placement(p), inner)
      let opacity = opacity * min(p.opacity, 1)
      if sublayer.isTransformLayer {
        collect(sublayer, matrix, opacity, &all)
      } else {
        let middle = Self.product([[p.bounds.midX, p.bounds.midY, 0, 1]], matrix)[0]
        all.append((sublayer, matrix, opacity, middle[2] / middle[3]))
      }
    }
  }

  private mutating func place(
    _ layer: Layer, _ space: Matrix, base: Matrix, _ masks: [Plate], opacity: Double
  ) {
    let p = layer.presentation
    let matrix = Self.product(Self.product(space, Self.flattening), base)
    let plate = Plate(matrix, p.bounds)
    if let plate, p.contents != nil || p.backgroundColor.alpha > 0 {
      let c = p.backgroundColor
      let alpha = Double(c.alpha) / 255
      let color = SIMD4(
        Double(c.blue) * alpha, Double(c.green) * alpha, Double(c.red) * alpha, Double(c.alpha))
      sheets.append(
        Sheet(
          plate: plate, masks: masks, opacity: opacity, color: color, image: p.contents,
          contentsRect: p.contentsRect,
          depth: (SIMD3(space[0][2], space[1][2], space[3][2]), SIMD3(space[0][3], space[1][3], space[3][3])))
      )
    }
    var masks = masks
    if layer.masksToBounds {
      guard let plate else { return }
      masks.append(plate)
    }
    let inner = Self.sublayerMatrix(p)
    for sublayer in layer.sublayers { gather(sublayer, inner, base: matrix, masks, opacity: opacity) }
  }

  // MARK: Samples

  /// The mean colour (b, g, r, a) of a pixel on black.
  func pixel(_ x: Int, _ y: Int) -> SIMD4<Double> {
    let near = sheets.filter { $0.plate.isNear(x, y) }
    if near.isEmpty { return .zero }
    var sum = SIMD4<Double>.zero
    let n = Self.samples
    for j in 0..<n {
      for i in 0..<n {
        sum += sample(
          Double(x) + (Double(i) + 0.5) / Double(n), Double(y) + (Double(j) + 0.5) / Double(n), near)
      }
    }
    return sum / Double(n * n)
  }

  /// The colour of a pixel if all samples in the pixel and close to it have the same colour; nil at edges.
  func flatColor(_ x: Int, _ y: Int) -> SIMD4<Double>? {
    var color: SIMD4<Double>?
    for j in 0...4 {
      for i in 0...4 {
        let seen = sample(Double(x) - 0.5 + Double(i) / 2, Double(y) - 0.5 + Double(j) / 2, sheets)
        if let color, color != seen { return nil }
        color = seen
      }
    }
    return color
  }

  private func sample(_ x: Double, _ y: Double, _ near: [Sheet]) -> SIMD4<Double> {
    var seen = SIMD4<Double>.zero
    var nearest = -Double.infinity
    for sheet in near {
      guard let (u, v) = sheet.plate.hit(x, y), sheet.masks.allSatisfy({ $0.hit(x, y) != nil }) else {
        continue
      }
      let color = sheet.image.map {
        Self.look($0, u / sheet.plate.rect.width, v / sheet.plate.rect.height, sheet)
      }
      let top = (color ?? sheet.color) * sheet.opacity
      if usesDepthBuffer {
        let point = SIMD3(u + sheet.plate.rect.x, v + sheet.plate.rect.y, 1)
        let depth = (sheet.depth.z * point).sum() / (sheet.depth.w * point).sum()
        if depth < nearest { continue }
        nearest = depth
      }
      seen = top + seen * (1 - top[3] / 255)
    }
    return seen
  }

  /// The picture's colour at a position in units of the bounds, sampled bilinearly.
  private static func look(_ image: LayerImage, _ x: Double, _ y: Double, _ sheet: Sheet) -> SIMD4<Double> {
    let buffer = image.bitmap.buffer
    let u = (sheet.contentsRect.x + x * sheet.contentsRect.width) * Double(buffer.width) - 0.5
    let v = (sheet.contentsRect.y + y * sheet.contentsRect.height) * Double(buffer.height) - 0.5
    func load(_ x: Double, _ y: Double) -> SIMD4<Double> {
      let pixel = buffer.row32(min(max(Int(y), 0), buffer.height - 1))[min(max(Int(x), 0), buffer.width - 1)]
      let alpha = buffer.format == .xrgb8888 ? 255 : Double(pixel >> 24)
      return SIMD4(Double(pixel & 255), Double(pixel >> 8 & 255), Double(pixel >> 16 & 255), alpha)
    }
    let (left, top) = (u.rounded(.down), v.rounded(.down))
    let (fx, fy) = (u - left, v - top)
    return (load(left, top) * (1 - fx) + load(left + 1, top) * fx) * (1 - fy)
      + (load(left, top + 1) * (1 - fx) + load(left + 1, top + 1) * fx) * fy
  }

  /// The PSNR in dB over every `stride`th pixel that is not plain background.
  func psnr(_ drawn: Bitmap, stride: Int) -> Double {
    var sum = 0.0
    var count = 0
    for index in Swift.stride(from: stride / 2, to: drawn.width * drawn.height, by: stride) {
      let (x, y) = (index % drawn.width, index / drawn.width)
      let got = drawn.buffer.row32(y)[x]
      let expected = pixel(x, y)
      if expected == .zero, got == 0xff00_0000 { continue }
      var d = expected - SIMD4(Double(got & 255), Double(got >> 8 & 255), Double(got >> 16 & 255), 0)
      d[3] = 0
      sum += (d * d).sum()
      count += 3
    }
    return sum == 0 ? 99 : 10 * log10(255 * 255 / (sum / Double(count)))
  }
}
