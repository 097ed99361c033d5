// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Languages
import Layers
import Raster
import Settings

extension ImageSettings: WidgetSource {
  func makeWidget(weight: Double, context: WidgetContext) -> any Widget {
    ImageWidget(self, weight: weight, context: context)
  }

  /// The name of the picture's file.
  func text(of model: StageModel, in language: Language, zones: (String) -> TimeZone) -> String {
    let name = file(at: model.instant)?.split(separator: "/").last ?? ""
    let scalars = name.unicodeScalars.filter { $0.properties.generalCategory != .control }
    return String(String.UnicodeScalarView(scalars))
  }

  /// The path of the picture that is shown at an instant; nil: there is none.
  fileprivate func file(at instant: Instant) -> String? {
    let count = Int64(files.count)
    guard let turn = turn(at: instant)?.number else { return files.first }
    return files[Int((turn % count + count) % count)]
  }

  /// When the next picture is shown; nil: there is only one.
  fileprivate func nextChange(after instant: Instant) -> Instant? {
    turn(at: instant).map { instant.advanced(nanoseconds: $0.left) }
  }

  /// The number of turns since 1970, and how many nanoseconds are left of this one; nil: there is nothing to
  /// change.
  private func turn(at instant: Instant) -> (number: Int64, left: Int64)? {
    guard files.count > 1 else { return nil }
    let length = max(Int64((every * 1000).rounded()), 1)
    let now = instant.seconds * 1000 + Int64(instant.nanoseconds / 1_000_000)
    let (quotient, rest) = now.quotientAndRemainder(dividingBy: length)
    let number = rest < 0 ? quotient - 1 : quotient
    let left = ((number + 1) * length - now) * 1_000_000 - Int64(instant.nanoseconds % 1_000_000)
    return (number, left)
  }
}

/// A picture, or several in turn. A picture replaces another one in one frame.
final class ImageWidget: Widget {
  let layer = Layer()
  let sizing: PageLayout.Sizing

  private let settings: ImageSettings
  private let context: WidgetContext
  private var picture: PictureLayer?

  init(_ settings: ImageSettings, weight: Double, context: WidgetContext) {
    (self.settings, self.context) = (settings, context)
    sizing = .flexible(weight: weight, limit: .infinity)
  }

  func fittingSize(in box: Size) -> Size { box }

  private func picture(in rect: Rect) -> PictureLayer {
    PictureLayer(in: rect, fills: settings.fit == .cover, context.pictures)
  }

  func layOut(in rect: Rect, model: StageModel) {
    let picture = picture(in: rect)
    layer.addSublayer(picture.layer)
    self.picture = picture
    picture.show(settings.file(at: model.instant))
  }

  func update(_ model: StageModel, at time: Double, animated: Bool) {
    picture?.show(settings.file(at: model.instant))
  }

  func nextChange(after instant: Instant) -> Instant? { settings.nextChange(after: instant) }

  func showsTime(of model: StageModel) -> Bool { false }

  func prefetch(for rect: Rect, model: StageModel) {
    if let file = settings.file(at: model.instant) { picture(in: rect).prepare(file) }
  }

  /// Has the next picture read.
  func prepare(after model: StageModel) -> Bool {
    if let next = settings.nextChange(after: model.instant).flatMap(settings.file) { picture?.prepare(next) }
    return false
  }
}
