// SPDX-License-Identifier: Apache-2.0

import ConfigChecks
import ControlCalls
import LinuxSystem
import Scoreboard
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
      // The teams and rules of a match that this wall follows, or has taken over, are those of the leader.
      if let own = walls.ownMatch { walls.ownMatch = adopting(own) } else { match = adopting(match) }
      let wasForeign = walls.isForeign
      configureWalls(saved: walls.document(match))
      if wasForeign, !walls.isForeign { match = adopting(match) }
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
        saveState { _ in }
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

  /// The match with the teams and rules of the config. If they are those of another game, a match with content is set aside,
  /// and a new one begins.
  func adopting(_ match: Match) -> Match {
    var match = match
    let (teams, rules) = (config.configuration.scoreboardTeams, config.configuration.game.rules)
    let old = match.board.rules
    if match.board.hasContent, !rules.isSameGame(as: old), state.aside.keep(match, log: log) {
      log.notice("[game] is \(rules.preset) now and was \(old.preset) before: a new match begins")
      match.begin(teams, rules: rules, at: MatchTime.now)
    } else {
      match.adopt(teams, rules: rules, at: MatchTime.now)
    }
    return match
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
