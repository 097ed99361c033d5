// SPDX-License-Identifier: Apache-2.0

import Control
import Settings

/// Blanking and brightness.
extension FlipclockDaemon {
  package func blank(_ isBlank: Bool) -> Bool {
    guard presenter.isBlank != isBlank else { return false }
    log.info(isBlank ? "display blanked" : "display unblanked")
    presenter.isBlank = isBlank
    displayChanged()
    return true
  }

  /// The brightness that was set by command, unless the config's was changed since; otherwise the config's.
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

  /// Uses the config's brightness from now on, because that value was changed. A new stage must be built afterwards.
  func forgetBrightness() {
    if state.brightness != nil { setBrightness(nil) { _ in } }
  }
}
