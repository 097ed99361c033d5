// SPDX-License-Identifier: Apache-2.0

import Raster
import TestSupport
import Testing

@Suite struct Transform3DTests {
  /// A point as a row vector times the matrix, with the division by w.
  static func apply(_ m: Transform3D, _ x: Double, _ y: Double, _ z: Double) -> (Double, Double, Double) {
    let w = m.m14 * x + m.m24 * y + m.m34 * z + m.m44
    return (
      (m.m11 * x + m.m21 * y + m.m31 * z + m.m41) / w, (m.m12 * x + m.m22 * y + m.m32 * z + m.m42) / w,
      (m.m13 * x + m.m23 * y + m.m33 * z + m.m43) / w
    )
  }

  @Test("a rotation by zero is exactly the identity")
  func aRotationByZeroIsExactlyTheIdentity() {
    #expect(Transform3D.rotation(0, x: 1, y: 0, z: 0) == .identity)
    #expect(Transform3D.rotation(0, x: 1, y: 2, z: 3) == .identity)
    #expect(Transform3D.rotation(1, x: 0, y: 0, z: 0) == .identity)
    #expect(Transform3D.rotation(.nan, x: 1, y: 0, z: 0) == .identity)
    #expect(Transform3D.rotation(1, x: .infinity, y: 0, z: 0) == .identity)
    #expect(Transform3D.perspective(distance: 0) == .identity)
    #expect(Transform3D.perspective(distance: .nan) == .identity)
  }

  @Test("quarter turns are exact", arguments: -8...8)
  func quarterTurnsAreExact(quarters: Int) {
    let angle = Double(quarters) * .pi / 2
    let m = Transform3D.rotation(angle, x: 2, y: 0, z: 0)
    let expected: (Double, Double) = [(1, 0), (0, 1), (-1, 0), (0, -1)][((quarters % 4) + 4) % 4]
    #expect(m.m22 == expected.0 && m.m33 == expected.0)
    #expect(m.m23 == expected.1 && m.m32 == -expected.1)
    #expect(m.m11 == 1 && m.m12 == 0 && m.m13 == 0 && m.m21 == 0 && m.m31 == 0)
  }

  @Test(
    "a quarter turn maps axes to axes",
    arguments: [
      // Core Animation's orientation: about x, y goes to z; about y, z goes to x; about z, x goes to y.
      ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
      ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)),
      ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)),
      ((1.0, 1.0, 1.0), (1.0, 1.0, 1.0), (1.0, 1.0, 1.0)),
    ])
  func aQuarterTurnMapsAxesToAxes(
    axis: (Double, Double, Double), from: (Double, Double, Double), to: (Double, Double, Double)
  ) {
    let m = Transform3D.rotation(.pi / 2, x: axis.0, y: axis.1, z: axis.2)
    let r = Transform3DTests.apply(m, from.0, from.1, from.2)
    #expect(abs(r.0 - to.0) < 1e-12 && abs(r.1 - to.1) < 1e-12 && abs(r.2 - to.2) < 1e-12)
  }

  @Test("concatenation applies the receiver first")
  func concatenationAppliesTheReceiverFirst() {
    let m = Transform3D.scale(x: 2, y: 3, z: 4).concatenating(.translation(x: 10, y: 20, z: 30))
    #expect(Transform3DTests.apply(m, 1, 1, 1) == (12, 23, 34))
    let n = Transform3D.translation(x: 10, y: 20, z: 30).concatenating(.scale(x: 2, y: 3, z: 4))
    #expect(Transform3DTests.apply(n, 1, 1, 1) == (22, 63, 124))
    #expect(m.concatenating(.identity) == m && Transform3D.identity.concatenating(m) == m)
  }

  @Test("concatenation of any two agrees with applying one after the other")
  func concatenationOfAnyTwoAgreesWithApplyingOneAfterTheOther() {
    var random = SplitMix(seed: 4)
    for _ in 0..<200 {
      let a = Transform3D.rotation(random.unit() * 6, x: random.unit(), y: random.unit(), z: random.unit())
        .concatenating(.translation(x: random.unit(), y: random.unit(), z: random.unit()))
      let b = Transform3D.scale(x: random.unit() + 1, y: 2, z: random.unit() + 1)
        .concatenating(.perspective(distance: 20))
      let p = Transform3DTests.apply(a, 1, 2, 3)
      let twice = Transform3DTests.apply(b, p.0, p.1, p.2)
      let once = Transform3DTests.apply(a.concatenating(b), 1, 2, 3)
      #expect(abs(once.0 - twice.0) < 1e-9 && abs(once.1 - twice.1) < 1e-9 && abs(once.2 - twice.2) < 1e-9)
    }
  }

  @Test("perspective enlarges what is nearer and the homography agrees with the transform")
  func perspectiveEnlargesWhatIsNearerAndTheHomographyAgreesWithTheTransform() throws {
    let persp = Transform3D.perspective(distance: 1000)
    #expect(persp.m34 == -1.0 / 1000)
    #expect(Transform3DTests.apply(persp, 100, 0, 500).0 == 200)
    let m = Transform3D.rotation(0.7, x: 1, y: 0.3, z: 0.1).concatenating(.translation(x: 5, y: 6, z: 7))
      .concatenating(persp)
    let p = Transform3DTests.apply(m, 30, -40, 0)
    let q = try #require(m.homography(Point(x: 30, y: -40)))
    #expect(abs(p.0 - q.x) < 1e-12 && abs(p.1 - q.y) < 1e-12)
  }
}
