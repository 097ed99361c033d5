// SPDX-License-Identifier: Apache-2.0

import Glibc
import Raster
import Settings
import Testing

@testable import Layers
@testable import Widgets

/// What the transitions shutter and roll should show, computed from their description, in doubles, with 16×16
/// samples per pixel. Uses rays and planes, and none of the code of layers, transforms and kernels.
struct PageReference {
  let outgoing: Bitmap
  let incoming: Bitmap
  let bands: Int
  let sides: Int
  static let samples = 16
  /// The number of samples across a pixel. It is higher for sides of which only a few columns are visible,
  /// because there each sample has a large share in the coverage.
  var samplesAcross = Self.samples

  private var width: Double { Double(outgoing.width) }
  private var height: Double { Double(outgoing.height) }
  private var edges: [Int] {
    (0...bands).map { Int((Double(outgoing.width * $0) / Double(bands)).rounded()) }
  }

  /// A part of the outgoing page in space: the columns from `left` to `right` of the page's picture. `place`
  /// maps a point of the screen to a position in the picture, possibly outside the part; nil if the part
  /// cannot be seen there.
  struct Sheet {
    var left: Double
    var right: Double
    var place: (_ x: Double, _ y: Double) -> (Double, Double)?
  }

  func shutter(_ progress: Double) -> [Sheet] {
    (0..<bands).map { band in
      let shift = (band % 2 == 0 ? -1 : 1) * progress * height
      return Sheet(left: Double(edges[band]), right: Double(edges[band + 1])) { ($0, $1 - shift) }
    }
  }

  /// The parts from far to near, at `progress` of the whole duration.
  func roll(_ progress: Double) -> [Sheet] {
    let strip = width / Double(bands)
    let angle = 2 * Double.pi / Double(sides)
    let apothem = strip / 2 / tan(angle / 2)
    let stops = bands - 1 + Int((0.55 + strip / 2 / sin(angle / 2) / strip).rounded(.up))
    let turns = progress * Double(stops)
    let stop = min(Int(turns), stops - 1)
    let turned = turns - Double(stop)
    func axis(_ stop: Int) -> Double {
      let band = bands - 1 - stop
      return band >= 0
        ? Double(edges[band] + edges[band + 1]) / 2 : Double(edges[0] + edges[1]) / 2 + strip * Double(band)
    }
    let way = min(turned / 0.98, 1)
    let center = axis(stop) * (1 - way) + axis(stop + 1) * way
    var sheets = (0..<max(bands - 1 - stop, 0)).map { band in
      Sheet(left: Double(edges[band]), right: Double(edges[band + 1])) { ($0, $1) }
    }
    var tube: [(depth: Double, sheet: Sheet)] = []
    for side in 0..<(sides - 1) {
      let band = bands - 1 - stop + side
      guard (0..<bands).contains(band) else { continue }
      let phi = angle * (Double(side) + turned)
      let (left, right) = (Double(edges[band]), Double(edges[band + 1]))
      let size = right - left + (side == 0 ? 0 : 1)
      let sheet = Sheet(left: left, right: right) { x, y in
        // The viewer is at (width/2, height/2, distance); the side is a line segment seen from above.
        let distance = 2 * width
        let (cx, cz) = (center + apothem * sin(phi), apothem - apothem * cos(phi))
        let (ux, uz) = (cos(phi), sin(phi))
        let dx = x - width / 2
        let det = dx * -uz - ux * distance
        guard abs(det) > 1e-9 else { return nil }
        let (px, pz) = (cx - width / 2, cz - distance)
        let t = (px * -uz + ux * pz) / det
        let v = (dx * pz + distance * px) / det
        guard t > 0 else { return nil }
        return (
          left + (v / size + 0.5) * (right - left), height / 2 + (y - height / 2) * t
        )
      }
      tube.append((-cos(angle * (Double(side) + 0.5)), sheet))
    }
    sheets += tube.sorted { $0.depth < $1.depth }.map(\.sheet)
    return sheets
  }

