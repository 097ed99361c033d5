// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Layers
import Raster
import Settings

/// What a stage does against burn-in: at the beginning of a minute, the picture moves by one pixel, and once
/// a day the refresh page is shown. Neither happens while a clock of the match runs.
final class BurnInProtection {
  let refresh: RefreshPage
  private let settings: BurnInSettings
  private let isStill: Bool
  private let zone: () -> TimeZone
  private var drift: Drift?
  /// The minute of the last update, since 1970.
  private var minute: Int64

  /// - Parameters:
  ///   - page: the size of the pages.
  ///   - isStill: whether all motion is disabled.
  ///   - zone: returns the zone of the refresh page's time of day.
  init(
    _ settings: BurnInSettings, _ scene: Scene, page: PixelSize, at instant: Instant, isStill: Bool,
    zone: @escaping () -> TimeZone
  ) {
    self.settings = settings
    self.isStill = isStill
    self.zone = zone
    refresh = RefreshPage(scene)
    minute = instant.minute
    let radius = Drift.radius(settings, for: page)
    drift = radius > 0 ? Drift(radius: radius, minute: minute) : nil
  }

  /// How far the picture is moved from its place.
  var offset: DriftOffset { drift?.place ?? DriftOffset() }

  /// The next time, strictly after `instant`, at which something is to be done; nil: never.
  func nextChange(after instant: Instant) -> Instant? {
    drift != nil || settings.refresh != nil ? instant.nextMinute : nil
  }

  /// Follows the model. At the beginning of a minute, changes the offset, and begins to show the refresh page
  /// at `time` (scene seconds) if it is due.
  ///
  /// - Parameter isChangingPages: whether a page transition is running, during which the picture must not
  ///   move.
  func update(_ model: StageModel, at time: Double, isChangingPages: Bool) {
    let isClockRunning = model.scoreboard.hasRunningClock
    if isClockRunning || model.isCovered { refresh.end() }
    guard model.instant.minute != minute else { return }
    minute = model.instant.minute
    guard !isClockRunning, !isChangingPages else { return }
    drift?.step(at: minute)
    guard let start = settings.refresh, !model.isCovered else { return }
    let now = zone().civil(model.instant)
    guard now.hour * 60 + now.minute == start else { return }
    refresh.start(at: time, duration: settings.refreshDuration, isStill: isStill)
  }

  /// Continues from the offset of another stage of the same size.
  func resume(from other: BurnInProtection) {
    if let before = other.drift { drift?.resume(from: before) }
  }
}
