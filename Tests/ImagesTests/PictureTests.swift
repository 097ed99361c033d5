// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import Raster
import TestSupport
import Testing

@testable import Images

@Suite("Scaling a picture") struct PictureTests {
  private func scaled(_ bitmap: Bitmap, to size: PixelSize, part: Rect? = nil) throws -> Bitmap {
    let whole = Rect(x: 0, y: 0, width: Double(bitmap.width), height: Double(bitmap.height))
    let scaler = PictureScaler(bitmap.size, part: part ?? whole, to: size)
    try PNG.readRows(PNG.encode(bitmap.buffer), scaler.add)
    return scaler.bitmap
  }

  private func random(_ width: Int, _ height: Int, seed: UInt64) -> Bitmap {
    var generator = SplitMix(seed: seed)
    return bitmap(width, height, .argb8888) { _, _ in
      func channel() -> UInt8 { UInt8(generator.int(0...255)) }
      return Color(red: channel(), green: channel(), blue: channel(), alpha: channel()).premultiplied
    }
  }

  @Test func theSameSizeIsTheSamePicture() throws {
    let original = bitmap(256, 256, .argb8888) { x, alpha in
      Color(red: UInt8(x), green: UInt8(255 - x), blue: UInt8(x / 2), alpha: UInt8(alpha)).premultiplied
    }
    #expect(try pixels(scaled(original, to: original.size)) == pixels(original))
  }

  @Test(arguments: 0..<20) func aColourStaysAtEverySize(seed: UInt64) throws {
    var generator = SplitMix(seed: seed)
    let pixel = pixels(random(1, 1, seed: seed))[0]
    let original = bitmap(generator.int(1...90), generator.int(1...90), .argb8888) { _, _ in pixel }
    let size = PixelSize(width: generator.int(1...90), height: generator.int(1...90))
    let result = try scaled(original, to: size)
    #expect(result.size == size)
    // The colour of a pixel with little alpha is inexact.
    for shown in pixels(result) {
      for shift in [0, 8, 16, 24] {
        #expect(abs(Int(shown >> shift & 255) - Int(pixel >> shift & 255)) <= (shift == 24 ? 0 : 1))
      }
    }
  }

