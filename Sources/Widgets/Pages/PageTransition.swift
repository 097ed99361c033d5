// SPDX-License-Identifier: Apache-2.0

import Layers
import Raster
import Settings

/// The settings of a page transition.
struct PageMotion: Hashable {
  var kind = PageTransitionSettings.Kind.shutter
  /// In seconds.
  var duration = 1.0
  /// Nil: the default of the kind.
  var timing: TimingFunction?
  var bands = 8
  var sides = 6
  /// Whether turning parts have light and shadow.
  var isShaded = true

  init() {}

  init(_ settings: PageTransitionSettings, _ motion: Motion = .full) {
    kind = settings.kind
    duration = motion == .none ? 0 : settings.duration
    bands = settings.bands
    sides = settings.sides
    timing = settings.easing.map { TimingFunction($0) }
  }

  /// The change from one theme to another.
  static func theme(_ motion: Motion) -> PageMotion { fade(1, motion) }

  /// The change of the places of what a page shows, for example when a message appears below it.
  static func rearrangement(_ motion: Motion) -> PageMotion { fade(MessagePanel.Time.fadeIn, motion) }

  private static func fade(_ duration: Double, _ motion: Motion) -> PageMotion {
    var fade = PageMotion()
    fade.kind = .fade
    fade.duration = motion == .none ? 0 : duration
    return fade
  }

  /// Whether pages change without animation.
  var isOff: Bool { kind == .cut || duration <= 0 }
}

/// The layers and the picture that a page transition uses.
struct PageTransitionContext {
  let motion: PageMotion
  let scene: Scene
  /// The layer to which the transition adds its layers; it is in front of the page.
  let overlay: Layer
  /// The incoming page, whose widgets continue to change. The transition controls its position while it runs.
  let page: Layer
  /// The last picture of the outgoing page, of the display's size.
  let outgoing: LayerImage

  var size: PixelSize { PixelSize(width: outgoing.bitmap.width, height: outgoing.bitmap.height) }
  var width: Double { Double(size.width) }
  var height: Double { Double(size.height) }
}

/// A running page transition. It ends with its completion or when another one replaces it. All its layers are
/// in the overlay, and it may animate the page's layer: emptying the overlay and removing the animations of
/// the page's layer leaves the page at rest.
protocol PageTransition: AnyObject {
  /// Whether the incoming page must not move during the transition, because pictures of it are used.
  var wantsStillPage: Bool { get }
  /// Starts the motion at `time` (scene seconds); at that moment, the display still shows the outgoing page.
  /// When the motion ends, calls `completion` once, with the exact time; the transition's layers may be
  /// removed then.
  func start(_ context: PageTransitionContext, at time: Double, completion: @escaping (Double) -> Void)
  /// Called when the incoming page has changed. `picture` takes a picture of it, including the ground.
  func pageChanged(_ picture: () -> LayerImage)
}

extension PageTransition {
  var wantsStillPage: Bool { false }
  func pageChanged(_ picture: () -> LayerImage) {}
}

extension PageMotion {
  /// The interval of the whole transition, or of a part of it.
  ///
  /// - Parameter usual: the timing if the config has none.
  func stretch(
    at time: Double, duration: Double? = nil, _ usual: TimingFunction = .easeInEaseOut
  ) -> Stretch {
    Stretch(
      begin: time, duration: duration ?? self.duration, timing: timing ?? usual, shading: isShaded ? 1 : 0,
      holdsEnd: true)
  }

  /// - Parameter picture: takes a picture of the incoming page, including the ground.
  func transition(picture: () -> LayerImage) -> (any PageTransition)? {
    if isOff { return nil }
    switch kind {
    case .shutter: return PageShutter()
    case .roll: return PageRoll()
    case .flip: return PageFlip(incoming: picture())
    case .fade: return PageFade()
    case .push: return PagePush()
    case .cut: return nil
    }
  }
}

extension PageTransitionContext {
  /// The part of the outgoing page between two columns, as a layer in its original place.
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

  /// The edges of `count` equal strips, on whole pixels, so that no seam shows at any width.
  func edges(_ count: Int) -> [Int] {
    let count = max(min(count, size.width), 1)
    return (0...count).map { (size.width * $0 * 2 + count) / (count * 2) }
  }
}
