// SPDX-License-Identifier: Apache-2.0

import Raster
import Settings

extension StageModel {
  /// The height of the band below the page for a message or a notice, in whole pixels; 0 without a band.
  func bandHeight(in size: Size) -> Double {
    let side = min(size.width, size.height)
    // This is enough for a QR code with two pixels per module on 320 x 240.
    let full = (0.36 * side).rounded()
    if notice != nil { return hasBriefNotice ? max((0.2 * side).rounded(), min(full, 90)) : full }
    return message == nil || isMessageFull ? 0 : (0.2 * side).rounded()
  }
}

/// Builds the parts of a stage.
extension Stage {
  /// A page showing `model` at rest, above the band for its message.
  static func page(
    _ settings: PageSettings, _ configuration: Configuration, in place: Rect, context: WidgetContext,
    model: StageModel
  ) -> Page {
    var (context, place) = (context, place)
    place.height -= model.bandHeight(in: place.size)
    context.page = place.size
    return Page(plan(settings, configuration, context: context), in: place, model: model)
  }

  static func plan(
    _ settings: PageSettings, _ configuration: Configuration, context: WidgetContext
  ) -> PagePlan {
    PagePlan(settings, size: context.page, isMirrored: context.language.isRightToLeft) { name in
      configuration.widgets.first { $0.name == name }.map {
        var context = context
        context.name = name
        return $0.source.makeWidget(weight: $0.weight, context: context)
      }
    }
  }

  /// A narrow, dithered tile of the ground's gradient. Without the dither, the few levels of a dark gradient
  /// would be visible as bands.
  static func ground(_ theme: Theme, height: Int) -> Bitmap {
    let bitmap = Bitmap(width: 8 * Dither.period, height: height, format: .xrgb8888)
    for y in 0..<height {
      let fraction = (Double(y) + 0.5) / Double(max(height, 1))
      let paint = Paint(theme.groundTop).mixed(with: Paint(theme.groundBottom), fraction)
      let row = bitmap.buffer.row32(y)
      for x in 0..<Dither.period { row[x] = paint.pixel(coverage: 1, threshold: Dither.threshold(x, y)) }
      for x in Dither.period..<bitmap.width { row[x] = row[x - Dither.period] }
    }
    return bitmap
  }
}
