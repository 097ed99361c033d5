// SPDX-License-Identifier: Apache-2.0

import Control
import Images
import LinuxSystem
import Raster

/// Makes a PNG of a picture a few rows at a time, so that no flip is late for it.
enum ScreenshotJob {
  /// How long one slice may hold the loop, nanoseconds.
  private static let slice: Int64 = 2_000_000

  /// Copies `picture` now and encodes the copy when the loop has nothing else to do.
  static func run(
    _ picture: PixelBuffer, on loop: EventLoop,
    completion: @escaping (Result<ScreenshotImage, ControlError>) -> Void
  ) {
    let copy = Bitmap(width: picture.width, height: picture.height, format: .xrgb8888)
    copy.buffer.copy(picture, picture.bounds, to: 0, 0, clip: picture.bounds)
    let encoder = PNGEncoder(size: copy.size)
    var row = 0
    loop.whenIdle {
      do {
        let start = SystemClock.monotonic.now.totalNanoseconds
        while row < copy.height, SystemClock.monotonic.now.totalNanoseconds - start < slice {
          let count = min(4, copy.height - row)
          try encoder.encodeRows(of: copy.buffer, from: row, count: count)
          row += count
        }
        if row < copy.height { return true }
        let png = try encoder.finish()
        completion(.success(ScreenshotImage(png: png, width: copy.width, height: copy.height)))
      } catch {
        completion(.failure(.failed("the picture could not be encoded: \(error)")))
      }
      return false
    }
  }
}
