// SPDX-License-Identifier: Apache-2.0

import Glibc
import Images
import Raster
import TestSupport
import Testing

/// Approved pictures, in the directory `Goldens` beside the tests.
///
/// A channel may differ by two levels. Another version of FreeType, or a libm whose results differ in the
/// last bit, can change a channel by one level, and blending two such pixels doubles the difference. Anything
/// that is visibly moved, missing or of another colour differs by far more.
enum Golden {
  static let tolerance = 2
  private static let folder = directory(above: 1) + "/Goldens/"
  private static let build = directory(above: 3) + "/.build"
  /// The directory to which a picture that differs is written.
  private static let artifacts = build + "/goldens/"
  private static var isRecording: Bool { getenv("FLIPCLOCK_RECORD_GOLDENS") != nil }

  /// Compares a picture, or a part of it, with the golden of this name.
  ///
  /// If they differ, it records an issue with the paths and figures, and writes what was drawn and the
  /// difference to `.build/goldens/`. With `FLIPCLOCK_RECORD_GOLDENS` in the environment the picture becomes
  /// the golden, and the test fails nevertheless.
  static func expect(
    _ picture: Bitmap, crop: PixelRect? = nil, is name: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let area = crop ?? picture.buffer.bounds
    let drawn = Bitmap(width: area.width, height: area.height, format: .xrgb8888)
    drawn.buffer.copy(picture.buffer, area, to: 0, 0, clip: drawn.buffer.bounds)
    let path = folder + name + ".png"
    if isRecording {
      try write(drawn, to: path)
      Issue.record("recorded \(path)", sourceLocation: sourceLocation)
      return
    }
    let golden = try PNG.decode(read(path))
    let difference = golden.size == drawn.size ? Difference(drawn, golden) : nil
    let (drawnPath, differencePath) = (artifacts + name + ".png", artifacts + name + "-difference.png")
    guard difference.map({ $0.worst > tolerance }) ?? true else {
      unlink(drawnPath)
      unlink(differencePath)
      return
    }
    mkdir(build, 0o755)
    mkdir(artifacts, 0o755)
    try write(drawn, to: drawnPath)
    var report = "golden \(name): "
    if let difference {
      try write(difference.picture, to: differencePath)
      report += """
        \(difference.count) of \(drawn.width * drawn.height) pixels differ by more than \(tolerance), by up to \
        \(difference.worst) of 255, within \(difference.bounds)
        """
    } else {
      report += "the golden is \(golden.size), the picture \(drawn.size)"
    }
    report += """

        golden      \(path)
        drawn       \(drawnPath)
      """
    if difference != nil { report += "\n  difference  \(differencePath) (white where they differ)" }
    report += "\n  FLIPCLOCK_RECORD_GOLDENS=1 records the picture as the new golden; look at it first"
    Issue.record(Comment(rawValue: report), sourceLocation: sourceLocation)
  }

  /// The directory `levels` levels above this file.
  private static func directory(above levels: Int) -> String {
    #filePath.split(separator: "/").dropLast(levels).map { "/\($0)" }.joined()
  }

  /// The difference between two pictures of the same size.
  private struct Difference {
    /// The largest difference of a channel, 0 to 255.
    var worst = 0
    /// The number of pixels in which a channel differs by more than the tolerance, and the smallest rectangle
    /// with all of them.
    var count = 0
    var bounds = PixelRect(x: 0, y: 0, width: 0, height: 0)
    /// The golden, darkened, with these pixels in white.
    let picture: Bitmap

    init(_ drawn: Bitmap, _ golden: Bitmap) {
      picture = Bitmap(width: drawn.width, height: drawn.height, format: .xrgb8888)
      var (left, right, top, bottom) = (Int.max, -1, Int.max, -1)
      for y in 0..<drawn.height {
        let (a, b, marked) = (drawn.buffer.row32(y), golden.buffer.row32(y), picture.buffer.row32(y))
        for x in 0..<drawn.width {
          var most = 0
          for shift in [0, 8, 16] as [UInt32] {
            most = max(most, abs(Int(a[x] >> shift & 255) - Int(b[x] >> shift & 255)))
          }
          worst = max(worst, most)
          marked[x] = most > Golden.tolerance ? 0xff_ffff : b[x] >> 2 & 0x3f_3f3f
          guard most > Golden.tolerance else { continue }
          count += 1
          (left, right, top, bottom) = (min(left, x), max(right, x), min(top, y), max(bottom, y))
        }
      }
      guard count > 0 else { return }
      bounds = PixelRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
    }
  }

  private static func read(_ path: String) throws -> [UInt8] {
    let file = try #require(fopen(path, "rb"), "no golden \(path); FLIPCLOCK_RECORD_GOLDENS=1 records it")
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
  }

  private static func write(_ picture: Bitmap, to path: String) throws {
    let file = try #require(fopen(path, "wb"), "\(path) cannot be written")
    defer { fclose(file) }
    let bytes = try PNG.encode(picture.buffer)
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
  }
}
