// SPDX-License-Identifier: Apache-2.0

import Raster
import TestSupport
import Testing

@testable import Display

struct CellEncoderTests {
  static let e = "\u{1b}["

  /// A test case: frames of 4 × 2 samples, and the bytes that are sent for each frame. A letter is a sample;
  /// the upper and the lower samples form the only row of character cells.
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var frames: [String]
    var sent: [String]
  }

  static let rows = [
    Row(
      testDescription: "a first frame is drawn completely, black as spaces",
      frames: ["....|...."], sent: ["\(e)1;1H\(e)48;2;0;0;0m    "]),
    Row(
      testDescription: "an unchanged frame sends nothing", frames: ["....|....", "....|...."],
      sent: ["\(e)1;1H\(e)48;2;0;0;0m    ", ""]),
    Row(
      testDescription: "a half cell is an upper half block",
      frames: ["....|....", ".R..|...."],
      sent: ["\(e)1;1H\(e)48;2;0;0;0m    ", "\(e)1;2H\(e)38;2;255;0;0;48;2;0;0;0m\u{2580}"]),
    Row(
      testDescription: "swapped halves keep the colours",
      frames: ["....|....", "RG..|GR.."],
      sent: ["\(e)1;1H\(e)48;2;0;0;0m    ", "\(e)1;1H\(e)38;2;255;0;0;48;2;0;255;0m\u{2580}\u{2584}"]),
    Row(
      testDescription: "a uniform cell in the foreground's colour is a full block",
      frames: ["....|....", "RR..|.R.."],
      sent: ["\(e)1;1H\(e)48;2;0;0;0m    ", "\(e)1;1H\(e)38;2;255;0;0;48;2;0;0;0m\u{2580}\u{2588}"]),
    Row(
      testDescription: "unchanged cells are skipped with cursor forward",
      frames: ["....|....", "R..R|R..R"],
      sent: ["\(e)1;1H\(e)48;2;0;0;0m    ", "\(e)1;1H\(e)48;2;255;0;0m \(e)2C "]),
    Row(
      testDescription: "one unchanged cell is skipped with the short form",
      frames: ["....|....", "R.R.|R.R."],
      sent: ["\(e)1;1H\(e)48;2;0;0;0m    ", "\(e)1;1H\(e)48;2;255;0;0m \(e)C "]),
  ]

  @Test("The difference is sent in its shortest form", arguments: rows)
  func encodes(_ row: Row) {
    let grid = CellGrid(columns: 4, rows: 1)
    var encoder = CellEncoder(grid: grid, colors: .truecolor)
    for (frame, expected) in zip(row.frames, row.sent) {
      let bitmap = Bitmap(width: grid.size.width, height: grid.size.height, format: .xrgb8888)
      for (y, line) in frame.split(separator: "|").enumerated() {
        for (x, letter) in line.enumerated() {
          let rgb: UInt32 = letter == "R" ? 0xff0000 : letter == "G" ? 0x00ff00 : 0
          bitmap.fill(
            PixelRect(x: x * grid.scale, y: y * grid.scale, width: grid.scale, height: grid.scale), rgb)
        }
      }
      encoder.take(bitmap.buffer, damage: [bitmap.buffer.bounds])
      var bytes: [UInt8] = []
      encoder.encode(into: &bytes)
      let whole = expected.isEmpty ? "" : "\(Self.e)?2026h\(expected)\(Self.e)?2026l"
      #expect(String(decoding: bytes, as: UTF8.self) == whole)
    }
  }

  @Test("Nothing is sampled outside the damage; invalidation draws everything")
  func damage() {
    let grid = CellGrid(columns: 4, rows: 2)
    var encoder = CellEncoder(grid: grid, colors: .truecolor)
    var emulator = Emulator(columns: 4, rows: 2)
    let bitmap = Bitmap(width: grid.size.width, height: grid.size.height, format: .xrgb8888)
    encoder.take(bitmap.buffer, damage: [bitmap.buffer.bounds])
    var bytes: [UInt8] = []
    encoder.encode(into: &bytes)
    bitmap.fill(bitmap.buffer.bounds, 0x0000ff)
    // One pixel in the cell at 1,1.
    encoder.take(bitmap.buffer, damage: [PixelRect(x: grid.scale, y: 2 * grid.scale, width: 1, height: 1)])
    encoder.encode(into: &bytes)
    emulator.feed(bytes)
    let blue = Emulator.Cell(upper: 0xff, lower: 0xff)
    #expect(emulator.cells.filter { $0 == blue }.count == 1)
    #expect(emulator.cells[5] == blue)
  }

  @Test("A sample is the mean of its pixels, rounded to nearest")
  func means() {
    let grid = CellGrid(columns: 320, rows: 60)
    #expect(grid.scale == 2)
    // The pixels of one sample, and the expected colour.
    let cases: [([UInt32], UInt32)] = [
      ([0xffffff, 0xffffff, 0xffffff, 0xffffff], 0xffffff), ([0, 0, 0, 0x030201], 0x010100 | 0),
      ([0, 0, 0xffffff, 0xffffff], 0x808080), ([0x010000, 0x010000, 0, 0], 0x010000),
      ([0xff0000, 0x00ff00, 0x0000ff, 0], 0x404040),
    ]
    for (pixels, expected) in cases {
      let bitmap = Bitmap(width: grid.size.width, height: grid.size.height, format: .xrgb8888)
      for (index, pixel) in pixels.enumerated() { bitmap.buffer.row32(index / 2)[index % 2] = pixel }
      var encoder = CellEncoder(grid: grid, colors: .truecolor)
      encoder.take(bitmap.buffer, damage: [bitmap.buffer.bounds])
      var bytes: [UInt8] = []
      encoder.encode(into: &bytes)
      var emulator = Emulator(columns: 320, rows: 60)
      emulator.feed(bytes)
      #expect(emulator.cells[0].upper == expected)
      #expect(emulator.cells[0].lower == 0)
    }
  }

  @Test(
    "After any sequence of encoded and dropped frames the terminal shows the last one",
    arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func property(_ seed: UInt64) {
    var random = SplitMix(seed: seed)
    let sizes = [(1, 1), (3, 2), (17, 5), (80, 24), (2, 40), (700, 3)]
    let (columns, rows) = sizes[Int(seed - 1)]
    let grid = CellGrid(columns: columns, rows: rows)
    let colors: TerminalColors = seed % 2 == 0 ? .truecolor : .indexed
    var encoder = CellEncoder(grid: grid, colors: colors)
    var emulator = Emulator(columns: columns, rows: rows)
    let bitmap = Bitmap(width: grid.size.width, height: grid.size.height, format: .xrgb8888)
    let palette: [UInt32] = [0, 0xffffff, 0xff0000, 0x808080, 0x123456]
    var damage = [bitmap.buffer.bounds]
    for _ in 0..<12 {
      for _ in 0..<3 {
        let rect = random.rect(around: grid.size)
        bitmap.fill(rect, palette.randomElement(using: &random) ?? 0)
        damage.append(rect)
      }
      encoder.take(bitmap.buffer, damage: damage)
      damage = []
      if Bool.random(using: &random) { continue }
      var bytes: [UInt8] = []
      encoder.encode(into: &bytes)
      emulator.feed(bytes)
    }
    var bytes: [UInt8] = []
    encoder.encode(into: &bytes)
    emulator.feed(bytes)
    // A second encoder draws the last frame from an unknown state.
    var reference = CellEncoder(grid: grid, colors: colors)
    reference.take(bitmap.buffer, damage: [bitmap.buffer.bounds])
    bytes = []
    reference.encode(into: &bytes)
    var fresh = Emulator(columns: columns, rows: rows)
    fresh.feed(bytes)
    #expect(emulator.cells == fresh.cells)
    #expect(emulator.problems == [])
    #expect(fresh.problems == [])
    #expect(!emulator.isSynchronized)
  }

  @Test("A frame of another size, or damage far out of bounds, is clipped")
  func absurd() {
    let grid = CellGrid(columns: 10, rows: 4)
    var encoder = CellEncoder(grid: grid, colors: .truecolor)
    for (width, height) in [(0, 0), (1, 1), (63, 2000), (5000, 1)] {
      let bitmap = Bitmap(width: width, height: height, format: .xrgb8888)
      bitmap.fill(bitmap.buffer.bounds, 0xffffff)
      encoder.take(
        bitmap.buffer,
        damage: [
          PixelRect(x: .min, y: .min, width: .max, height: .max),
          PixelRect(x: 5, y: -5, width: .max, height: .max), PixelRect(x: .max, y: .max, width: 1, height: 1),
          PixelRect(x: 0, y: 0, width: -1, height: .min),
        ])
    }
    let grey = Bitmap(width: 640, height: 512, format: .a8)
    encoder.take(grey.buffer, damage: [grey.buffer.bounds])
    var bytes: [UInt8] = []
    encoder.encode(into: &bytes)
    var emulator = Emulator(columns: 10, rows: 4)
    emulator.feed(bytes)
    #expect(emulator.problems == [])
    #expect(emulator.cells.allSatisfy { $0.upper != nil && $0.lower != nil })
  }
}
