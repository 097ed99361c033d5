// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ControlCalls
import Schedule

/// What was set by command and has precedence over the schedule.
package struct Holds: Hashable, Sendable {
  package struct Page: Hashable, Codable, Sendable {
    package var name: String
    package var hold: ManualHold

    package init(name: String, hold: ManualHold) {
      self.name = name
      self.hold = hold
    }
  }

  package struct Light: Hashable, Sendable {
    package var isBlank: Bool
    package var hold: ManualHold
  }

  /// A brightness that was set by command. It is used until the config's brightness changes.
  package struct Brightness: Codable, Hashable, Sendable {
    package var percent: Int
    /// The config's brightness when it was set; 0: the config had none for the display.
    package var insteadOf: Int
    /// When it is over (CLOCK_REALTIME, seconds); nil: it is used until it is set again.
    package var until: Int64?
    /// Whether the end was given with the command; otherwise it is a switch of the schedule. Nil in older
    /// files.
    package var isTimed: Bool?

    package init(percent: Int, insteadOf: Int, until: Int64? = nil, isTimed: Bool? = nil) {
      self.percent = percent
      self.insteadOf = insteadOf
      self.until = until
      self.isTimed = isTimed
    }

    init(percent: Int, insteadOf: Int, _ hold: ManualHold) {
      self.init(percent: percent, insteadOf: insteadOf, until: hold.until?.seconds, isTimed: hold.isTimed)
    }

    package var hold: ManualHold {
      ManualHold(until: until.map { Instant(seconds: $0) }, isTimed: isTimed ?? true)
    }
  }

  /// The page that was set by command while the schedule had one, or for a certain time.
  package var page: Page?
  /// The displays that were switched off or on, by connector; the key nil stands for all others.
  package var lights: [String?: Light] = [:]
  /// Nil: the schedule's or the config's.
  package var brightness: Brightness?
  /// The brightness of single displays, by connector.
  package var outputBrightness: [String: Brightness] = [:]

  package init() {}

  func light(of output: String?) -> Light? { lights[output] ?? lights[nil] }

  mutating func forgetBrightness() { (brightness, outputBrightness) = (nil, [:]) }

  private var ends: [ManualHold] {
    [page?.hold, brightness?.hold].compactMap { $0 } + lights.values.map(\.hold)
      + outputBrightness.values.map(\.hold)
  }

  /// The earliest end.
  ///
  /// - Parameter waits: whether to ignore ends that are switches of the schedule, because the switch waits
  ///   for a game.
  func wake(waits: Bool) -> Instant? { ends.filter { !waits || $0.isTimed }.compactMap(\.until).min() }

  /// Removes what is over. Returns the properties of which something was removed, each with its last end.
  ///
  /// - Parameter waiting: the properties that stay if their end is a switch of the schedule, because the
  ///   switch waits for a game.
  mutating func expire(
    at now: Instant, waiting: Set<Schedule.Property> = []
  ) -> [Schedule.Property: Instant] {
    var ended: [Schedule.Property: Instant] = [:]
    func isOver(_ hold: ManualHold, _ property: Schedule.Property) -> Bool {
      guard let until = hold.until, hold.isOver(at: now, waits: waiting.contains(property)) else {
        return false
      }
      ended[property] = max(ended[property] ?? until, until)
      return true
    }
    page = page.flatMap { isOver($0.hold, .page) ? nil : $0 }
    lights = lights.filter { !isOver($0.value.hold, .light) }
    brightness = brightness.flatMap { isOver($0.hold, .brightness) ? nil : $0 }
    outputBrightness = outputBrightness.filter { !isOver($0.value.hold, .brightness) }
    return ended
  }

  /// Recomputes the ends that depend on the schedule. Called after the schedule was replaced.
  mutating func renew(_ schedule: ScheduleController, at now: Instant) {
    if page?.hold.isTimed == false { page?.hold = schedule.hold(.page, milliseconds: nil, at: now) }
    for (output, light) in lights where !light.hold.isTimed {
      lights[output]?.hold = schedule.hold(.light, milliseconds: nil, at: now)
    }
    let until = schedule.hold(.brightness, milliseconds: nil, at: now).until?.seconds
    if brightness?.isTimed == false { brightness?.until = until }
    for (output, set) in outputBrightness where set.isTimed == false {
      outputBrightness[output]?.until = until
    }
  }

  /// What was set by command, for `status`.
  var all: [HeldStatus] {
    func status(_ what: String, _ output: String?, _ hold: ManualHold) -> HeldStatus {
      HeldStatus(what: what, output: output, until: hold.until?.rfc3339UTC)
    }
    return [brightness.map { status("brightness", nil, $0.hold) }].compactMap { $0 }
      + outputBrightness.sorted { $0.key < $1.key }.map { status("brightness", $0.key, $0.value.hold) }
      + [page.map { status("page", nil, $0.hold) }].compactMap { $0 }
      + lights.sorted { ($0.key ?? "") < ($1.key ?? "") }.map { status("display", $0.key, $0.value.hold) }
  }
}
