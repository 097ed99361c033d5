// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Raster
import Settings
import Testing

@testable import Layers
@testable import Widgets

@Suite struct PreparingTests {
  private func clock(at instant: Instant, _ change: (inout FlipClockSettings) -> Void = { _ in })
    -> FlipClockWidget
  {
    var settings = FlipClockSettings()
    change(&settings)
    let widget = FlipClockWidget(
      settings, weight: 1, zone: .utc, context: Fixture.context(PixelSize(width: 640, height: 360)))
    let size = widget.fittingSize(in: Size(width: 640, height: 360))
    widget.layOut(
      in: Rect(x: 0, y: 0, width: size.width, height: size.height), model: Fixture.model(instant))
    return widget
  }

  @Test("A clock that changes once a minute has the cards that are shown and that come next, and no others")
  func minutes() {
    let widget = clock(at: Fixture.instant(9, 58))
    #expect(widget.images?.symbols == ["0", "9", "5", "8"])
    widget.prepare(after: Fixture.model(Fixture.instant(9, 58)))
    #expect(widget.images?.symbols == ["0", "9", "5", "8"])
    widget.update(Fixture.model(Fixture.instant(9, 59)), at: 1, animated: true)
    widget.prepare(after: Fixture.model(Fixture.instant(9, 59)))
    #expect(widget.images?.symbols == ["0", "9", "5", "1"])
    widget.update(Fixture.model(Fixture.instant(10, 0)), at: 2, animated: true)
    #expect(widget.images?.symbols == ["0", "9", "5", "1"])
  }

  @Test("A clock with seconds, and one that goes through all symbols, has all digits from the beginning")
  func all() {
    for widget in [
      clock(at: Fixture.instant(9, 58)) { $0.seconds = true },
      clock(at: Fixture.instant(9, 58)) { $0.motion.symbols = .through },
    ] {
      widget.prepare(after: Fixture.model(Fixture.instant(9, 58)))
      #expect(widget.images?.symbols.isSuperset(of: (0...9).map(String.init)) == true)
    }
  }
}
