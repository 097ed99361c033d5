// SPDX-License-Identifier: Apache-2.0

import Raster
import Testing

@testable import Layers

@Suite struct SpaceTests {
  /// Width, height, which pixels are compared (every n-th), and the limit in decibels. Edges, where the
  /// pictures differ most, are a larger part of a small picture.
  private static let sizes = [(96, 64, 1, 43.0), (160, 120, 1, 44), (320, 180, 3, 44)]

  private static func picture(_ scene: Scene) -> Bitmap {
    let bitmap = Bitmap(width: scene.size.width, height: scene.size.height, format: .xrgb8888)
    scene.invalidate()
    _ = scene.render(into: bitmap.buffer)
    return bitmap
  }

  @Test("a random tree in 3D space is near a supersampled reference", arguments: 0..<20)
  func aRandomTreeInSpaceIsNearTheReference(seed: UInt64) {
    for (width, height, stride, limit) in Self.sizes {
      let tree = SpaceTree(seed: seed, size: PixelSize(width: width, height: height))
      let psnr = ReferencePainter(tree.scene.root).psnr(Self.picture(tree.scene), stride: stride)
      #expect(psnr >= limit, "\(width)x\(height)")
    }
  }

  @Test("in 3D space, drawing the damage equals a full redraw in all frames", arguments: 0..<10)
  func in3DSpaceDrawingTheDamageEqualsAFullRedrawInAllFrames(seed: UInt64) {
    var tree = SpaceTree(seed: seed + 50, size: PixelSize(width: 96, height: 64))
    var painter = PlainPainter()
    let shown = Bitmap(width: 96, height: 64, format: .xrgb8888)
    let before = Bitmap(width: 96, height: 64, format: .xrgb8888)
    let plain = Bitmap(width: 96, height: 64, format: .xrgb8888)
    for frame in 0..<24 {
      tree.change()
      let damage = tree.scene.render(into: shown.buffer)
      for rect in damage { before.buffer.assign(shown.buffer, in: rect) }
      painter.paint(tree.scene.root, into: plain.buffer)
      #expect(shown.difference(from: plain) == nil, "frame \(frame)")
      #expect(before.difference(from: shown) == nil, "frame \(frame): changed outside the damage")
      if shown.difference(from: plain) != nil { return }
      before.buffer.assign(shown.buffer)
    }
  }
}
