// SPDX-License-Identifier: Apache-2.0

import Raster
import Settings
import Testing

@testable import Layers
@testable import Widgets

/// Transitions in flight, with the built-in font outlines.
@Suite struct PageGoldenTests {
  private static let moving = PageTransitionSettings.Kind.allCases.filter { $0 != .cut }

  @Test("Page transitions in flight equal their goldens", arguments: moving)
  func midFlight(kind: PageTransitionSettings.Kind) throws {
    let size = PixelSize(width: 192, height: 108)
    let stage = PageFixture.stage(PageFixture.configuration(kind), size, Fixture.model(home: 3, guest: 12))
    stage.show(page: "match", Fixture.model(home: 3, guest: 12)) { 0 }
    for percent in [35, 65] {
      let picture = stage.scene.picture(at: Double(percent) / 100)
      try Golden.expect(picture, is: "page-\(kind.rawValue)-\(percent)")
    }
  }
}
