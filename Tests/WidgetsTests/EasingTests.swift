// SPDX-License-Identifier: Apache-2.0

import Settings
import Testing

@testable import Layers
@testable import Widgets

@Suite struct EasingTests {
  @Test(
    "the two halves of an easing together equal the whole easing",
    arguments: [
      EasingSettings.curve(0, 0, 1, 1), .curve(0.25, 0.1, 0.25, 1), .curve(0.42, 0, 0.58, 1),
      .curve(0.9, 0.1, 0.1, 0.9), .curve(0, 1, 0, 1), .curve(1, 0, 1, 0), .curve(0, 1, 1, 0), .steps(1),
      .steps(2), .steps(5), .steps(8), .steps(100),
    ])
  func halves(settings: EasingSettings) {
    let easing = Easing(settings)
    let halves = easing.halves
    #expect(halves.turn > 0 && halves.turn <= 1)
    var worst = 0.0
    for index in 0..<1_000 {
      // Avoid the edges of steps.
      let time = (Double(index) + 0.4142) / 1_000
      let expected = easing.whole(time)
      let got =
        time < halves.turn
        ? halves.first(time / halves.turn) / 2
        : 0.5 + halves.second((time - halves.turn) / (1 - halves.turn)) / 2
      worst = max(worst, abs(expected - got))
    }
    // Where a curve is vertical, a tiny difference in time is a large difference in progress.
    #expect(worst < 1e-4)
  }

  @Test(
    "the halves of a staircase begin at 0, the second one a step higher if the count is odd, and end at 1",
    arguments: [1, 2, 3, 8])
  func stairs(count: Int) {
    let halves = Easing(.steps(count)).halves
    #expect(halves.first(0) == 0 && halves.first(1) == 1 && halves.second(1) == 1)
    #expect(halves.turn == Double((count + 1) / 2) / Double(count))
    // With an odd number of steps, the second half begins half a step above 0.5, which is 1/count of that
    // half.
    #expect(abs(halves.second(0) - (count % 2 == 0 ? 0 : 1 / Double(count))) < 1e-12)
  }

  @Test("a flap falls by gravity; other transitions use their defaults")
  func automatic() {
    #expect(Easing.gravity.halves.first == .easeIn)
    #expect(Easing.gravity.halves.second == .easeOut)
    #expect(Fixture.motion.easing(isPassing: false) == .gravity)
  }
}
