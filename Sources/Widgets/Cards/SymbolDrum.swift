// SPDX-License-Identifier: Apache-2.0

import Languages
import Settings

/// The symbols on a card's flaps, in their order on the drum.
struct SymbolDrum: Hashable {
  private let symbols: [CardSymbol]
  private let places: [CardSymbol: Int]
  /// A symbol that is passed over unless it is the target: the blank of a digit card.
  private let skipped: CardSymbol?

  init(_ symbols: [CardSymbol], skipping skipped: CardSymbol? = nil) {
    var places: [CardSymbol: Int] = [:]
    for (index, symbol) in symbols.enumerated() where places[symbol] == nil { places[symbol] = index }
    self.symbols = symbols
    self.places = places
    self.skipped = skipped
  }

  /// A blank, then 0 … 9.
  static let digits = SymbolDrum([""] + (0...9).map { CardSymbol(String($0)) }, skipping: "")

  /// Two digits on one card: the numbers of `range`, as `00` or, without the leading zero, as `0`.
  static func pairs(_ range: ClosedRange<Int>, leadingZero: Bool = true) -> SymbolDrum {
    SymbolDrum(range.map { CardSymbol($0 < 10 && leadingZero ? "0\($0)" : String($0)) })
  }

  /// AM and PM.
  init(periods language: Language) {
    self.init([language.dayPeriods.am, language.dayPeriods.pm].map { CardSymbol($0) })
  }

  /// The letters of a board; a space is a blank flap.
  static func letters(_ drum: String) -> SymbolDrum { SymbolDrum(drum.map { CardSymbol($0) }) }

  /// The place of a symbol. A coloured one that is not on the drum has the place of the same letters in the
  /// colour of the symbols.
  private func place(of symbol: CardSymbol) -> Int? {
    places[symbol] ?? (symbol.color == nil ? nil : places[CardSymbol(symbol.text)])
  }

  /// The next flap to show when a card changes from one symbol to another. The change is direct if one of the
  /// two is not on the drum, or if both have the same place.
  func next(after symbol: CardSymbol, toward target: CardSymbol) -> CardSymbol {
    guard let place = place(of: symbol), let end = self.place(of: target), place != end else { return target }
    var next = (place + 1) % symbols.count
    if symbols[next] == skipped, target != skipped { next = (next + 1) % symbols.count }
    return next == end ? target : symbols[next]
  }
}
