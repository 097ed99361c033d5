// SPDX-License-Identifier: Apache-2.0

import Raster
import Settings
import TestSupport
import Testing

@testable import Layers
@testable import Widgets

/// Cards and clocks whose model changes at any time, also during a flight and back again.
@Suite struct RandomChangesTests {
  private static let letters = " ABCD01█"
  private static let symbols: [CardSymbol] = [
    "", "A", "B", "D", "1", CardSymbol("A", color: 0x2467d6), CardSymbol("█", color: 0xf7c325), "█",
  ]
  private static let orders: [CardMotionSettings.Order] = [.rightToLeft, .together, .cascade]
  private static let easings: [EasingSettings?] = [
    nil, .curve(0, 0, 1, 1), .curve(0.1, 0.9, 0.2, 1), .steps(5),
  ]

  private static let ticks: [AnalogClockSettings.Tick] = [
    .spring, .eased(.easeIn), .eased(.easeInOut), .none,
  ]

  /// One case: a board of two lines, and a twin that is redrawn completely in every frame.
  private struct Case {
    let bench: TransitionBench
    let twin: TransitionBench
    let drum = SymbolDrum.letters(letters)
    let isThrough: Bool
    var asked: [Set<CardSymbol>]
    var last: [CardSymbol]
    var seen: Set<String> = []
    var wrong: [String] = []

    init(_ motion: FlipMotion) {
      last = ["A", "0", "", "D"]
      asked = last.map { [$0] }
      isThrough = motion.flapRate != nil
      bench = TransitionBench(last, motion: motion, cardHeight: 32, drum: drum, columns: 2)
      twin = TransitionBench(last, motion: motion, cardHeight: 32, drum: drum, columns: 2)
    }

    /// Checks that each card shows one symbol at rest, or a change from one to another that was requested or
    /// is next on the drum.
    mutating func check(_ frame: Int) {
      for (index, card) in bench.board.cards.enumerated() {
        if let problem = problem(card, asked[index]) {
          wrong.append("frame \(frame), card \(index): \(problem)")
        }
      }
    }

    private mutating func problem(_ card: FlipCard, _ asked: Set<CardSymbol>) -> String? {
      let flaps = letters.map { CardSymbol($0 == " " ? "" : String($0)) }
      let possible = isThrough ? asked.union(flaps) : asked
      func symbol(_ layer: Layer) -> CardSymbol? {
        possible.first { bench.images.card($0) === layer.presentation.contents }
      }
      func isWay(_ old: CardSymbol, _ new: CardSymbol) -> Bool {
        isThrough ? drum.next(after: old, toward: new) == new : old != new
      }
      if let window = card.window, !window.layer.presentation.isHidden {
        seen.insert("open")
        let blank = bench.images.card("")
        guard card.upper.presentation.contents === blank, card.lower.presentation.contents === blank else {
          return "a symbol under the window"
        }
        var panels: Set<CardSymbol> = []
        for layer in window.layer.sublayers.first?.sublayers ?? [] {
          guard let symbol = possible.first(where: { bench.images.panel($0) === layer.presentation.contents })
          else { return "a panel without a symbol" }
          panels.insert(symbol)
        }
        return panels.count == 2 ? nil : "\(panels) in the window"
      }
      guard let upper = symbol(card.upper), let lower = symbol(card.lower) else {
        return "a half without a symbol"
      }
      let flap = card.flap.presentation
      if flap.isHidden {
        seen.insert("rest")
        return upper == lower ? nil : "\(upper) over \(lower) without a flap"
      }
      let isFalling = flap.contentsRect.height > 0
      seen.insert(isFalling ? "falling" : "landing")
      guard symbol(card.flap) == (isFalling ? lower : upper) else { return "the flap has another symbol" }
      if !isWay(lower, upper) { return "\(lower) does not lead to \(upper)" }
      let range = isFalling ? -Double.pi / 2...0 : -Double.pi ... -Double.pi / 2
      return range.contains(flap.rotationX) ? nil : "the flap hangs at \(flap.rotationX)"
    }
  }

