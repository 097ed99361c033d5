// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import LinuxSystem
import Raster
import TestSupport
import Testing

@testable import Display

extension SplitMix {
  /// A random rectangle that may be partly or completely outside `size`, or empty.
  mutating func rect(around size: PixelSize) -> PixelRect {
    PixelRect(
      x: .random(in: -20...size.width, using: &self), y: .random(in: -20...size.height, using: &self),
      width: .random(in: -3...size.width / 2, using: &self),
      height: .random(in: -3...size.height / 2, using: &self))
  }

}

extension Bitmap {
  /// Fills the part of `rect` that is inside the bitmap.
  func fill(_ rect: PixelRect, _ rgb: UInt32) {
    let rect = rect.saturated.intersection(buffer.bounds)
    guard !rect.isEmpty else { return }
    for y in rect.y..<rect.maxY { for x in rect.x..<rect.maxX { buffer.row32(y)[x] = 0xff00_0000 | rgb } }
  }
}

extension PixelBuffer {
  /// The colours without the unused byte.
  var colors: [UInt32] {
    (0..<height).flatMap { y in (0..<width).map { row32(y)[$0] & 0xffffff } }
  }
}

extension EventLoop {
  /// Runs the loop until `condition` is true; returns false after some seconds, so that a hung test ends.
  func turn(until condition: () -> Bool) throws -> Bool {
    let end = SystemClock.monotonic.now.seconds + 20
    while !condition() {
      guard SystemClock.monotonic.now.seconds < end else { return false }
      try turn(timeoutMilliseconds: 100)
    }
    return true
  }
}

/// A pseudo terminal (pty(7)); the test takes the part of the terminal emulator.
final class PseudoTerminal {
  private(set) var main: Int32
  let path: String

  init(columns: Int, rows: Int) throws {
    main = clinux_open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK, 0)
    try #require(main >= 0)
    // Swift does not import the macros TIOCSPTLCK and TIOCGPTN, and its Glibc module has no grantpt.
    var unlocked: Int32 = 0
    var number: Int32 = 0
    try #require(clinux_ioctl(main, 0x4004_5431, &unlocked) == 0)
    try #require(clinux_ioctl(main, 0x8004_5430, &number) == 0)
    path = "/dev/pts/\(number)"
    resize(columns: columns, rows: rows)
  }

  deinit { hangUp() }

  func resize(columns: Int, rows: Int) {
    var size = winsize()
    size.ws_col = UInt16(columns)
    size.ws_row = UInt16(rows)
    _ = clinux_ioctl(main, UInt(TIOCSWINSZ), &size)
  }

  func hangUp() {
    if main >= 0 { close(main) }
    main = -1
  }

  func open() throws -> FileDescriptor { try FileDescriptor(opening: path, O_RDWR | O_NOCTTY) }

  /// The bytes that have arrived since the last call.
  func read() -> [UInt8] {
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = Glibc.read(main, &buffer, buffer.count)
      if count <= 0 { return result }
      result += buffer[..<count]
    }
  }
}
