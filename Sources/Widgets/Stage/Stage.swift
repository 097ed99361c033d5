// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Layers
import Raster
import Scoreboard
import Settings
import Typography

/// All that one output shows: the pages of a configuration at one size, one at a time, following the
/// model. A changed configuration or size makes a new stage.
public final class Stage {
  public let scene: Scene
  public let dimmer: Dimmer
  /// The page that is shown or coming.
  public var pageName: String { page.name }

  private let configuration: Configuration
  private let context: WidgetContext
  private let size: PixelSize
  private let zones: (String) -> TimeZone
  private var page: Page
  /// Lets a test or a caller choose another way for pages to change than the configuration's.
  var motion: PageMotion
  private var transition: (any PageTransition)?
  /// Where page transitions put what passes over the page.
  let overlay = Layer()
  /// Over everything, page transitions too.
  let message: MessagePanel
  /// What was last shown.
  private var model: StageModel
  /// Since when (scene seconds) the page has been there: the rotation counts from it.
  private var pageTime: Double

  /// - Parameters:
  ///   - zones: finds a time zone by its name in the config; it has the last word on unknown ones.
  ///   - time: the scene's time at birth, seconds.
  ///   - page: the page to begin with; the first one where there is none of that name.
  public init(
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
        configuration.teams.map { ($0.id, Color(rgb: $0.color)) }, uniquingKeysWith: { first, _ in first }))
    self.configuration = configuration
    self.size = size
    self.zones = zones
    self.model = model
    pageTime = time
    motion = PageMotion(configuration.pageTransition, configuration.motion)

    let pages = configuration.allPages
    let settings =
      pages.first { $0.name == page } ?? pages.first ?? PageSettings(name: "", layout: LayoutSettings())
    self.page = Self.build(settings, configuration, context: context, zones: zones, model: model)
    message = MessagePanel(context)

    let ground = Layer()
    ground.frame = Rect(x: 0, y: 0, width: extent.width, height: extent.height)
    ground.contents = LayerImage(Self.ground(context.theme, height: size.height), extent: .repeatSideways)
    overlay.frame = ground.frame
    for layer in [ground, self.page.layer, overlay, message.layer] { scene.root.addSublayer(layer) }
    // What stood there before a new config or mode stands there still.
    message.show(model.message, at: time, animated: false)
  }

  // MARK: The model

  /// Shows `model`; what changes begins to move at `time` (scene seconds) when `animated`.
  public func update(_ model: StageModel, at time: Double, animated: Bool) {
    self.model = model
    let isStill = transition?.wantsStillPage ?? false
    page.update(model, at: time, animated: animated && !isStill)
    transition?.pageChanged { picture(withOverlay: false) }
    message.show(model.message, at: time, animated: animated)
  }

  /// The config was read again: what is the same page goes on from what it showed on `other`.
  public func goOn(from other: Stage, at time: Double) {
    guard size == other.size, page.name == other.page.name else { return }
    scene.advance(to: time)
    page.goOn(from: other.page, at: time)
  }

  /// Draws some of what the next changes will need, so that they do not wait for it; false: all of it is there. To be
  /// called again and again while nothing moves.
  public func prepare() -> Bool { transition == nil && page.prepare(after: model) }

  /// When what is shown changes by itself, strictly after `instant`. A page on its way out is a picture
  /// and changes no more.
  public func nextChange(after instant: Instant) -> Instant? { page.nextChange(after: instant) }

  /// What each widget shows, in the order of the config; of those on other pages, what they would.
  public var texts: [(name: String, type: String, text: String)] {
    configuration.widgets.map { settings in
      let text = page.text(of: settings.name) ?? unseenText(settings)
      return (settings.name, settings.typeName, text)
    }
  }

  private func unseenText(_ settings: WidgetSettings) -> String {
    let widget = Self.widget(settings, zones: zones, rules: model.scoreboard.rules, context: context)
    widget.update(model, at: scene.time, animated: false)
    return widget.text
  }

  /// The widgets that have no room on their page, of all pages.
  public private(set) lazy var leftOut: [LeftOutWidget] = configuration.allPages.flatMap { page in
    Self.plan(page, configuration, context: context, zones: zones, rules: model.scoreboard.rules).leftOut
  }

  // MARK: Pages

  /// The names of all pages.
  public var pageNames: [String] { configuration.allPages.map(\.name) }

  /// When the rotation's next page is due (scene seconds), and which; nil: pages do not take turns.
  public var nextTurn: (time: Double, page: String)? {
    configuration.page(after: page.name).map { (pageTime + configuration.rotation.every, $0) }
  }

  /// Shows another page; false: there is none of that name. While one is still coming, what is on the
  /// display goes from where it is.
  ///
  /// - Parameters:
  ///   - model: what it shows.
  ///   - begin: tells when it begins (scene seconds). Asked once, after the page has been built: the work
  ///     of drawing it takes nothing from the motion.
  @discardableResult
  public func show(
    page name: String, _ model: StageModel, animated: Bool = true, begin: () -> Double
  ) -> Bool {
    guard let settings = configuration.allPages.first(where: { $0.name == name }) else { return false }
    guard name != page.name else {
      pageTime = begin()
      message.show(model.message, at: pageTime, animated: animated)
      return true
    }
    self.model = model
    let incoming = Self.build(settings, configuration, context: context, zones: zones, model: model)
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
    let scenery = PageScenery(scene: scene, overlay: overlay, page: incoming.layer, outgoing: outgoing)
    pageTime = begin()
    message.show(model.message, at: pageTime, animated: animated)
    self.transition = transition
    transition.start(scenery, at: max(pageTime, scene.time)) { [weak self, weak transition] end in
      guard let self, let transition, self.transition === transition else { return }
      self.endTransition()
      // What stood still goes on.
      self.page.update(self.model, at: end, animated: true)
    }
    return true
  }

  /// A page is coming.
  public var isChangingPages: Bool { transition != nil }

  /// Leaves the incoming page at rest, and nothing of the outgoing one.
  private func endTransition() {
    guard transition != nil else { return }
    transition = nil
    scene.transaction(disableActions: true) {
      for layer in overlay.sublayers {
        // The compositor remembers the last frame's layers; their pictures are to go now. First of all,
        // while what is presented still follows the model.
        layer.forgetContents()
        layer.removeFromSuperlayer()
      }
      page.layer.removeAllAnimations()
    }
  }

  /// What is shown now beneath the message, in one picture of the display's size.
  private func picture(withOverlay: Bool) -> LayerImage {
    var picture = LayerImage(Bitmap(width: 0, height: 0, format: .xrgb8888))
    scene.transaction(disableActions: true) {
      // Darkened once, not twice.
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
