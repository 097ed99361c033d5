// SPDX-License-Identifier: Apache-2.0

import Raster
import TestSupport
import Testing

@testable import Widgets

/// Pictures of shapes, of any size, with any corners and borders.
@Suite struct ShapesTests {
  @Test("Each pixel of a picture has the colour of its coverage", arguments: 0..<60)
  func pixels(_ seed: UInt64) {
    var random = SplitMix(seed: seed)
    let width = Double(Int.random(in: 1...60, using: &random))
    let height = Double(Int.random(in: 1...60, using: &random))
    let shape = RoundedRect(
      rect: Rect(x: 0, y: 0, width: width, height: height), topRadius: .random(in: 0...40, using: &random),
      bottomRadius: .random(in: 0...40, using: &random))
    let border = Double.random(in: 0...12, using: &random)
    let color = Color(red: 200, green: 100, blue: 50)
    let inner = RoundedRect(
      rect: Rect(
        x: border, y: border, width: max(width - 2 * border, 0), height: max(height - 2 * border, 0)),
      topRadius: max(shape.topRadius - border, 0), bottomRadius: max(shape.bottomRadius - border, 0))
    let outline = shape.outline(width: border, color: color)
    let disc = RoundedRect.image(
      width: Int(width), height: Int(height), radius: shape.topRadius, color: color)
    let filled = RoundedRect(rect: shape.rect, topRadius: shape.topRadius, bottomRadius: shape.topRadius)
    var wrong: [String] = []
    for y in 0..<Int(height) {
      for x in 0..<Int(width) {
        let ring = max(shape.coverage(x, y) - inner.coverage(x, y), 0)
        if outline.buffer.row32(y)[x] != Paint(color).pixel(coverage: ring, threshold: 0) {
          wrong.append("outline \(x) \(y)")
        }
        if disc.buffer.row32(y)[x] != Paint(color).pixel(coverage: filled.coverage(x, y), threshold: 0) {
          wrong.append("picture \(x) \(y)")
        }
      }
    }
    #expect(wrong.isEmpty, "\(shape) \(border): \(wrong.prefix(5))")
  }
}
