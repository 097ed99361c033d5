// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import WallState

@Suite("Gradual changes of the brightness") struct BrightnessFadeTests {
  private func lights(_ levels: [String?: Int]) -> Lights {
    var lights = Lights(common: Light(isBlank: false, level: levels[nil] ?? 100), displays: [:])
    for case (let name?, let level) in levels { lights.displays[name] = Light(isBlank: false, level: level) }
    return lights
  }

  @Test("A brightness changes within a minute, in steps of one per cent, at most twice a second")
  func steps() throws {
    for from in 0...100 {
      for to in [0, 1, 5, 40, 60, 99, 100] {
        guard var fade = BrightnessFade(from: lights([nil: from]), to: lights([nil: to]), at: 7) else {
          #expect(from == to)
          continue
        }
        var levels = [fade.level(of: nil, to: to)]
        #expect(levels == [from])
        var time = fade.next
        #expect(time >= 500_000_000)
        while fade.advance(to: time) {
          levels.append(fade.level(of: nil, to: to))
          #expect(fade.next - time >= 500_000_000)
          time = fade.next
        }
        levels.append(fade.level(of: nil, to: to))
        #expect(levels.last == to)
        #expect((59_900_000_000...60_000_000_007).contains(time))
        #expect(zip(levels, levels.dropFirst()).allSatisfy { abs($1 - $0) == 1 && ($1 > $0) == (to > from) })
      }
    }
  }

  @Test("Displays with levels of their own change by the same time")
  func several() throws {
    let fade = BrightnessFade(
      from: lights([nil: 100, "A": 20, "B": 5]), to: lights([nil: 40, "A": 10, "B": 5]), at: 0)
    var running = try #require(fade)
    while running.advance(to: running.next) {
      #expect(running.level(of: "B", to: 5) == 5)
      #expect((10...20).contains(running.level(of: "A", to: 10)))
    }
    #expect(running.level(of: "A", to: 10) == 10)
    // A display that was connected meanwhile has the common level of the beginning.
    #expect(running.level(of: "C", to: 40) == 40)
    #expect(BrightnessFade(from: lights([nil: 40]), to: lights([nil: 40]), at: 0) == nil)
  }
}
