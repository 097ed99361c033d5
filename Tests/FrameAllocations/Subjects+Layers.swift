// SPDX-License-Identifier: Apache-2.0

import Layers
import LinuxSystem
import Raster

extension Subjects {
  /// Every kind of animation, on plain layers.
  func layers(_ report: Report) throws(SystemError) {
    let plain: [(String, Animation)] = [
      ("spring", Animation(.zPosition, from: .scalar(0), to: .scalar(90), spring: Spring(damping: 6))),
      ("colour", Animation(.backgroundColor, from: .color(.black), to: .color(.white), duration: 2)),
      (
        "transform",
        Animation(
          .transform, from: .transform(.identity), to: .transform(.rotation(1, x: 1, y: 2, z: 3)), duration: 2
        )
      ),
      (
        "bounds",
        Animation(
          .bounds, from: .rect(Rect(x: 0, y: 0, width: 10, height: 10)),
          to: .rect(Rect(x: 0, y: 0, width: 90, height: 50)), duration: 2)
      ),
      ("custom", Animation(.custom("level"), from: .scalar(0), to: .scalar(1), duration: 2)),
    ]
    for (name, animation) in plain {
      let (scene, layer) = scene()
      let counter = try FrameCounter(scene, traces: traces)
      layer.add(animation, forKey: name)
      try counter.run(until: 3)
      report("layer \(name)", counter)
    }
    // An implicit animation whose property changes again while it runs.
    let (scene, layer) = scene()
    layer.actions[.position] = Animation(.position, spring: Spring(damping: 8))
    let counter = try FrameCounter(scene, traces: traces)
    for step in 0..<12 {
      layer.position = Point(x: Double(step * 83 % 300), y: Double(step * 47 % 150))
      try counter.run(until: scene.time + 0.2)
    }
    report("layer retargeted", counter)
  }

  /// A panel between two others, one of which hides a part of it.
  private func scene() -> (Scene, Layer) {
    let scene = Scene(size: PixelSize(width: 320, height: 180))
    func panel(_ frame: Rect, _ color: Color) -> Layer {
      let layer = Level()
      layer.frame = frame
      layer.backgroundColor = color
      scene.root.addSublayer(layer)
      return layer
    }
    _ = panel(Rect(x: 0, y: 0, width: 320, height: 180), Color(rgb: 0x202020))
    let layer = panel(Rect(x: 40, y: 60, width: 60, height: 30), Color(rgb: 0xe5484d))
    _ = panel(Rect(x: 80, y: 80, width: 100, height: 60), Color(rgb: 0x3e93ff))
    return (scene, layer)
  }
}

/// A layer whose opacity follows a custom property.
private final class Level: Layer {
  override func needsDisplay(forKey key: PropertyKey) -> Bool { key == .custom("level") }

  override func display(_ presentation: LayerProperties) {
    if case .scalar(let level)? = presentation.custom["level"] { opacity = 1 - level / 2 }
  }
}
