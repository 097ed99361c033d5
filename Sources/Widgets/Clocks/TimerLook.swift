// SPDX-License-Identifier: Apache-2.0

import Raster
import Scoreboard

/// How urgent a timer looks. It is not shown by hue alone: with the warning the figures are darker, and at the end
/// the cards are light instead of dark.
enum TimerLook: Hashable {
  case plain
  /// The end is near, or it has passed and the timer continues.
  case warning
  /// The end is reached and the timer is stopped.
  case ended

  init(_ reading: Scoreboard.TimerReading?) {
    guard let reading else {
      self = .plain
      return
    }
    if reading.hasEnded {
      self = reading.isRunning ? .warning : .ended
    } else {
      self = reading.isWarning ? .warning : .plain
    }
  }

  private static let warm = [Color(rgb: 0xff7657), Color(rgb: 0xc4262e)]
  private static let red = Color(rgb: 0xe5484d)

  func applied(to theme: Theme) -> Theme {
    var theme = theme
    switch self {
    case .plain: break
    case .warning:
      let card = theme.cardUpperBottom.mixed(with: theme.cardLowerTop, 0.5)
      let ground = theme.groundTop.mixed(with: theme.groundBottom, 0.5)
      theme.symbol = Self.warm.max { $0.contrast(with: card) < $1.contrast(with: card) } ?? theme.symbol
      theme.onGround =
        Self.warm.max { $0.contrast(with: ground) < $1.contrast(with: ground) } ?? theme.onGround
    case .ended:
      theme.cardUpperTop = Self.red.mixed(with: .white, 0.06)
      theme.cardUpperBottom = Self.red.mixed(with: .black, 0.1)
      theme.cardLowerTop = Self.red.mixed(with: .black, 0.2)
      theme.cardLowerBottom = Self.red.mixed(with: .black, 0.08)
      theme.symbol = .white
      theme.onGround = Self.red
    }
    return theme
  }
}
