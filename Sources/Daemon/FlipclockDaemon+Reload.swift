// SPDX-License-Identifier: Apache-2.0

import ConfigChecks
import Control
import LinuxSystem
import Settings

/// What changes while it runs: the config, and the machine's time zone.
extension FlipclockDaemon {
  /// Reads the config again and shows what it says; with errors everything stays as it is.
  @discardableResult
  func reload() -> ReloadOutcome {
    service.reloading()
    let before = config.configuration
    let outcome = config.load()
    if outcome.ok {
      zones.renew()
      match.adopt(
        config.configuration.scoreboardTeams, rules: config.configuration.game.rules, at: Self.now)
      matchClock?.arm()
      if before.display != config.configuration.display {
        presenter.prefer(options, config.configuration.display)
      }
      if before.display.brightness != config.configuration.display.brightness { forgetBrightness() }
      if before.input != config.configuration.input { listenToKeys() }
      rebuild()
      log.info("config reloaded")
    } else {
      log.error("the config has errors; what was shown before stays")
    }
    service.ready()
    displayChanged()
    return outcome
  }

  /// Devices that were grabbed for the last config are let go before those of this one are opened.
  func listenToKeys() {
    keyInput?.stop()
    keyInput = KeyInput(config.configuration.input, on: loop, handler: self, log: log)
  }

  private func rebuild() {
    page = shownPage
    unseen.forget()
    presenter.rebuild()
    arm()
  }

  /// The clock follows the machine's time zone.
  func watchLocalTime() {
    localTime = try? LocalTimeWatch(on: loop) { [weak self] in
      self?.zones.renew()
      self?.rebuild()
    }
  }
}
