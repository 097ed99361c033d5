// SPDX-License-Identifier: Apache-2.0

import Display
import Glibc
import KMS
import LinuxSystem
import Raster
import Settings

/// Creates the displays that the options and the configuration select.
enum DisplayFactory {
  /// The defaults of `--size` and `--refresh` for a headless display.
  private static let headlessSize = PixelSize(width: 1920, height: 1080)
  private static let headlessRefresh = 60_000
  /// The default rate for a terminal, low enough for SSH.
  private static let terminalRefresh = 30_000

  static func make(
    _ options: DaemonOptions, _ configuration: Configuration, on loop: EventLoop, log: Log
  ) throws(StartFailure) -> any Displays {
    let preferences = preferences(options, configuration)
    switch choice(options, preferences) {
    case .kms, .auto:
      return KMSDisplays(preferences: preferences, on: loop, log: log)
    case .terminal:
      if environmentVariable("TERM") == "dumb" {
        throw StartFailure(
          "a terminal with TERM=dumb shows no picture; use another terminal, or --display headless",
          exitCode: EX_USAGE)
      }
      let colors = TerminalColors.detected(environment: environmentVariable)
      return FixedDisplays([
        TerminalOutput(
          colors: colors, refreshMillihertz: options.refreshMillihertz ?? terminalRefresh, on: loop)
      ])
    case .headless:
      let mode = DisplayMode(
        size: options.size ?? headlessSize,
        refreshMillihertz: options.refreshMillihertz ?? headlessRefresh)
      let displays = FixedDisplays([HeadlessOutput(mode: mode, on: loop)])
      displays.apply(preferences)
      return displays
    }
  }

  /// The display to use; never `auto`.
  private static func choice(
    _ options: DaemonOptions, _ preferences: OutputPreferences
  ) -> DaemonOptions.DisplayChoice {
    guard options.display == .auto else { return options.display }
    if KMSDisplays.anyCardUsable(preferences) { return .kms }
    return TerminalOutput.isAvailable(terminalName: environmentVariable("TERM")) ? .terminal : .headless
  }

  static func preferences(_ options: DaemonOptions, _ configuration: Configuration) -> OutputPreferences {
    let display = configuration.display
    return OutputPreferences(
      card: options.card ?? display.card, connector: display.connector,
      mode: mode(options, display), format: display.format,
      dithers: display.dither, rotation: display.rotation, rules: configuration.outputs.map(\.rule))
  }

  private static func mode(_ options: DaemonOptions, _ display: DisplaySettings) -> ModePreference {
    if let size = options.size { return .size(size, refreshMillihertz: options.refreshMillihertz) }
    return display.mode
  }
}
