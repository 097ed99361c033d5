// SPDX-License-Identifier: Apache-2.0

import Display
import Raster
import Testing

@Suite struct DisplayPreferencesTests {
  @Test(
    "A mode is auto, a size, or a size and a rate",
    arguments: [
      ("auto", .auto), ("1920x1080", .size(PixelSize(width: 1920, height: 1080), refreshMillihertz: nil)),
      ("1280x720@59.94", .size(PixelSize(width: 1280, height: 720), refreshMillihertz: 59_940)),
      ("1280x", nil), ("x720", nil), ("0x0", nil), ("1280x720@", nil), ("1280x720@0", nil), ("-1x5", nil),
      ("99999999999999999999x1", nil), ("1280x720@60@60", nil), ("", nil), ("1280x720@nan", nil),
    ] as [(String, ModePreference?)])
  func modes(text: String, expected: ModePreference?) {
    #expect(ModePreference(text) == expected)
  }
}
