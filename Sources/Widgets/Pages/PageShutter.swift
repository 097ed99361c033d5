// SPDX-License-Identifier: Apache-2.0

import Layers
import Raster

/// The outgoing page is cut into equal vertical bands that slide out alternately upwards and downwards, all started
/// in one transaction. The incoming page is behind them and continues to change.
final class PageShutter: PageTransition {
  private let motion: PageMotion

  init(_ motion: PageMotion) { self.motion = motion }

  func start(_ context: PageTransitionContext, at time: Double, completion: @escaping (Double) -> Void) {
    let edges = context.edges(motion.bands)
    context.scene.transaction(disableActions: true, completion: completion) {
      for (index, (left, right)) in zip(edges, edges.dropFirst()).enumerated() {
        let band = context.strip(left, right)
        context.overlay.addSublayer(band)
        let rest = band.position
        let away = Point(x: rest.x, y: rest.y + (index % 2 == 0 ? -context.height : context.height))
        band.position = away
        band.add(
          Animation(
            .position, from: .point(rest), to: .point(away), at: time, duration: motion.duration,
            timing: motion.timing ?? .easeInEaseOut), forKey: "slide")
      }
    }
  }
}

/// The outgoing page fades out over the incoming one.
final class PageFade: PageTransition {
  private let motion: PageMotion

  init(_ motion: PageMotion) { self.motion = motion }

  func start(_ context: PageTransitionContext, at time: Double, completion: @escaping (Double) -> Void) {
    let old = context.strip(0, context.size.width)
    context.scene.transaction(disableActions: true, completion: completion) {
      context.overlay.addSublayer(old)
      old.opacity = 0
      old.add(
        Animation(
          .opacity, from: .scalar(1), to: .scalar(0), at: time, duration: motion.duration,
          timing: motion.timing ?? .easeInEaseOut), forKey: "fade")
    }
  }
}

/// The incoming page pushes the outgoing one out to the left. Both move by whole pixels, so that they need not be
/// resampled in every frame. The ground does not move, because it has no horizontal detail.
final class PagePush: PageTransition {
  private let motion: PageMotion

  init(_ motion: PageMotion) { self.motion = motion }

  func start(_ context: PageTransitionContext, at time: Double, completion: @escaping (Double) -> Void) {
    let old = context.strip(0, context.size.width)
    let rest = old.position
    let left = Point(x: rest.x - context.width, y: rest.y)
    let right = Point(x: rest.x + context.width, y: rest.y)
    func slide(_ from: Point, _ to: Point) -> Animation {
      var slide = Animation(
        .position, from: .point(from), to: .point(to), at: time, duration: motion.duration,
        timing: motion.timing ?? .easeInEaseOut)
      slide.movesByWholePixels = true
      return slide
    }
    context.scene.transaction(disableActions: true, completion: completion) {
      context.overlay.addSublayer(old)
      old.position = left
      old.add(slide(rest, left), forKey: "slide")
      context.page.add(slide(right, rest), forKey: "slide")
    }
  }
}
