// SPDX-License-Identifier: Apache-2.0

import Raster
import TestSupport
import Testing

@Suite struct HomographyTests {
  /// A rotation about `axis` through (50, 80), seen from `distance` in front of that point.
  static func turned(_ angle: Double, about axis: (Double, Double, Double), distance: Double) -> Homography {
    Transform3D.translation(x: -50, y: -80)
      .concatenating(.rotation(angle, x: axis.0, y: axis.1, z: axis.2))
      .concatenating(.perspective(distance: distance))
      .concatenating(.translation(x: 50, y: 80)).homography
  }

  static let kinds: [(Homography, Homography.Kind)] = [
    (.identity, .translation(x: 0, y: 0)),
    (.translation(x: 3, y: -4), .translation(x: 3, y: -4)),
    (.translation(x: 3.0005, y: -4.0009), .translation(x: 3, y: -4)),
    (.translation(x: 3.002, y: 0), .axisAligned),
    (.translation(x: 3.5, y: 0), .axisAligned),
    (.translation(x: 1e12, y: 0), .axisAligned),
    (.scale(x: 2, y: 1), .axisAligned),
    (.scale(x: 1, y: -1), .axisAligned),
    (.scale(x: 1.00001, y: 1), .axisAligned),
    (Homography(a: 2, b: 0, c: 6, d: 0, e: 2, f: 8, g: 0, h: 0, i: 2), .translation(x: 3, y: 4)),
    (HomographyTests.turned(0, about: (1, 0, 0), distance: 400), .translation(x: 0, y: 0)),
    (HomographyTests.turned(1, about: (1, 0, 0), distance: 400), .rows),
    (HomographyTests.turned(.pi / 2, about: (1, 0, 0), distance: 400), .rows),
    (HomographyTests.turned(.pi, about: (1, 0, 0), distance: 400), .axisAligned),
    (HomographyTests.turned(0.001, about: (1, 0, 0), distance: 400), .rows),
    (HomographyTests.turned(1, about: (0, 1, 0), distance: 400), .columns),
    (HomographyTests.turned(1, about: (0, 0, 1), distance: 400), .general),
    (HomographyTests.turned(1, about: (1, 1, 0), distance: 400), .general),
    (Homography(a: 1, b: 0.5, c: 0, d: 0, e: 1, f: 0, g: 0, h: 0, i: 1), .rows),
    (Homography(a: 1, b: 0, c: 0, d: 0.5, e: 1, f: 0, g: 0, h: 0, i: 1), .columns),
    (Homography(a: 1, b: 0, c: 0, d: 0, e: 1, f: 0, g: 0, h: 0, i: 0), .general),
    (Homography(a: 1, b: 0, c: 0, d: 0, e: 1, f: 0, g: 0, h: 0, i: -1), .general),
    (Homography(a: .nan, b: 0, c: 0, d: 0, e: 1, f: 0, g: 0, h: 0, i: 1), .general),
  ]

  @Test("the kind of a map is recognised", arguments: HomographyTests.kinds)
  func theKindOfAMapIsRecognised(map: Homography, kind: Homography.Kind) {
    #expect(map.kind == kind)
  }

  @Test("a rotation about x shifted by a fraction is still of the kind rows")
  func aRotationAboutXShiftedByAFractionIsStillOfTheKindRows() {
    let board = HomographyTests.turned(1.2, about: (1, 0, 0), distance: 500)
      .concatenating(.translation(x: 311.37, y: 77.1))
    #expect(board.kind == .rows)
    // The eye is at the middle of the board instead of the card.
    let card = Transform3D.rotation(1.2, x: 1, y: 0, z: 0)
      .concatenating(.translation(x: 300, y: -20, z: 0)).concatenating(.perspective(distance: 900))
    #expect(card.homography.kind == .rows)
  }

  @Test("the inverse maps points back")
  func theInverseMapsPointsBack() throws {
    var random = SplitMix(seed: 3)
    for _ in 0..<300 {
      let axis = (random.unit() - 0.5, random.unit() - 0.5, random.unit() - 0.5)
      let map = HomographyTests.turned(random.unit() * 1.4, about: axis, distance: 400)
      let back = try #require(map.inverse)
      let point = Point(x: random.unit() * 100, y: random.unit() * 160)
      let image = try #require(map(point))
      let origin = try #require(back(image))
      #expect(abs(origin.x - point.x) < 1e-8 && abs(origin.y - point.y) < 1e-8)
      let round = map.concatenating(back)
      let same = try #require(round(point))
      #expect(abs(same.x - point.x) < 1e-8 && abs(same.y - point.y) < 1e-8)
    }
  }

  @Test("a plane seen edge-on has no inverse")
  func aPlaneSeenEdgeOnHasNoInverse() {
    #expect(Homography.scale(x: 0, y: 1).inverse == nil)
    #expect(Homography.scale(x: .nan, y: 1).inverse == nil)
    #expect(Homography.scale(x: .leastNonzeroMagnitude, y: 1).inverse == nil)
  }

  @Test("points behind the eye have no image")
  func pointsBehindTheEyeHaveNoImage() {
    let map = HomographyTests.turned(.pi / 2, about: (1, 0, 0), distance: 50)
    #expect(map(Point(x: 0, y: 80)) != nil)
    #expect(map(Point(x: 0, y: 200)) == nil || map(Point(x: 0, y: -40)) == nil)
    #expect(map.bounds(of: Rect(x: 0, y: -100, width: 10, height: 400)) == nil)
    #expect(Homography.identity(Point(x: .nan, y: 0))?.x.isNaN != false)
  }

  static let covers: [(Homography, Rect, PixelRect)] = [
    (.identity, Rect(x: 1, y: 2, width: 3, height: 4), PixelRect(x: 1, y: 2, width: 3, height: 4)),
    (
      .translation(x: 0.5, y: -0.5), Rect(x: 0, y: 0, width: 2, height: 2),
      PixelRect(x: 0, y: -1, width: 3, height: 3)
    ),
    (
      .translation(x: 1e-9, y: 0), Rect(x: 0, y: 0, width: 2, height: 2),
      PixelRect(x: 0, y: 0, width: 2, height: 2)
    ),
    (.scale(x: -1, y: 1), Rect(x: 1, y: 0, width: 2, height: 2), PixelRect(x: -3, y: 0, width: 2, height: 2)),
    (
      .scale(x: 1e30, y: 1), Rect(x: -1, y: 0, width: 2, height: 1),
      PixelRect(x: -16_777_216, y: 0, width: 33_554_432, height: 1)
    ),
    (
      .scale(x: 1e300, y: 1), Rect(x: 1e300, y: 0, width: 1, height: 1),
      PixelRect(x: 16_777_216, y: 0, width: 0, height: 1)
    ),
    (.scale(x: 1, y: 0), Rect(x: 0, y: 0, width: 5, height: 5), PixelRect(x: 0, y: 0, width: 5, height: 0)),
  ]

  @Test("bounds cover the image in whole pixels", arguments: HomographyTests.covers)
  func boundsCoverTheImageInWholePixels(map: Homography, rect: Rect, bounds: PixelRect) {
    #expect(map.bounds(of: rect) == bounds)
  }

  @Test("the bounds of NaN coordinates are nil")
  func theBoundsOfNaNCoordinatesAreNil() {
    #expect(Homography.identity.bounds(of: Rect(x: .nan, y: 0, width: 1, height: 1)) == nil)
    #expect(Homography.translation(x: 0, y: .nan).bounds(of: .unit) == nil)
  }
}
