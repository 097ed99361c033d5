// SPDX-License-Identifier: Apache-2.0

import Glibc
import Raster
import Testing

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
    var template = Array("/tmp/flipclock-theme-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } }
    let directory = String(cString: try #require(made))
    let config = directory + "/config.toml"
    defer {
      unlink(config)
      for name in ["/state", ""] { rmdir(directory + name) }
    }
    func write(_ text: String) throws {
      let file = try #require(fopen(config, "w"))
      fputs(text, file)
      fclose(file)
    }
    try write(Self.scheduled)
    var options = DaemonOptions()
    options.display = .headless
    options.config = config
    options.stateDirectory = directory + "/state"
    let daemon = try FlipclockDaemon(options)
    try daemon.displays.presenter.start()
    defer { daemon.displays.presenter.stop() }
    /// The colour in the display's corner, after the change from one theme to another.
    func corner() throws -> UInt32 {
      let end = SystemClock.monotonic.now.totalNanoseconds + 1_400_000_000
      while SystemClock.monotonic.now.totalNanoseconds < end { try daemon.loop.turn(timeoutMilliseconds: 20) }
      let canvas = try #require(daemon.displays.presenter.canvases.first)
      #expect(!canvas.stage.isChangingPages)
      return canvas.shadow.buffer.row32(0)[0] & 0xff_ffff
    }
    let paper = try corner()
    #expect(paper > 0xd0d0d0)
    daemon.reload()
    #expect(try corner() == paper)
    try write("")
    daemon.reload()
    let dark = try corner()
    #expect(dark < 0x202020)
  }
}
