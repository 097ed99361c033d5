// SPDX-License-Identifier: Apache-2.0

import Raster
import Testing

@testable import Layers

@Suite struct KeyframesTests {
  private static let values = [0.0, 10, 4, 8].map(LayerValue.scalar)

  struct Case: CustomStringConvertible, Sendable {
    var description: String
    var keyframes: Keyframes
    /// Progress and the value there.
    var expected: [(Double, Double)]
  }

  static let cases = [
    Case(
      description: "even times", keyframes: Keyframes(values),
      expected: [(-1, 0), (0, 0), (0.5 / 3, 5), (0.5, 7), (1, 8), (2, 8)]),
    Case(
      description: "explicit times", keyframes: Keyframes(values, times: [0, 0.5, 0.75, 1]),
      expected: [(0.25, 5), (0.5, 10), (0.625, 7), (0.75, 4), (0.875, 6)]),
    Case(
      description: "a jump between two values with the same time",
      keyframes: Keyframes(values, times: [0, 0.5, 0.5, 1]), expected: [(0.25, 5), (0.5, 4), (0.75, 6)]),
    Case(
      description: "held before the first and after the last",
      keyframes: Keyframes(values, times: [0.25, 0.5, 0.6, 0.75]),
      expected: [(0, 0), (0.25, 0), (0.375, 5), (0.75, 8), (0.9, 8)]),
    Case(
      description: "decreasing times become even", keyframes: Keyframes(values, times: [0, 0.8, 0.3, 1]),
      expected: [(0.5, 7)]),
    Case(
      description: "a wrong number of times is replaced by even ones",
      keyframes: Keyframes(values, times: [0, 1]),
      expected: [(0.5, 7)]),
    Case(
      description: "discrete", keyframes: Keyframes(values, mode: .discrete),
      expected: [(0, 0), (0.24, 0), (0.25, 10), (0.5, 4), (0.74, 4), (0.75, 8), (1, 8)]),
    Case(
      description: "a timing function for a segment",
      keyframes: Keyframes(values, timingFunctions: [.steps(2), .linear]),
      expected: [(0.4 / 3, 0), (0.6 / 3, 5), (0.5, 7)]),
    Case(description: "one value", keyframes: Keyframes([.scalar(3)]), expected: [(0, 3), (0.5, 3), (1, 3)]),
  ]

  @Test("keyframes have their values at their times", arguments: cases)
  func keyframesHaveTheirValuesAtTheirTimes(_ row: Case) throws {
    for (progress, expected) in row.expected {
      guard case .scalar(let value)? = row.keyframes.value(at: progress) else {
        Issue.record("no value at \(progress)")
        continue
      }
      #expect(abs(value - expected) < 1e-9, "at \(progress)")
    }
    #expect(Keyframes([]).value(at: 0.5) == nil)
  }

  @Test("a layer follows keyframes and returns to its model afterwards")
  func aLayerFollowsKeyframesAndReturnsToItsModelAfterwards() {
    let scene = Scene(size: PixelSize(width: 8, height: 8))
    let layer = Layer()
    scene.root.addSublayer(layer)
    var animation = Animation(
      .opacity, keyframes: Keyframes([.scalar(0), .scalar(1), .scalar(0.5)]), duration: 2)
    animation.delay = 1
    animation.repeatCount = 2
    animation.autoreverses = true
    layer.add(animation)
    for (time, opacity) in [(0.5, 1.0), (1, 0), (1.5, 0.5), (2, 1), (3, 0.5), (4, 1), (5, 0), (6, 1), (9, 1)]
    {
      scene.advance(to: time)
      #expect(abs(layer.presentation.opacity - opacity) < 1e-12, "at \(time)")
    }
    #expect(!layer.hasAnimations)
  }

  // MARK: Groups

  @Test("a group's members begin within it, run in its time and are cut off at its end")
  func aGroupsMembersBeginWithinIt() {
    let scene = Scene(size: PixelSize(width: 8, height: 8), time: 10)
    let layer = Layer()
    scene.root.addSublayer(layer)
    var fade = Animation(.opacity, from: .scalar(0), to: .scalar(1), duration: 1)
    fade.fillMode = .both
    var move = Animation(.zPosition, from: .scalar(0), to: .scalar(8), duration: 4)
    move.beginTime = 1
    var ends: [Double] = []
    var group = Animation(group: [fade, move], duration: 2)
    group.completion = { finished, time in if finished { ends.append(time) } }
    layer.add(group, forKey: "both")
    let expected: [(Double, Double, Double)] = [
      (10, 0, 0), (10.5, 0.5, 0), (11, 1, 0), (11.5, 1, 1), (11.75, 1, 1.5), (12, 1, 0),
    ]
    for (time, opacity, z) in expected {
      scene.advance(to: time)
      #expect(layer.presentation.opacity == opacity, "at \(time)")
      #expect(layer.presentation.zPosition == z, "at \(time)")
    }
    #expect(ends == [12])
    #expect(scene.activity == .resting)
  }

  @Test("a group's repeats, reversal and timing apply to its members")
  func aGroupsRepeatsBendItsMembersTime() {
    let scene = Scene(size: PixelSize(width: 8, height: 8))
    let layer = Layer()
    scene.root.addSublayer(layer)
    let move = Animation(.zPosition, from: .scalar(0), to: .scalar(8), duration: 2)
    var group = Animation(group: [move], duration: 2)
    group.autoreverses = true
    group.timingFunction = .steps(4)
    layer.add(group)
    for (time, z) in [(0.4, 0.0), (0.6, 2), (1.1, 4), (1.6, 6), (2.45, 6), (3.3, 2), (3.9, 0)] {
      scene.advance(to: time)
      #expect(layer.presentation.zPosition == z, "at \(time)")
    }
  }

  @Test("members without a from value start at what is presented")
  func membersStartFromWhatIsPresented() {
    let scene = Scene(size: PixelSize(width: 8, height: 8))
    let layer = Layer()
    layer.opacity = 0.5
    scene.root.addSublayer(layer)
    layer.add(Animation(group: [Animation(.opacity, to: .scalar(1), duration: 1)], duration: 1))
    scene.advance(to: 0.5)
    #expect(layer.presentation.opacity == 0.75)
  }
}
