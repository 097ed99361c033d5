// SPDX-License-Identifier: Apache-2.0

import Raster

/// Encodes frames as the bytes that make a terminal show them (ECMA-48 and xterm control sequences).
///
/// It keeps two grids: the cells of the last frame, and the cells that the terminal shows. `take` samples a
/// frame into the first grid; `encode` writes the difference and makes the second grid equal to the first.
/// Skipped frames cost no bytes, because the difference is always to the newest frame.
struct CellEncoder {
  let grid: CellGrid
  let colors: TerminalColors

  /// The colour codes of a cell's upper sample (the high 32 bits) and of its lower sample.
  private typealias Cell = UInt64
  /// Marks a cell whose content on the terminal is unknown. No pair of colour codes has this value.
  private static let unknown = Cell.max

  private var wanted: [Cell]
  private var shown: [Cell]
  /// The rows in which the two grids may differ.
  private var dirty: Range<Int>

  init(grid: CellGrid, colors: TerminalColors) {
    self.grid = grid
    self.colors = colors
    let count = grid.columns * grid.rows
    let black = colors.code(red: 0, green: 0, blue: 0)
    wanted = [Cell](repeating: Cell(black) << 32 | Cell(black), count: count)
    shown = [Cell](repeating: Self.unknown, count: count)
    dirty = 0..<grid.rows
  }

  /// Samples the cells that `damage` touches. Of a frame with a different size, only the common part is used.
  mutating func take(_ frame: PixelBuffer, damage: [PixelRect]) {
    guard frame.format.bytesPerPixel == 4 else { return }
    let whole = PixelRect(grid.size).intersection(frame.bounds)
    for rect in damage {
      let rect = rect.saturated.intersection(whole)
      if rect.isEmpty { continue }
      let columns = rect.x / grid.scale..<(rect.maxX + grid.scale - 1) / grid.scale
      let rows = rect.y / (2 * grid.scale)..<(rect.maxY + 2 * grid.scale - 1) / (2 * grid.scale)
      for row in rows {
        for column in columns {
          let upper = sample(frame, column: column, line: 2 * row)
          let lower = sample(frame, column: column, line: 2 * row + 1)
          wanted[row * grid.columns + column] = Cell(upper) << 32 | Cell(lower)
        }
      }
      dirty =
        dirty.isEmpty ? rows : min(dirty.lowerBound, rows.lowerBound)..<max(dirty.upperBound, rows.upperBound)
    }
  }

  /// Returns the mean of a square of the frame, rounded to nearest, as a colour code.
  private func sample(_ frame: PixelBuffer, column: Int, line: Int) -> UInt32 {
    let left = column * grid.scale
    let right = min(left + grid.scale, frame.width)
    let top = line * grid.scale
    let bottom = min(top + grid.scale, frame.height)
    guard left < right, top < bottom else { return colors.code(red: 0, green: 0, blue: 0) }
    // Sides are at most 4,096 pixels, so the sums of up to 2²⁴ values of 255 fit in 32 bits.
    var (red, green, blue) = (UInt32(0), UInt32(0), UInt32(0))
    for y in top..<bottom {
      let row = frame.row32(y)
      for x in left..<right {
        let pixel = row[x]
        red &+= pixel >> 16 & 0xff
        green &+= pixel >> 8 & 0xff
        blue &+= pixel & 0xff
      }
    }
    let area = UInt32((right - left) * (bottom - top))
    return colors.code(
      red: (red &+ area / 2) / area, green: (green &+ area / 2) / area, blue: (blue &+ area / 2) / area)
  }

  /// Appends the bytes that bring the terminal to the last frame, as one synchronized update. Appends nothing
  /// if it is up to date.
  mutating func encode(into bytes: inout [UInt8]) {
    var pen = Pen(colors: colors)
    for row in dirty {
      for column in 0..<grid.columns {
        let index = row * grid.columns + column
        let cell = wanted[index]
        guard cell != shown[index] else { continue }
        if pen.isNew { bytes += "\u{1b}[?2026h".utf8 }
        shown[index] = cell
        pen.move(column: column, row: row, to: &bytes)
        pen.draw(upper: UInt32(cell >> 32), lower: UInt32(truncatingIfNeeded: cell), to: &bytes)
      }
    }
    dirty = 0..<0
    if !pen.isNew { bytes += "\u{1b}[?2026l".utf8 }
  }
}

