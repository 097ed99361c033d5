// SPDX-License-Identifier: Apache-2.0

import Control
import Display
import Settings

/// Blanking and brightness.
extension FlipclockDaemon {
  /// Whether all displays are dark as requested.
  var isBlank: Bool {
    let outputs = presenter.displays.outputs
    return outputs.isEmpty ? presenter.isBlank : outputs.allSatisfy(\.isBlank)
  }

  package func blank(_ isBlank: Bool, output name: String?) throws(ControlError) -> Bool {
    if let output = try output(named: name) {
      guard output.isBlank != isBlank else { return false }
      log.info("\(output.name) \(isBlank ? "blanked" : "unblanked")")
      presenter.setBlank(output, isBlank)
    } else {
      let outputs = presenter.displays.outputs
      guard presenter.isBlank != isBlank || outputs.contains(where: { $0.isBlank != isBlank }) else {
        return false
      }
      log.info(isBlank ? "display blanked" : "display unblanked")
      presenter.isBlank = isBlank
    }
    displayChanged()
    return true
  }

  // MARK: Brightness

  /// The common brightness that was set by command, unless the config's was changed since; otherwise the config's.
  var brightness: Int {
    let own = config.configuration.display.brightness
    if let set = state.brightness, set.insteadOf == own { return set.percent }
    return own
  }

  /// The brightness of one display that was set by command, or that the config has for it; nil if the common one counts.
  private func ownBrightness(_ output: any Output) -> Int? {
    let configured = settings(of: output)?.brightness
    if let set = state.outputBrightness[output.name], set.insteadOf == configured ?? 0 { return set.percent }
    return configured
  }

  func hasOwnBrightness(_ output: any Output) -> Bool { ownBrightness(output) != nil }

  func brightness(of output: any Output) -> Int { ownBrightness(output) ?? brightness }

  /// The brightness of the canvases that have it from the display `name`; nil for the common brightness.
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
      state.brightness = percent.map { StateDocument.Brightness(percent: $0, insteadOf: insteadOf) }
      state.outputBrightness = [:]
      // It applies to all displays, also to those that have a brightness of their own in the config.
      if percent != nil {
        for output in presenter.displays.outputs where settings(of: output)?.brightness != nil {
          setOwn(percent, output)
        }
      }
    }
    showBrightness()
    let brightness = chosen.map { self.brightness(of: $0) } ?? brightness
    // The brightness is saved even if it has not changed, because the last change may not be durable yet.
    state.save(match) { [log] result in
      switch result {
      case .success: completion(.success(brightness))
      case .failure(let error):
        log.error("the brightness is shown but not saved: \(error)")
        completion(.failure(.stateNotSaved("\(error)")))
      }
    }
  }

  private func setOwn(_ percent: Int?, _ output: any Output) {
    let insteadOf = settings(of: output)?.brightness ?? 0
    state.outputBrightness[output.name] = percent.map {
      StateDocument.Brightness(percent: $0, insteadOf: insteadOf)
    }
  }

  private func showBrightness() {
    for output in presenter.displays.outputs { presenter.regroup(output) }
    let isAnimated = config.configuration.motion != .none
    for dimmed in Set(presenter.canvases.map(\.content.dimmed)) {
      presenter.setBrightness(Double(brightness(ofDimmed: dimmed)) / 100, of: dimmed, animated: isAnimated)
    }
  }

  /// Uses the config's brightness from now on, because that value was changed. New stages must be built afterwards.
  func forgetBrightness() {
    if state.brightness != nil { setBrightness(nil, output: nil) { _ in } }
  }

  // MARK: Names

  /// The display with the connector or the table `[outputs.NAME]` of this name; nil for nil, which stands for all.
  func output(named name: String?) throws(ControlError) -> (any Output)? {
    guard let name else { return nil }
    let outputs = presenter.displays.outputs
    if let output = outputs.first(where: { $0.name == name || settings(of: $0)?.name == name }) {
      return output
    }
    throw .noSuchOutput(name, known: outputs.map(\.name))
  }
}
