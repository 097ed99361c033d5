// SPDX-License-Identifier: Apache-2.0

import Raster
import Settings
import TestSupport
import Testing

@testable import Layers
@testable import Widgets

/// A board of small cards in its own scene.
private struct Bench {
  static let size = PixelSize(width: 150, height: 64)
  let scene = Scene(size: size)
  let board: FlipBoard
  let images: CardImages

  init(_ symbols: [CardSymbol], motion: FlipMotion = Fixture.motion) {
    images = CardImages(metrics: CardMetrics(height: 44, aspect: CardMetrics.aspect), theme: Fixture.theme)
    board = FlipBoard(motion: motion, scene: scene)
    let ground = Layer()
    ground.frame = Rect(x: 0, y: 0, width: Double(Self.size.width), height: Double(Self.size.height))
    ground.backgroundColor = Color(rgb: 0x161617)
    scene.root.addSublayer(ground)
    scene.root.addSublayer(board.layer)
    let width = Double(images.metrics.width)
    for (index, symbol) in symbols.enumerated() {
      board.addCard(
        symbol,
        frame: Rect(
          x: 10 + Double(index) * (width + 4), y: 10, width: width, height: Double(images.metrics.height)),
        images: images)
    }
  }

  /// The picture of a new board.
  static func resting(_ symbols: [CardSymbol]) -> Bitmap { Bench(symbols).scene.picture(at: 0) }

  var isFlying: [Bool] { board.cards.map { !$0.flap.presentation.isHidden } }
}

@Suite struct FlipBoardTests {
  @Test("only changed digits flip, the rightmost first, each one stagger after its right neighbour")
  func onlyChangedDigitsFlip() {
    let bench = Bench(["1", "2", "5", "9"])
    bench.board.show(["1", "3", "0", "0"], at: 10, animated: true)
    // The starts, from the right: 10, 10.06, 10.12. Each flight takes half a second.
    let table: [(Double, [Bool])] = [
      (9.9, [false, false, false, false]), (10, [false, false, false, false]),
      (10.001, [false, false, false, true]), (10.06, [false, false, false, true]),
      (10.061, [false, false, true, true]), (10.119, [false, false, true, true]),
      (10.121, [false, true, true, true]), (10.499, [false, true, true, true]),
      (10.5, [false, true, true, false]), (10.561, [false, true, false, false]),
      (10.619, [false, true, false, false]), (10.621, [false, false, false, false]),
    ]
    for (time, flying) in table {
      bench.scene.advance(to: time)
      #expect(bench.isFlying == flying, "at \(time)")
    }
    #expect(bench.board.cards.map(\.machine.target) == ["1", "3", "0", "0"])
    #expect(bench.scene.activity == .resting)
  }

  @Test("a flip begins and ends with exactly the resting picture, even at these exact times")
  func flipEndsAreTheRestingPicture() {
    let before = Bench.resting(["0", "9"])
    let after = Bench.resting(["1", "0"])
    let bench = Bench(["0", "9"])
    #expect(bench.scene.picture(at: 0).difference(from: before) == nil)
    bench.board.show(["1", "0"], at: 1, animated: true)
    for time in [0.5, 1] {
      #expect(bench.scene.picture(at: time).difference(from: before) == nil, "at \(time)")
    }
    #expect(bench.scene.picture(at: 1.3).difference(from: before) != nil)
    let end = 1 + 0.06 + 0.25 + 0.25
    #expect(bench.scene.picture(at: end).difference(from: after) == nil)
    #expect(bench.scene.picture(at: 9).difference(from: after) == nil)
  }

  @Test("a flip that is drawn by its damage alone leaves no traces")
  func damageCoversAFlip() {
    let bench = Bench(["3", "7"])
    let shown = Bitmap(width: Bench.size.width, height: Bench.size.height, format: .xrgb8888)
    bench.board.show(["4", "8"], at: 0, animated: true)
    for frame in 0...40 {
      bench.scene.advance(to: Double(frame) / 60)
      _ = bench.scene.render(into: shown.buffer)
    }
    #expect(shown.difference(from: Bench.resting(["4", "8"])) == nil)
  }

  @Test("no frame shows a half-done change")
  func noHalfDoneChanges() {
    let bench = Bench(["3", "7"])
    var random = SplitMix(seed: 3)
    var time = 0.0
    var asked: [Set<CardSymbol>] = [["3"], ["7"]]
    var seen: Set<String> = []
    for _ in 0..<600 {
      if random.int(0...25) == 0 {
        let symbols = [random.int(0...3), random.int(6...9)].map { CardSymbol(String($0)) }
        for index in 0...1 { asked[index].insert(symbols[index]) }
        bench.board.show(symbols, at: time, animated: random.int(0...9) > 0)
      }
      // One step in five is as long as half a flip, so that it often ends exactly with a phase.
      time += random.int(0...4) == 0 ? 0.25 : random.unit() / 16
      bench.scene.advance(to: time)
      for (card, asked) in zip(bench.board.cards, asked) {
        func symbol(_ layer: Layer) -> CardSymbol? {
          asked.first { bench.images.card($0) === layer.presentation.contents }
        }
        let (upper, lower, flap) = (symbol(card.upper), symbol(card.lower), symbol(card.flap))
        let shown = card.flap.presentation
        if shown.isHidden {
          seen.insert("rest")
          #expect(upper != nil && upper == lower)
          #expect(card.upper.presentation.shade == .none && card.lower.presentation.shade == .none)
        } else if shown.contentsRect.height > 0 {
          seen.insert("falling")
          #expect(flap != nil && flap == lower && upper != lower)
          #expect(shown.rotationX <= 0 && shown.rotationX >= -.pi / 2)
        } else {
          seen.insert("landing")
          #expect(flap != nil && flap == upper && upper != lower)
          #expect(shown.rotationX <= -.pi / 2 && shown.rotationX >= -.pi)
        }
      }
    }
    #expect(seen == ["rest", "falling", "landing"])
  }

