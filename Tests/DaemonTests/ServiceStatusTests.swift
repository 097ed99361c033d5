// SPDX-License-Identifier: Apache-2.0

import Display
import Glibc
import LinuxSystem
import Raster
import Testing

@testable import Daemon

@Suite struct ServiceStatusTests {
  private typealias Shown = ServiceStatus.Shown

  private let mode = DisplayMode(size: PixelSize(width: 1920, height: 1080), refreshMillihertz: 60_000)

  private func line(
    _ outputs: [ServiceStatus.Shown], blank: Bool = false, _ problem: String? = nil, _ errors: [String] = []
  ) -> String {
    ServiceStatus.line(outputs, isBlank: blank, problem: problem, configErrors: errors)
  }

  @Test("The line says what is shown, or why nothing is, and that the config has errors")
  func lines() {
    let output = Shown(name: "HDMI-A-1", mode: mode)
    #expect(line([]) == "waiting for a display")
    #expect(line([output]) == "showing on HDMI-A-1, 1920x1080@60")
    #expect(
      line([Shown(name: "HDMI-A-1", mode: mode, isBlank: true)], blank: true)
        == "the display is off, as requested")
    let away = "another virtual terminal is active; waiting for a switch back"
    #expect(line([], away) == away)
    #expect(line([Shown(name: "HDMI-A-1", problem: away)], away) == away)
    // The problem is over once there is a display.
    #expect(line([output], away) == "showing on HDMI-A-1, 1920x1080@60")
    #expect(
      line([output], nil, ["c.toml:2:8: must be a string"])
        == "showing on HDMI-A-1, 1920x1080@60; the config has errors: c.toml:2:8: must be a string")
    let unsaved = ServiceStatus.line(
      [output], isBlank: false, problem: nil, configErrors: [],
      unsaved: SystemError("write", "/state", errno: Errno(rawValue: ENOSPC)))
    #expect(
      unsaved
        == "showing on HDMI-A-1, 1920x1080@60; the last changes are not saved: write /state: No space left on device"
    )
    #expect(
      line([], nil, ["one", "two", "three"])
        == "waiting for a display; the config has errors: one (and 2 more)")
  }

  @Test("Of several displays the line names those that show something, then those that are dark, and why")
  func severalDisplays() {
    let small = DisplayMode(size: PixelSize(width: 1280, height: 720), refreshMillihertz: 60_000)
    let displays = [
      Shown(name: "HDMI-A-1", mode: mode), Shown(name: "DP-1", problem: "no display is connected"),
      Shown(name: "HDMI-A-2", mode: small, problem: "too little memory"),
      Shown(name: "DP-2", mode: mode, isBlank: true),
    ]
    #expect(
      line(displays, "an old problem")
        == "showing on HDMI-A-1, 1920x1080@60 and HDMI-A-2, 1280x720@60 (too little memory); "
        + "DP-1 dark: no display is connected; DP-2 off, as requested")
  }
}
