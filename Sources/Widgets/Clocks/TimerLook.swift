// SPDX-License-Identifier: Apache-2.0

import Raster
import Scoreboard

/// How urgent a timer looks. This is not shown by hue alone: in a dark theme, the warning makes the figures
/// darker, and the end makes the cards light.
enum TimerLook: Hashable {
  case plain
  /// The clock of a break runs. While it is paused, it has the colours of the game clock.
  case ofBreak
  /// The end is near, or it has passed and the timer continues.
  case warning
  /// The end is reached and the timer is stopped.
  case ended

  init(_ reading: Scoreboard.TimerReading?, of timer: GameTimer.ID?) {
    guard let reading else {
      self = .plain
      return
    }
    if reading.hasEnded {
      self = reading.isRunning ? .warning : .ended
    } else {
      let usual: TimerLook = timer == .breakClock && reading.isRunning ? .ofBreak : .plain
      self = reading.isWarning ? .warning : usual
    }
  }

  private static let warm = [Color(rgb: 0xff7657), Color(rgb: 0xc4262e)]

  func applied(to theme: Theme) -> Theme {
    var theme = theme
    switch self {
    case .plain: break
    case .ofBreak:
      theme.symbol = theme.accent
      theme.onGround = theme.accent
    case .warning:
      let card = theme.cardUpperBottom.mixed(with: theme.cardLowerTop, 0.5)
      theme.symbol = Self.warning(theme, on: [card])
      theme.onGround = Self.warning(theme, on: [theme.ground])
    case .ended:
      theme.cardUpperTop = theme.alarm.mixed(with: .white, 0.06)
      theme.cardUpperBottom = theme.alarm.mixed(with: .black, 0.1)
      theme.cardLowerTop = theme.alarm.mixed(with: .black, 0.2)
      theme.cardLowerBottom = theme.alarm.mixed(with: .black, 0.08)
      theme.symbol = theme.alarmSymbol
      let grounds = [theme.groundTop, theme.groundBottom]
      // A dark alarm on a dark ground is not legible.
      theme.onGround =
        grounds.allSatisfy { theme.alarm.contrast(with: $0) >= 4.5 }
        ? theme.alarm : Self.warning(theme, on: grounds)
    }
    return theme
  }

  /// The theme's colour for warnings, or else the red that has the higher contrast with these colours.
  private static func warning(_ theme: Theme, on colors: [Color]) -> Color {
    func contrast(_ color: Color) -> Double { colors.map { color.contrast(with: $0) }.min() ?? 1 }
    return theme.warning ?? warm.max { contrast($0) < contrast($1) } ?? theme.symbol
  }
}
