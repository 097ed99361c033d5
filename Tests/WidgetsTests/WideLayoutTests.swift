// SPDX-License-Identifier: Apache-2.0

import Raster
import Scoreboard
import Settings
import Testing

@testable import Layers
@testable import Widgets

@Suite struct WideLayoutTests {
  private static let wide: [PixelSize] = [
    (2560, 1080), (3440, 1440), (1920, 480), (3840, 1080), (800, 160), (1280, 400), (5120, 1440),
  ].map { PixelSize(width: $0.0, height: $0.1) }

  private static let pages: [(name: String, widgets: [WidgetSettings])] = {
    let time = WidgetSettings(name: "time", weight: 3, content: FlipClockSettings())
    let date = WidgetSettings(name: "date", weight: 1, content: DateSettings())
    let score = WidgetSettings(name: "score", weight: 2, content: ScoreSettings())
    return [
      ("default", [time, date, score]), ("clock", [time, date]), ("clock and score", [time, score]),
      ("time", [time]), ("game", Configuration.gameWidgets([], showsTime: true)),
    ]
  }()

  private static func plan(_ widgets: [WidgetSettings], _ size: PixelSize, columns: Bool = true) -> PagePlan {
    var configuration = Fixture.configuration(widgets)
    configuration.layout.columnsWhenWide = columns
    return Stage.plan(configuration.allPages[0], configuration, context: Fixture.context(size))
  }

  /// The share of the display's area that the widgets cover.
  private static func coverage(_ plan: PagePlan) -> Double {
    plan.places.map { $0.rect.width * $0.rect.height }.reduce(0, +) / (plan.size.width * plan.size.height)
  }

  @Test("Widgets are on the display, in whole pixels, without overlaps, and none is left out")
  func validity() {
    for (name, widgets) in Self.pages {
      for size in Self.wide {
        let plan = Self.plan(widgets, size)
        let page = Rect(x: 0, y: 0, width: plan.size.width, height: plan.size.height)
        #expect(plan.leftOut.isEmpty, "\(name) \(size)")
        for (index, place) in plan.places.enumerated() {
          #expect(place.rect.isWhole && place.rect.isInside(page), "\(name) \(size) \(place.name)")
          for other in plan.places.dropFirst(index + 1) {
            #expect(!place.rect.overlaps(other.rect), "\(name) \(size) \(place.name) \(other.name)")
          }
        }
      }
    }
  }

  @Test("Columns make the widgets larger, and none much smaller")
  func sizes() {
    var better = 0
    for (name, widgets) in Self.pages {
      for size in Self.wide {
        let (wide, rows) = (Self.plan(widgets, size), Self.plan(widgets, size, columns: false))
        #expect(Self.coverage(wide) >= Self.coverage(rows) * 0.99, "\(name) \(size)")
        if Self.coverage(wide) > 1.2 * Self.coverage(rows) { better += 1 }
        for (place, before) in zip(wide.places, rows.places) {
          #expect(place.rect.height >= 0.59 * before.rect.height, "\(name) \(size) \(place.name)")
        }
      }
    }
    #expect(better >= 10)
  }

  @Test("Pages that are not much wider than 16:9 have no columns")
  func usualDisplays() {
    for (name, widgets) in Self.pages {
      let usual = CommonDisplays.sizes.filter { $0.width * 10 < $0.height * 21 }
      for size in usual + [PixelSize(width: 2160, height: 1080)] {
        let (wide, rows) = (Self.plan(widgets, size), Self.plan(widgets, size, columns: false))
        #expect(wide.places.map(\.rect) == rows.places.map(\.rect), "\(name) \(size)")
      }
    }
  }

  @Test("Columns have equal distances from each other and from the edges")
  func distances() throws {
    let plan = Self.plan(Self.pages[2].widgets, PixelSize(width: 1920, height: 480))
    let time = try #require(plan.places.first { $0.name == "time" }).rect
    let score = try #require(plan.places.first { $0.name == "score" }).rect
    #expect(score.x > time.maxX)
    let gaps = [time.x, score.x - time.maxX, 1920 - score.maxX]
    #expect(gaps.allSatisfy { abs($0 - gaps[0]) <= 2 }, "\(gaps)")
  }
}
