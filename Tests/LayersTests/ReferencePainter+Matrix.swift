// SPDX-License-Identifier: Apache-2.0

import Glibc
import Raster

@testable import Layers

extension ReferencePainter {
  static let identity: Matrix = (0..<4).map { i in (0..<4).map { $0 == i ? 1 : 0 } }
  /// Flattens everything into the plane z = 0.
  static let flattening: Matrix = (0..<4).map { i in (0..<4).map { $0 == i && i != 2 ? 1 : 0 } }

  static func product(_ a: Matrix, _ b: Matrix) -> Matrix {
    a.map { row in
      (0..<4).map { column in (0..<4).reduce(0) { $0 + row[$1] * b[$1][column] } }
    }
  }

  private static func moved(_ x: Double, _ y: Double, _ z: Double) -> Matrix {
    var m = identity
    m[3] = [x, y, z, 1]
    return m
  }

  private static func turned(_ angle: Double, _ axis: Int) -> Matrix {
    var m = identity
    let (i, j) = [(1, 2), (2, 0), (0, 1)][axis]
    m[i][i] = cos(angle)
    m[j][j] = cos(angle)
    m[i][j] = sin(angle)
    m[j][i] = -sin(angle)
    return m
  }

  private static func matrix(_ t: Transform3D) -> Matrix {
    [
      [t.m11, t.m12, t.m13, t.m14], [t.m21, t.m22, t.m23, t.m24], [t.m31, t.m32, t.m33, t.m34],
      [t.m41, t.m42, t.m43, t.m44],
    ]
  }

  private static func anchor(_ p: LayerProperties) -> (Double, Double) {
    (p.bounds.x + p.anchorPoint.x * p.bounds.width, p.bounds.y + p.anchorPoint.y * p.bounds.height)
  }

  static func placement(_ p: LayerProperties) -> Matrix {
    let (x, y) = anchor(p)
    return [
      matrix(p.transform), turned(p.rotationX, 0),
      moved(p.position.x, p.position.y, p.zPosition),
    ].reduce(moved(-x, -y, 0), product)
  }

  static func sublayerMatrix(_ p: LayerProperties) -> Matrix {
    let (x, y) = anchor(p)
    return [
      turned(p.sublayerRotationY, 1), moved(p.sublayerTranslationX, 0, 0), matrix(p.sublayerTransform),
      moved(x, y, 0),
    ].reduce(moved(-x, -y, 0), product)
  }

  static func inverse(_ m: Matrix) -> Matrix? {
    func minor(_ i: Int, _ j: Int) -> Double {
      let r = (0..<3).filter { $0 != i }
      let c = (0..<3).filter { $0 != j }
      return (m[r[0]][c[0]] * m[r[1]][c[1]] - m[r[0]][c[1]] * m[r[1]][c[0]]) * ((i + j) % 2 == 0 ? 1 : -1)
    }
    let determinant = (0..<3).reduce(0) { $0 + m[0][$1] * minor(0, $1) }
    guard determinant != 0 else { return nil }
    return (0..<3).map { i in (0..<3).map { minor($0, i) / determinant } }
  }
}
