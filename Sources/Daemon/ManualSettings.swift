// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Schedule

/// What was set by command and has precedence over the schedule, except the brightness, which `StateStore` keeps.
struct ManualSettings: Hashable {
  struct Page: Hashable, Codable {
    var name: String
    var hold: ManualHold
  }

  struct Light: Hashable {
    var isBlank: Bool
    var hold: ManualHold
  }

  /// A page that was shown while the schedule had another one, or for a certain time.
  var page: Page?
  /// The displays that were switched off or on, by output; nil: all others.
  var lights: [String?: Light] = [:]

  func light(of output: String?) -> Light? { lights[output] ?? lights[nil] }

  /// The earliest end.
  ///
  /// - Parameter waits: whether what ends with a switch of the schedule stays, because the switch waits for a game.
  func wake(waits: Bool) -> Instant? {
    (lights.values.map(\.hold) + [page?.hold].compactMap(\.self))
      .filter { !waits || $0.isTimed }.compactMap(\.until).min()
  }

  /// Removes what is over. Returns what was removed, with the times of the ends.
  ///
  /// - Parameter waiting: what stays if its end is a switch of the schedule, because the switch waits for a game.
  mutating func expire(
    at now: Instant, waiting: Set<Schedule.Property> = []
  ) -> [Schedule.Property: Instant] {
    var ended: [Schedule.Property: Instant] = [:]
    if let hold = page?.hold, let until = hold.until, hold.isOver(at: now, waits: waiting.contains(.page)) {
      ended[.page] = until
      page = nil
    }
    for (output, light) in lights {
      guard let until = light.hold.until, light.hold.isOver(at: now, waits: waiting.contains(.light)) else {
        continue
      }
      ended[.light] = max(ended[.light] ?? until, until)
      lights[output] = nil
    }
    return ended
  }

  /// Computes the ends that depend on the schedule again, because it is another one.
  mutating func renew(_ schedule: ScheduleController, at now: Instant) {
    if page?.hold.isTimed == false { page?.hold = schedule.hold(.page, milliseconds: nil, at: now) }
    for (output, light) in lights where !light.hold.isTimed {
      lights[output]?.hold = schedule.hold(.light, milliseconds: nil, at: now)
    }
  }
}