/// The terminal's cursor position and current colours. They are unknown at the start of each frame, because
/// other programs may have written to the terminal since the last one.
private struct Pen {
  let colors: TerminalColors
  private(set) var isNew = true
  private var position: (column: Int, row: Int)?
  private var foreground: UInt32?
  private var background: UInt32?

  init(colors: TerminalColors) { self.colors = colors }

  mutating func move(column: Int, row: Int, to bytes: inout [UInt8]) {
    defer { position = (column + 1, row) }
    isNew = false
    if let position, position.row == row, position.column <= column {
      let gap = column - position.column
      guard gap > 0 else { return }
      bytes += "\u{1b}[".utf8
      if gap > 1 { bytes.append(decimal: gap) }
      bytes.append(UInt8(ascii: "C"))
      return
    }
    bytes += "\u{1b}[".utf8
    bytes.append(decimal: row + 1)
    bytes.append(UInt8(ascii: ";"))
    bytes.append(decimal: column + 1)
    bytes.append(UInt8(ascii: "H"))
  }

  /// Draws the cell with the character that needs the fewest colour changes.
  mutating func draw(upper: UInt32, lower: UInt32, to bytes: inout [UInt8]) {
    if upper == lower {
      if foreground == upper, background != upper {
        bytes += "\u{2588}".utf8
      } else {
        select(foreground: nil, background: upper, to: &bytes)
        bytes.append(UInt8(ascii: " "))
      }
      return
    }
    let upperHalf = (foreground == upper ? 0 : 1) + (background == lower ? 0 : 1)
    let lowerHalf = (foreground == lower ? 0 : 1) + (background == upper ? 0 : 1)
    if upperHalf <= lowerHalf {
      select(foreground: upper, background: lower, to: &bytes)
      bytes += "\u{2580}".utf8
    } else {
      select(foreground: lower, background: upper, to: &bytes)
      bytes += "\u{2584}".utf8
    }
  }

  private mutating func select(foreground new: UInt32?, background: UInt32, to bytes: inout [UInt8]) {
    let changesForeground = new != nil && new != foreground
    let changesBackground = background != self.background
    guard changesForeground || changesBackground else { return }
    bytes += "\u{1b}[".utf8
    if changesForeground, let new {
      colors.append(new, base: 38, to: &bytes)
      foreground = new
      if changesBackground { bytes.append(UInt8(ascii: ";")) }
    }
    if changesBackground {
      colors.append(background, base: 48, to: &bytes)
      self.background = background
    }
    bytes.append(UInt8(ascii: "m"))
  }
}

/// Maps a picture to the character cells of a terminal. Each cell shows two square samples, one above the
/// other; each sample is the mean of `scale` × `scale` pixels of the frame.
///
/// The widgets need more pixels than a usual terminal has half cells. The frame is therefore larger than the
/// grid of samples: `scale` is the smallest whole factor that makes it at least 640×240, within
/// `maximumSide`.
struct CellGrid: Hashable, Sendable {
  let columns: Int
  let rows: Int
  let scale: Int

  /// The size of the largest grid that is drawn; the rest of a larger terminal stays empty.
  static let maximumColumns = 1024
  static let maximumRows = 512
  /// The maximum length of the frame's sides in pixels. It limits `scale` on terminals with very few rows or
  /// columns.
  static let maximumSide = 4096

  /// A terminal that does not report its size (0×0, as on a serial line) is treated as 80×24.
  init(columns: Int, rows: Int) {
    let isKnown = columns > 0 && rows > 0
    self.columns = isKnown ? min(columns, Self.maximumColumns) : 80
    self.rows = isKnown ? min(rows, Self.maximumRows) : 24
    let samples = self.rows * 2
    let wanted = max((639 + self.columns) / self.columns, (239 + samples) / samples)
    scale = max(1, min(wanted, Self.maximumSide / max(self.columns, samples)))
  }

  /// The size of the frame.
  var size: PixelSize { PixelSize(width: columns * scale, height: rows * 2 * scale) }
}
