// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Layers
import Raster
import Scoreboard
import Settings
import Typography

/// Everything that one output shows: the pages of a configuration at one size, one at a time, following the model.
/// A new configuration or size needs a new stage.
package final class Stage {
  package let scene: Scene
  package let dimmer: Dimmer
  /// The current page, or the incoming one during a transition.
  package var pageName: String { page.name }

  private let configuration: Configuration
  private let context: WidgetContext
  private let size: PixelSize
  private var page: Page
  /// The page transition; set from the configuration, and changed by tests.
  var motion: PageMotion
  private var transition: (any PageTransition)?
  /// The layer in front of the page that contains the layers of page transitions.
  let overlay = Layer()
  /// The message, in front of everything, including page transitions.
  let message: MessagePanel
  /// The model shown last.
  private var model: StageModel
  /// The time at which the page was shown (scene seconds); the rotation counts from it.
  private var pageTime: Double

  /// - Parameters:
  ///   - zones: finds a time zone by its name in the config; must return some zone for unknown names.
  ///   - time: the initial time of the scene, in seconds.
  ///   - page: the page to begin with; the first one if nil or unknown.
  package init(
    _ configuration: Configuration, size: PixelSize, fonts: FontLibrary,
    zones: @escaping (String) -> TimeZone, model: StageModel, time: Double, page: String? = nil
  ) {
    scene = Scene(size: size, time: time)
    dimmer = Dimmer(scene, size: size)
    let extent = Size(width: Double(size.width), height: Double(size.height))
    context = WidgetContext(
      theme: Theme(configuration.theme, fonts: fonts),
      motion: FlipMotion(configuration.flip, configuration.motion),
      scene: scene, page: extent,
      teamColors: Dictionary(
        configuration.teams.map { ($0.id, Color(rgb: $0.color)) }, uniquingKeysWith: { first, _ in first }),
      zones: zones, rules: model.scoreboard.rules)
    self.configuration = configuration
    self.size = size
    self.model = model
    pageTime = time
    motion = PageMotion(configuration.pageTransition, configuration.motion)

    let pages = configuration.allPages
    let settings =
      pages.first { $0.name == page } ?? pages.first ?? PageSettings(name: "", layout: LayoutSettings())
    self.page = Page(Self.plan(settings, configuration, context: context), model: model)
    message = MessagePanel(context)

    let ground = Layer()
    ground.frame = Rect(x: 0, y: 0, width: extent.width, height: extent.height)
    ground.contents = LayerImage(Self.ground(context.theme, height: size.height), extent: .repeatSideways)
    overlay.frame = ground.frame
    for layer in [ground, self.page.layer, overlay, message.layer] { scene.root.addSublayer(layer) }
    // A message shown before a new config or mode stays on the display.
    message.show(model.message, at: time, animated: false)
  }

  // MARK: The model

  /// Shows `model`. What changes starts moving at `time` (scene seconds) if `animated`.
  package func update(_ model: StageModel, at time: Double, animated: Bool) {
    self.model = model
    let isStill = transition?.wantsStillPage ?? false
    page.update(model, at: time, animated: animated && !isStill)
    transition?.pageChanged { picture(withOverlay: false) }
    message.show(model.message, at: time, animated: animated)
  }

  /// Call after the config was read again: a page of the same name and size continues from what it showed on
  /// `other`.
  package func resume(from other: Stage, at time: Double) {
    guard size == other.size, page.name == other.page.name else { return }
    scene.advance(to: time)
    page.resume(from: other.page, at: time)
  }

  /// Draws some of what the next changes will need, so that they need not wait for it. Call repeatedly while
  /// nothing moves. False: nothing is left to draw.
  package func prepare() -> Bool { transition == nil && page.prepare(after: model) }

  /// The next time, strictly after `instant`, at which the shown page changes. An outgoing page is a picture and
  /// does not change.
  package func nextChange(after instant: Instant) -> Instant? { page.nextChange(after: instant) }

  /// The text of each widget, in the order of the config. Widgets on other pages report what they would show.
  package var texts: [(name: String, type: String, text: String)] {
    configuration.texts(of: model, zones: context.zones)
  }

  /// The widgets of all pages that do not fit.
  package private(set) lazy var leftOut: [LeftOutWidget] = configuration.allPages.flatMap {
    Self.plan($0, configuration, context: context).leftOut
  }

  // MARK: Pages

  /// The names of all pages.
  package var pageNames: [String] { configuration.allPages.map(\.name) }

  /// The next page of the rotation and when it is due (scene seconds); nil: pages do not rotate.
  package var nextTurn: (time: Double, page: String)? {
    configuration.page(after: page.name).map { (pageTime + configuration.rotation.every, $0) }
  }

  /// Shows another page. If a transition is still running, the new one starts from the current picture.
  ///
  /// - Parameters:
  ///   - model: the model to show.
  ///   - begin: returns when the transition begins (scene seconds). Called once, after the page has been built, so
  ///     that drawing it takes no time from the motion.
  /// - Returns: false if there is no page of that name.
  @discardableResult
  package func show(
    page name: String, _ model: StageModel, animated: Bool = true, begin: () -> Double
  ) -> Bool {
    guard let settings = configuration.allPages.first(where: { $0.name == name }) else { return false }
    guard name != page.name else {
      pageTime = begin()
      message.show(model.message, at: pageTime, animated: animated)
      return true
    }
    self.model = model
    let incoming = Page(Self.plan(settings, configuration, context: context), model: model)
    let isAnimated = animated && !motion.isOff
    let outgoing = isAnimated ? picture(withOverlay: true) : nil
    endTransition()
    page.layer.removeFromSuperlayer()
    page = incoming
    scene.root.insertSublayer(incoming.layer, at: 1)
    guard let outgoing, let transition = motion.transition(picture: { picture(withOverlay: false) }) else {
      pageTime = begin()
      message.show(model.message, at: pageTime, animated: animated)
      return true
    }
    let transitionContext = PageTransitionContext(
      scene: scene, overlay: overlay, page: incoming.layer, outgoing: outgoing)
    pageTime = begin()
    message.show(model.message, at: pageTime, animated: animated)
    self.transition = transition
    transition.start(transitionContext, at: max(pageTime, scene.time)) { [weak self, weak transition] _ in
      guard let self, let transition, self.transition === transition else { return }
      self.endTransition()
    }
    return true
  }

  /// Whether a page transition is running.
  package var isChangingPages: Bool { transition != nil }

  /// Leaves the incoming page at rest and removes the outgoing one.
  private func endTransition() {
    guard transition != nil else { return }
    transition = nil
    scene.transaction(disableActions: true) {
      for layer in overlay.sublayers {
        // The compositor keeps the layers of the last frame; release their pictures now. Do this first, while the
        // presented values still follow the model.
        layer.forgetContents()
        layer.removeFromSuperlayer()
      }
      page.layer.removeAllAnimations()
    }
  }

  /// The current picture without the message and without dimming, of the display's size.
  private func picture(withOverlay: Bool) -> LayerImage {
    var picture = LayerImage(Bitmap(width: 0, height: 0, format: .xrgb8888))
    scene.transaction(disableActions: true) {
      // The dimmer must not be applied twice.
      dimmer.layer.isHidden = true
      message.layer.isHidden = true
      overlay.isHidden = !withOverlay
      picture = LayerImage(scene.snapshot(of: scene.root))
      overlay.isHidden = false
      message.layer.isHidden = false
      dimmer.layer.isHidden = false
    }
    return picture
  }
}

extension Layer {
  fileprivate func forgetContents() {
    contents = nil
    for layer in sublayers { layer.forgetContents() }
  }
}
