// SPDX-License-Identifier: Apache-2.0

import CPixman
import Glibc
import Raster

/// A flap in motion: the same picture at several angles.
struct FlapCase {
  private struct Pose {
    /// Maps the picture's pixels to the screen's.
    var map: Homography
    var bounds: PixelRect
    var picture: PixmanImage
  }

  static let degrees = [12.0, 30, 48, 66, 78]

  let card: PixelSize

  /// - Parameter size: the size of the display that the card is for; used only to label the case.
  func make(_ name: String, size: PixelSize) -> BenchmarkCase? {
    let picture = Pictures.halfCard(card)
    let target = Bitmap(width: card.width * 3 / 2, height: card.height * 3 / 2, format: .xrgb8888)
    var poses: [Pose] = []
    var pixels = 0.0
    for angle in Self.degrees {
      let turn = Transform3D.translation(x: -Double(card.width) / 2, y: -Double(card.height))
        .concatenating(.rotation(-angle * .pi / 180, x: 1, y: 0, z: 0))
        .concatenating(.perspective(distance: Double(card.height) * 4))
        .concatenating(.translation(x: Double(card.width) * 0.75, y: Double(card.height) * 1.4))
      let map = turn.homography
      let outline = Rect(x: 0, y: 0, width: Double(card.width), height: Double(card.height))
      guard let inverse = map.inverse, let bounds = map.bounds(of: outline),
        let image = PixmanImage(picture)
      else { return nil }
      image.transform(inverse, filter: PIXMAN_FILTER_BILINEAR, repeats: PIXMAN_REPEAT_NONE)
      poses.append(Pose(map: map, bounds: bounds.intersection(target.buffer.bounds), picture: image))
      pixels += Self.area(map, outline)
    }
    guard let image = PixmanImage(target) else { return nil }
    let scratch = ScratchBox()
    let ours: (Pose) -> Void = {
      target.buffer.draw(
        picture.buffer, picture.buffer.bounds, through: $0.map, opacity: 1, shade: .none,
        clip: target.buffer.bounds, scratch: &scratch.rows)
    }
    let peer: (Pose) -> Void = { pose in
      image.composite(PIXMAN_OP_OVER, pose.picture, source: pose.bounds.x, pose.bounds.y, over: pose.bounds)
    }
    let drawn = poses
    let copy = Bitmap(width: target.width, height: target.height, format: .xrgb8888)
    let bytes = Int(pixels) / poses.count * 4
    return BenchmarkCase(
      name: name, size: size,
      contestants: [
        Contestant(name: "flipclock") { for pose in drawn { ours(pose) } },
        Contestant(name: "pixman") { for pose in drawn { peer(pose) } },
        Contestant(name: "memcpy") {
          for _ in drawn { memcpy(copy.buffer.base, target.buffer.base, bytes) }
        },
      ],
      difference: {
        for (angle, pose) in zip(Self.degrees, drawn) {
          let made = [ours, peer].map { draw in
            target.buffer.fill(target.buffer.bounds, with: Color(rgb: 0x101418), clip: target.buffer.bounds)
            draw(pose)
            let made = Bitmap(width: copy.width, height: copy.height, format: .xrgb8888)
            made.buffer.copy(target.buffer, target.buffer.bounds, to: 0, 0, clip: target.buffer.bounds)
            return made
          }
          // pixman interpolates between four pixels even where it makes the picture smaller, and draws edges
          // differently.
          let apart = Pictures.difference(made[0], made[1])
          if apart.mean > 2 {
            return "at \(whole(angle))° differs from pixman's by \(thousandths(apart.mean))"
          }
        }
        return nil
      }, pixels: Int(pixels))
  }

  /// The number of pixels that the picture covers.
  private static func area(_ map: Homography, _ outline: Rect) -> Double {
    guard let a = map(Point(x: 0, y: 0)), let b = map(Point(x: outline.width, y: 0)),
      let c = map(Point(x: outline.width, y: outline.height)), let d = map(Point(x: 0, y: outline.height))
    else { return 0 }
    return abs((c.x - a.x) * (d.y - b.y) - (d.x - b.x) * (c.y - a.y)) / 2
  }
}
