// SPDX-License-Identifier: Apache-2.0

import Raster
import Settings

/// The widgets of a page and their rectangles for one size of the page. Nothing is drawn.
struct PagePlan {
  struct Place {
    var name: String
    var widget: any Widget
    /// Empty for a widget that does not fit.
    var rect: Rect

    var hasRoom: Bool { rect.width >= 1 && rect.height >= 1 }
  }

  let name: String
  let size: Size
  /// The widgets, row by row.
  private(set) var places: [Place] = []

  /// - Parameters:
  ///   - isMirrored: the first widget of a row is at the right, for languages that are written from right to
  ///     left.
  ///   - make: creates the widget of that name; returns nil for an unknown name.
  init(_ settings: PageSettings, size: Size, isMirrored: Bool = false, make: (String) -> (any Widget)?) {
    name = settings.name
    self.size = size
    let rows = Self.rows(settings.layout, isPortrait: size.height > size.width)
      .map { row in row.compactMap { name in make(name).map { (name: name, widget: $0) } } }
      .filter { !$0.isEmpty }
    let items = rows.map { row in
      row.map { PageLayout.Item(sizing: $0.widget.sizing, fit: $0.widget.fittingSize(in:)) }
    }
    let rects =
      settings.layout.columnsWhenWide
      ? WideLayout(page: size).place(items) : PageLayout(page: size).place(items)
    for (row, rects) in zip(rows, rects) {
      for (made, var rect) in zip(row, rects) {
        if isMirrored, rect.width > 0 { rect.x = size.width - rect.maxX }
        places.append(Place(name: made.name, widget: made.widget, rect: rect))
      }
    }
  }

  private static func rows(_ layout: LayoutSettings, isPortrait: Bool) -> [[String]] {
    guard isPortrait, layout.stackInPortrait else { return layout.rows }
    return layout.rows.flatMap { row in row.map { [$0] } }
  }

  /// The widgets that do not fit at this size.
  var leftOut: [LeftOutWidget] {
    places.filter { !$0.hasRoom }.map { place in
      LeftOutWidget(page: name, name: place.name, width: Int(size.width), height: Int(size.height))
    }
  }
}

extension PagePlan {
  /// What the widgets that fit leave out at this size.
  var leftOutDetails: [LeftOutDetails] {
    places.filter(\.hasRoom).compactMap { place in
      let details = place.widget.leftOutDetails(in: place.rect.size)
      guard !details.isEmpty else { return nil }
      return LeftOutDetails(
        page: name, widget: place.name, width: Int(size.width), height: Int(size.height), details: details)
    }
  }
}

/// The details that a widget leaves out because its place is too small.
package struct LeftOutDetails: Hashable, Sendable {
  package var page: String
  package var widget: String
  /// The size of the page, in pixels: that of the display without its margins.
  package var width: Int
  package var height: Int
  package var details: [String]

  /// `the widget 'score' of the page 'main' leaves out: time of day, timeouts`
  package var description: String {
    "the widget '\(widget)' of the page '\(page)' leaves out: \(details.joined(separator: ", "))"
  }
}

/// A widget of a page that does not fit.
package struct LeftOutWidget: Hashable, Sendable {
  package var page: String
  package var name: String
  /// The size of the page, in pixels: that of the display without its margins.
  package var width: Int
  package var height: Int

  package var reason: String {
    "the page '\(page)' has no room for it at \(width)x\(height); \(Self.remedy)"
  }

  static let remedy = "give the page fewer widgets, or move some to a page of their own"
}
