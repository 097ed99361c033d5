// SPDX-License-Identifier: Apache-2.0

import Control
import Settings

/// Whether the display is lit, and how brightly.
extension FlipclockDaemon {
  package func blank(_ isBlank: Bool) -> Bool {
    guard presenter.isBlank != isBlank else { return false }
    log.info(isBlank ? "the display goes dark" : "the display is lit again")
    presenter.isBlank = isBlank
    displayChanged()
    return true
  }

  /// What was set by hand goes before the config, but not before one that was changed since.
  package var brightness: Int {
    let own = config.configuration.display.brightness
    if let set = state.brightness, set.insteadOf == own { return set.percent }
    return own
  }

  package func setBrightness(
    _ percent: Int?, completion: @escaping (Result<Int, ControlError>) -> Void
  ) {
    let insteadOf = config.configuration.display.brightness
    state.brightness = percent.map { StateDocument.Brightness(percent: $0, insteadOf: insteadOf) }
    let brightness = brightness
    presenter.setBrightness(
      Double(brightness) / 100, animated: config.configuration.motion != .none)
    // Also what was so already: it may be on its way to the disk still.
    state.save(match) { [log] result in
      switch result {
      case .success: completion(.success(brightness))
      case .failure(let error):
        log.error("the brightness is shown but not saved: \(error)")
        completion(.failure(.stateNotSaved("\(error)")))
      }
    }
  }

  /// The config's value was changed: it counts from now on. The stage is made anew after this.
  func forgetBrightness() {
    if state.brightness != nil { setBrightness(nil) { _ in } }
  }
}
