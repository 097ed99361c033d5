// SPDX-License-Identifier: Apache-2.0

@testable import Walls

/// How often each event happened, which shows whether the schedules reach every case.
struct SimulationCounts {
  enum Name: Int, CaseIterable {
    case steps, messages, lateDeliveries, cuts, crashes, newCards, oldCards, copiedCards, brokerRestarts,
      clockSteps
    case taps, undos, acknowledged, tooLate, changed, unanswered, takeovers, confirmations, setAside
  }

  private var values = Array(repeating: 0, count: Name.allCases.count)

  mutating func add(_ name: Name, _ count: Int = 1) { values[name.rawValue] += count }
  mutating func add(_ other: SimulationCounts) { for name in Name.allCases { add(name, other[name]) } }

  subscript(name: Name) -> Int { values[name.rawValue] }

  var text: String { Name.allCases.map { "\($0) \(self[$0])" }.joined(separator: ", ") }
}

/// What happened, in words.
final class Trace {
  var lines: [String] = []
}

/// A message in transit. A class, so that a copy does not copy the match.
final class Letter {
  let message: WallMessage
  let isRetained: Bool

  init(_ outgoing: WallEffects.Outgoing) {
    (message, isRetained) = (outgoing.message, outgoing.isRetained)
  }

  var reign: Int? { message.history?.stamp.reign }

  /// Whether the wall with this name handles the message.
  func isFor(_ name: String?) -> Bool { message.to == nil || message.to == name || message.from == name }
}

/// A set of commands with numbers below 256.
struct PressSet {
  private var bits = SIMD4<UInt64>()

  var isEmpty: Bool { bits == SIMD4() }
  func contains(_ press: Int) -> Bool { bits[press / 64] & 1 << UInt64(press % 64) != 0 }
  mutating func insert(_ press: Int) { bits[press / 64] |= 1 << UInt64(press % 64) }

  func union(_ other: PressSet) -> PressSet { PressSet(bits: bits | other.bits) }
  func subtracting(_ other: PressSet) -> PressSet { PressSet(bits: bits & ~other.bits) }
}

/// What a state contains, as the people who gave the commands expect it.
struct StateContents {
  /// A list of the points that count, the newest first.
  final class Points {
    let press: Int
    let score: Int
    let older: Points?

    init(_ press: Int, after older: Points?) {
      (self.press, self.older) = (press, older)
      score = 1 + (older?.score ?? 0)
    }
  }

  /// The commands that were performed.
  private(set) var presses = PressSet()
  /// The commands that were refused because they were too old.
  var refused = PressSet()
  private(set) var last: Points?
  var score: Int { last?.score ?? 0 }

  mutating func add(_ press: Int) {
    presses.insert(press)
    last = Points(press, after: last)
  }

  /// Takes back the last point.
  mutating func undo(_ press: Int) {
    presses.insert(press)
    last = last?.older
  }
}

/// Events in the order of their time; those of the same time in the order in which they were added.
struct EventQueue {
  private var heap: [(time: Int64, order: Int, event: Simulation.Event)] = []
  private var count = 0

  mutating func add(_ time: Int64, _ event: Simulation.Event) {
    count += 1
    heap.append((time, count, event))
    var index = heap.count - 1
    while index > 0, isBefore(index, (index - 1) / 2) {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  mutating func next(until end: Int64) -> (Int64, Simulation.Event)? {
    guard let first = heap.first, first.time <= end else { return nil }
    let last = heap.removeLast()
    if !heap.isEmpty {
      heap[0] = last
      var index = 0
      while true {
        var least = index
        for child in [2 * index + 1, 2 * index + 2] where child < heap.count && isBefore(child, least) {
          least = child
        }
        if least == index { break }
        heap.swapAt(index, least)
        index = least
      }
    }
    return (first.time, first.event)
  }

  private func isBefore(_ a: Int, _ b: Int) -> Bool {
    (heap[a].time, heap[a].order) < (heap[b].time, heap[b].order)
  }
}
