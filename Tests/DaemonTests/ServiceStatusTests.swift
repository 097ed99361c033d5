// SPDX-License-Identifier: Apache-2.0

import Display
import Raster
import Testing

@testable import Daemon

@Suite struct ServiceStatusTests {
  private let output = OutputDescription(
    driver: "vc4", connector: "HDMI-A-1",
    mode: DisplayMode(size: PixelSize(width: 1920, height: 1080), refreshMillihertz: 60_000))

  @Test("The line says what is shown, or why nothing is, and that the config has errors")
  func lines() {
    func line(
      _ output: OutputDescription?, blank: Bool = false, _ problem: String? = nil, _ errors: [String] = []
    )
      -> String
    {
      ServiceStatus.line(output: output, isBlank: blank, problem: problem, configErrors: errors)
    }
    #expect(line(nil) == "waiting for a display")
    #expect(line(output) == "showing on HDMI-A-1, 1920x1080@60")
    #expect(line(output, blank: true) == "the display is off, as requested")
    let away = "another virtual terminal is active; waiting for a switch back"
    #expect(line(nil, away) == away)
    // The problem is over once there is a display.
    #expect(line(output, away) == "showing on HDMI-A-1, 1920x1080@60")
    #expect(
      line(output, nil, ["c.toml:2:8: must be a string"])
        == "showing on HDMI-A-1, 1920x1080@60; the config has errors: c.toml:2:8: must be a string")
    #expect(
      line(nil, nil, ["one", "two", "three"])
        == "waiting for a display; the config has errors: one (and 2 more)")
  }
}
