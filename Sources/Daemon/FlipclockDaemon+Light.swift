// SPDX-License-Identifier: Apache-2.0

import Control
import Settings

/// Blanking and brightness.
extension FlipclockDaemon {
  package func blank(_ isBlank: Bool, output: String?) throws(ControlError) -> Bool {
    try check(output)
    guard presenter.isBlank != isBlank else { return false }
    log.info(isBlank ? "display blanked" : "display unblanked")
    presenter.isBlank = isBlank
    displayChanged()
    return true
  }

  /// The brightness that was set by command, unless the config's was changed since; otherwise the config's.
  var brightness: Int {
    let own = config.configuration.display.brightness
    if let set = state.brightness, set.insteadOf == own { return set.percent }
    return own
  }

  package func brightness(of output: String?) throws(ControlError) -> Int {
    try check(output)
    return brightness
  }

  package func setBrightness(
    _ percent: Int?, output: String?, completion: @escaping (Result<Int, ControlError>) -> Void
  ) {
    do throws(ControlError) { try check(output) } catch { return completion(.failure(error)) }
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
    if state.brightness != nil { setBrightness(nil, output: nil) { _ in } }
  }

  /// Checks the name of a display; nil stands for all displays.
  func check(_ output: String?) throws(ControlError) {
    guard let output else { return }
    let known = presenter.output.description.map { [$0.connector] } ?? []
    guard known.contains(output) else { throw .noSuchOutput(output, known: known) }
  }
}
