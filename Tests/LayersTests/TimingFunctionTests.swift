// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Layers

@Suite struct TimingFunctionTests {
  /// A second implementation of cubic-bezier(x1, y1, x2, y2), with the coefficients of the polynomials and
  /// Newton's method. A step that would leave the known bracket of the root is replaced by a bisection.
  struct Solver {
    let x1: Double
    let y1: Double
    let x2: Double
    let y2: Double

    private static func polynomial(_ a: Double, _ b: Double, _ t: Double) -> Double {
      ((1 + 3 * a - 3 * b) * t + 3 * b - 6 * a) * t * t + 3 * a * t
    }

    private static func slope(_ a: Double, _ b: Double, _ t: Double) -> Double {
      3 * (1 + 3 * a - 3 * b) * t * t + 2 * (3 * b - 6 * a) * t + 3 * a
    }

    func callAsFunction(_ time: Double) -> Double {
      var low = 0.0
      var high = 1.0
      var t = time
      for _ in 0..<200 {
        let error = Self.polynomial(x1, x2, t) - time
        if error == 0 { break }
        if error < 0 { low = t } else { high = t }
        let next = t - error / Self.slope(x1, x2, t)
        t = next > low && next < high ? next : (low + high) / 2
      }
      return Self.polynomial(y1, y2, t)
    }
  }

  @Test(
    "the curves of CSS follow a solver in doubles",
    arguments: [
      (TimingFunction.linear, Solver(x1: 0, y1: 0, x2: 1, y2: 1)),
      (.ease, Solver(x1: 0.25, y1: 0.1, x2: 0.25, y2: 1)),
      (.easeIn, Solver(x1: 0.42, y1: 0, x2: 1, y2: 1)),
      (.easeOut, Solver(x1: 0, y1: 0, x2: 0.58, y2: 1)),
      (.easeInEaseOut, Solver(x1: 0.42, y1: 0, x2: 0.58, y2: 1)),
    ])
  func theCurvesOfCSSFollowASolverInDoubles(function: TimingFunction, solver: Solver) {
    #expect(function(0) == 0)
    #expect(function(1) == 1)
    var worst = 0.0
    var before = 0.0
    for step in 0...1000 {
      let time = Double(step) / 1000
      let progress = function(time)
      worst = max(worst, abs(progress - solver(time)))
      #expect(progress >= before, "falls back at \(time)")
      before = progress
    }
    #expect(worst < 1.0 / 65536)
  }

  @Test("any curve follows a solver in doubles", arguments: 0..<24)
  func anyCurveFollowsASolverInDoubles(seed: UInt64) {
    var random = SplitMix(seed: seed)
    // Every third curve is as steep as allowed, or steeper: x1 and x2 are at the ends or beyond.
    let isExtreme = seed % 3 == 0
    func x(_ random: inout SplitMix) -> Double {
      isExtreme ? Double(random.int(-1...2)) : random.unit()
    }
    let x1 = x(&random)
    let x2 = x(&random)
    let y1 = random.unit() * 4 - 1.5
    let y2 = random.unit() * 4 - 1.5
    let function = TimingFunction(x1, y1, x2, y2)
    let solver = Solver(x1: min(max(x1, 0), 1), y1: y1, x2: min(max(x2, 0), 1), y2: y2)
    #expect(function(0) == 0)
    #expect(function(1) == 1)
    var worst = 0.0
    for _ in 0..<1000 {
      let time = random.unit()
      worst = max(worst, abs(function(time) - solver(time)))
    }
    #expect(worst < 1.0 / 65536, "cubic-bezier(\(x1), \(y1), \(x2), \(y2))")
  }

  @Test("a curve with control values between 0 and 1 never decreases", arguments: 0..<12)
  func aCurveWithControlValuesBetween0And1NeverDecreases(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let function = TimingFunction(random.unit(), random.unit(), random.unit(), random.unit())
    var before = 0.0
    var falls = 0
    for step in 0...2000 {
      let progress = function(Double(step) / 2000)
      if progress < before - 1e-12 { falls += 1 }
      before = progress
    }
    #expect(falls == 0)
  }

  @Test(
    "time outside 0 and 1 is clamped",
    arguments: [(-1, 0), (-0.0, 0), (1.5, 1), (Double.infinity, 1), (-Double.infinity, 0), (Double.nan, 0)])
  func timeOutside0And1IsClamped(time: Double, progress: Double) {
    #expect(TimingFunction.ease(time) == progress)
    #expect(TimingFunction.linear(time) == progress)
  }
}
