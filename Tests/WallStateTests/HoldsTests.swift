// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Schedule
import Testing

@testable import WallState

@Suite("What was set by command") struct HoldsTests {
  @Test("What was set is removed at its end, and `wake` is the earliest end")
  func ends() {
    func hold(_ seconds: Int64?) -> ManualHold {
      ManualHold(until: seconds.map { Instant(seconds: $0) }, isTimed: true)
    }
    var holds = Holds()
    #expect(holds.wake(waits: false) == nil)
    holds.page = .init(name: "match", hold: hold(30))
    holds.lights = [nil: .init(isBlank: true, hold: hold(nil)), "A": .init(isBlank: false, hold: hold(20))]
    #expect(holds.wake(waits: false) == Instant(seconds: 20))
    #expect(holds.light(of: "A")?.isBlank == false)
    #expect(holds.light(of: "B")?.isBlank == true)
    #expect(holds.expire(at: Instant(seconds: 19)) == [:])
    #expect(holds.expire(at: Instant(seconds: 20)) == [.light: Instant(seconds: 20)])
    #expect(holds.light(of: "A")?.isBlank == true)
    #expect(holds.wake(waits: false) == Instant(seconds: 30))
    #expect(holds.expire(at: Instant(seconds: 99)) == [.page: Instant(seconds: 30)])
    #expect(holds.page == nil && holds.wake(waits: false) == nil)
    #expect(holds.light(of: nil)?.isBlank == true)
  }

  @Test("What ends with a switch stays while the switch waits for a game, and needs no timer")
  func waiting() {
    func hold(isTimed: Bool) -> ManualHold { ManualHold(until: Instant(seconds: 30), isTimed: isTimed) }
    for isTimed in [false, true] {
      var holds = Holds()
      holds.page = .init(name: "match", hold: hold(isTimed: isTimed))
      holds.lights = [nil: .init(isBlank: true, hold: hold(isTimed: isTimed))]
      #expect((holds.wake(waits: true) != nil) == isTimed)
      #expect(holds.expire(at: Instant(seconds: 40), waiting: [.page, .light]).isEmpty != isTimed)
      #expect(holds.expire(at: Instant(seconds: 40), waiting: [.light]).isEmpty == isTimed)
      #expect(holds.page == nil && holds.lights.isEmpty == isTimed)
      #expect(holds.expire(at: Instant(seconds: 40)).isEmpty == isTimed)
    }
  }

  @Test("With another schedule, the ends that depend on it are computed again")
  func renewed() {
    let entry = Schedule.Entry(
      "a", from: .clock(minutes: 60), to: .clock(minutes: 120),
      values: .init(page: "match", light: .off))
    let controller = ScheduleController(Schedule([entry]), at: Instant(seconds: 0))
    var holds = Holds()
    holds.page = .init(name: "x", hold: ManualHold(until: Instant(seconds: 5), isTimed: true))
    holds.lights = [nil: .init(isBlank: true, hold: ManualHold(until: nil, isTimed: false))]
    holds.renew(controller, at: Instant(seconds: 0))
    #expect(holds.page?.hold.until == Instant(seconds: 5))
    #expect(holds.lights[nil]?.hold.until == Instant(seconds: 3_600))
  }
}
