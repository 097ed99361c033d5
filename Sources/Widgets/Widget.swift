// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Languages
import Layers
import Raster
import Scoreboard
import Settings

/// The state that widgets show, at one instant.
package struct StageModel {
  package var instant: Instant
  package var scoreboard: Scoreboard
  /// `instant` on the scoreboard's clock, in nanoseconds. Not a scene time.
  package var clock: Int64
  /// The message below the page; nil: none.
  package var message: String?
  /// Whether the message may cover the scores and the clocks of a scoreboard.
  package var isMessageFull: Bool
  /// What is shown for people with a phone, instead of a message; nil: nothing.
  package var notice: Notice?
  /// The texts that were pushed to boards, by the names of their widgets.
  package var boards: [String: BoardText]
  /// The countdowns that are set, by their names.
  package var countdowns: [String: Countdown]
  /// Whether other walls may show a different match, because they or the broker cannot be reached.
  package var isCutOff: Bool
  /// Whether a restart would lose changes of the match, because they could not be saved.
  package var isUnsaved: Bool
  /// Whether anything has confirmed the time of `instant` since the machine started.
  package var isTimeConfirmed: Bool

  package init(
    instant: Instant, scoreboard: Scoreboard, clock: Int64 = 0, message: String? = nil,
    isMessageFull: Bool = false, notice: Notice? = nil, boards: [String: BoardText] = [:],
    countdowns: [String: Countdown] = [:], isCutOff: Bool = false, isUnsaved: Bool = false,
    isTimeConfirmed: Bool = true
  ) {
    self.instant = instant
    self.scoreboard = scoreboard
    self.clock = clock
    self.message = message
    self.isMessageFull = isMessageFull
    self.notice = notice
    self.boards = boards
    self.countdowns = countdowns
    self.isCutOff = isCutOff
    self.isUnsaved = isUnsaved
    self.isTimeConfirmed = isTimeConfirmed
  }
}

extension StageModel {
  /// Whether something is shown over the page for a while.
  var isCovered: Bool { message != nil || notice?.ends != nil }

  /// Whether `notice` stays for long, and beside a match: then it takes little space.
  var hasBriefNotice: Bool { notice.map { $0.ends == nil } ?? false && scoreboard.hasContent }
}

/// What all widgets of a page share.
struct WidgetContext {
  /// The name of the widget, as in the config.
  var name = ""
  /// The theme of the page.
  var theme: Theme
  let motion: FlipMotion
  let scene: Scene
  /// The size of the whole page, in pixels.
  var page: Size
  /// The configured colours of teams, by id.
  let teamColors: [String: Color]
  /// The paths of the logos of teams, by id.
  var logos: [String: String] = [:]
  /// Finds a time zone by its name in the config; returns some zone for unknown names.
  let zones: (String) -> TimeZone
  /// Has the pictures of files.
  var pictures = PictureLibrary()
  /// The rules of the game, which determine what a score can show. Other rules need a new stage.
  let rules: GameRules
  /// The language of words, dates and digits. Another one needs a new stage.
  let language: Language

  /// The maximum height of a clock, as a fraction of the page's height. On a wide page, where the width
  /// allows more, clocks are higher.
  var clockLimit: Double { page.width >= WideLayout.leastAspect * page.height ? 0.8 : 0.62 }

  /// A team's colour, as far from that of the ground as it must be to be seen.
  func color(of team: Scoreboard.Team) -> Color {
    (team.color.map { Color(rgb: $0) } ?? teamColors[team.id]).map(theme.visible) ?? theme.label
  }
}

/// A part of a page.
///
/// The life of a widget:
///
/// - The page's layout calls `fittingSize` any number of times to find the widget's rectangle.
/// - The page calls `layOut` once, with that rectangle. For another size or configuration, a new widget is
///   made. A widget that does not fit is never laid out.
/// - `update` is called whenever the model or the time changes. The model's instant may also be earlier than
///   the last one. `update` must work without `layOut`, because a page also updates widgets that do not fit:
///   `status` reports their texts.
///
/// A widget has no timer of its own: the program wakes at the earliest `nextChange` of the page's widgets and
/// calls `update`. Animations need no timer either, because the scene runs them.
///
/// At rest, when all animations have ended, the widget's picture must equal that of a newly made widget with
/// the same settings, rectangle and model.
///
/// A widget is made from its settings. They also determine the text that `status` reports: see
/// `WidgetSource`.
protocol Widget: AnyObject {
  var layer: Layer { get }
  /// How the page's layout sizes it.
  var sizing: PageLayout.Sizing { get }
  /// The size that the widget uses of `box`: as much as its proportions allow. Larger than `box` if the
  /// widget cannot be drawn that small.
  func fittingSize(in box: Size) -> Size
  /// The details that the widget would show in a larger rectangle than one of this size, before the match:
  /// names for `status`.
  func leftOutDetails(in size: Size) -> [String]
  /// Builds the widget's layers for `rect`, in whole pixels, and shows `model` at rest. The size of `rect` is
  /// one that `fittingSize` has returned, rounded down.
  func layOut(in rect: Rect, model: StageModel)
  /// Shows `model`. What changes starts moving at `time` (scene seconds) if `animated`.
  func update(_ model: StageModel, at time: Double, animated: Bool)
  /// Whether showing `model` changes the places of what the widget shows.
  func isRearranged(by model: StageModel) -> Bool
  /// The next time, strictly after `instant`, at which the content changes without a change of the model;
  /// nil: never.
  func nextChange(after instant: Instant) -> Instant?
  /// Whether what is shown of `model` depends on the time of day.
  func showsTime(of model: StageModel) -> Bool
  /// Draws some of what the next changes of `model` will need. Called repeatedly while nothing moves, so that
  /// the first picture need not wait for what only later ones use. False: nothing is left to draw.
  func prepare(after model: StageModel) -> Bool
  /// Has read what the widget will need to show `model` in `rect`, on a page that is not shown yet.
  func prefetch(for rect: Rect, model: StageModel)
  /// Continues at `time` from what `other` showed. `other` is the previous widget of the same name, from
  /// before a change of the theme, or before the config or the time zones were read again.
  func resume(from other: any Widget, at time: Double)
}

extension Widget {
  func leftOutDetails(in size: Size) -> [String] { [] }

  func isRearranged(by model: StageModel) -> Bool { false }

  /// What changes with the wall clock by itself depends on it.
  func showsTime(of model: StageModel) -> Bool { nextChange(after: model.instant) != nil }

  func prepare(after model: StageModel) -> Bool { false }

  func prefetch(for rect: Rect, model: StageModel) {}

  func resume(from other: any Widget, at time: Double) {}
}
