// SPDX-License-Identifier: Apache-2.0

import Layers
import Raster

/// Darkens all that is shown: a black layer over everything, which is in the tree only while it is seen. What
/// is behind glass is darkened as by a lamp that is turned down, for an HDMI display has no lamp to turn.
public final class Dimmer {
  let layer = Layer()
  private weak var scene: Scene?

  /// Seconds from one brightness to another.
  static let duration = 0.3

  init(_ scene: Scene, size: PixelSize) {
    self.scene = scene
    layer.frame = Rect(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
    layer.backgroundColor = .black
    layer.opacity = 0
    // Over whatever else is laid over the page.
    layer.zPosition = 1_000_000
    var action = Animation(.opacity, duration: Self.duration)
    action.timingFunction = .easeInEaseOut
    action.completion = { [weak self] finished, _ in if finished { self?.leave() } }
    layer.actions[.opacity] = action
  }

  /// Between 0, black, and 1, as drawn; goes there from what is seen, at the scene's time, when `animated`.
  public func setBrightness(_ brightness: Double, animated: Bool) {
    guard let scene else { return }
    let opacity = 1 - min(max(brightness, 0), 1)
    if opacity > 0, layer.superlayer == nil { scene.root.addSublayer(layer) }
    scene.transaction(disableActions: !animated) { layer.opacity = opacity }
    if !animated {
      layer.removeAllAnimations()
      leave()
    }
  }

  private func leave() {
    if layer.opacity == 0 { layer.removeFromSuperlayer() }
  }
}
