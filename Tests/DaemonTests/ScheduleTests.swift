// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Schedule
import Testing

@testable import Daemon

struct BrightnessFadeTests {
  @Test("A brightness changes within a minute, in steps of at least one per cent, at most twice a second")
  func steps() throws {
    for from in 0...100 {
      for to in [0, 1, 5, 40, 60, 99, 100] {
        guard var fade = BrightnessFade(from: [nil: from], to: [nil: to]) else {
          #expect(from == to)
          continue
        }
        #expect(fade.interval >= 500_000_000)
        var levels = [fade.level(of: nil, to: to)]
        #expect(levels == [from])
        var time = fade.interval
        while fade.advance() {
          levels.append(fade.level(of: nil, to: to))
          time += fade.interval
        }
        levels.append(fade.level(of: nil, to: to))
        #expect(levels.last == to)
        #expect((59_900_000_000...60_000_000_000).contains(time))
        #expect(zip(levels, levels.dropFirst()).allSatisfy { abs($1 - $0) == 1 && ($1 > $0) == (to > from) })
      }
    }
  }

  @Test("Displays with levels of their own change by the same time")
  func several() throws {
    var fade = try #require(
      BrightnessFade(from: [nil: 100, "A": 20, "B": 5], to: [nil: 40, "A": 10, "B": 5]))
    while fade.advance() {
      #expect(fade.level(of: "B", to: 5) == 5)
      #expect((10...20).contains(fade.level(of: "A", to: 10)))
    }
    #expect(fade.level(of: "A", to: 10) == 10)
    // A display that was connected meanwhile has the common level at the beginning.
    #expect(fade.level(of: "C", to: 40) == 40)
    #expect(BrightnessFade(from: [nil: 40], to: [nil: 40]) == nil)
  }
}

struct ManualSettingsTests {
  @Test("What was set is removed at its end, and the earliest end is known")
  func ends() {
    func hold(_ seconds: Int64?) -> ManualHold {
      ManualHold(until: seconds.map { Instant(seconds: $0) }, isTimed: true)
    }
    var manual = ManualSettings()
    #expect(manual.wake(waits: false) == nil)
    manual.page = .init(name: "match", hold: hold(30))
    manual.lights = [nil: .init(isBlank: true, hold: hold(nil)), "A": .init(isBlank: false, hold: hold(20))]
    #expect(manual.wake(waits: false) == Instant(seconds: 20))
    #expect(manual.light(of: "A")?.isBlank == false)
    #expect(manual.light(of: "B")?.isBlank == true)
    #expect(manual.expire(at: Instant(seconds: 19)) == [:])
    #expect(manual.expire(at: Instant(seconds: 20)) == [.light: Instant(seconds: 20)])
    #expect(manual.light(of: "A")?.isBlank == true)
    #expect(manual.wake(waits: false) == Instant(seconds: 30))
    #expect(manual.expire(at: Instant(seconds: 99)) == [.page: Instant(seconds: 30)])
    #expect(manual.page == nil && manual.wake(waits: false) == nil)
    #expect(manual.light(of: nil)?.isBlank == true)
  }

  @Test("What ends with a switch of the schedule stays while the switch waits for a game, and wakes nobody")
  func waiting() {
    func hold(isTimed: Bool) -> ManualHold { ManualHold(until: Instant(seconds: 30), isTimed: isTimed) }
    for isTimed in [false, true] {
      var manual = ManualSettings()
      manual.page = .init(name: "match", hold: hold(isTimed: isTimed))
      manual.lights = [nil: .init(isBlank: true, hold: hold(isTimed: isTimed))]
      #expect((manual.wake(waits: true) != nil) == isTimed)
      #expect(manual.expire(at: Instant(seconds: 40), waiting: [.page, .light]).isEmpty != isTimed)
      #expect(manual.expire(at: Instant(seconds: 40), waiting: [.light]).isEmpty == isTimed)
      #expect(manual.page == nil && manual.lights.isEmpty == isTimed)
      #expect(manual.expire(at: Instant(seconds: 40)).isEmpty == isTimed)
    }
  }

  @Test("With another schedule, the ends that depend on it are computed again")
  func renewed() {
    let entry = Schedule.Entry(
      "a", from: .clock(minutes: 60), to: .clock(minutes: 120),
      values: .init(page: "match", light: .off))
    let controller = ScheduleController(Schedule([entry]), at: Instant(seconds: 0))
    var manual = ManualSettings()
    manual.page = .init(name: "x", hold: ManualHold(until: Instant(seconds: 5), isTimed: true))
    manual.lights = [nil: .init(isBlank: true, hold: ManualHold(until: nil, isTimed: false))]
    manual.renew(controller, at: Instant(seconds: 0))
    #expect(manual.page?.hold.until == Instant(seconds: 5))
    #expect(manual.lights[nil]?.hold.until == Instant(seconds: 3_600))
  }
}
