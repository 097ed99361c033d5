// SPDX-License-Identifier: Apache-2.0

import Glibc
import Images
import Raster
import Testing

/// Approved pictures, in files beside the tests.
///
/// A channel may differ by two levels. Another version of FreeType, or another last bit of libm before a dithered
/// rounding, makes a difference of one level, and blending two such pixels doubles it. Anything visibly moved,
/// missing or of another colour differs by far more.
enum Golden {
  static let tolerance = 2
  private static let folder =
    #filePath.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/Goldens/"
  private static var isRecording: Bool { getenv("FLIPCLOCK_RECORD_GOLDENS") != nil }

  /// The largest difference of a channel from the golden. Records the golden if the environment asks for that,
  /// which also fails.
  static func compare(_ picture: Bitmap, crop: PixelRect? = nil, _ name: String) throws -> Int {
    let area = crop ?? picture.buffer.bounds
    let part = Bitmap(width: area.width, height: area.height, format: .xrgb8888)
    part.buffer.copy(picture.buffer, area, to: 0, 0, clip: part.buffer.bounds)
    let path = folder + name + ".png"
    if isRecording {
      try write(PNG.encode(part.buffer), to: path)
      Issue.record("recorded \(path)")
      return 0
    }
    let golden = try PNG.decode(read(path))
    try #require(golden.size == part.size)
    var worst = 0
    for y in 0..<part.height {
      let (a, b) = (part.buffer.row32(y), golden.buffer.row32(y))
      if memcmp(a, b, part.width * 4) == 0 { continue }
      for x in 0..<part.width where a[x] != b[x] {
        for shift in [0, 8, 16] as [UInt32] {
          worst = max(worst, abs(Int(a[x] >> shift & 255) - Int(b[x] >> shift & 255)))
        }
      }
    }
    return worst
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

  private static func write(_ bytes: [UInt8], to path: String) throws {
    let file = try #require(fopen(path, "wb"))
    defer { fclose(file) }
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
  }
}
