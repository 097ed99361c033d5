// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Raster

@Suite struct DrawQualityTests {
  @Test(
    "the flap is within 46 dB of the supersampled reference at twenty angles",
    arguments: [(45, 36, 1), (180, 150, 13), (376, 303, 67)])
  func theFlapIsWithin46DBOfTheSupersampledReferenceAtTwentyAngles(
    width: Int, height: Int, stride: Int
  ) throws {
    let picture = CardPicture.make(width: width, height: height)
    let screen = Bitmap(width: width + width / 2, height: height * 3, format: .xrgb8888)
    var scratch = RowScratch()
    let ground = Color(rgb: 0x506070)
    for step in 0..<20 {
      let angle = Double.pi * (Double(step) + 0.35) / 20
      let map = CardPicture.flap(
        angle, width: width, height: height, x: Double(width / 4), y: Double(height / 2))
      screen.buffer.fill(screen.buffer.bounds, with: ground, clip: screen.buffer.bounds)
      screen.buffer.draw(
        picture.buffer, picture.buffer.bounds, through: map, opacity: 1, shade: .none,
        clip: screen.buffer.bounds, scratch: &scratch)
      let area = try #require(map.bounds(of: Rect(x: 0, y: 0, width: Double(width), height: Double(height))))
      let reference = try #require(SupersampledReference(picture.buffer, map, height: area.height))
      let psnr = reference.psnr(screen.buffer, over: ground.premultiplied, area: area, stride: stride)
      #expect(psnr >= 46, "at \(angle) rad")
    }
  }
}
