// SPDX-License-Identifier: Apache-2.0

import Display
import Glibc
import KMS
import LinuxSystem
import Raster
import Settings

/// Creates the output that the options and the configuration select.
enum OutputFactory {
  /// The defaults of `--size` and `--refresh` for a headless display.
  private static let headlessSize = PixelSize(width: 1920, height: 1080)
  private static let headlessRefresh = 60_000
  /// The default rate for a terminal, low enough for SSH.
  private static let terminalRefresh = 30_000

  static func make(
    _ options: DaemonOptions, _ display: DisplaySettings, on loop: EventLoop, log: Log
  ) throws(StartFailure) -> any Output {
    switch choice(options, display) {
    case .kms, .auto:
      return KMSOutput(preferences: preferences(options, display), on: loop, log: log)
    case .terminal:
      if environmentVariable("TERM") == "dumb" {
        throw StartFailure(
          "a terminal with TERM=dumb shows no picture; use another terminal, or --display headless",
          exitCode: EX_USAGE)
      }
      let colors = TerminalColors.detected(environment: environmentVariable)
      return TerminalOutput(
        colors: colors, refreshMillihertz: options.refreshMillihertz ?? terminalRefresh, on: loop)
    case .headless:
      let mode = DisplayMode(
        size: options.size ?? headlessSize,
        refreshMillihertz: options.refreshMillihertz ?? headlessRefresh)
      return HeadlessOutput(mode: mode, rotation: display.rotation, on: loop)
    }
  }

  /// The display to use; never `auto`.
  private static func choice(
    _ options: DaemonOptions, _ display: DisplaySettings
  ) -> DaemonOptions.DisplayChoice {
    guard options.display == .auto else { return options.display }
    if KMSOutput.anyCardUsable(preferences(options, display)) { return .kms }
    return TerminalOutput.isAvailable(terminalName: environmentVariable("TERM")) ? .terminal : .headless
  }

  static func preferences(_ options: DaemonOptions, _ display: DisplaySettings) -> OutputPreferences {
    OutputPreferences(
      card: options.card ?? display.card, connector: display.connector,
      mode: mode(options, display), format: display.format,
      dithers: display.dither, rotation: display.rotation)
  }

  private static func mode(_ options: DaemonOptions, _ display: DisplaySettings) -> ModePreference {
    if let size = options.size { return .size(size, refreshMillihertz: options.refreshMillihertz) }
    return display.mode
  }
}
