// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import Schedule
import Settings

/// Whether the displays are lit, and how brightly: as set by command, else as the schedule says, else as
/// configured.
extension Wall {
  /// The light of a display now; nil: of displays without a light of their own, and those that are connected
  /// later.
  package func light(of display: String?) -> Light {
    let wanted = wantedLight(display)
    let target = wanted == .black || wanted == .offAndBlack ? 0 : brightness(of: display)
    var level = target
    if case .fade(let fade) = transition { level = fade.level(of: display, to: target) }
    return Light(isBlank: wanted == .off || (wanted == .offAndBlack && transition == nil), level: level)
  }

  package var lights: Lights {
    Lights(
      common: light(of: nil),
      displays: Dictionary(
        displays.map { ($0.name, light(of: $0.name)) }, uniquingKeysWith: { first, _ in first }))
  }

  /// Whether all displays are off or black; if there is none, whether displays that are connected later are
  /// off.
  package var isDark: Bool {
    displays.isEmpty ? light(of: nil).isBlank : displays.allSatisfy { light(of: $0.name).isDark }
  }

  /// The light that was set by command, else the schedule's. All displays are on while an invitation is open.
  private func wantedLight(_ display: String?) -> Schedule.Light {
    if invitations.open != nil { return .on }
    if let light = holds.light(of: display) { return light.isBlank ? .off : .on }
    return schedule.state.light?.value ?? .on
  }

  // MARK: Changes

  /// Calls `body`, which may change what the lights depend on. If it changes the lights, starts a transition
  /// or ends the present one.
  ///
  /// - Parameters:
  ///   - isGradual: whether levels change gradually (`BrightnessFade`), not at once.
  ///   - isAlways: whether the present transition ends even if the lights do not change.
  mutating func relight(isGradual: Bool = false, isAlways: Bool = false, _ body: (inout Wall) -> Void) {
    let (running, before, wasShown) = (transition, lights, isCommonPageShown)
    transition = nil
    let end = lights
    body(&self)
    let targets = lights
    if !isAlways, targets == end {
      transition = running
    } else if isGradual, let fade = BrightnessFade(from: before, to: targets, at: now.clock) {
      transition = .fade(fade)
    } else {
      turnBlack(from: before)
    }
    if !wasShown { pageSince = now.clock }
  }

  /// Shows the black picture on displays that are lit and are to be off after it.
  private mutating func turnBlack(from before: Lights) {
    let names = [nil] + displays.map { Optional($0.name) }
    guard names.contains(where: { wantedLight($0) == .offAndBlack && !before[$0].isBlank }) else { return }
    transition = .black(until: now.clock + LightTransition.blackDuration)
  }

  mutating func advanceTransition() {
    switch transition {
    case nil: break
    case .fade(var fade):
      if fade.advance(to: now.clock) {
        transition = .fade(fade)
      } else {
        let before = lights
        transition = nil
        turnBlack(from: before)
      }
    case .black(let end): if end <= now.clock { transition = nil }
    }
  }

  // MARK: Commands

  /// Switches displays off or on; returns whether that changed anything.
  mutating func blank(
    _ isBlank: Bool, _ name: String?, for milliseconds: Int?, _ effects: inout Effects
  ) throws(ControlError) -> Bool {
    let display = try display(named: name)
    let (before, level) = (lights, light(of: display?.name).level)
    let light = Holds.Light(
      isBlank: isBlank, hold: schedule.hold(.light, milliseconds: milliseconds, at: now.instant))
    let hadInvitation = isBlank && display == nil && invitations.open != nil
    relight(isAlways: true) { wall in
      if hadInvitation { _ = wall.invitations.close() }
      if let display {
        wall.holds.lights[display.name] = light
      } else {
        // Switching all displays on again need not be held if the schedule has them on, too.
        let isOn = wall.schedule.state.light.map { $0.value == .on } ?? true
        wall.holds.lights = !isBlank && isOn && milliseconds == nil ? [:] : [nil: light]
      }
    }
    let after = lights
    // A picture that the schedule made black is lit by 'unblank', too.
    let isLit = level == 0 && self.light(of: display?.name).level > 0
    guard after.areSwitched(from: before) || isLit || hadInvitation else { return false }
    effects.notes.append("\(name ?? "display") \(isBlank ? "blanked" : "unblanked")")
    return true
  }

  /// The brightness in percent; for nil that of the displays that have none of their own.
  package func brightness(of display: String?) -> Int {
    if let display = displays.first(where: { $0.name == display }), let own = ownBrightness(display) {
      return own
    }
    let configured = configuration.display.brightness
    if let set = holds.brightness, set.insteadOf == configured { return set.percent }
    return schedule.state.brightness?.value ?? configured
  }

  /// The brightness of one display that was set by command, or that the config has for it; nil if the display
  /// has the common one.
  private func ownBrightness(_ display: Display) -> Int? {
    let configured = display.settings?.brightness
    if let set = holds.outputBrightness[display.name], set.insteadOf == configured ?? 0 { return set.percent }
    return schedule.state.brightness == nil ? configured : nil
  }

  /// Whether a display may have another level than the others.
  package func hasOwnLevel(_ name: String) -> Bool {
    holds.lights[name] != nil || displays.contains { $0.name == name && ownBrightness($0) != nil }
  }

  /// Sets the brightness of one display, or of all, and returns it.
  ///
  /// - Parameter percent: nil: the config's.
  mutating func setBrightness(_ percent: Int?, _ name: String?, for milliseconds: Int?) throws(ControlError)
    -> Int
  {
    let chosen = try display(named: name)
    let hold = schedule.hold(.brightness, milliseconds: milliseconds, at: now.instant)
    relight(isAlways: true) { wall in
      func set(_ display: Display) {
        wall.holds.outputBrightness[display.name] = percent.map {
          Holds.Brightness(percent: $0, insteadOf: display.settings?.brightness ?? 0, hold)
        }
      }
      if let chosen { return set(chosen) }
      wall.holds.outputBrightness = [:]
      let configured = wall.configuration.display.brightness
      wall.holds.brightness = percent.map { Holds.Brightness(percent: $0, insteadOf: configured, hold) }
      // The command applies to all present displays, also to those that have a brightness of their own in the
      // config.
      if percent != nil { wall.displays.filter { $0.settings?.brightness != nil }.forEach(set) }
    }
    return brightness(of: chosen?.name)
  }

  // MARK: Names

  /// The display with the connector or the table `[outputs.NAME]` of this name; nil for nil, which stands for
  /// all.
  package func display(named name: String?) throws(ControlError) -> Display? {
    guard let name else { return nil }
    if let display = displays.first(where: { $0.name == name || $0.settings?.name == name }) {
      return display
    }
    let names = displays.map(\.name) + displays.compactMap { $0.settings?.name }
    throw .noSuchOutput(output: name, known: Array(Set(names)).sorted())
  }
}

extension Light {
  /// Whether the display is off or black.
  package var isDark: Bool { isBlank || level == 0 }
}
