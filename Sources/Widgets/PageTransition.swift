// SPDX-License-Identifier: Apache-2.0

import Layers
import Raster
import Settings

/// How a page gives way to the next: what moves, how and how long.
struct PageMotion: Hashable {
  var kind = PageTransitionSettings.Kind.shutter
  /// Seconds.
  var duration = 1.0
  /// Nil: what suits the kind.
  var timing: TimingFunction?
  var bands = 8
  var sides = 6
  /// Light and shadow on what turns.
  var isShaded = true

  init() {}

  init(_ settings: PageTransitionSettings, _ motion: Motion = .full) {
    kind = settings.kind
    duration = motion == .none ? 0 : settings.duration
    bands = settings.bands
    sides = settings.sides
    timing = settings.easing.map { TimingFunction($0) }
  }

  /// Pages change at once.
  var isOff: Bool { kind == .cut || duration <= 0 }
}

/// The stage as a transition sees it.
struct PageScenery {
  let scene: Scene
  /// Before the page; the transition puts there what passes over it.
  let overlay: Layer
  /// The incoming page, live; its place is the transition's while it runs.
  let page: Layer
  /// The outgoing page as it was last seen, of the display's size.
  let outgoing: LayerImage

  var size: PixelSize { PixelSize(width: outgoing.bitmap.width, height: outgoing.bitmap.height) }
  var width: Double { Double(size.width) }
  var height: Double { Double(size.height) }
}

/// A page on its way out. It lives from its start until its completion, or until another takes its
/// place; all that it shows is in the overlay, so that the overlay's emptying leaves the resting picture.
protocol PageTransition: AnyObject {
  /// Whether the incoming page must stand still meanwhile, because pictures are taken of it.
  var wantsStillPage: Bool { get }
  /// Sets everything in motion at `time` (scene seconds) so that the picture at `time` is the outgoing
  /// page; calls `completion` once at the exact end, when all may be taken away.
  func start(_ scenery: PageScenery, at time: Double, completion: @escaping (Double) -> Void)
  /// The incoming page changed; `picture` takes one of it, ground and all.
  func pageChanged(_ picture: () -> LayerImage)
}

extension PageTransition {
  var wantsStillPage: Bool { false }
  func pageChanged(_ picture: () -> LayerImage) {}
}

extension PageMotion {
  /// - Parameter picture: takes a picture of the incoming page, ground and all.
  func transition(picture: () -> LayerImage) -> (any PageTransition)? {
    if isOff { return nil }
    switch kind {
    case .shutter: return PageShutter(self)
    case .roll: return PageRoll(self)
    case .flip: return PageFlip(self, incoming: picture())
    case .fade: return PageFade(self)
    case .push: return PagePush(self)
    case .cut: return nil
    }
  }
}

extension PageScenery {
  /// The outgoing page between the columns `left` and `right` as a layer where it was.
  func strip(_ left: Int, _ right: Int) -> Layer {
    let layer = Layer()
    layer.contents = outgoing
    layer.contentsRect = part(left, right)
    layer.frame = Rect(x: Double(left), y: 0, width: Double(right - left), height: height)
    return layer
  }

  func part(_ left: Int, _ right: Int) -> Rect {
    Rect(x: Double(left) / width, y: 0, width: Double(right - left) / width, height: 1)
  }

  /// Where `count` equal strips begin and end, on whole pixels, so that no seam shows at any width.
  func edges(_ count: Int) -> [Int] {
    let count = max(min(count, size.width), 1)
    return (0...count).map { (size.width * $0 * 2 + count) / (count * 2) }
  }
}

extension Animation {
  /// One of several that run side by side from `time` on; before it `from` holds, after it `to`.
  init(
    _ key: PropertyKey, from: LayerValue, to: LayerValue, at time: Double, duration: Double,
    timing: TimingFunction
  ) {
    self.init(key, from: from, to: to, duration: duration)
    beginTime = time
    timingFunction = timing
    fillMode = .both
    isRemovedOnCompletion = false
  }
}