  /// The mean of a pixel's samples. On a sheet the samples are spread over at least one pixel of the sheet's
  /// picture, in both directions.
  func pixel(_ x: Int, _ y: Int, _ sheets: [Sheet]) -> SIMD4<Double> {
    let n = Self.samples
    let (cx, cy) = (Double(x) + 0.5, Double(y) + 0.5)
    let wide = sheets.map { sheet -> (Double, Double, Double, Double) in
      guard let middle = sheet.place(cx, cy), let right = sheet.place(cx + 0.01, cy),
        let below = sheet.place(cx, cy + 0.01)
      else { return (0, 0, 1, 1) }
      let (across, down) = (abs(right.0 - middle.0) * 100, abs(below.1 - middle.1) * 100)
      return (middle.0, middle.1, max(1 / max(across, 1e-9), 1), max(1 / max(down, 1e-9), 1))
    }
    var sum = SIMD4<Double>.zero
    for j in 0..<n {
      for i in 0..<samplesAcross {
        let (sx, sy) = (
          cx + (Double(i) + 0.5) / Double(samplesAcross) - 0.5, cy + (Double(j) + 0.5) / Double(n) - 0.5
        )
        var seen = load(incoming, cx, cy)
        for index in sheets.indices.reversed() {
          let sheet = sheets[index]
          guard let p = sheet.place(sx, sy), p.0 >= sheet.left, p.0 < sheet.right, p.1 >= 0, p.1 < height
          else { continue }
          let w = wide[index]
          let u = min(max(w.0 + (p.0 - w.0) * w.2, sheet.left), sheet.right - 0.001)
          let v = min(max(w.1 + (p.1 - w.1) * w.3, 0), height - 0.001)
          seen = load(outgoing, u, v)
          break
        }
        sum += seen
      }
    }
    return sum / Double(n * samplesAcross)
  }

  private func load(_ bitmap: Bitmap, _ u: Double, _ v: Double) -> SIMD4<Double> {
    let pixel = bitmap.buffer.row32(Int(v))[Int(u)]
    return SIMD4(Double(pixel & 255), Double(pixel >> 8 & 255), Double(pixel >> 16 & 255), 0)
  }

  /// The PSNR over every `stride`th pixel, in dB.
  func psnr(_ drawn: Bitmap, _ sheets: [Sheet], stride: Int) -> Double {
    var sum = 0.0
    var count = 0
    for index in Swift.stride(from: stride / 2, to: drawn.width * drawn.height, by: stride) {
      let (x, y) = (index % drawn.width, index / drawn.width)
      let got = drawn.buffer.row32(y)[x]
      let d =
        pixel(x, y, sheets) - SIMD4(Double(got & 255), Double(got >> 8 & 255), Double(got >> 16 & 255), 0)
      sum += (d * d).sum()
      count += 3
    }
    return sum == 0 ? 99 : 10 * log10(255 * 255 / (sum / Double(count)))
  }
}

@Suite struct PageReferenceTests {
  @Test(
    "Shutter and roll have a PSNR of at least 40 dB against the supersampled reference throughout",
    arguments: [PageTransitionSettings.Kind.shutter, .roll])
  func reference(kind: PageTransitionSettings.Kind) {
    let sizes = [(160, 90, 47), (240, 135, 113), (401, 226, 307)]
    for (width, height, stride) in sizes {
      let size = PixelSize(width: width, height: height)
      let configuration = PageFixture.configuration(kind)
      let model = Fixture.model(home: 3, guest: 12)
      let stage = PageFixture.stage(configuration, size, model)
      stage.motion.isShaded = false
      let outgoing = stage.scene.picture(at: 0)
      let incoming = PageFixture.stage(configuration, size, model, page: "match").scene.picture(at: 0)
      var reference = PageReference(
        outgoing: outgoing, incoming: incoming, bands: stage.motion.bands, sides: stage.motion.sides)
      stage.show(page: "match", model) { 0 }
      for step in 1...20 {
        let time = (Double(step) - 0.37) / 20
        let sheets =
          kind == .shutter
          ? reference.shutter(TimingFunction.easeInEaseOut(time)) : reference.roll(time)
        // Within 6° of edge-on only a few columns of a side are visible, so use more samples and pixels
        // there.
        let angle = (time * 6).truncatingRemainder(dividingBy: 1) * 60
        let isEdgeOn = kind == .roll && abs(angle - 30) < 6
        reference.samplesAcross = isEdgeOn ? 64 : PageReference.samples
        let psnr = reference.psnr(
          stage.scene.picture(at: time), sheets, stride: isEdgeOn ? stride / 4 | 1 : stride)
        #expect(psnr >= 40, "\(kind.rawValue) at \(time) of \(size)")
      }
    }
  }
}
