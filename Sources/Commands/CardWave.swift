// SPDX-License-Identifier: Apache-2.0

/// In which order the cards of a board start to change to a text.
package struct CardWave: Codable, Hashable, Sendable {
  package enum Order: String, CaseIterable, Codable, Hashable, Sendable {
    /// From left to right.
    case columns
    /// From right to left.
    case columnsReversed = "columns_reversed"
    case edgesToCenter = "edges_to_center"
    /// From top to bottom.
    case rows
    /// From the upper left corner.
    case diagonal
    /// Card by card.
    case random
  }

  package static let sizes = 1...64
  package static let stepTimes = 0...10_000
  /// When the last card starts at the latest, in seconds.
  private static let longest = 60.0

  package private(set) var order: Order
  /// How many columns, rows or cards start at the same time.
  package private(set) var size: Int
  /// The time from one start to the next, in milliseconds; nil: that of the config.
  package private(set) var milliseconds: Int?

  /// Nil: `size` or `milliseconds` is out of range.
  package init?(_ order: Order, size: Int = 1, milliseconds: Int? = nil) {
    guard Self.sizes.contains(size), Self.stepTimes.contains(milliseconds ?? 0) else { return nil }
    self.order = order
    self.size = size
    self.milliseconds = milliseconds
  }

  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    let wave = CardWave(
      try members.decode(Order.self, forKey: .order),
      size: try members.decodeIfPresent(Int.self, forKey: .size) ?? 1,
      milliseconds: try members.decodeIfPresent(Int.self, forKey: .milliseconds))
    guard let wave else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "a wave is out of range"))
    }
    self = wave
  }

  /// When each card of a board starts, in seconds; row by row.
  ///
  /// - Parameters:
  ///   - step: the time from one start to the next, in seconds, if the wave has none.
  ///   - seed: the order is the same for the same number if it is random.
  package func starts(columns: Int, rows: Int, step: Double, seed: UInt64) -> [Double] {
    let step = milliseconds.map { Double($0) / 1_000 } ?? step
    let count = columns * rows
    let shuffled = order == .random ? Self.shuffled(count, seed: seed) : []
    return (0..<count).map { index in
      let (row, column) = index.quotientAndRemainder(dividingBy: columns)
      let rank =
        switch order {
        case .columns: column
        case .columnsReversed: columns - 1 - column
        case .edgesToCenter: min(column, columns - 1 - column)
        case .rows: row
        case .diagonal: row + column
        case .random: shuffled[index]
        }
      return min(Double(rank / size) * step, Self.longest)
    }
  }

  /// The numbers below `count` in an order that depends on `seed`.
  private static func shuffled(_ count: Int, seed: UInt64) -> [Int] {
    var state = seed
    var numbers = Array(0..<count)
    for last in stride(from: count - 1, to: 0, by: -1) {
      // The multiplier and the increment are those of Knuth's MMIX; the low bits are not random enough.
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      numbers.swapAt(last, Int(state >> 33) % (last + 1))
    }
    return numbers
  }
}
