// SPDX-License-Identifier: Apache-2.0

extension GameRules {
  /// The scores of one dart: 0 for a miss, 1 … 20 once, twice and three times, and 25 and 50 for the bull.
  private static let dart = Set([0, 25, 50] + (1...20).flatMap { [$0, 2 * $0, 3 * $0] })
  private static let doubles = Set([50] + (1...20).map { 2 * $0 })

  private static func sums(_ a: Set<Int>, _ b: Set<Int>) -> Set<Int> {
    Set(a.flatMap { score in b.map { score + $0 } })
  }

  /// The scores of three darts.
  private static let turns = sums(sums(dart, dart), dart)
  /// The scores of at most three darts of which the last one is a double.
  private static let finishes = sums(sums(dart, dart), doubles)

  /// Whether a turn consists of three darts, whose highest score is 180.
  private var hasThreeDarts: Bool { countsDown && turnLimit == 180 }

  /// Whether three darts can score this many points; always true in games without darts.
  func isPossibleTurn(_ points: Int) -> Bool { !hasThreeDarts || Self.turns.contains(points) }

  /// Whether a turn of this many points can end a leg.
  func isPossibleFinish(_ points: Int) -> Bool {
    !hasThreeDarts || !doubleOut || Self.finishes.contains(points)
  }
}
