// SPDX-License-Identifier: Apache-2.0

import Raster
import TestSupport
import Testing

@Suite struct FixedTests {
  static let doubles: [(Double, Int32)] = [
    (0, 0), (1, 65536), (-1, -65536), (0x1p-17, 1), (0x0.fffp-17, 0), (-0x1p-17, -1), (32767.999999, .max),
    (32768, .max), (-32768, .min), (-40000, .min), (1e300, .max), (.infinity, .max), (-.infinity, .min),
    (.nan, 0),
  ]
  static let integers: [(Int, Int32)] = [
    (0, 0), (7, 458_752), (-7, -458_752), (32767, 0x7fff_0000), (32768, .max), (-32768, .min),
    (-32769, .min), (Int.max, .max), (Int.min, .min),
  ]

  @Test("a double becomes the nearest fixed number and saturates", arguments: FixedTests.doubles)
  func aDoubleBecomesTheNearestFixedNumberAndSaturates(value: Double, raw: Int32) {
    #expect(Fixed(value).rawValue == raw)
  }

  @Test("an integer becomes a fixed number and saturates", arguments: FixedTests.integers)
  func anIntegerBecomesAFixedNumberAndSaturates(value: Int, raw: Int32) {
    #expect(Fixed(value).rawValue == raw)
  }

  @Test(
    "floor and fraction split towards minus infinity",
    arguments: [
      (1.25, 1, 0.25), (-1.25, -2, 0.75), (0.0, 0, 0.0), (-1.0, -1, 0.0), (-0.25, -1, 0.75),
    ])
  func floorAndFractionSplitTowardsMinusInfinity(value: Double, floor: Int, fraction: Double) {
    #expect(Fixed(value).floor == floor)
    #expect(Fixed(value).fraction.doubleValue == fraction)
  }

  @Test("arithmetic agrees with doubles and saturates at the ends")
  func arithmeticAgreesWithDoublesAndSaturatesAtTheEnds() {
    var random = SplitMix(seed: 1)
    for _ in 0..<2000 {
      let a = Fixed(rawValue: Int32.random(in: .min ... .max, using: &random))
      let b = Fixed(rawValue: Int32.random(in: .min ... .max, using: &random))
      #expect(a + b == Fixed(a.doubleValue + b.doubleValue))
      #expect(a - b == Fixed(a.doubleValue - b.doubleValue))
      // Ties round up, so the product is compared with a tolerance.
      let product = min(max(a.doubleValue * b.doubleValue, -32768), Fixed.max.doubleValue)
      #expect(abs((a * b).doubleValue - product) <= 0.5 / 65536)
      #expect((a < b) == (a.doubleValue < b.doubleValue))
    }
    #expect(-Fixed.min == Fixed.max)
    var sum = Fixed(1.5)
    sum += Fixed(2)
    sum -= .one
    #expect(sum.doubleValue == 2.5)
  }
}
