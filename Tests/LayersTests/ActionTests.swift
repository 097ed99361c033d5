// SPDX-License-Identifier: Apache-2.0

import Glibc
import Raster
import TestSupport
import Testing

@testable import Layers

/// A layer with a periodic angle that counts its calls of `display`.
private final class Hand: Layer {
  var displays = 0
  var displayed: [LayerValue?] = []

  override func needsDisplay(forKey key: PropertyKey) -> Bool { key == .custom("angle") }
  override func period(forKey key: PropertyKey) -> Double? { key == .custom("angle") ? 360 : nil }
  override func display(_ presentation: LayerProperties) {
    displays += 1
    displayed.append(presentation.custom["angle"])
    if case .scalar(let angle)? = presentation.custom["angle"] { zPosition = angle }
  }

  var angle: Double? {
    if case .scalar(let angle)? = presentation.custom["angle"] { angle } else { nil }
  }
}

@Suite struct ActionTests {
  private let scene = Scene(size: PixelSize(width: 20, height: 20))
  private let screen = Bitmap(width: 20, height: 20, format: .xrgb8888)

  private func hand() -> Hand {
    let hand = Hand()
    hand.set(.custom("angle"), to: .scalar(0))
    hand.actions[.custom("angle")] = Animation(.custom("angle"), duration: 1)
    scene.root.addSublayer(hand)
    return hand
  }

  @Test(
    "an angle changes in the shorter direction",
    arguments: [
      (354, 0, 357), (0, 354, -3), (10, 350, 0), (90, 180, 135), (359, 1, 360), (0, 720, 0), (180, 190, 185),
    ])
  func anAngleChangesInTheShorterDirection(from: Double, to: Double, halfway: Double) {
    let hand = hand()
    scene.transaction(disableActions: true) { hand.set(.custom("angle"), to: .scalar(from)) }
    hand.set(.custom("angle"), to: .scalar(to))
    scene.advance(to: 0.5)
    #expect(hand.angle == halfway)
    scene.advance(to: 1)
    #expect(hand.angle == to)
  }

  @Test("display is called once per frame in which a value changed, and not at rest")
  func displayIsCalledOncePerFrameInWhichAValueChangedAndNotAtRest() {
    let hand = hand()
    _ = scene.render(into: screen.buffer)
    #expect(hand.displays == 1)
    _ = scene.render(into: screen.buffer)
    #expect(hand.displays == 1)
    hand.set(.custom("angle"), to: .scalar(100))
    for step in 1...3 {
      scene.advance(to: Double(step) / 4)
      _ = scene.render(into: screen.buffer)
      #expect(hand.displays == 1 + step)
      #expect(hand.displayed.last == .scalar(Double(step) * 25))
      // The derived value is set in the model without an action.
      #expect(hand.zPosition == Double(step) * 25)
    }
    scene.advance(to: 1)
    _ = scene.render(into: screen.buffer)
    #expect(hand.displayed.last == .scalar(100))
    let count = hand.displays
    scene.advance(to: 2)
    _ = scene.render(into: screen.buffer)
    hand.opacity = 0.5
    _ = scene.render(into: screen.buffer)
    #expect(hand.displays == count)
    #expect(!scene.needsFrame)
  }

  @Test("a layer that moves to another scene is displayed by that scene only")
  func aLayerThatGoesToAnotherSceneIsAskedThere() {
    let hand = hand()
    let other = Scene(size: scene.size)
    // The layer has requested `display` in the old scene, but no frame has been drawn since then.
    other.root.addSublayer(hand)
    _ = scene.render(into: screen.buffer)
    #expect(hand.displays == 0)
    _ = other.render(into: screen.buffer)
    #expect(hand.displays == 1)
    hand.removeFromSuperlayer()
    _ = other.render(into: screen.buffer)
    #expect(hand.displays == 1)
    // A queued request in a scene that was destroyed does not prevent a new request.
    var brief: Scene? = Scene(size: scene.size)
    brief?.root.addSublayer(hand)
    brief = nil
    other.root.addSublayer(hand)
    _ = other.render(into: screen.buffer)
    #expect(hand.displays == 2)
  }
}
