// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Layers

@Suite struct AnimationTests {
  struct Case: CustomStringConvertible {
    var description: String
    var duration = 2.0
    var fill = Animation.FillMode.removed
    /// Elapsed seconds, each with the progress at that time.
    var expected: [(Double, Double?)]

    var animation: Animation {
      var animation = Animation(.opacity, duration: duration)
      animation.fillMode = fill
      return animation
    }
  }

  static let cases = [
    Case(description: "once", expected: [(-0.1, nil), (0, 0), (0.5, 0.25), (1.5, 0.75), (2, nil), (9, nil)]),
    Case(description: "backwards", fill: .backwards, expected: [(-9, 0), (0, 0), (1, 0.5), (2, nil)]),
    Case(description: "forwards", fill: .forwards, expected: [(-1, nil), (1, 0.5), (2, 1), (99, 1)]),
    Case(description: "both", fill: .both, expected: [(-1, 0), (1, 0.5), (2, 1), (99, 1)]),
    Case(description: "no duration", duration: 0, expected: [(-1, nil), (0, nil)]),
    Case(description: "no duration, held", duration: 0, fill: .both, expected: [(-1, 0), (0, 1), (1, 1)]),
    Case(description: "negative duration", duration: -1, fill: .both, expected: [(-1, 0), (0, 1)]),
    Case(description: "NaN duration", duration: .nan, fill: .both, expected: [(-1, 0), (0, 1)]),
  ]

  @Test("progress follows elapsed time and fill mode", arguments: cases)
  func progressFollowsElapsedTimeAndFillMode(_ row: Case) {
    for (elapsed, progress) in row.expected {
      #expect(row.animation.progress(elapsed: elapsed) == progress, "after \(elapsed) s")
    }
  }

  @Test("the active duration is neither NaN nor negative")
  func theActiveDurationIsNeitherNaNNorNegative() {
    for row in Self.cases {
      #expect(!row.animation.activeDuration.isNaN, "\(row)")
      #expect(row.animation.activeDuration >= 0, "\(row)")
    }
  }

  @Test("the value function is applied after the timing function, with exact ends")
  func theValueFunctionIsAppliedAfterTheTimingFunctionWithExactEnds() throws {
    var animation = Animation(.shade, duration: 1)
    animation.fillMode = .both
    for function in [Animation.ValueFunction.identity, .sine, .versine] {
      animation.valueFunction = function
      #expect(animation.progress(elapsed: 0) == 0)
      #expect(animation.progress(elapsed: 1) == 1)
    }
    animation.timingFunction = .easeIn
    animation.valueFunction = .sine
    let eased = TimingFunction.easeIn(0.5)
    let sine = try #require(animation.progress(elapsed: 0.5))
    // sin(πp/2) by its series, independently of the code under test.
    let x = eased * 1.5707963267948966
    let series = x - x * x * x / 6 + x * x * x * x * x / 120 - x * x * x * x * x * x * x / 5040
    #expect(abs(sine - series) < 1e-5)
    animation.timingFunction = .linear
    animation.valueFunction = .versine
    let versine = try #require(animation.progress(elapsed: 2.0 / 3))
    #expect(abs(versine - 0.5) < 1e-12)
  }
}
