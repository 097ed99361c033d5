// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Layers
import Raster
import Scoreboard

/// What the widgets show: the model, at one moment.
public struct StageModel {
  public var instant: Instant
  public var scoreboard: Scoreboard
  /// The same moment on the clock of the scoreboard's instants, nanoseconds.
  public var clock: Int64
  /// What stands over the page for a while; nil: nothing does.
  public var message: String?

  public init(instant: Instant, scoreboard: Scoreboard, clock: Int64 = 0, message: String? = nil) {
    self.instant = instant
    self.scoreboard = scoreboard
    self.clock = clock
    self.message = message
  }
}

/// What every widget of a page shares.
struct WidgetContext {
  let theme: Theme
  let motion: FlipMotion
  let scene: Scene
  /// The whole page, pixels.
  let page: Size
  /// Colours of teams by id.
  let teamColors: [String: Color]
}

/// A part of a page. It says how it would fit, is laid out once for a page's size, and from then on
/// follows the model.
protocol Widget: AnyObject {
  var layer: Layer { get }
  /// What it shows, in words, as `status` tells it.
  var text: String { get }
  /// How it takes part in the page's layout.
  var sizing: PageLayout.Sizing { get }
  /// Its size when it fills as much of `box` as its proportions allow.
  func fittingSize(in box: Size) -> Size
  /// Builds its layers for `rect`, of its fitting size, on whole pixels, showing `model` at rest.
  func layOut(in rect: Rect, model: StageModel)
  /// Shows `model`; what changes begins to move at `time` (scene seconds) when `animated`.
  func update(_ model: StageModel, at time: Double, animated: Bool)
  /// When what it shows changes by itself, strictly after `instant`; nil: never.
  func nextChange(after instant: Instant) -> Instant?
  /// Draws some of what the next changes of `model` will need; false: all of it is there. Called again and again
  /// while nothing moves: the first picture does not wait for what is only needed for the second.
  func prepare(after model: StageModel) -> Bool
  /// Begins with what `other`, the widget of that name before the config was read again, showed, and goes
  /// on from there at `time`.
  func goOn(from other: any Widget, at time: Double)
}

extension Widget {
  func prepare(after model: StageModel) -> Bool { false }

  func goOn(from other: any Widget, at time: Double) {}
}