  @Test("three, four, five, four within one flip ends at four and stays there")
  func changesWithinOneFlip() {
    let bench = Bench(["3"])
    bench.board.show(["4"], at: 0, animated: true)
    bench.scene.advance(to: 0.1)
    bench.board.show(["5"], at: 0.1, animated: true)
    bench.scene.advance(to: 0.3)
    bench.board.show(["4"], at: 0.3, animated: true)
    #expect(bench.scene.picture(at: 0.5).difference(from: Bench.resting(["4"])) == nil)
    #expect(bench.scene.activity == .resting)
  }

  @Test("a second change during a flight starts after the first, with the resting picture in between")
  func secondChangeDuringAFlight() {
    let bench = Bench(["3"])
    bench.board.show(["4"], at: 0, animated: true)
    bench.scene.advance(to: 0.4)
    bench.board.show(["5"], at: 0.4, animated: true)
    #expect(bench.scene.picture(at: 0.5).difference(from: Bench.resting(["4"])) == nil)
    #expect(bench.scene.activity != .resting)
    bench.scene.advance(to: 0.75)
    #expect(bench.isFlying == [true])
    #expect(bench.scene.picture(at: 1).difference(from: Bench.resting(["5"])) == nil)
    #expect(bench.scene.activity == .resting)
  }

  @Test("changes without motion are immediate", arguments: [0, 0.5], [0.0, 0.1, 0.3])
  func changesWithoutMotion(duration: Double, interrupted: Double) {
    let bench = Bench(["3", "1"], motion: FlipMotion(duration: duration, stagger: 0.06, perspective: 2.7))
    if interrupted > 0 {
      bench.board.show(["8", "1"], at: 0, animated: true)
      bench.scene.advance(to: interrupted)
    }
    bench.board.show(["4", "2"], at: interrupted, animated: duration == 0)
    #expect(bench.scene.picture(at: interrupted).difference(from: Bench.resting(["4", "2"])) == nil)
    #expect(bench.scene.activity == .resting)
  }

  @Test("a board removed during a flight rests on its newest symbols, and flips again once back in a scene")
  func boardRemovedDuringAFlight() {
    let bench = Bench(["3"])
    bench.board.show(["4"], at: 0, animated: true)
    bench.scene.advance(to: 0.3)
    bench.board.show(["6"], at: 0.3, animated: true)
    bench.board.layer.removeFromSuperlayer()
    #expect(bench.scene.activity == .resting)
    bench.scene.root.addSublayer(bench.board.layer)
    #expect(bench.scene.picture(at: 0.4).difference(from: Bench.resting(["6"])) == nil)
    bench.board.show(["7"], at: 1, animated: true)
    bench.scene.advance(to: 1.1)
    #expect(bench.isFlying == [true])
    #expect(bench.scene.picture(at: 2).difference(from: Bench.resting(["7"])) == nil)
  }

  @Test("a board removed while it waits to start rests on its newest symbols")
  func boardRemovedWhileWaiting() {
    let bench = Bench(["3"])
    bench.board.show(["4"], at: 5, animated: true)
    bench.scene.advance(to: 1)
    bench.board.layer.removeFromSuperlayer()
    bench.scene.root.addSublayer(bench.board.layer)
    #expect(bench.scene.picture(at: 9).difference(from: Bench.resting(["4"])) == nil)
    #expect(bench.board.cards[0].wouldFlip(to: "5"))
  }

  @Test("a card released during a flight does not keep the scene moving")
  func cardReleasedDuringAFlight() {
    let scene = Scene(size: Bench.size)
    weak var board: FlipBoard?
    do {
      let bench = Bench(["3"])
      scene.root.addSublayer(bench.board.layer)
      bench.board.show(["4"], at: 0, animated: true)
      bench.scene.advance(to: 0.2)
      bench.board.layer.removeFromSuperlayer()
      board = bench.board
    }
    scene.advance(to: 9)
    #expect(board == nil)
    #expect(scene.activity == .resting)
  }

  @Test("a flap in flight is in front of its neighbours and behind every pin")
  func flapDepth() {
    let bench = Bench(["1", "2"])
    func order(_ layer: Layer) -> [Layer] { [layer] + layer.sublayers.flatMap(order) }
    let all = order(bench.board.layer)
    func place(_ layer: Layer) -> Int { all.firstIndex { $0 === layer } ?? -1 }
    for card in bench.board.cards {
      for other in bench.board.cards {
        #expect(place(card.flap) > place(other.upper) && place(card.flap) > place(other.lower))
        #expect(place(card.bed) < place(other.upper) && place(card.bed) >= 0)
        for pin in other.hinge { #expect(place(card.flap) < place(pin)) }
      }
    }
  }
}
