// SPDX-License-Identifier: Apache-2.0

import Layers
import Raster

/// Darkens the whole picture with a black layer over everything. Used for displays without an adjustable
/// backlight, and for a brightness below the backlight's minimum. The layer is in the tree only while it is
/// visible.
package final class Dimmer {
  let layer = Layer()
  private weak var scene: Scene?

  /// The duration of a change of brightness, in seconds.
  static let duration = 0.3

  init(_ scene: Scene, size: PixelSize) {
    self.scene = scene
    layer.frame = Rect(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
    layer.backgroundColor = .black
    layer.opacity = 0
    // Above everything else, messages included.
    layer.zPosition = 1_000_000
    var action = Animation(.opacity, duration: Self.duration)
    action.timingFunction = .easeInEaseOut
    action.completion = { [weak self] finished, _ in if finished { self?.removeIfClear() } }
    layer.actions[.opacity] = action
  }

  /// Sets the brightness, 0 (black) … 1 (as drawn). If `animated`, it changes gradually from its current
  /// value, starting at the scene's time.
  package func setBrightness(_ brightness: Double, animated: Bool) {
    guard let scene else { return }
    let opacity = 1 - min(max(brightness, 0), 1)
    if opacity > 0, layer.superlayer == nil { scene.root.addSublayer(layer) }
    scene.transaction(disableActions: !animated) { layer.opacity = opacity }
    if !animated {
      layer.removeAllAnimations()
      removeIfClear()
    }
  }

  private func removeIfClear() {
    if layer.opacity == 0 { layer.removeFromSuperlayer() }
  }
}