  @Test(
    "cards: every frame is consistent and equals a full redraw, and the end is the model's picture",
    arguments: DigitTransition.allCases, 0..<6)
  func cards(transition: DigitTransition, variant: Int) {
    var random = SplitMix(seed: UInt64(variant))
    var seen: Set<String> = []
    for easing in Self.easings {
      var motion = TransitionBench.motion(transition)
      motion.order = Self.orders[variant % 3]
      motion.flapRate = variant < 3 ? nil : 9
      motion.easing = easing.map { Easing($0) }
      var subject = Case(motion)
      let (scene, board) = (subject.bench.scene, subject.bench.board)
      let shown = Bitmap(
        width: subject.bench.size.width, height: subject.bench.size.height, format: .xrgb8888)
      _ = scene.render(into: shown.buffer)
      var time = 0.0
      for frame in 0..<50 {
        // Many steps are zero, or as long as half a flip, so that they end exactly with a phase.
        time += [0.25, 0, 0, random.unit() / 8, random.unit() / 20, 1.0 / 60][random.int(0...5)]
        if random.int(0...4) == 0 {
          subject.last = subject.last.map { symbol in
            random.int(0...1) == 0 ? symbol : Self.symbols[random.int(0...(Self.symbols.count - 1))]
          }
          for (index, symbol) in subject.last.enumerated() { subject.asked[index].insert(symbol) }
          let animated = random.int(0...8) > 0
          let start = time + [0, 0, random.unit() / 10][random.int(0...2)]
          for board in [board, subject.twin.board] { board.show(subject.last, at: start, animated: animated) }
        }
        scene.advance(to: time)
        _ = scene.render(into: shown.buffer)
        if let difference = shown.difference(from: subject.twin.scene.picture(at: time)) {
          subject.wrong.append("frame \(frame): \(difference)")
        }
        subject.check(frame)
      }
      scene.advance(to: time + 60)
      _ = scene.render(into: shown.buffer)
      #expect(subject.wrong == [], "\(easing)")
      #expect(scene.activity == .resting)
      #expect(shown.difference(from: subject.bench.resting(subject.last)) == nil, "\(easing)")
      seen.formUnion(subject.seen)
    }
    let states: Set<String> =
      transition == .none
      ? ["rest"] : transition == .flip ? ["rest", "falling", "landing"] : ["rest", "open"]
    #expect(seen == states)
  }

  @Test(
    "hands: every frame drawn by its damage equals a full redraw, and the end is the model's picture",
    arguments: ticks, AnalogClockSettings.SecondHand.allCases)
  func hands(tick: AnalogClockSettings.Tick, secondHand: AnalogClockSettings.SecondHand) {
    var settings = AnalogClockSettings()
    (settings.tick, settings.secondHand, settings.secondsBar) = (tick, secondHand, true)
    settings.tickDuration = 0.4
    let configuration = Fixture.configuration([
      WidgetSettings(name: "hands", weight: 1, content: settings)
    ])
    let size = PixelSize(width: 120, height: 90)
    var random = SplitMix(seed: UInt64(Self.ticks.firstIndex(of: tick) ?? 0))
    var model = Fixture.model(Fixture.instant(11, 59, 50))
    let stage = Fixture.stage(configuration, size, model)
    let twin = Fixture.stage(configuration, size, model)
    let shown = Bitmap(width: size.width, height: size.height, format: .xrgb8888)
    var time = 0.0
    var wrong: [String] = []
    for frame in 0..<90 {
      time += [0.4, 0, random.unit() / 4, 1.0 / 60, 1.0 / 60][random.int(0...4)]
      if random.int(0...3) == 0 {
        // The clock is stepped forwards and backwards while the hands move.
        model = Fixture.model(
          Fixture.instant(random.int(0...23), random.int(0...59), random.int(0...59)))
        let animated = random.int(0...5) > 0
        for stage in [stage, twin] { stage.update(model, at: time, animated: animated) }
      }
      stage.scene.advance(to: time)
      _ = stage.scene.render(into: shown.buffer)
      if let difference = shown.difference(from: twin.scene.picture(at: time)) {
        wrong.append("frame \(frame): \(difference)")
      }
    }
    #expect(wrong == [])
    stage.scene.advance(to: time + 9)
    _ = stage.scene.render(into: shown.buffer)
    #expect(stage.scene.activity == .resting)
    #expect(shown.difference(from: Fixture.stage(configuration, size, model).scene.picture(at: 0)) == nil)
  }
}
