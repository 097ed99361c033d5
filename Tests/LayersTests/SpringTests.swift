// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Layers

@Suite struct SpringTests {
  static let springs: [(Double, Double, Double)] = [
    (1, 100, 10), (1, 100, 20), (1, 100, 40), (2, 900, 34), (0.5, 50, 9.999_999), (1, 100, 20.000_000_1),
    (1, 900, 34),
  ]

  @Test("a spring follows its equation of motion, integrated in small steps", arguments: springs)
  func aSpringFollowsItsEquationOfMotion(mass: Double, stiffness: Double, damping: Double) {
    let spring = Spring(mass: mass, stiffness: stiffness, damping: damping)
    // Fourth-order Runge–Kutta steps for m·x″ = −k·(x − 1) − c·x′.
    func force(_ x: Double, _ v: Double) -> Double { (stiffness * (1 - x) - damping * v) / mass }
    var (x, v) = (0.0, 0.0)
    let steps = 1000
    let h = spring.settlingDuration / Double(steps)
    let inner = 8
    var worst = 0.0
    for step in 1...steps {
      for _ in 0..<inner {
        let d = h / Double(inner)
        let (k1, l1) = (v, force(x, v))
        let (k2, l2) = (v + d / 2 * l1, force(x + d / 2 * k1, v + d / 2 * l1))
        let (k3, l3) = (v + d / 2 * l2, force(x + d / 2 * k2, v + d / 2 * l2))
        let (k4, l4) = (v + d * l3, force(x + d * k3, v + d * l3))
        x += d / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        v += d / 6 * (l1 + 2 * l2 + 2 * l3 + l4)
      }
      worst = max(worst, abs(x - spring.position(at: Double(step) * h)))
      // The timing function gives the same, except for its exact end.
      if step < steps { worst = max(worst, abs(x - TimingFunction.spring(spring)(Double(step) / 1000))) }
    }
    #expect(worst < 1.0 / 65536)
    #expect(TimingFunction.spring(spring)(0) == 0)
    #expect(TimingFunction.spring(spring)(1) == 1)
  }

  @Test("a spring is within 1/8192 of its rest from its settling time on", arguments: springs)
  func aSpringIsAtRestWithinItsThresholdFromItsSettlingTimeOn(
    mass: Double, stiffness: Double, damping: Double
  ) {
    let spring = Spring(mass: mass, stiffness: stiffness, damping: damping)
    #expect(spring.settlingDuration > 0 && spring.settlingDuration < 60)
    for step in 0..<500 {
      let position = spring.position(at: spring.settlingDuration + Double(step) * 0.01)
      #expect(abs(position - 1) <= 1.0 / 8192)
    }
  }

  @Test(
    "a spring with invalid parameters is finite and settles",
    arguments: [
      (0, 0, 0), (-1, Double.nan, 1), (.infinity, 1, -1), (1e300, 1e-300, 1e300), (1, 1e300, 1e-300),
    ])
  func aSpringWithInvalidParametersIsFiniteAndSettles(mass: Double, stiffness: Double, damping: Double) {
    let spring = Spring(mass: mass, stiffness: stiffness, damping: damping)
    #expect(spring.settlingDuration > 0 && spring.settlingDuration <= 60)
    let function = TimingFunction.spring(spring)
    #expect(function(0) == 0)
    #expect(function(1) == 1)
    #expect((0...100).allSatisfy { function(Double($0) / 100).isFinite })
  }

  @Test("steps jump where CSS specifies", arguments: [1, 2, 4, 7])
  func stepsJumpWhereCSSSpecifies(count: Int) {
    let function = TimingFunction.steps(count)
    for step in 0..<1000 {
      // The time is slightly after step/1000, so that time × count is never exactly a whole number.
      let progress = function((Double(step) + 1e-6) / 1000)
      #expect(progress == Double(step * count / 1000) / Double(count), "at \(step)/1000")
    }
    #expect(function(0) == 0)
    #expect(function(1) == 1)
    #expect(function(2) == 1)
  }

  @Test("at least one step is used")
  func atLeastOneStepIsUsed() {
    #expect(TimingFunction.steps(0) == .steps(1))
  }
}
