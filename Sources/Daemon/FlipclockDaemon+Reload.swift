// SPDX-License-Identifier: Apache-2.0

import ConfigChecks
import Control
import LinuxSystem
import Settings

/// What can change while the daemon runs: the config, and the machine's time zone.
extension FlipclockDaemon {
  /// Reads the config again and shows the result. If it has errors, nothing changes.
  @discardableResult
  func reload() -> ReloadOutcome {
    service.reloading()
    let before = config.configuration
    let board = match.board
    let outcome = config.load()
    if outcome.ok {
      zones.renew()
      match.adopt(
        config.configuration.scoreboardTeams, rules: config.configuration.game.rules, at: Self.now)
      matchClock.follow(match.board)
      if before.display != config.configuration.display {
        presenter.output.apply(OutputFactory.preferences(options, config.configuration.display))
      }
      if before.display.brightness != config.configuration.display.brightness { forgetBrightness() }
      if before.input != config.configuration.input { listenToKeys() }
      rebuild()
      if match.board != board { matchObserver() }
      log.info("config reloaded")
    } else {
      log.error("the config has errors; what was shown before stays")
    }
    service.ready()
    displayChanged()
    return outcome
  }

  func localTimeChanged() {
    zones.renew()
    rebuild()
  }

  /// Shows the current page with the current config and time zones.
  private func rebuild() {
    page = shownPage
    if let size = presenter.stageSize { presenter.show(makeShownStage(size)) }
    arm()
  }
}
