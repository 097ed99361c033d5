// SPDX-License-Identifier: Apache-2.0

import Raster
import Testing

@testable import Layers

@Suite struct LayerValueTests {
  /// Numbers whose sums are rounded: a + (b − a) is not b.
  static let pairs: [(LayerValue, LayerValue)] = [
    (.scalar(0.1), .scalar(1e16)),
    (.scalar(-0.3), .scalar(0.1)),
    (.point(Point(x: 0.1, y: 1e17)), .point(Point(x: 0.7, y: -0.3))),
    (
      .rect(Rect(x: 0.1, y: 0.2, width: 0.3, height: 0.7)), .rect(Rect(x: 1e9, y: 1e-9, width: 3, height: -1))
    ),
    (.shade(Shade(top: 0.1, bottom: 0.9)), .shade(Shade(top: 0.7, bottom: 0.05))),
    (.color(Color(rgb: 0x102030)), .color(Color(red: 255, green: 7, blue: 0, alpha: 3))),
    (.transform(.rotation(0.3, x: 1, y: 2, z: 3)), .transform(.perspective(distance: 777))),
    (.flag(false), .flag(true)),
    (.scalar(1), .point(.zero)),
  ]

  @Test("the ends are exact for every kind", arguments: pairs)
  func theEndsAreExactForEveryKind(from: LayerValue, to: LayerValue) {
    #expect(from.interpolated(to: to, 0) == from)
    #expect(from.interpolated(to: to, 1) == to)
  }

  @Test("halfway is halfway in every component")
  func halfwayIsHalfwayInEveryComponent() {
    let cases: [(LayerValue, LayerValue, LayerValue)] = [
      (.scalar(2), .scalar(6), .scalar(4)),
      (.point(Point(x: 0, y: 10)), .point(Point(x: 4, y: -10)), .point(Point(x: 2, y: 0))),
      (
        .rect(Rect(x: 0, y: 2, width: 4, height: 8)), .rect(Rect(x: 2, y: 4, width: 0, height: -8)),
        .rect(Rect(x: 1, y: 3, width: 2, height: 0))
      ),
      (.shade(Shade(0)), .shade(Shade(top: 1, bottom: 0.5)), .shade(Shade(top: 0.5, bottom: 0.25))),
      (.color(Color(rgb: 0)), .color(Color(rgb: 0x204060)), .color(Color(rgb: 0x102030))),
      (
        .transform(.identity), .transform(.translation(x: 8, y: 4, z: 2)),
        .transform(.translation(x: 4, y: 2, z: 1))
      ),
      // These values cannot be interpolated: they change at the end.
      (.flag(true), .flag(false), .flag(true)),
      (.scalar(3), .flag(true), .scalar(3)),
    ]
    for (from, to, half) in cases { #expect(from.interpolated(to: to, 0.5) == half) }
  }

  @Test("progress may overshoot both ends")
  func progressMayOvershootBothEnds() {
    #expect(LayerValue.scalar(10).interpolated(to: .scalar(20), 1.5) == .scalar(25))
    #expect(LayerValue.scalar(10).interpolated(to: .scalar(20), -0.5) == .scalar(5))
    let color = LayerValue.color(.black).interpolated(to: .color(.white), 1.5)
    #expect(color == .color(.white))
  }

  @Test("every property stores a value of its kind")
  func everyPropertyStoresAValueOfItsKind() {
    var properties = LayerProperties()
    let values: [(PropertyKey, LayerValue)] = [
      (.position, .point(Point(x: 1, y: 2))), (.bounds, .rect(Rect(x: 1, y: 2, width: 3, height: 4))),
      (.anchorPoint, .point(Point(x: 0, y: 1))), (.zPosition, .scalar(5)),
      (.transform, .transform(.scale(x: 2, y: 3))), (.rotationX, .scalar(0.1)),
      (.sublayerTransform, .transform(.perspective(distance: 9))),
      (.sublayerRotationY, .scalar(0.4)), (.sublayerTranslationX, .scalar(0.5)), (.opacity, .scalar(0.6)),
      (.shade, .shade(Shade(0.7))), (.isHidden, .flag(true)),
      (.contentsRect, .rect(Rect(x: 0, y: 1, width: 1, height: -0.5))),
      (.backgroundColor, .color(Color(rgb: 0x123456))), (.custom("angle"), .scalar(8)),
    ]
    for (key, value) in values { properties[key] = value }
    for (key, value) in values { #expect(properties[key] == value, "\(key)") }
    properties[.custom("angle")] = nil
    #expect(properties[.custom("angle")] == nil)
  }
}
