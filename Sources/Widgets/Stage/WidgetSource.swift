// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Languages
import Settings

/// The settings of a kind of widget that can be shown. Each kind conforms in the file of its widget.
protocol WidgetSource: WidgetContent {
  /// - Parameter weight: the widget's share of the space, relative to the weights of its neighbours.
  func makeWidget(weight: Double, context: WidgetContext) -> any Widget

  /// The widget's text, as `status` reports it. It depends only on the settings and the model, so it needs no
  /// stage. Its words, dates and digits are those on the display, in the display's language. Everything else
  /// that `status` reports is English, with the config's names unchanged.
  ///
  /// - Parameters:
  ///   - language: the language of the display.
  ///   - zones: finds a time zone by its name in the config; must return some zone for unknown names.
  func text(of model: StageModel, in language: Language, zones: (String) -> TimeZone) -> String
}

extension WidgetSettings {
  var source: any WidgetSource { Self.source(content, of: Self.registry) }

  /// If a registered type does not conform to `WidgetSource`, the call above does not compile. Content of any
  /// other type that does not conform is shown as an empty line.
  private static func source<each Kind: WidgetSource>(
    _ content: any WidgetContent, of types: (repeat (each Kind).Type)
  ) -> any WidgetSource {
    content as? any WidgetSource ?? TextSettings()
  }
}

extension Configuration {
  /// The text of each widget, in the order of the config, whether or not the widget is shown.
  package func texts(
    of model: StageModel, zones: (String) -> TimeZone
  ) -> [(name: String, type: String, text: String)] {
    widgets.map { widget in
      let text =
        model.boards[widget.name]?.letters.plain ?? widget.source.text(of: model, in: language, zones: zones)
      return (widget.name, widget.typeName, text)
    }
  }
}
