// SPDX-License-Identifier: Apache-2.0

import Glibc
import Raster
import TestSupport
import Testing

@testable import Layers

/// A layer with a periodic angle.
private final class Turning: Layer {
  static let key = PropertyKey.custom("angle")

  override func period(forKey key: PropertyKey) -> Double? { key == Self.key ? 360 : nil }

  var angle: Double {
    if case .scalar(let angle)? = presentation.custom["angle"] { angle } else { .nan }
  }
}

@Suite struct ContinuityTests {
  private let scene = Scene(size: PixelSize(width: 20, height: 20))

  private func hand(_ action: Animation? = nil) -> Turning {
    let hand = Turning()
    hand.set(Turning.key, to: .scalar(0))
    hand.actions[Turning.key] = action
    scene.root.addSublayer(hand)
    return hand
  }

  private static func eased(_ function: TimingFunction, duration: Double = 0.5) -> Animation {
    var animation = Animation(Turning.key, duration: duration)
    animation.timingFunction = function
    return animation
  }

  // MARK: Position and velocity

  static var motions: [(String, Animation)] {
    var sine = eased(.easeInEaseOut)
    sine.valueFunction = .versine
    return [
      ("spring", Animation(Turning.key, spring: Spring(stiffness: 200, damping: 12))),
      ("stiff", Animation(Turning.key, spring: Spring(stiffness: 400, damping: 60))),
      ("eased", eased(.easeInEaseOut)), ("ease", eased(.ease)), ("ease-in", eased(.easeIn)),
      ("ease-out", eased(.easeOut)), ("overshooting", eased(TimingFunction(0.3, -0.4, 0.6, 1.5))),
      ("versine", sine),
    ]
  }

  @Test("10,000 random retargetings of an angle have no jump in position or velocity", arguments: 0..<8)
  func randomRetargetingsShowNoLeap(index: Int) {
    var random = SplitMix(seed: UInt64(index))
    let hand = hand(Self.motions[index].1)
    // The hand is in motion before the first measurement, because motion from rest may start with a velocity,
    // as with `ease`, which would count as a jerk.
    hand.set(Turning.key, to: .scalar(90))
    let tick = 1.0 / 16384
    var leaps = 0
    var jerks = 0
    var moving = 0
    var time = 0.0
    for _ in 0..<10_000 {
      time += tick * Double(random.int(2...4000))
      scene.advance(to: time - tick)
      let before = hand.angle
      scene.advance(to: time)
      let here = hand.angle
      hand.set(Turning.key, to: .scalar(Double(random.int(0...59)) * 6))
      let set = hand.angle
      scene.advance(to: time + tick)
      let after = hand.angle
      if abs(remainder(set - here, 360)) > 1e-9 { leaps += 1 }
      let arriving = remainder(here - before, 360) / tick
      let leaving = remainder(after - set, 360) / tick
      if abs(arriving) > 40 { moving += 1 }
      // The velocities are in degrees per second. The tolerance is what the accelerations contribute in two
      // ticks.
      if abs(arriving - leaving) > 12 + 0.01 * max(abs(arriving), abs(leaving)) { jerks += 1 }
    }
    #expect(leaps == 0)
    #expect(jerks == 0)
    // Checks that the hand was often moving when it got a new target.
    #expect(moving > 2000)
  }

  @Test("motion from rest starts as its curve specifies: ease with a velocity, ease-in without")
  func motionFromRestStartsAsItsCurveSpecifiesEaseWithAVelocityEaseInWithout() {
    for (function, slope) in [(TimingFunction.ease, 0.4), (.easeIn, 0), (.easeOut, 1 / 0.58)] {
      let hand = hand(Self.eased(function, duration: 1))
      hand.set(Turning.key, to: .scalar(100))
      scene.advance(to: scene.time + 1e-6)
      #expect(abs(hand.angle / 1e-6 - 100 * slope) < 0.1, "\(slope)")
    }
  }

  // MARK: Cases in which a difference of two values is not a velocity

