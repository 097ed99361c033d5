// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import Raster

/// A picture of a file, as it is to be shown.
package struct Picture: Hashable, Sendable {
  package var path: String
  /// The space for it, in pixels.
  package var box: PixelSize
  /// Whether it fills the box, and what does not fit is cut off; otherwise it is as large as fits.
  package var fills: Bool

  /// The maximum size of a file.
  package static let byteLimit = 4 << 20
  /// The maximum number of pixels in a row and in a column.
  package static let sideLimit = 4096

  package init(path: String, box: PixelSize, fills: Bool = false) {
    (self.path, self.box, self.fills) = (path, box, fills)
  }

  /// Reads the file and scales the picture. Takes a second for the largest ones on a small machine.
  package func load() throws(PictureError) -> Bitmap {
    let bytes = try Self.bytes(of: path)
    let size = try PNGHeader(bytes).size
    let scaler = PictureScaler(size, part: part(of: size), to: shownSize(of: size))
    try PNG.readRows(bytes, scaler.add)
    return scaler.bitmap
  }

  /// The size at which a picture of this size is shown.
  package func shownSize(of size: PixelSize) -> PixelSize {
    let scale = scale(of: size)
    func length(_ length: Int, _ most: Int) -> Int {
      min(max(Int((Double(length) * scale).rounded()), 1), max(most, 1))
    }
    return PixelSize(width: length(size.width, box.width), height: length(size.height, box.height))
  }

  /// The part of a picture of this size that is shown.
  func part(of size: PixelSize) -> Rect {
    let (scale, shown) = (scale(of: size), shownSize(of: size))
    func span(_ length: Int, _ shown: Int) -> (Double, Double) {
      let length = Double(length)
      let part = fills ? min(Double(shown) / scale, length) : length
      return ((length - part) / 2, part)
    }
    let (x, width) = span(size.width, shown.width)
    let (y, height) = span(size.height, shown.height)
    return Rect(x: x, y: y, width: width, height: height)
  }

  private func scale(of size: PixelSize) -> Double {
    let scales = [Double(box.width) / Double(size.width), Double(box.height) / Double(size.height)]
    return max((fills ? scales.max() : scales.min()) ?? 1, 1e-6)
  }

  private static func bytes(of path: String, first most: Int = .max) throws(PictureError) -> [UInt8] {
    do throws(SystemError) { return try readFile(path, limit: byteLimit, first: most) } catch {
      throw error.errno.rawValue == EFBIG ? .tooManyBytes : .unreadable(error)
    }
  }

  // MARK: Files

  /// What identifies the content of a file: other content has another version.
  package struct Version: Hashable, Sendable {
    private let numbers: [Int]

    /// Nil if there is no such file.
    package init?(of path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      numbers = [
        Int(truncatingIfNeeded: status.st_dev), Int(truncatingIfNeeded: status.st_ino), Int(status.st_size),
        status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
      ]
    }
  }

  /// What is wrong with a file; nil: it can be shown.
  ///
  /// - Parameter isWhole: whether all of it is read, which can take a second; otherwise only its beginning is
  ///   checked.
  package static func problem(with path: String, isWhole: Bool) -> PictureError? {
    do throws(PictureError) {
      if isWhole {
        try PNG.readRows(bytes(of: path)) { _ in }
      } else {
        _ = try PNGHeader(bytes(of: path, first: 1 << 16))
      }
      return nil
    } catch {
      return error
    }
  }

  /// The pictures in a directory, in the order of their names: all files whose names end in `.png`. Nil with
  /// `errno` set if it cannot be read.
  package static func files(in directory: String) -> [String]? {
    fileNames(in: directory)?.filter { !$0.hasPrefix(".") && $0.lowercased().hasSuffix(".png") }
      .map { "\(directory)/\($0)" }
  }
}