  /// Compares with the sum over all pixels, in double precision, in two dimensions at once.
  @Test(arguments: [(40, 30, 7, 5), (9, 7, 27, 21), (16, 16, 1, 1), (5, 9, 9, 5), (33, 8, 32, 9)])
  func thePictureIsTheSumOfItsPixels(_ width: Int, _ height: Int, _ toWidth: Int, _ toHeight: Int) throws {
    let original = random(width, height, seed: UInt64(width))
    let part = Rect(x: 0.5, y: 1, width: Double(width) - 1.25, height: Double(height) - 2)
    let (colors, shown) = try (
      pixels(original), pixels(scaled(original, to: PixelSize(width: toWidth, height: toHeight), part: part))
    )
    func weights(_ count: Int, _ start: Double, _ length: Double, _ index: Int, _ target: Int) -> [Double] {
      let step = length / Double(target)
      let all = (0..<count).map { at -> Double in
        let x = abs((Double(at) + 0.5 - start) - (Double(index) + 0.5) * step) / max(step, 1)
        if x < 1 { return 1.5 * x * x * x - 2.5 * x * x + 1 }
        return x < 2 ? -0.5 * x * x * x + 2.5 * x * x - 4 * x + 2 : 0
      }
      return all.map { $0 / all.reduce(0, +) }
    }
    func light(_ value: Double) -> Double {
      value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    func encoded(_ light: Double) -> Double {
      let light = min(max(light, 0), 1)
      return light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
    for y in 0..<toHeight {
      for x in 0..<toWidth {
        let across = weights(width, part.x, part.width, x, toWidth)
        let down = weights(height, part.y, part.height, y, toHeight)
        var sum = [0.0, 0, 0, 0]
        for sourceY in 0..<height {
          for sourceX in 0..<width {
            let pixel = colors[sourceY * width + sourceX]
            let (alpha, weight) = (Double(pixel >> 24) / 255, across[sourceX] * down[sourceY])
            sum[3] += weight * alpha
            for channel in 0..<3 where alpha > 0 {
              let straight = (Double(pixel >> UInt32(8 * channel) & 255) / alpha).rounded()
              sum[channel] += weight * alpha * light(straight / 255)
            }
          }
        }
        let alpha = min(max(sum[3], 0), 1)
        let pixel = shown[y * toWidth + x]
        #expect(abs(Double(pixel >> 24) - alpha * 255) < 0.51)
        for channel in 0..<3 where alpha > 0.01 {
          let expected = encoded(sum[channel] / sum[3]) * alpha * 255
          #expect(abs(Double(pixel >> UInt32(8 * channel) & 255) - expected) < 1.6, "\(x), \(y)")
        }
      }
    }
  }

  /// With colours that are not weighted by alpha, the invisible black would darken the edge.
  @Test(arguments: [(64, 4), (7, 21)]) func anEdgeToNothingHasNoFringe(_ side: Int, _ target: Int) throws {
    let disc = bitmap(side, side, .argb8888) { x, y in
      let (dx, dy) = (Double(x) + 0.5 - Double(side) / 2, Double(y) + 0.5 - Double(side) / 2)
      return dx * dx + dy * dy < Double(side * side) / 5 ? 0xffff_ffff : 0
    }
    let result = try scaled(disc, to: PixelSize(width: target, height: target))
    #expect(Set(pixels(result).map { $0 >> 24 }).count > 2)
    for pixel in pixels(result) { #expect(pixel & 0xff_ffff == (pixel >> 24) * 0x1_0101) }
  }

  @Test func halfOfTheLightIsHalfOfThePixels() throws {
    let checks = bitmap(64, 64, .xrgb8888) { x, y in (x + y) % 2 == 0 ? 0xffff_ffff : 0xff00_0000 }
    let result = try scaled(checks, to: PixelSize(width: 4, height: 4))
    for pixel in pixels(result) { #expect(abs(Int(pixel & 255) - 188) <= 1) }
  }

  // MARK: Sizes

  @Test func aPictureFitsItsBoxOrFillsIt() {
    let size = PixelSize(width: 400, height: 100)
    func shown(_ width: Int, _ height: Int, fills: Bool) -> (PixelSize, Rect) {
      let picture = Picture(path: "", box: PixelSize(width: width, height: height), fills: fills)
      return (picture.shownSize(of: size), picture.part(of: size))
    }
    let whole = Rect(x: 0, y: 0, width: 400, height: 100)
    #expect(shown(200, 200, fills: false) == (PixelSize(width: 200, height: 50), whole))
    #expect(shown(4000, 200, fills: false) == (PixelSize(width: 800, height: 200), whole))
    #expect(
      shown(200, 200, fills: true)
        == (PixelSize(width: 200, height: 200), Rect(x: 150, y: 0, width: 100, height: 100)))
    #expect(
      shown(800, 100, fills: true)
        == (PixelSize(width: 800, height: 100), Rect(x: 0, y: 25, width: 400, height: 50)))
    #expect(shown(1, 0, fills: false).0 == PixelSize(width: 1, height: 1))
  }

  @Test func filesAreReadFromTheDisk() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path
    let good = PNGFile(8, 4, .rgb) { x, y in [x, y, 9] }.bytes
    directory.put("b.PNG", good)
    directory.put("a.png", Array(good.dropLast(20)))
    directory.put(".c.png", good)
    directory.put("large", [UInt8](repeating: 0, count: Picture.byteLimit + 1))
    #expect(Picture.files(in: path) == ["\(path)/a.png", "\(path)/b.PNG"])
    #expect(Picture.files(in: "\(path)/none") == nil)
    let box = PixelSize(width: 4, height: 4)
    #expect(try Picture(path: "\(path)/b.PNG", box: box).load().size == PixelSize(width: 4, height: 2))
    #expect(Picture.problem(with: "\(path)/b.PNG", isWhole: true) == nil)
    #expect(Picture.problem(with: "\(path)/a.png", isWhole: false) == nil)
    #expect(
      Picture.problem(with: "\(path)/a.png", isWhole: true)?.message == "is damaged: the file ends too early")
    #expect(Picture.problem(with: "\(path)/large", isWhole: false)?.message == "has more than 4 MiB")
    #expect(
      Picture.problem(with: "\(path)/none.png", isWhole: false)?.message
        == "cannot be read: No such file or directory")
    #expect(Picture.problem(with: path, isWhole: false)?.message == "cannot be read: Is a directory")
  }

  @Test("The remedy for a file that cannot be read fits the error")
  func remedies() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path
    try #require(symlink("loop", "\(path)/loop") == 0)
    try #require(close(creat("\(path)/file", 0o600)) == 0)
    let long = String(repeating: "x", count: 300)
    let remedies: [(name: String, remedy: String)] = [
      ("none.png", "a relative path begins at"), ("file/a.png", "only directories may precede"),
      ("loop", "a symbolic link"), (long, "a shorter path"), (".", "a regular file is needed"),
    ]
    for (name, remedy) in remedies {
      let error = try #require(Picture.problem(with: "\(path)/\(name)", isWhole: false))
      #expect(error.hint.contains(remedy), "\(error.description(of: name))")
    }
    for errno in [EACCES, EPERM, ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG, EIO, ESTALE] {
      let error = PictureError.unreadable(SystemError("read", "a", errno: Errno(rawValue: errno)))
      #expect(
        error.hint.contains("must be able to read") == [EACCES, EPERM].contains(errno), "\(error.hint)")
    }
  }
}
