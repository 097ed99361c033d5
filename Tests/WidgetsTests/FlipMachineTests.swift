// SPDX-License-Identifier: Apache-2.0

import Settings
import TestSupport
import Testing

@testable import Widgets

@Suite struct FlipMachineTests {
  enum Event {
    case show(CardSymbol)
    case place(CardSymbol)
    case finished
    case removed
  }

  struct Case: CustomStringConvertible {
    var description: String
    var steps: [(Event, FlipMachine.Action)]
    var end: CardSymbol
  }

  static let cases = [
    Case(
      description: "one flip",
      steps: [
        (.show("4"), .begin(from: "3", to: "4")), (.finished, .turnOver(to: "4")),
        (.finished, .reset(to: "4", next: nil)), (.finished, .none),
      ], end: "4"),
    Case(description: "the same symbol again", steps: [(.show("3"), .none), (.place("3"), .none)], end: "3"),
    Case(
      description: "there and back in flight",
      steps: [
        (.show("4"), .begin(from: "3", to: "4")), (.show("5"), .none), (.finished, .turnOver(to: "4")),
        (.show("4"), .none), (.finished, .reset(to: "4", next: nil)),
      ], end: "4"),
    Case(
      description: "two changes in flight, the first one skipped",
      steps: [
        (.show("4"), .begin(from: "3", to: "4")), (.finished, .turnOver(to: "4")), (.show("5"), .none),
        (.show("6"), .none), (.finished, .reset(to: "4", next: "6")), (.finished, .turnOver(to: "6")),
        (.finished, .reset(to: "6", next: nil)),
      ], end: "6"),
    Case(
      description: "placed in flight",
      steps: [
        (.show("4"), .begin(from: "3", to: "4")), (.place("7"), .place("7")), (.removed, .none),
        (.finished, .none),
      ], end: "7"),
    Case(
      description: "placed in flight at its target",
      steps: [(.show("4"), .begin(from: "3", to: "4")), (.place("4"), .place("4")), (.removed, .none)],
      end: "4"),
    Case(
      description: "removed in the first quarter",
      steps: [(.show("4"), .begin(from: "3", to: "4")), (.removed, .place("4")), (.removed, .none)],
      end: "4"),
    Case(
      description: "removed in the second quarter, with another change waiting",
      steps: [
        (.show("4"), .begin(from: "3", to: "4")), (.finished, .turnOver(to: "4")), (.show("9"), .none),
        (.removed, .place("9")),
      ], end: "9"),
    Case(description: "removed at rest", steps: [(.removed, .none), (.finished, .none)], end: "3"),
  ]

  @Test("every event leads to its action", arguments: cases)
  func actions(_ row: Case) {
    var machine = FlipMachine(showing: "3")
    for (event, action) in row.steps {
      switch event {
      case .show(let symbol): #expect(machine.show(symbol, animated: true) == action)
      case .place(let symbol): #expect(machine.show(symbol, animated: false) == action)
      case .finished: #expect(machine.animationDidStop(finished: true) == action)
      case .removed: #expect(machine.animationDidStop(finished: false) == action)
      }
    }
    #expect(machine.state == .resting(row.end))
    #expect(machine.target == row.end)
  }

  @Test("any sequence ends at the last symbol and shows none that was not asked for", arguments: 0..<40)
  func anySequence(seed: UInt64) {
    var random = SplitMix(seed: seed)
    var machine = FlipMachine(showing: "start")
    var asked: Set<CardSymbol> = ["start"]
    var last: CardSymbol = "start"
    /// The symbol at rest on the card, according to the actions.
    var resting: CardSymbol = "start"
    func check(_ action: FlipMachine.Action) {
      switch action {
      case .none: break
      case .place(let symbol):
        #expect(asked.contains(symbol))
        resting = symbol
      case .begin(let from, let to):
        #expect(from == resting && asked.contains(to) && from != to)
      case .turnOver(let to): #expect(asked.contains(to))
      case .reset(let to, let next):
        #expect(asked.contains(to))
        #expect(next.map { asked.contains($0) && $0 != to } ?? true)
        resting = to
      }
    }
    for _ in 0..<60 {
      switch random.int(0...5) {
      case 0, 1:
        last = CardSymbol(String(random.int(0...3)))
        asked.insert(last)
        check(machine.show(last, animated: true))
      case 2:
        last = CardSymbol(String(random.int(0...3)))
        asked.insert(last)
        check(machine.show(last, animated: false))
      case 3: check(machine.animationDidStop(finished: false))
      default: check(machine.animationDidStop(finished: true))
      }
      #expect(machine.target == last)
    }
    for _ in 0..<4 { check(machine.animationDidStop(finished: true)) }
    #expect(machine.state == .resting(last))
    #expect(resting == last)
  }
}
