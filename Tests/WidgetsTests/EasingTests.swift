// SPDX-License-Identifier: Apache-2.0

import Settings
import Testing

@testable import Layers
@testable import Widgets

@Suite struct EasingTests {
  private func value(_ timeline: Easing.Timeline, _ time: Double) -> Double {
    switch timeline {
    case .curve(let timing): timing(time)
    case .held(let holds): time >= 1 ? 1 : holds.last { $0.begin <= time }?.progress ?? 0
    }
  }

  @Test(
    "an easing cut into two halves is still the same easing",
    arguments: [
      EasingSettings.curve(0, 0, 1, 1), .curve(0.25, 0.1, 0.25, 1), .curve(0.42, 0, 0.58, 1),
      .curve(0.9, 0.1, 0.1, 0.9), .curve(0, 1, 0, 1), .curve(1, 0, 1, 0), .curve(0, 1, 1, 0), .steps(1),
      .steps(2), .steps(5), .steps(8), .steps(100),
    ])
  func halves(settings: EasingSettings) throws {
    let easing = try #require(Easing(settings))
    let halves = easing.halves
    #expect(halves.turn > 0 && halves.turn <= 1)
    var worst = 0.0
    for index in 0..<1_000 {
      // Avoid the edges of steps.
      let time = (Double(index) + 0.4142) / 1_000
      let expected = value(easing.whole, time)
      let got =
        time < halves.turn
        ? value(halves.first, time / halves.turn) / 2
        : 0.5 + value(halves.second, (time - halves.turn) / (1 - halves.turn)) / 2
      worst = max(worst, abs(expected - got))
    }
    // Where a curve is vertical, a tiny difference in time is a large difference in progress.
    #expect(worst < 1e-4)
  }

  @Test("a flap falls by gravity; other transitions use their defaults")
  func automatic() {
    #expect(Easing(.automatic) == nil)
    #expect(Easing.gravity.halves.first == .curve(.easeIn))
    #expect(Easing.gravity.halves.second == .curve(.easeOut))
    #expect(Fixture.motion.easing(isPassing: false) == .gravity)
  }
}
