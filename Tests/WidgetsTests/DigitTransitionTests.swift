// SPDX-License-Identifier: Apache-2.0

import Raster
import Settings
import Testing

@testable import Layers
@testable import Widgets

@Suite struct DigitTransitionTests {
  private static let easings: [EasingSettings?] = [
    nil, .curve(0, 0, 1, 1), .curve(0.1, 0.9, 0.2, 1), .steps(5), .steps(1),
  ]

  @Test(
    "every transition begins and ends with exactly the resting picture, even at these exact times",
    arguments: DigitTransition.allCases, easings)
  func endsAreTheRestingPicture(transition: DigitTransition, easing: EasingSettings?) {
    var motion = TransitionBench.motion(transition)
    motion.easing = easing.map { Easing($0) }
    let bench = TransitionBench(["0", "9"], motion: motion)
    let (before, after) = (bench.resting(["0", "9"]), bench.resting(["1", "0"]))
    #expect(bench.scene.picture(at: 0).difference(from: before) == nil)
    bench.board.show(["1", "0"], at: 1, animated: true)
    if transition == .none {
      #expect(bench.scene.picture(at: 0).difference(from: after) == nil)
      return
    }
    for time in [0.5, 1] {
      #expect(bench.scene.picture(at: time).difference(from: before) == nil, "at \(time)")
    }
    let isFlying = bench.scene.picture(at: 1.3).difference(from: before) != nil
    // With `.steps(1)` nothing moves before the only step. A flip differs nevertheless: until the step its
    // flap lies exactly on its card, but changes the antialiased edges.
    #expect(isFlying == (easing != .steps(1) || transition == .flip))
    #expect(bench.scene.picture(at: 1.5601).difference(from: after) == nil)
    #expect(bench.scene.activity == .resting)
    bench.scene.invalidate()
    #expect(bench.scene.picture(at: 9).difference(from: after) == nil)
  }

  @Test(
    "without shading, the first and the last moment equal the resting pictures too",
    arguments: [
      DigitTransition.roll, .shutter, .slide, .fade,
    ])
  func thereIsNoJumpAtTheEnds(transition: DigitTransition) {
    var motion = TransitionBench.motion(transition)
    motion.shading = 0
    let bench = TransitionBench(["3"], motion: motion, cardHeight: 120)
    bench.board.show(["8"], at: 0, animated: true)
    #expect(bench.scene.picture(at: 1e-9).difference(from: bench.resting(["3"])) == nil)
    #expect(bench.board.cards[0].window?.layer.isHidden == false)
    #expect(bench.scene.picture(at: 0.5 - 1e-9).difference(from: bench.resting(["8"])) == nil)
    #expect(bench.board.cards[0].window?.layer.isHidden == false)
  }

  @Test(
    "three, four, five, four within one change ends at four and never shows five",
    arguments: DigitTransition.allCases)
  func fastChanges(transition: DigitTransition) {
    let bench = TransitionBench(["3"], motion: TransitionBench.motion(transition))
    bench.board.show(["4"], at: 0, animated: true)
    var pictures: Set<ObjectIdentifier> = []
    for (time, symbol) in [(0.1, "5"), (0.2, "4"), (0.3, "4"), (0.45, "4")] as [(Double, CardSymbol)] {
      bench.scene.advance(to: time)
      bench.board.show([symbol], at: time, animated: true)
      if transition == .none { continue }
      Self.contents(of: bench.board.layer, into: &pictures)
    }
    let fives = [ObjectIdentifier(bench.images.card("5")), ObjectIdentifier(bench.images.panel("5"))]
    #expect(pictures.isDisjoint(with: fives))
    #expect(bench.scene.picture(at: 0.5).difference(from: bench.resting(["4"])) == nil)
    #expect(bench.scene.activity == .resting)
  }

  private static func contents(of layer: Layer, into found: inout Set<ObjectIdentifier>) {
    if !layer.presentation.isHidden, let image = layer.presentation.contents {
      found.insert(ObjectIdentifier(image))
    }
    for sublayer in layer.sublayers { contents(of: sublayer, into: &found) }
  }

  @Test("cards whose animations are removed show the newest symbol", arguments: DigitTransition.allCases)
  func takenAway(transition: DigitTransition) {
    let bench = TransitionBench(["3"], motion: TransitionBench.motion(transition))
    bench.board.show(["4"], at: 0, animated: true)
    bench.scene.advance(to: 0.3)
    bench.board.show(["6"], at: 0.3, animated: true)
    bench.board.layer.removeFromSuperlayer()
    #expect(bench.scene.activity == .resting)
    bench.scene.root.addSublayer(bench.board.layer)
    #expect(bench.scene.picture(at: 0.4).difference(from: bench.resting(["6"])) == nil)
  }

  @Test("the order decides which card starts first: from the right, all at once, or a wave from the left")
  func orders() {
    let table: [(CardMotionSettings.Order, [Bool])] = [
      (.rightToLeft, [false, false, true]), (.together, [true, false, true]),
      (.cascade, [true, false, false]),
    ]
    for (order, flying) in table {
      var motion = Fixture.motion
      motion.order = order
      let bench = TransitionBench(["1", "2", "3"], motion: motion)
      bench.board.show(["7", "2", "8"], at: 0, animated: true)
      bench.scene.advance(to: 0.01)
      #expect(bench.board.cards.map { !$0.flap.presentation.isHidden } == flying, "\(order)")
    }
  }

  @Test("with motion none every widget changes at once, whatever its own settings")
  func reducedMotion() {
    var settings = ScoreSettings()
    settings.motion.transition = .roll
    settings.motion.duration = 2
    settings.motion.symbols = .through
    var configuration = Fixture.configuration([
      WidgetSettings(name: "score", weight: 1, content: settings)
    ])
    let size = PixelSize(width: 240, height: 120)
    for (motion, rests) in [(Motion.none, true), (.full, false)] {
      configuration.motion = motion
      let stage = Fixture.stage(configuration, size, Fixture.model(home: 3, guest: 4))
      stage.update(Fixture.model(home: 8, guest: 4), at: 1, animated: true)
      #expect((stage.scene.activity == .resting) == rests)
    }
  }
}
