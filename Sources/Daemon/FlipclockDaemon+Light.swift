// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import Display
import Settings

/// Blanking and brightness.
extension FlipclockDaemon {
  /// Whether all displays are blanked or show the schedule's black picture; if there is none, whether displays that are
  /// connected later are blanked.
  var isBlank: Bool {
    let outputs = presenter.displays.outputs
    return outputs.isEmpty ? presenter.isBlank : outputs.allSatisfy(isDark)
  }

  private func isDark(_ output: any Output) -> Bool { output.isBlank || level(ofDimmed: output.name) == 0 }

  package func isDark(output name: String?) throws(ControlError) -> Bool {
    try output(named: name).map(isDark) ?? isBlank
  }

  package func blank(_ isBlank: Bool, output name: String?) throws(ControlError) -> Bool {
    let hold = schedule.hold(.light, milliseconds: holdMilliseconds, at: WallClock.now)
    let light = ManualSettings.Light(isBlank: isBlank, hold: hold)
    let before = manual
    let chosen = try output(named: name)
    // All displays are lit while the card for phones is open.
    let hadCard = isBlank && chosen == nil && invitation.close()
    // A picture that the schedule makes black is lit by 'unblank', too.
    let wasBlack = level(ofDimmed: name) == 0
    if let output = chosen {
      manual.lights[output.name] = light
    } else {
      // Nothing needs to be held if the schedule says the same until then.
      let isOn = schedule.state.light.map { $0.value == .on } ?? true
      manual.lights = !isBlank && isOn && holdMilliseconds == nil ? [:] : [nil: light]
    }
    endFade()
    let changed = applyLight()
    let isLit = wasBlack && level(ofDimmed: name) > 0
    if isLit || schedule.state.light != nil { showLevels(animated: false) }
    guard changed || isLit || hadCard else {
      if manual != before { arm() }
      return false
    }
    log.info("\(name ?? "display") \(isBlank ? "blanked" : "unblanked")")
    displayChanged()
    return true
  }

  // MARK: Brightness

  /// The common brightness that was set by command, unless the config's was changed since; otherwise the
  /// schedule's or the config's.
  var brightness: Int {
    let own = config.configuration.display.brightness
    if let set = state.brightness, set.insteadOf == own { return set.percent }
    return schedule.state.brightness?.value ?? own
  }

  /// The brightness of one display that was set by command, or that the config has for it; nil if the common one counts.
  private func ownBrightness(_ output: any Output) -> Int? {
    let configured = settings(of: output)?.brightness
    if let set = state.outputBrightness[output.name], set.insteadOf == configured ?? 0 { return set.percent }
    return schedule.state.brightness == nil ? configured : nil
  }

  /// Whether a display may have another level than the others.
  func hasOwnLevel(_ output: any Output) -> Bool {
    ownBrightness(output) != nil || manual.lights[output.name] != nil
  }

  func brightness(of output: any Output) -> Int { ownBrightness(output) ?? brightness }

  /// The brightness of the canvases whose `Content.dimmed` is `name`: that of the display `name`, or the common one if
  /// there is none.
  func brightness(ofDimmed name: String?) -> Int {
    presenter.displays.outputs.first { $0.name == name }.map { brightness(of: $0) } ?? brightness
  }

  package func brightness(of name: String?) throws(ControlError) -> Int {
    try output(named: name).map { brightness(of: $0) } ?? brightness
  }

  package func setBrightness(
    _ percent: Int?, output name: String?, completion: @escaping (Result<Int, ControlError>) -> Void
  ) {
    let chosen: (any Output)?
    do throws(ControlError) { chosen = try output(named: name) } catch { return completion(.failure(error)) }
    if let chosen {
      setOwn(percent, chosen)
    } else {
      let insteadOf = config.configuration.display.brightness
      state.brightness = percent.map { held($0, insteadOf: insteadOf) }
      state.outputBrightness = [:]
      // The command applies to all present displays, also to those that have a brightness of their own in the config.
      if percent != nil {
        for output in presenter.displays.outputs where settings(of: output)?.brightness != nil {
          setOwn(percent, output)
        }
      }
    }
    showBrightness()
    let brightness = chosen.map { self.brightness(of: $0) } ?? brightness
    // The brightness is saved even if it has not changed, because the last change may not be durable yet.
    saveDisplay { completion($0.map { brightness }) }
  }

  package func saveDisplay(completion: @escaping (Result<Void, ControlError>) -> Void) {
    saveState { completion($0.mapError { .stateNotSaved("\($0)") }) }
  }

  private func setOwn(_ percent: Int?, _ output: any Output) {
    let insteadOf = settings(of: output)?.brightness ?? 0
    state.outputBrightness[output.name] = percent.map { held($0, insteadOf: insteadOf) }
  }

  /// A brightness that is set now.
  private func held(_ percent: Int, insteadOf: Int) -> StateDocument.Brightness {
    let hold = schedule.hold(.brightness, milliseconds: holdMilliseconds, at: WallClock.now)
    return StateDocument.Brightness(
      percent: percent, insteadOf: insteadOf, until: hold.until?.seconds, isTimed: hold.isTimed)
  }

  private func showBrightness() {
    endFade()
    applyLight()
    showLevels(animated: config.configuration.motion != .none)
    arm()
  }

  /// Uses the config's brightness from now on, because that value was changed. New stages must be built afterwards.
  func forgetBrightness() {
    if state.brightness != nil { setBrightness(nil, output: nil) { _ in } }
  }

  // MARK: Backlights

  /// The names of the connected displays.
  var connectedDisplays: [String] { presenter.displays.outputs.filter { $0.description != nil }.map(\.name) }

  /// Whether a display has a backlight that can be set.
  func findBacklight(of output: any Output) -> Bool {
    let preference = settings(of: output)?.backlight ?? config.configuration.display.backlight
    return backlights.isUsed(for: output.name, preference, connectedDisplays)
  }

  /// Sets the backlights of all lit displays to their levels. Returns false if one failed; then the pictures must be darkened
  /// by `showLevels`.
  func setBacklights() -> Bool {
    let lit = presenter.displays.outputs.filter { $0.description != nil && !$0.isBlank }
    return lit.map { backlights.set($0.name, percent: level(ofDimmed: $0.name)) }.allSatisfy { $0 }
  }

  /// How bright a canvas is drawn, 0 … 1.
  func pictureBrightness(ofDimmed name: String?) -> Double {
    backlights.picture(of: name, percent: level(ofDimmed: name))
  }

  // MARK: Names

  /// The display with the connector or the table `[outputs.NAME]` of this name; nil for nil, which stands for all.
  func output(named name: String?) throws(ControlError) -> (any Output)? {
    guard let name else { return nil }
    let outputs = presenter.displays.outputs
    if let output = outputs.first(where: { $0.name == name || settings(of: $0)?.name == name }) {
      return output
    }
    let tables = outputs.compactMap { settings(of: $0)?.name }
    throw .noSuchOutput(name, known: Array(Set(outputs.map(\.name) + tables)).sorted())
  }
}