  @Test("motion that replaces steps at the moment of a step starts without velocity")
  func motionInThePlaceOfSteps() {
    let hand = hand(Self.eased(.steps(4), duration: 1))
    hand.set(Turning.key, to: .scalar(100))
    scene.advance(to: 0.5)
    #expect(hand.angle == 50)
    hand.actions[Turning.key] = Self.eased(.easeInEaseOut, duration: 1)
    hand.set(Turning.key, to: .scalar(50 + 1e-9))
    for step in 0...20 {
      scene.advance(to: 0.5 + Double(step) / 20)
      #expect(abs(hand.angle - 50) < 1e-6)
    }
  }

  @Test("motion replaced at its last moment passes zero without a jump")
  func motionAtTheLastMoment() {
    for (duration, begin) in [(0.1, 0.3), (0.5, 0.7), (1.0 / 3, 0.1), (0.25, 1e6 + 0.1)] {
      let scene = Scene(size: PixelSize(width: 8, height: 8), time: begin)
      let hand = Turning()
      hand.set(Turning.key, to: .scalar(350))
      scene.root.addSublayer(hand)
      hand.actions[Turning.key] = Self.eased(.easeInEaseOut, duration: duration)
      hand.set(Turning.key, to: .scalar(10))
      scene.advance(to: (begin + duration).nextDown)
      #expect(abs(remainder(hand.angle - 10, 360)) < 1e-3)
      hand.set(Turning.key, to: .scalar(20))
      let start = scene.time
      for step in 0...20 {
        scene.advance(to: start + duration * Double(step) / 20)
        #expect((9.99...20.01).contains(remainder(hand.angle, 360)), "\(duration) at \(begin)")
      }
    }
  }

  @Test("an animation that begins at the moment of the change contributes its own velocity only")
  func anAnimationThatBeginsAtTheMomentOfTheChangeContributesItsOwnVelocityOnly() {
    let layer = Layer()
    scene.root.addSublayer(layer)
    var action = Animation(.zPosition, duration: 1)
    action.timingFunction = .easeInEaseOut
    layer.actions[.zPosition] = action
    layer.zPosition = 100
    scene.advance(to: 0.5)
    layer.add(Animation(.zPosition, from: .scalar(400), to: .scalar(410), duration: 1), forKey: "shown")
    layer.zPosition = 400
    scene.advance(to: 0.5 + 1e-6)
    // The new motion starts at the presented value, with the velocity of the animation that is shown.
    #expect(abs((layer.presentation.zPosition - 400) / 1e-6 - 10) < 0.01)
  }

  @Test("every value function preserves the velocity")
  func aValueFunctionsSlopeCounts() {
    let layer = Layer()
    scene.root.addSublayer(layer)
    for function in [Animation.ValueFunction.identity, .sine, .versine] {
      scene.transaction(disableActions: true) {
        layer.removeAllAnimations()
        layer.zPosition = 0
      }
      var action = Animation(.zPosition, duration: 1)
      action.timingFunction = .easeOut
      action.valueFunction = function
      layer.actions[.zPosition] = action
      layer.zPosition = 100
      let start = scene.time
      scene.advance(to: start + 0.3)
      let before = layer.presentation.zPosition
      scene.advance(to: start + 0.3 + 1e-6)
      let here = layer.presentation.zPosition
      layer.zPosition = -50
      scene.advance(to: start + 0.3 + 2e-6)
      let (arriving, leaving) = ((here - before) / 1e-6, (layer.presentation.zPosition - here) / 1e-6)
      #expect(abs(arriving) > 30)
      #expect(abs(arriving - leaving) < 0.5, "\(function)")
    }
  }

  @Test("linear motion starts without the old velocity")
  func linearMotionStartsAnew() {
    let layer = Layer()
    scene.root.addSublayer(layer)
    layer.actions[.zPosition] = Animation(.zPosition, duration: 1)
    layer.zPosition = 100
    scene.advance(to: 0.5)
    let here = layer.presentation.zPosition
    layer.zPosition = here
    scene.advance(to: 0.6)
    #expect(layer.presentation.zPosition == here)
  }
}
