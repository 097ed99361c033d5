// SPDX-License-Identifier: Apache-2.0

import Layers
import Raster

/// The outgoing page cut into equal vertical bands that slide off, up and down by turns, all started
/// in one transaction; the incoming page is live behind them.
final class PageShutter: PageTransition {
  private let motion: PageMotion

  init(_ motion: PageMotion) { self.motion = motion }

  func start(_ scenery: PageScenery, at time: Double, completion: @escaping (Double) -> Void) {
    let edges = scenery.edges(motion.bands)
    scenery.scene.transaction(disableActions: true, completion: completion) {
      for (index, (left, right)) in zip(edges, edges.dropFirst()).enumerated() {
        let band = scenery.strip(left, right)
        scenery.overlay.addSublayer(band)
        let rest = band.position
        let away = Point(x: rest.x, y: rest.y + (index % 2 == 0 ? -scenery.height : scenery.height))
        band.position = away
        band.add(
          Animation(
            .position, from: .point(rest), to: .point(away), at: time, duration: motion.duration,
            timing: motion.timing ?? .easeInEaseOut), forKey: "slide")
      }
    }
  }
}

/// The outgoing page lets the incoming one through.
final class PageFade: PageTransition {
  private let motion: PageMotion

  init(_ motion: PageMotion) { self.motion = motion }

  func start(_ scenery: PageScenery, at time: Double, completion: @escaping (Double) -> Void) {
    let old = scenery.strip(0, scenery.size.width)
    scenery.scene.transaction(disableActions: true, completion: completion) {
      scenery.overlay.addSublayer(old)
      old.opacity = 0
      old.add(
        Animation(
          .opacity, from: .scalar(1), to: .scalar(0), at: time, duration: motion.duration,
          timing: motion.timing ?? .easeInEaseOut), forKey: "fade")
    }
  }
}

/// The incoming page pushes the outgoing one out to the left, both by whole pixels, since all that is shown
/// moves. The ground stays: it is the same from side to side.
final class PagePush: PageTransition {
  private let motion: PageMotion

  init(_ motion: PageMotion) { self.motion = motion }

  func start(_ scenery: PageScenery, at time: Double, completion: @escaping (Double) -> Void) {
    let old = scenery.strip(0, scenery.size.width)
    let rest = old.position
    let left = Point(x: rest.x - scenery.width, y: rest.y)
    let right = Point(x: rest.x + scenery.width, y: rest.y)
    func slide(_ from: Point, _ to: Point) -> Animation {
      var slide = Animation(
        .position, from: .point(from), to: .point(to), at: time, duration: motion.duration,
        timing: motion.timing ?? .easeInEaseOut)
      slide.movesByWholePixels = true
      return slide
    }
    scenery.scene.transaction(disableActions: true, completion: completion) {
      scenery.overlay.addSublayer(old)
      old.position = left
      old.add(slide(rest, left), forKey: "slide")
      scenery.page.add(slide(right, rest), forKey: "slide")
    }
  }
}
