// SPDX-License-Identifier: Apache-2.0

import Raster
import Testing

@testable import Layers

/// Pictures cut into strips by `contentsRect`, such as shutter bands and roll strips.
@Suite struct StripTests {
  private static func picture(_ width: Int, _ height: Int) -> Bitmap {
    bitmap(width, height, .xrgb8888) { x, y in
      0xff00_0000 | UInt32((x + 1) * 70_001 + (y + 1) * 911) & 0xff_ffff
    }
  }

  private static func smooth(_ width: Int, _ height: Int) -> Bitmap {
    bitmap(width, height, .xrgb8888) { x, y in
      Color(
        red: UInt8(40 + 200 * x / width), green: UInt8(200 - 160 * y / height),
        blue: UInt8(60 + 130 * (x + y) / (width + height))
      ).premultiplied
    }
  }

  /// Strips of a picture, of equal widths or heights, usually not on whole pixels.
  private static func strips(
    _ image: LayerImage, _ count: Int, across: Bool, at origin: Point, from first: Double, to last: Double,
    other: Double
  ) -> [Layer] {
    (0..<count).map { index in
      let (a, b) = (Double(index) / Double(count), Double(index + 1) / Double(count))
      let (p, q) = (first + (last - first) * a, first + (last - first) * b)
      let layer = Layer()
      layer.contents = image
      layer.contentsRect =
        across ? Rect(x: a, y: 0, width: b - a, height: 1) : Rect(x: 0, y: a, width: 1, height: b - a)
      layer.frame =
        across
        ? Rect(x: origin.x + p, y: origin.y, width: q - p, height: other)
        : Rect(x: origin.x, y: origin.y + p, width: other, height: q - p)
      return layer
    }
  }

  private static func render(_ layers: [Layer], _ width: Int, _ height: Int) -> Bitmap {
    let scene = Scene(size: PixelSize(width: width, height: height))
    for layer in layers { scene.root.addSublayer(layer) }
    let screen = Bitmap(width: width, height: height, format: .xrgb8888)
    _ = scene.render(into: screen.buffer)
    return screen
  }

  @Test(
    "strips of any number and width make up the whole, pixel for pixel",
    arguments: [7, 64, 97, 100, 101, 203], [true, false])
  func anyNumberOfStripsIsTheWhole(length: Int, across: Bool) {
    let image = LayerImage(across ? Self.picture(length, 9) : Self.picture(9, length))
    let whole = Layer()
    whole.contents = image
    whole.frame = Rect(x: 3, y: 2, width: across ? Double(length) : 9, height: across ? 9 : Double(length))
    let (width, height) = (across ? length + 8 : 15, across ? 15 : length + 8)
    let one = Self.render([whole], width, height)
    for count in [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 16, 24, 31, 48, 64] {
      let parts = Self.strips(
        image, count, across: across, at: Point(x: 3, y: 2), from: 0, to: Double(length), other: 9)
      #expect(one.difference(from: Self.render(parts, width, height)) == nil, "\(count) strips")
    }
  }

  @Test(
    "bands that slide by whole pixels leave no seam and share no pixel in any frame",
    arguments: [5, 7, 8, 12])
  func bandsThatSlideByWholePixelsLeaveNoSeamAndShareNoPixelInAnyFrame(count: Int) {
    let (width, height) = (101, 40)
    let picture = Self.picture(width, height)
    let scene = Scene(size: PixelSize(width: width, height: height))
    let bands = Self.strips(
      LayerImage(picture), count, across: true, at: .zero, from: 0, to: Double(width), other: Double(height))
    for band in bands { scene.root.addSublayer(band) }
    let screen = Bitmap(width: width, height: height, format: .xrgb8888)
    for shift in [0, 1, 2, 7, 20, 39, 40] {
      for (index, band) in bands.enumerated() {
        band.position.y = 20 + Double(index % 2 == 0 ? -shift : shift)
      }
      _ = scene.render(into: screen.buffer)
      let expected = bitmap(width, height, .xrgb8888) { x, y in
        // The band that contains the pixel's centre; a centre on an edge belongs to the band before the edge.
        let band = ((2 * x + 1) * count - 1) / (2 * width)
        let row = band % 2 == 0 ? y + shift : y - shift
        return (0..<height).contains(row) ? picture.buffer.row32(row)[x] : 0xff00_0000
      }
      #expect(screen.difference(from: expected) == nil, "by \(shift)")
    }
  }

  @Test(
    "strips cut between the pixels of a scaled picture equal the whole",
    arguments: [1.37, 0.81, 2.6], [true, false])
  func stripsOfAScaledPictureShowWhatTheWholeShows(scale: Double, across: Bool) {
    let image = LayerImage(across ? Self.smooth(100, 20) : Self.smooth(20, 100))
    let length = (100 * scale).rounded()
    let whole = Layer()
    whole.contents = image
    whole.frame = Rect(x: 3, y: 2, width: across ? length : 20, height: across ? 20 : length)
    let (width, height) = across ? (Int(length) + 8, 26) : (26, Int(length) + 8)
    let one = Self.render([whole], width, height)
    for count in [2, 3, 5, 7, 8, 11] {
      // The strips are cut at edges between the screen's pixels.
      let edges = (0...count).map { (length * Double($0) / Double(count)).rounded() }
      let parts = zip(edges, edges.dropFirst()).map { (p, q) in
        let layer = Layer()
        layer.contents = image
        layer.contentsRect =
          across
          ? Rect(x: p / length, y: 0, width: (q - p) / length, height: 1)
          : Rect(x: 0, y: p / length, width: 1, height: (q - p) / length)
        layer.frame =
          across
          ? Rect(x: 3 + p, y: 2, width: q - p, height: 20) : Rect(x: 3, y: 2 + p, width: 20, height: q - p)
        return layer
      }
      let many = Self.render(parts, width, height)
      var worst = 0
      for y in 0..<height {
        for x in 0..<width {
          for shift in [0, 8, 16] as [UInt32] {
            let (a, b) = (one.buffer.row32(y)[x] >> shift & 255, many.buffer.row32(y)[x] >> shift & 255)
            worst = max(worst, abs(Int(a) - Int(b)))
          }
        }
      }
      #expect(worst <= 2, "\(count) strips")
    }
  }
}
