// SPDX-License-Identifier: Apache-2.0

import Raster
import TestSupport
import Testing

@testable import Display

struct CellGridTests {
  @Test("The frame is an integer multiple of the samples, and large enough for the widgets")
  func sizes() {
    let cases: [(columns: Int, rows: Int, size: PixelSize)] = [
      (80, 24, PixelSize(width: 640, height: 384)),
      (0, 0, PixelSize(width: 640, height: 384)), (-1, 5, PixelSize(width: 640, height: 384)),
      (120, 40, PixelSize(width: 720, height: 480)), (213, 58, PixelSize(width: 852, height: 464)),
      (80, 5, PixelSize(width: 1920, height: 240)), (1, 1, PixelSize(width: 640, height: 1280)),
      (1000, 500, PixelSize(width: 1000, height: 1000)),
      (1, 500, PixelSize(width: 4, height: 4000)), (65535, 65535, PixelSize(width: 1024, height: 1024)),
    ]
    for (columns, rows, size) in cases {
      #expect(CellGrid(columns: columns, rows: rows).size == size, "\(columns)x\(rows)")
    }
  }

  @Test("The frame is within the limits for every terminal size")
  func limits() {
    var random = SplitMix(seed: 7)
    var worst = 0
    for _ in 0..<10_000 {
      let grid = CellGrid(
        columns: .random(in: 0...65535, using: &random) >> Int.random(in: 0...15, using: &random),
        rows: .random(in: 0...65535, using: &random) >> Int.random(in: 0...15, using: &random))
      worst = max(worst, grid.size.width, grid.size.height)
      if grid.scale < 1 || grid.columns < 1 || grid.rows < 1 { worst = .max }
    }
    #expect(worst <= CellGrid.maximumSide)
  }
}

struct TerminalColorsTests {
  @Test("The nearest of the 256 colours is found")
  func indexed() {
    let cases: [(UInt32, UInt32)] = [
      (0x000000, 16), (0xffffff, 231), (0xff0000, 196), (0x00ff00, 46), (0x0000ff, 21), (0x080808, 232),
      (0xeeeeee, 255), (0x808080, 244), (0x5f87af, 67), (0x121212, 233),
    ]
    for (rgb, expected) in cases {
      let code = TerminalColors.indexed.code(red: rgb >> 16, green: rgb >> 8 & 0xff, blue: rgb & 0xff)
      #expect(code == expected, "\(String(rgb, radix: 16))")
    }
  }

  @Test("None of the other 256 colours is nearer", arguments: [11, 12] as [UInt64])
  func nearest(_ seed: UInt64) {
    var random = SplitMix(seed: seed)
    let levels = [0, 95, 135, 175, 215, 255]
    func components(_ code: Int) -> [Int] {
      if code >= 232 { return [Int](repeating: 8 + 10 * (code - 232), count: 3) }
      return [levels[(code - 16) / 36], levels[(code - 16) / 6 % 6], levels[(code - 16) % 6]]
    }
    func distance(_ a: [Int], _ b: [Int]) -> Int {
      zip(a, b).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    }
    for _ in 0..<300 {
      let rgb = (0..<3).map { _ in Int.random(in: 0...255, using: &random) }
      let code = TerminalColors.indexed.code(red: UInt32(rgb[0]), green: UInt32(rgb[1]), blue: UInt32(rgb[2]))
      let best = (16...255).map { distance(components($0), rgb) }.min() ?? 0
      #expect(distance(components(Int(code)), rgb) == best, "\(rgb)")
    }
  }

  @Test("The terminal's colours are detected from the environment")
  func detected() {
    let cases: [([String: String], TerminalColors)] = [
      (["COLORTERM": "truecolor"], .truecolor), (["COLORTERM": "24bit", "TERM": "xterm"], .truecolor),
      (["TERM": "xterm-256color"], .indexed), (["TERM": "xterm-direct"], .truecolor), ([:], .indexed),
      (["COLORTERM": "yes", "TERM": "linux"], .indexed), (["TERM": "xterm-kitty"], .truecolor),
    ]
    for (environment, expected) in cases {
      #expect(TerminalColors.detected(environment: { environment[$0] }) == expected, "\(environment)")
    }
  }
}

struct FrameTimesTests {
  @Test("Percentiles are nearest-rank percentiles of the last 1,024 frames")
  func percentiles() {
    var times = FrameTimes()
    #expect((times.p50, times.p99, times.count) == (0, 0, 0))
    times.record(nanoseconds: 1_500_999)
    #expect((times.p50, times.p99) == (1500, 1500))
    times = FrameTimes()
    for number in 1...100 { times.record(nanoseconds: Int64(101 - number) * 1000) }
    #expect((times.p50, times.p99, times.count) == (50, 99, 100))
    // The oldest frames are dropped.
    for _ in 0..<1024 { times.record(nanoseconds: 7000) }
    #expect((times.p50, times.p99, times.count) == (7, 7, 1024))
    for _ in 0..<11 { times.record(nanoseconds: .max) }
    #expect((times.p50, times.p99) == (7, Int(Int64.max / 1000)))
    times.record(nanoseconds: .min)
    #expect(times.p50 == 7)
  }
}
