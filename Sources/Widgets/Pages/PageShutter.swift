// SPDX-License-Identifier: Apache-2.0

import Layers
import Raster

/// The outgoing page is cut into equal vertical bands that slide out alternately upwards and downwards, all
/// started in one transaction. The incoming page is behind them and continues to change.
final class PageShutter: PageTransition {
  func start(_ context: PageTransitionContext, at time: Double, completion: @escaping (Double) -> Void) {
    let edges = context.edges(context.motion.bands)
    let stretch = context.motion.stretch(at: time)
    context.scene.transaction(disableActions: true, completion: completion) {
      for (index, (left, right)) in zip(edges, edges.dropFirst()).enumerated() {
        let band = context.strip(left, right)
        context.overlay.addSublayer(band)
        let rest = band.position
        band.position = Point(x: rest.x, y: rest.y + (index % 2 == 0 ? -context.height : context.height))
        stretch.animate(band, .position, from: .point(rest), to: .point(band.position))
      }
    }
  }
}

/// The outgoing page fades out over the incoming one.
final class PageFade: PageTransition {
  func start(_ context: PageTransitionContext, at time: Double, completion: @escaping (Double) -> Void) {
    let old = context.strip(0, context.size.width)
    context.scene.transaction(disableActions: true, completion: completion) {
      context.overlay.addSublayer(old)
      old.opacity = 0
      context.motion.stretch(at: time).fade(old, from: 1, to: 0)
    }
  }
}

/// The incoming page pushes the outgoing one out to the left. Both move by whole pixels, so that they need
/// not be resampled in every frame. The ground does not move, because it has no horizontal detail.
final class PagePush: PageTransition {
  func start(_ context: PageTransitionContext, at time: Double, completion: @escaping (Double) -> Void) {
    let old = context.strip(0, context.size.width)
    let rest = old.position
    let left = Point(x: rest.x - context.width, y: rest.y)
    let right = Point(x: rest.x + context.width, y: rest.y)
    var stretch = context.motion.stretch(at: time)
    stretch.movesByWholePixels = true
    context.scene.transaction(disableActions: true, completion: completion) {
      context.overlay.addSublayer(old)
      old.position = left
      stretch.animate(old, .position, from: .point(rest), to: .point(left))
      stretch.animate(context.page, .position, from: .point(right), to: .point(rest))
    }
  }
}
