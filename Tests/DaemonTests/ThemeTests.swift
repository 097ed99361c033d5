// SPDX-License-Identifier: Apache-2.0

import Raster
import TestSupport
import Testing
import Widgets

@testable import Daemon
@testable import LinuxSystem

@Suite struct ThemeTests {
  /// Two entries that follow each other, so that one is in effect at any time of day.
  private static let scheduled = """
    [schedule.morning]
    from = "00:00"
    to = "12:00"
    theme = "paper"
    [schedule.afternoon]
    from = "12:00"
    to = "00:00"
    theme = "paper"
    """

  @Test("The schedule's theme is shown by all displays, also after a reload, until the schedule has none")
  func commonTheme() throws {
    let directory = try TemporaryDirectory()
    directory.write("config.toml", Self.scheduled)
    var options = DaemonOptions()
    options.display = .headless
    options.config = directory.file("config.toml")
    options.stateDirectory = directory.file("state")
    let daemon = try FlipclockDaemon(options)
    try daemon.displays.presenter.start()
    defer { daemon.displays.presenter.stop() }
    /// The colour in the display's corner, after the change of themes has ended.
    func corner() throws -> UInt32 {
      let presenter = daemon.displays.presenter
      func isAtRest(_ stage: Stage) -> Bool { !stage.isChangingPages && !stage.scene.needsFrame }
      #expect(try daemon.loop.turn { presenter.canvases.first.map { isAtRest($0.stage) } ?? false })
      let canvas = try #require(presenter.canvases.first)
      return canvas.shadow.buffer.row32(0)[0] & 0xff_ffff
    }
    let paper = try corner()
    #expect(paper > 0xd0d0d0)
    daemon.reload()
    #expect(try corner() == paper)
    directory.write("config.toml", "")
    daemon.reload()
    let dark = try corner()
    #expect(dark < 0x202020)
  }
}
