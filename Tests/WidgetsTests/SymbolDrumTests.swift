// SPDX-License-Identifier: Apache-2.0

import Settings
import Testing

@testable import Layers
@testable import Widgets

@Suite struct SymbolDrumTests {
  /// The symbols that a card shows after `from`, up to `to`.
  private func way(_ drum: SymbolDrum, _ from: CardSymbol, _ to: CardSymbol) -> [CardSymbol] {
    var machine = FlipMachine(showing: from, drum: drum)
    var shown: [CardSymbol] = []
    var action = machine.show(to, animated: true)
    while shown.count < 100 {
      switch action {
      case .reset(let symbol, _):
        shown.append(symbol)
        if case .resting = machine.state { return shown }
      default: break
      }
      action = machine.animationDidStop(finished: true)
      if action == .none { return shown }
    }
    return shown
  }

  @Test("a digit counts up through the digits in between, after nine comes zero")
  func digits() {
    #expect(way(.digits, "3", "6") == ["4", "5", "6"])
    #expect(way(.digits, "8", "1") == ["9", "0", "1"])
    #expect(way(.digits, "", "2") == ["0", "1", "2"])
    #expect(way(.digits, "8", "") == ["9", ""])
    #expect(way(.digits, "5", "4").count == 9)
  }

  @Test("a pair passes through its range; symbols that are not on the drum are reached directly")
  func pairs() {
    #expect(way(.pairs(0...59), "58", "01") == ["59", "00", "01"])
    #expect(way(.pairs(1...12, leadingZero: false), "11", "2") == ["12", "1", "2"])
    #expect(way(.pairs(0...23), "77", "05") == ["05"])
    #expect(way(.pairs(0...23), "05", "x") == ["x"])
  }

  @Test("letters follow the order of the board's drum, past its end to the blank")
  func letters() {
    #expect(way(.letters(" AB1."), "B", "A") == ["1", ".", "", "A"])
  }

  @Test("a coloured symbol is beside the same letters, and is reached without an extra turn")
  func colours() {
    let drum = SymbolDrum.letters(" ABC")
    let (red, blue) = (CardSymbol("B", color: 0xd62828), CardSymbol("B", color: 0x2467d6))
    #expect(way(drum, "", red) == ["A", red])
    #expect(way(drum, red, "C") == ["C"])
    #expect(way(drum, red, blue) == [blue])
    #expect(way(drum, "B", red) == [red])
    #expect(way(drum, red, "B") == ["B"])
    #expect(way(drum, "A", CardSymbol("X", color: 0xd62828)) == [CardSymbol("X", color: 0xd62828)])
  }

  @Test("a target that changes on the way is reached without an extra turn")
  func aTargetThatChanges() {
    var machine = FlipMachine(showing: "1", drum: .digits)
    #expect(machine.show("3", animated: true) == .begin(from: "1", to: "2"))
    #expect(machine.animationDidStop(finished: true) == .turnOver(to: "2"))
    #expect(machine.show("2", animated: true) == .none)
    #expect(machine.animationDidStop(finished: true) == .reset(to: "2", next: nil))
    #expect(machine.state == .resting("2"))
  }

  @Test("each flap takes the time given by the rate, and the card ends at its symbol")
  func theRate() {
    var motion = Fixture.motion
    motion.flapRate = 10
    let bench = TransitionBench(["2"], motion: motion, drum: .digits)
    bench.board.show(["5"], at: 0, animated: true)
    // In the second half of each flip, the upper half of the card shows the new symbol.
    for (time, symbol) in [(0.06, "3"), (0.16, "4"), (0.26, "5")] as [(Double, CardSymbol)] {
      bench.scene.advance(to: time)
      #expect(bench.board.cards[0].upper.presentation.contents === bench.images.card(symbol))
      #expect(bench.board.cards[0].flap.presentation.isHidden == false)
    }
    #expect(bench.scene.picture(at: 0.301).difference(from: bench.resting(["5"])) == nil)
    #expect(bench.scene.activity == .resting)
  }
}
