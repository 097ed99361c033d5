// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Raster
import Settings

/// How far a picture is moved from its place, in whole pixels.
struct DriftOffset: Hashable {
  var x = 0
  var y = 0
}

/// The path of a picture that drifts to prevent burn-in. It is closed, moves by one pixel per step, and
/// visits every place within a radius. It goes through the rows of the disc from top to bottom, alternately
/// to the right and to the left, and returns along the mirror image of this path. The mean of all places is
/// therefore zero.
struct DriftPath: Hashable {
  let radius: Int
  let places: [DriftOffset]

  init(radius: Int) {
    let radius = max(radius, 0)
    self.radius = radius
    /// The largest x of a row.
    func end(_ y: Int) -> Int {
      var x = 0
      while (x + 1) * (x + 1) + y * y <= radius * radius { x += 1 }
      return x
    }
    var way = [DriftOffset(x: 0, y: -radius)]
    var x = 0
    var direction = 1
    for y in (-radius + 1)..<max(radius, -radius + 1) {
      let near = -direction * end(y)
      // Where the rows become shorter, the path goes back until the next row is one step away.
      while abs(x) > abs(near) + 1 {
        x -= x.signum()
        way.append(DriftOffset(x: x, y: y - 1))
      }
      x += (near - x).signum()
      way.append(DriftOffset(x: x, y: y))
      while x != near {
        x -= direction
        way.append(DriftOffset(x: x, y: y))
      }
      while x != -near {
        x += direction
        way.append(DriftOffset(x: x, y: y))
      }
      direction = -direction
    }
    // The bottom is a single place below the last row's middle.
    while x != 0 {
      x -= x.signum()
      way.append(DriftOffset(x: x, y: radius - 1))
    }
    // The mirrored path begins at the bottom and ends next to the first place.
    places = radius == 0 ? [DriftOffset()] : way + way.map { DriftOffset(x: -$0.x, y: -$0.y) }
  }

  /// The place at a minute since 1970.
  func place(at minute: Int64) -> DriftOffset {
    let count = Int64(places.count)
    return places[Int(((minute % count) + count) % count)]
  }

  func contains(_ place: DriftOffset) -> Bool {
    place.x * place.x + place.y * place.y <= radius * radius
  }
}

/// The drift of a stage's picture: once a minute at most, a step by one pixel towards the place that the path
/// has for that minute.
struct Drift: Hashable {
  let path: DriftPath
  private(set) var place: DriftOffset

  init(radius: Int, minute: Int64) {
    path = DriftPath(radius: radius)
    place = path.place(at: minute)
  }

  /// The radius that `[burn-in]` gives pages of a size, such that no card leaves the page's place; zero: the
  /// picture does not move.
  static func radius(_ settings: BurnInSettings, for size: PixelSize) -> Int {
    min(max(settings.radius, 0), Int(0.015 * Double(min(size.width, size.height))))
  }

  /// Moves by at most one pixel in each direction and stays within the radius. If steps were left out, the
  /// picture catches up gradually.
  mutating func step(at minute: Int64) {
    let target = path.place(at: minute)
    let (x, y) = ((target.x - place.x).signum(), (target.y - place.y).signum())
    let steps = [(x, y), (x, 0), (0, y)].map { DriftOffset(x: place.x + $0.0, y: place.y + $0.1) }
    place = steps.first { path.contains($0) } ?? place
  }

  /// Continues from the place of another stage.
  mutating func resume(from other: Drift) {
    if path.contains(other.place) { place = other.place }
  }
}

extension Instant {
  /// Whole minutes since 1970.
  var minute: Int64 { (seconds - (seconds % 60 + 60) % 60) / 60 }

  /// The beginning of the next minute.
  var nextMinute: Instant { Instant(seconds: (minute + 1) * 60, nanoseconds: 0) }
}
