// SPDX-License-Identifier: Apache-2.0

import Raster
import Settings

/// Builds the parts of a stage.
extension Stage {
  /// A page showing `model` at rest, above a band of this height for its message.
  static func page(
    _ settings: PageSettings, _ configuration: Configuration, in place: Rect, context: WidgetContext,
    model: StageModel, band: Double
  ) -> Page {
    var (context, place) = (context, place)
    place.height -= band
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
