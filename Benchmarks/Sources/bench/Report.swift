// SPDX-License-Identifier: Apache-2.0

import BenchmarkCases

/// The outcomes as a table of Markdown, so that it may go into a document as it is.
enum Report {
  static let peers = ["memcpy", "pixman", "cairo", "sdl2"]

  static var head: String {
    let titles = ["case", "size", "time"] + peers.map { "× \($0)" }
    return row(titles) + "\n" + row(["---", "---"] + Array(repeating: "---:", count: titles.count - 2))
  }

  static func line(_ outcome: Outcome) -> String {
    let ratios = peers.map { name in
      outcome.peers.first { $0.name == name }.map { decimal($0.ratio, places: $0.ratio < 10 ? 2 : 1) } ?? ""
    }
    return row([outcome.name, "\(outcome.size)", time(outcome.medianNanoseconds)] + ratios)
  }

  private static func time(_ nanoseconds: Double) -> String {
    nanoseconds < 100_000
      ? "\(decimal(nanoseconds / 1000, places: 1)) µs" : "\(decimal(nanoseconds / 1_000_000, places: 2)) ms"
  }

  private static func row(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }

  /// What a damaged pixel costs from the smallest to the largest display: it should cost the same.
  static func linearity(_ outcomes: [Outcome]) -> [String] {
    let costs = outcomes.compactMap { outcome in
      outcome.damagedPixels.map { (outcome, outcome.medianNanoseconds / Double(max($0, 1))) }
    }.filter { $0.0.name == "frame-six-digits" }
    guard costs.count > 1 else { return [] }
    let mean = costs.map(\.1).reduce(0, +) / Double(costs.count)
    return costs.map { outcome, cost in
      "\(outcome.name) \(outcome.size): \(outcome.damagedPixels ?? 0) damaged pixels, "
        + "\(decimal(cost, places: 3)) ns each, \(decimal(cost / mean * 100, places: 0)) % of the mean"
    }
  }
}
