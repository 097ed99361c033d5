// SPDX-License-Identifier: Apache-2.0

/// A terminal emulator with the functions that the encoder uses. It is independent of the encoder and records
/// sequences that it does not know.
struct Emulator {
  struct Cell: Hashable {
    var upper: UInt32?
    var lower: UInt32?
  }

  let columns: Int
  let rows: Int
  private(set) var cells: [Cell]
  private(set) var problems: [String] = []
  private(set) var updates = 0
  private(set) var isAlternate = false
  private(set) var isCursorVisible = true
  private(set) var wraps = true
  private(set) var isSynchronized = false
  private var column = 0
  private var row = 0
  private var foreground: UInt32?
  private var background: UInt32?
  private var pending: [UInt8] = []

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    cells = [Cell](repeating: Cell(), count: columns * rows)
  }

  mutating func feed(_ bytes: [UInt8]) {
    pending += bytes
    // Reads may end anywhere, so an incomplete sequence is kept for the next call.
    while let used = step(pending[...]) { pending.removeFirst(used) }
  }

  /// Carries out the first sequence, and returns its length in bytes, or nil if it is incomplete.
  private mutating func step(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let first = bytes.first else { return nil }
    switch first {
    case 0x18: return 1
    case 0x20:
      put(background, background)
      return 1
    case 0x1b:
      guard bytes.count >= 3 else { return nil }
      guard bytes[1] == UInt8(ascii: "[") else {
        problems.append("escape \(bytes[1])")
        return 2
      }
      guard let end = bytes[2...].firstIndex(where: { (0x40...0x7e).contains($0) }) else { return nil }
      control(String(decoding: bytes[2..<end], as: UTF8.self), bytes[end])
      return end + 1
    case 0xe2:
      guard bytes.count >= 3 else { return nil }
      switch Array(bytes[..<3]) {
      case Array("\u{2580}".utf8): put(foreground, background)
      case Array("\u{2584}".utf8): put(background, foreground)
      case Array("\u{2588}".utf8): put(foreground, foreground)
      default: problems.append("character \(bytes[..<3])")
      }
      return 3
    default:
      problems.append("byte \(first)")
      return 1
    }
  }

  private mutating func put(_ upper: UInt32?, _ lower: UInt32?) {
    guard column < columns, row < rows else {
      problems.append("outside at \(column),\(row)")
      return
    }
    cells[row * columns + column] = Cell(upper: upper, lower: lower)
    column = wraps ? column + 1 : min(column + 1, columns - 1)
  }

  private mutating func control(_ text: String, _ final: UInt8) {
    let numbers = text.split(separator: ";").map { Int($0) ?? -1 }
    switch (text, final) {
    case ("?2026", UInt8(ascii: "h")):
      updates += 1
      isSynchronized = true
    case ("?2026", UInt8(ascii: "l")): isSynchronized = false
    case ("?1049", _): isAlternate = final == UInt8(ascii: "h")
    case ("?25", _): isCursorVisible = final == UInt8(ascii: "h")
    case ("?7", _): wraps = final == UInt8(ascii: "h")
    case ("2", UInt8(ascii: "J")):
      cells = [Cell](repeating: Cell(upper: background, lower: background), count: cells.count)
    case (_, UInt8(ascii: "C")): column += numbers.first ?? 1
    case (_, UInt8(ascii: "H")) where numbers.count == 2: (row, column) = (numbers[0] - 1, numbers[1] - 1)
    case (_, UInt8(ascii: "m")): select(numbers[...])
    default: problems.append("control \(text) \(final)")
    }
  }

  private mutating func select(_ numbers: ArraySlice<Int>) {
    var rest = numbers
    while let first = rest.popFirst() {
      var color: UInt32?
      switch (first, rest.first) {
      case (0, _): (foreground, background) = (nil, nil)
      case (40, _): background = 0
      case (38, 2), (48, 2):
        let parts = rest.dropFirst().prefix(3)
        rest = rest.dropFirst(4)
        color = parts.reduce(0) { $0 << 8 | UInt32($1) }
      case (38, 5), (48, 5):
        color = rest.dropFirst().first.map { UInt32($0) }
        rest = rest.dropFirst(2)
      default: problems.append("SGR \(first)")
      }
      if first == 38 { foreground = color }
      if first == 48 { background = color }
    }
  }
}
