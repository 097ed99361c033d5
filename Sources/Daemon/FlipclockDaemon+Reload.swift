// SPDX-License-Identifier: Apache-2.0

import ConfigChecks
import Control
import LinuxSystem
import Settings

/// What the daemon reads again while it runs: the config and the time zones.
extension FlipclockDaemon {
  /// Reads the config again and shows the result. If it has errors, nothing changes.
  ///
  /// - Parameter client: who asks for it; nil: the daemon itself.
  @discardableResult
  func reload(for client: String? = nil) -> ReloadOutcome {
    service.reloading()
    let before = config.configuration
    let board = match.board
    let outcome = config.load()
    if outcome.ok {
      zones.renew()
      zoneWatch?.forget()
      let (teams, rules) = (config.configuration.scoreboardTeams, config.configuration.game.rules)
      // The teams and rules of a match that this wall follows, or has taken over, are those of the leader.
      if walls.ownMatch != nil {
        walls.ownMatch?.adopt(teams, rules: rules, at: MatchTime.now)
      } else {
        match.adopt(teams, rules: rules, at: MatchTime.now)
      }
      let wasForeign = walls.isForeign
      configureWalls(saved: walls.document(match))
      if wasForeign, !walls.isForeign {
        match.adopt(teams, rules: rules, at: MatchTime.now)
      }
      matchClock.follow(match.board)
      presenter.displays.apply(DisplayFactory.preferences(options, config.configuration))
      if before.display.brightness != config.configuration.display.brightness { forgetBrightness() }
      if before.input != config.configuration.input { listenToKeys() }
      backlights.retry()
      renewSchedule()
      applyLight()
      rebuild()
      if match.board != board {
        _ = publish()
        matchObserver()
      }
    }
    if !config.isRepetition {
      let prefix = client.map { "\($0): " } ?? ""
      if outcome.ok {
        log.info("\(prefix)config reloaded")
      } else {
        log.error("\(prefix)the config has errors; what was shown before stays")
      }
    }
    service.ready()
    displayChanged()
    return outcome
  }

  /// Reads the zone files again. If their content is what it was, nothing is shown again.
  func zonesChanged() {
    switch zones.reread() {
    case .none: break
    case .data:
      renewSchedule()
      applyLight()
      rebuild()
    // A zone that was unknown is known now: the config's warning about it, and the "(UTC)" after the name of its city,
    // are no longer true.
    case .found:
      if !reload().ok {
        renewSchedule()
        applyLight()
        rebuild()
      }
    }
  }

  /// Shows the current page with the current config and time zones.
  func rebuild() {
    // New widgets show the newest board, and not one with other rules that is shown for another moment.
    walls.delayed.flush()
    page = commonPage
    presenter.rebuild()
    arm()
  }
}
