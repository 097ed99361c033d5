// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Layers
import Raster
import Scoreboard
import Settings
import Typography

/// Everything that a canvas shows: the pages of a configuration at one size, one at a time, following the
/// model. A new configuration or size needs a new stage.
package final class Stage {
  package let scene: Scene
  package let dimmer: Dimmer
  /// The current page, or the incoming one during a transition.
  package var pageName: String { settings.name }

  private let configuration: Configuration
  /// The current page, or the incoming one during a transition.
  private var settings: PageSettings
  /// What the widgets of the current page share, such as its theme.
  private var context: WidgetContext
  /// The settings of the current page's theme.
  private var themeSettings: ThemeSettings
  /// The theme that all pages have; nil: pages have their own themes.
  package private(set) var theme: String?
  private let fonts: FontLibrary
  /// The display without its margins, where the page and the message are.
  private let place: Rect
  private let ground = Layer()
  /// Contains the page. The drift moves this layer, because page transitions animate that of the page.
  private let holder = Layer()
  private let burnIn: BurnInProtection
  private(set) var page: Page
  /// The page transition; set from the configuration, and changed by tests.
  var motion: PageMotion
  private var transition: (any PageTransition)?
  /// The layer in front of the page that contains the layers of page transitions.
  let overlay = Layer()
  private let marks: [WarningMark]
  /// The message, in front of everything except the refresh page and the dimmer.
  private(set) var message: MessagePanel
  /// Whether the pictures of pages that are not shown have been requested.
  private var hasPrefetched = false
  /// The model shown last.
  private var model: StageModel

  /// - Parameters:
  ///   - size: that of the display.
  ///   - margins: what stays free at each edge, in percent of the width and of the height. Only the ground,
  ///     page transitions, the refresh page and the dimmer extend to the edges.
  ///   - zones: finds a time zone by its name in the config; must return some zone for unknown names.
  ///   - time: the initial time of the scene, in seconds.
  ///   - page: the page to begin with; the first one if nil or unknown.
  ///   - theme: the theme of all pages; nil: as configured.
  package init(
    _ configuration: Configuration, size: PixelSize, margins: Int = 0, fonts: FontLibrary,
    pictures: PictureLibrary = PictureLibrary(), zones: @escaping (String) -> TimeZone, model: StageModel,
    time: Double, page: String? = nil,
    theme: String? = nil
  ) {
    fonts.language = configuration.language.tag.description
    scene = Scene(size: size, time: time)
    dimmer = Dimmer(scene, size: size)
    let inside = size.inside(margins: margins)
    place = Rect(inside)
    let pages = configuration.allPages
    settings =
      pages.first { $0.name == page } ?? pages.first ?? PageSettings(name: "", layout: LayoutSettings())
    themeSettings = configuration.theme(named: theme ?? settings.theme)
    context = WidgetContext(
      theme: Theme(themeSettings, fonts: fonts),
      motion: FlipMotion(configuration.flip, configuration.motion),
      scene: scene, page: place.size,
      teamColors: Dictionary(
        configuration.teams.map { ($0.id, Color(rgb: $0.color)) }, uniquingKeysWith: { first, _ in first }),
      logos: configuration.logos, zones: zones, pictures: pictures, rules: model.scoreboard.rules,
      language: configuration.language)
    self.configuration = configuration
    self.theme = theme
    self.fonts = fonts
    burnIn = BurnInProtection(
      configuration.burnIn, scene, page: inside.size, at: model.instant, isStill: context.motion.isStill,
      zone: { zones("local") })
    self.model = model
    motion = PageMotion(configuration.pageTransition, configuration.motion)

    message = MessagePanel(context)
    self.page = Self.page(
      settings, configuration, in: place, context: context, model: model,
      band: message.bandHeight(for: model))
    marks = WarningMark.Sign.allCases.map { [place] in WarningMark($0, page: place) }

    ground.frame = Rect(PixelRect(size))
    for layer in [holder, overlay] { layer.frame = ground.frame }
    holder.addSublayer(self.page.layer)
    for layer in [ground, holder, overlay] + marks.map(\.layer) + [message.layer, burnIn.refresh.layer] {
      scene.root.addSublayer(layer)
    }
    drawGround()
    placePicture()
    // A message shown before a new config or mode stays on the display.
    message.show(model, band: band, at: time, animated: false)
    showMarks()
  }

  // MARK: The model

  /// Shows `model`. What changes starts moving at `time` (scene seconds) if `animated`.
  package func update(_ model: StageModel, at time: Double, animated: Bool) {
    self.model = model
    burnIn.update(model, at: time, isChangingPages: transition != nil)
    placePicture()
    if message.bandHeight(for: model) == band {
      let isStill = transition?.wantsStillPage ?? false
      let motion = PageMotion.rearrangement(configuration.motion)
      let isFading = animated && !isStill && !motion.isOff && page.isRearranged(by: model)
      let outgoing = isFading ? picture(withOverlay: true) : nil
      page.update(model, at: time, animated: animated && !isStill)
      transition?.pageChanged { picture(withOverlay: false) }
      if let outgoing { start(motion, from: outgoing) { time } }
    } else {
      let before = page
      replacePage(settings, model, animated ? .rearrangement(configuration.motion) : nil) { time }
      page.resume(from: before, at: time)
    }
    message.show(model, band: band, at: time, animated: animated)
    scene.transaction(disableActions: true) { showMarks() }
  }

  /// Call after the config or the time zones were read again: a page of the same name and size continues from
  /// what it showed on `other`.
  package func resume(from other: Stage, at time: Double) {
    guard place == other.place else { return }
    burnIn.resume(from: other.burnIn)
    placePicture()
    guard page.name == other.page.name else { return }
    scene.advance(to: time)
    page.resume(from: other.page, at: time)
  }

  /// Draws some of what the next changes will need, so that they need not wait for it. Call repeatedly while
  /// nothing moves. False: nothing is left to draw, or a page transition is running.
  package func prepare() -> Bool {
    guard transition == nil else { return false }
    if page.prepare(after: model) { return true }
    prefetchPages()
    return false
  }

  /// Has the pictures of the other pages read.
  private func prefetchPages() {
    guard !hasPrefetched else { return }
    hasPrefetched = true
    for settings in configuration.allPages where settings.name != page.name {
      for place in Self.plan(settings, configuration, context: context).places where place.hasRoom {
        place.widget.prefetch(for: place.rect, model: model)
      }
    }
  }

  /// The next time, strictly after `instant`, at which the shown page changes. An outgoing page is a picture
  /// and does not change.
  package func nextChange(after instant: Instant) -> Instant? {
    [
      page.nextChange(after: instant), burnIn.nextChange(after: instant), message.nextChange(after: instant),
    ].compactMap { $0 }.min()
  }

  /// The text of each widget, in the order of the config. Widgets on other pages report what they would show.
  package var texts: [(name: String, type: String, text: String)] {
    configuration.texts(of: model, zones: context.zones)
  }

  /// The widgets that do not fit on their page, for all pages.
  package private(set) lazy var leftOut: [LeftOutWidget] = configuration.allPages.flatMap {
    Self.plan($0, configuration, context: context).leftOut
  }

  /// What the widgets that fit leave out, for all pages.
  package private(set) lazy var leftOutDetails: [LeftOutDetails] = configuration.allPages.flatMap {
    Self.plan($0, configuration, context: context).leftOutDetails
  }

  // MARK: Pages

  /// The names of all pages.
  package var pageNames: [String] { configuration.allPages.map(\.name) }

  /// Shows another page. If a transition is still running, the new one starts from the current picture. For
  /// the current page, only the message is updated.
  ///
  /// - Parameters:
  ///   - model: the model to show.
  ///   - begin: returns when the transition begins (scene seconds). Called once, after the page has been
  ///     built, so that drawing it takes no time from the motion.
  /// - Returns: false if there is no page of that name.
  @discardableResult
  package func show(
    page name: String, _ model: StageModel, animated: Bool = true, begin: () -> Double
  ) -> Bool {
    guard let settings = configuration.allPages.first(where: { $0.name == name }) else { return false }
    guard name != page.name else {
      update(model, at: begin(), animated: animated)
      return true
    }
    burnIn.refresh.end()
    let time = replacePage(settings, model, animated ? motion : nil, begin: begin)
    message.show(model, band: band, at: time, animated: animated)
    return true
  }

  /// Shows all pages with the theme `name` from now on; nil: each page with its own theme, as configured. For
  /// an unknown name, the theme of `[theme]` is used.
  ///
  /// - Parameters:
  ///   - model: the model to show.
  ///   - begin: returns when the change begins (scene seconds), as for `show(page:)`.
  package func show(
    theme name: String?, _ model: StageModel, animated: Bool = true, begin: () -> Double
  ) {
    theme = name
    guard configuration.theme(named: name ?? settings.theme) != themeSettings else {
      return update(model, at: begin(), animated: animated)
    }
    let before = page
    let time = replacePage(settings, model, animated ? .theme(configuration.motion) : nil, begin: begin)
    page.resume(from: before, at: time)
    message.show(model, band: band, at: time, animated: animated)
  }

  /// Replaces the current page, and its theme if the new page has another one.
  ///
  /// - Parameter motion: the transition; nil: none.
  /// - Returns: the time at which the transition begins.
  @discardableResult
  private func replacePage(
    _ settings: PageSettings, _ model: StageModel, _ motion: PageMotion?, begin: () -> Double
  ) -> Double {
    self.model = model
    self.settings = settings
    let outgoing = motion.map { !$0.isOff } ?? false ? picture(withOverlay: true) : nil
    apply(configuration.theme(named: theme ?? settings.theme))
    let incoming = Self.page(
      settings, configuration, in: place, context: context, model: model,
      band: message.bandHeight(for: model))
    endTransition()
    page.layer.removeFromSuperlayer()
    page = incoming
    holder.addSublayer(incoming.layer)
    scene.transaction(disableActions: true) { showMarks() }
    guard let outgoing, let motion else { return begin() }
    return start(motion, from: outgoing, begin: begin)
  }

  /// Starts a transition to the current page.
  ///
  /// - Parameter outgoing: what the display shows.
  /// - Returns: the time at which the transition begins.
  @discardableResult
  private func start(_ motion: PageMotion, from outgoing: LayerImage, begin: () -> Double) -> Double {
    endTransition()
    guard let transition = motion.transition(picture: { picture(withOverlay: false) }) else { return begin() }
    let transitionContext = PageTransitionContext(
      motion: motion, scene: scene, overlay: overlay, page: page.layer, outgoing: outgoing)
    let time = begin()
    self.transition = transition
    transition.start(transitionContext, at: max(time, scene.time)) { [weak self, weak transition] _ in
      guard let self, let transition, self.transition === transition else { return }
      self.endTransition()
    }
    return time
  }

  /// The height of the band for a message below the page; 0: the page has all of its place.
  private var band: Double { place.height - page.layer.frame.height }

  /// Gives the ground, the message and the pages built from now on another theme.
  private func apply(_ settings: ThemeSettings) {
    guard settings != themeSettings else { return }
    themeSettings = settings
    context.theme = Theme(settings, fonts: fonts)
    let before = message
    message = MessagePanel(context)
    scene.transaction(disableActions: true) {
      let index = scene.root.sublayers.firstIndex { $0 === before.layer }
      before.layer.discard()
      scene.root.insertSublayer(message.layer, at: index ?? scene.root.sublayers.count)
      message.show(model, band: band, at: scene.time, animated: false)
      showMarks()
      drawGround()
      placePicture()
    }
  }

  private func showMarks() {
    for mark in marks {
      let isOn =
        switch mark.sign {
        case .cutOff: model.isCutOff
        case .unsaved: model.isUnsaved
        case .unconfirmedTime: !model.isTimeConfirmed && page.showsTime(of: model)
        }
      mark.show(isOn, context.theme)
    }
  }

  private func drawGround() {
    ground.contents = LayerImage(
      Self.ground(context.theme, height: scene.size.height), extent: .repeatSideways)
  }

  /// Whether a page transition is running.
  package var isChangingPages: Bool { transition != nil }

  /// Leaves the incoming page at rest and removes the outgoing one.
  private func endTransition() {
    guard transition != nil else { return }
    transition = nil
    scene.transaction(disableActions: true) {
      for layer in overlay.sublayers { layer.discard() }
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

// MARK: Burn-in

extension Stage {
  /// Whether the refresh page is shown.
  package var isRefreshing: Bool { burnIn.refresh.isRunning }

  /// How far the picture is moved from its place; zero without a drift.
  var offset: DriftOffset { burnIn.offset }

  /// Moves the page to the place of the drift. The ground and the panel of a message do not move: they would
  /// show their edges.
  private func placePicture() {
    let middle = ground.position
    let position = Point(x: middle.x + Double(offset.x), y: middle.y + Double(offset.y))
    guard holder.position != position || message.layer.position != middle else { return }
    scene.transaction(disableActions: true) {
      holder.position = position
      message.layer.position = middle
    }
  }
}

extension Layer {
  /// Removes the layer, and releases its pictures now: the compositor keeps the layers of the last frame.
  func discard() {
    forgetContents()
    removeFromSuperlayer()
  }

  private func forgetContents() {
    contents = nil
    for layer in sublayers { layer.forgetContents() }
  }
}
