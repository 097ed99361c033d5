// SPDX-License-Identifier: Apache-2.0

import Layers
import Raster

/// A picture that uses every pixel of the display equally: slow wipes with plain colours from left to right,
/// of which the last one uncovers the page again.
final class RefreshPage {
  let layer = Layer()
  private weak var scene: Scene?

  static let colors: [UInt32] = [0xffffff, 0x000000, 0xff0000, 0x00ff00, 0x0000ff, 0x000000]
  /// A wipe moves in steps, because each of them draws a large part of the display.
  private static let stepsPerSecond = 8.0

  init(_ scene: Scene) {
    self.scene = scene
    layer.frame = Rect(
      x: 0, y: 0, width: Double(scene.size.width), height: Double(scene.size.height))
    layer.masksToBounds = true
  }

  var isRunning: Bool { !layer.sublayers.isEmpty }

  /// - Parameters:
  ///   - duration: the duration of all wipes, in seconds.
  ///   - isStill: whether the colours follow one another without wipes.
  func start(at time: Double, duration: Double, isStill: Bool) {
    guard let scene, !isRunning else { return }
    let wipe = duration / Double(Self.colors.count + 1)
    let timing = TimingFunction.steps(isStill ? 1 : max(Int(wipe * Self.stepsPerSecond), 1))
    let (width, height) = (layer.bounds.width, layer.bounds.height)
    scene.transaction(disableActions: true) {
      for (index, color) in Self.colors.enumerated() {
        let sheet = Layer()
        sheet.anchorPoint = .zero
        sheet.backgroundColor = Color(rgb: color)
        sheet.bounds = Rect(x: 0, y: 0, width: width, height: height)
        layer.addSublayer(sheet)
        var stretch = Stretch(
          begin: time + Double(index) * wipe, duration: wipe, timing: timing, holdsEnd: true)
        stretch.animate(
          sheet, .bounds, from: .rect(Rect(x: 0, y: 0, width: 0, height: height)), to: .rect(sheet.bounds))
        guard index == Self.colors.count - 1 else { continue }
        stretch.begin += wipe
        stretch.animate(sheet, .position, from: .point(.zero), to: .point(Point(x: width, y: 0))) {
          [weak self] finished, _ in if finished { self?.end() }
        }
      }
      hideCovered(from: time + Double(Self.colors.count) * wipe)
    }
  }

  /// Removes the sheets beneath the last one when it begins to leave.
  private func hideCovered(from time: Double) {
    let moment = Stretch(begin: time, duration: 1e-3, timing: .steps(1), holdsEnd: true)
    for sheet in layer.sublayers.dropLast() { moment.fade(sheet, from: 1, to: 0) }
  }

  func end() {
    for sheet in layer.sublayers { sheet.removeFromSuperlayer() }
  }
}
