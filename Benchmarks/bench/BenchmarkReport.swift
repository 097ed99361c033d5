// SPDX-License-Identifier: Apache-2.0

import BenchmarkCases

/// The results as a Markdown table, ready to be pasted into a document.
enum BenchmarkReport {
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

  /// The time per frame of the board, as a share of four times that of memcpy.
  static func board(_ outcomes: [Outcome]) -> [String] {
    outcomes.filter { $0.name == FrameCases.board }.compactMap { outcome in
      guard let memcpy = outcome.peers.first(where: { $0.name == "memcpy" }) else { return nil }
      return "\(outcome.name): \(decimal(25 / memcpy.ratio, places: 0)) % of four times memcpy"
    }
  }

  /// Describes how the time per frame of the six digits depends on the number of damaged pixels. Computes the
  /// straight line with the smallest relative errors for all display sizes, and how far each size deviates
  /// from it. Empty for fewer than three sizes.
  static func linearity(_ outcomes: [Outcome]) -> [String] {
    let points = outcomes.compactMap { outcome in
      outcome.name == FrameCases.sixDigits ? outcome.damagedPixels.map { (outcome, Double(max($0, 1))) } : nil
    }
    guard points.count > 2 else { return [] }
    // Minimises the sum of ((fixed + each · pixels) / time − 1)².
    var (a, b, c, d, e) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for (outcome, pixels) in points {
      let (x, y) = (1 / outcome.medianNanoseconds, pixels / outcome.medianNanoseconds)
      (a, b, c, d, e) = (a + x * x, b + x * y, c + y * y, d + x, e + y)
    }
    let determinant = a * c - b * b
    let (fixed, each) = ((d * c - e * b) / determinant, (a * e - b * d) / determinant)
    return [
      "",
      "\(FrameCases.sixDigits): \(time(fixed)) a frame and \(decimal(each, places: 2)) ns a damaged pixel",
    ]
      + points.map { outcome, pixels in
        let off = (outcome.medianNanoseconds / (fixed + each * pixels) - 1) * 100
        return "\(outcome.size): \(Int(pixels)) damaged pixels, "
          + "\(decimal(outcome.medianNanoseconds / pixels, places: 2)) ns each in all, "
          + "\(decimal(abs(off), places: 1)) % \(off < 0 ? "below" : "above") the line"
      }
  }
}
