// SPDX-License-Identifier: Apache-2.0

import Languages

/// The symbols on a card's flaps, in their order on the drum.
struct SymbolDrum: Hashable {
  private let symbols: [String]
  private let places: [String: Int]
  /// A symbol that is passed over unless it is the target: the blank of a digit card.
  private let skipped: String?

  init(_ symbols: [String], skipping skipped: String? = nil) {
    var places: [String: Int] = [:]
    for (index, symbol) in symbols.enumerated() where places[symbol] == nil { places[symbol] = index }
    self.symbols = symbols
    self.places = places
    self.skipped = skipped
  }

  /// A blank, then 0 … 9.
  static let digits = SymbolDrum([""] + (0...9).map(String.init), skipping: "")

  /// Two digits on one card: the numbers of `range`, as `00` or, without the leading zero, as `0`.
  static func pairs(_ range: ClosedRange<Int>, leadingZero: Bool = true) -> SymbolDrum {
    SymbolDrum(range.map { $0 < 10 && leadingZero ? "0\($0)" : String($0) })
  }

  /// AM and PM.
  init(periods language: Language) { self.init([language.dayPeriods.am, language.dayPeriods.pm]) }

  /// The letters of a board; a space is a blank flap.
  static func letters(_ drum: String) -> SymbolDrum {
    SymbolDrum(drum.map { $0 == " " ? "" : String($0) })
  }

  /// The next flap to show when a card changes from one symbol to another. The change is direct if one of the
  /// two is not on the drum.
  func next(after symbol: String, toward target: String) -> String {
    guard let place = places[symbol], places[target] != nil else { return target }
    var next = (place + 1) % symbols.count
    if symbols[next] == skipped, target != skipped { next = (next + 1) % symbols.count }
    return symbols[next]
  }
}
