// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Layers

@Suite struct VelocityTests {
  private func timing(_ random: inout SplitMix) -> TimingFunction {
    switch random.int(0...3) {
    case 0: .linear
    // The curve is not steep, so that a difference over a millionth approximates the slope.
    case 1: TimingFunction(0.2 + 0.3 * random.unit(), random.unit(), 0.5 + 0.3 * random.unit(), random.unit())
    case 2: [.ease, .easeIn, .easeOut, .easeInEaseOut][random.int(0...3)]
    default: .spring(Spring(stiffness: 50 + 300 * random.unit(), damping: 5 + 60 * random.unit()))
    }
  }

  private func animation(_ random: inout SplitMix) -> Animation {
    var animation = Animation(
      .opacity, from: .scalar(random.unit() * 10), to: .scalar(random.unit() * 10),
      duration: 0.5 + random.unit())
    animation.velocity = random.int(0...1) == 0 ? nil : .scalar(random.unit() * 20 - 10)
    animation.valueFunction = [.identity, .sine, .versine][random.int(0...2)]
    animation.timingFunction = timing(&random)
    animation.fillMode = .both
    return animation
  }

  @Test(
    "an animation's velocity is the slope of its value",
    arguments: 0..<8 as Range<UInt64>)
  func velocityIsTheSlope(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let model = LayerProperties()
    var wrong: [String] = []
    var moving = 0
    var corners = 0
    for _ in 0..<200 {
      let animation = animation(&random)
      func value(_ elapsed: Double) -> Double {
        var presented = model
        animation.apply(elapsed: elapsed, to: &presented, model: model)
        return presented.opacity
      }
      for _ in 0..<10 {
        let elapsed = random.unit() * animation.activeDuration
        let h = 1e-6
        let (before, here, after) = (value(elapsed - h), value(elapsed), value(elapsed + h))
        // At a corner, the slope is undefined.
        if abs((after - here) - (here - before)) > 1e-7 {
          corners += 1
          continue
        }
        guard case .scalar(let velocity)? = animation.velocity(elapsed: elapsed, model: model)
        else {
          wrong.append("none")
          continue
        }
        let slope = (after - before) / (2 * h)
        if abs(slope) > 0.1 { moving += 1 }
        if abs(velocity - slope) > 1e-3 + 1e-3 * abs(slope) {
          wrong.append("\(velocity), not \(slope): \(animation)")
        }
      }
    }
    #expect(wrong == [])
    #expect(moving > 1000)
    #expect(corners < 60)
  }

  @Test("the slope of a curve at its ends is that of its tangent, and is limited")
  func slopesAtTheEnds() {
    let table: [(TimingFunction, Double, Double)] = [
      (.linear, 1, 1), (.ease, 0.4, 0), (.easeIn, 0, 1 / 0.58), (.easeOut, 1 / 0.58, 0),
      (.easeInEaseOut, 0, 0),
      (TimingFunction(0, 1, 0, 1), 16, 0), (TimingFunction(0, 0, 0.5, 1), 2, 0), (.steps(4), 0, 0),
      (TimingFunction(0, -1, 0.5, 1), -16, 0),
    ]
    for (function, first, last) in table {
      #expect(abs(function.slope(at: 0) - first) < 1e-3, "\(function)")
      #expect(abs(function.slope(at: 1) - last) < 1e-3, "\(function)")
    }
    #expect(TimingFunction(1, 0, 0, 1).slope(at: 0.5) == 16)
  }
}
