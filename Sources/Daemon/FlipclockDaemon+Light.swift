// SPDX-License-Identifier: Apache-2.0

import Display
import Settings
import WallState

/// Shows the light that the value says.
extension FlipclockDaemon {
  /// - Parameter isSwitched: whether displays are switched off or on.
  func showLights(isSwitched: Bool) {
    let lights = wall.lights
    if isSwitched {
      if presenter.isBlank != lights.common.isBlank { presenter.isBlank = lights.common.isBlank }
      for output in presenter.displays.outputs where output.isBlank != lights[output.name].isBlank {
        presenter.setBlank(output, lights[output.name].isBlank)
      }
    }
    showLevels(animated: !wall.shown.isFading && config.configuration.motion != .none)
    if isSwitched { displayChanged() }
  }

  func showLevels(animated: Bool) {
    _ = setBacklights()
    for output in presenter.displays.outputs { presenter.regroup(output) }
    for dimmed in Set(presenter.canvases.map(\.content.dimmed)) {
      presenter.setBrightness(pictureBrightness(ofDimmed: dimmed), of: dimmed, animated: animated)
    }
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
    return lit.map { backlights.set($0.name, percent: wall.light(of: $0.name).level) }.allSatisfy { $0 }
  }

  /// How bright a canvas is drawn, 0 … 1.
  func pictureBrightness(ofDimmed name: String?) -> Double {
    backlights.picture(of: name, percent: wall.light(of: name).level)
  }
}
