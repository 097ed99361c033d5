// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ConfigChecks
import ControlCalls
import LinuxSystem
import Schedule
import Scoreboard
import Settings
import WallState

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
    var outcome = config.load()
    if outcome.ok {
      zones.renew()
      zoneWatch?.forget()
      // The teams and rules of a match that this wall follows, or has taken over, are those of the leader.
      if let own = walls.ownMatch { walls.ownMatch = adopting(own) } else { match = adopting(match) }
      let wasForeign = walls.isForeign
      configureWalls(saved: walls.document(match))
      if wasForeign, !walls.isForeign { match = adopting(match) }
      outcome.warnings += [gameWarning].compactMap { $0 }
      presenter.displays.apply(DisplayFactory.preferences(options, config.configuration))
      if before.input != config.configuration.input { listenToKeys() }
      backlights.retry()
      adoptConfiguration()
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
  /// and a new one begins; a match that cannot be set aside goes on by its own rules.
  func adopting(_ match: Match) -> Match {
    var match = match
    let (teams, rules) = (config.configuration.scoreboardTeams, config.configuration.game.rules)
    let old = match.board.rules
    if !match.board.hasContent || rules.isSameGame(as: old) {
      match.adopt(teams, rules: rules, at: MatchTime.now)
    } else if state.aside.keep(match, log: log) {
      log.notice("[game] is \(rules.preset) now and was \(old.preset) before: a new match begins")
      match.begin(teams, rules: rules, at: MatchTime.now)
    } else {
      match.adopt(teams, rules: old, at: MatchTime.now)
    }
    return match
  }

  /// Says that the match is one of another game than the config's; nil: it is not.
  var gameWarning: String? {
    let own = (walls.ownMatch ?? match).board
    let rules = config.configuration.game.rules
    guard own.hasContent, !rules.isSameGame(as: own.rules) else { return nil }
    return
      "[game] is \(rules.preset) now, but the match of \(own.rules.preset) could not be set aside and goes on; make room on the disk, and 'flipclockctl reload'"
  }

  /// Reads the zone files again. If their content is what it was, nothing is shown again.
  func zonesChanged() {
    switch zones.reread() {
    case .none: break
    case .data: adoptConfiguration()
    // A zone that was unknown is known now: the config's warning about it, and the "(UTC)" after the name of its city,
    // are no longer true.
    case .found:
      if !reload().ok { adoptConfiguration() }
    }
  }

  /// Shows everything with the current config and time zones.
  private func adoptConfiguration() {
    let configuration = config.configuration
    let schedule = Schedule(configuration, zone: zones["local"])
    change { [displays = wallDisplays] in
      $2 = $0.adopt(configuration, schedule: schedule, displays: displays, at: $1)
    }
    rebuild()
  }

  /// Builds new stages for everything that is shown.
  func rebuild() {
    // New widgets show the newest board, and not one with other rules that is shown for another moment.
    walls.delayed.flush()
    presenter.rebuild()
    present()
  }
}

extension Schedule {
  /// The schedule of a config.
  ///
  /// - Parameter zone: the machine's time zone.
  init(_ configuration: Configuration, zone: @autoclosure () -> TimeZone) {
    let entries = configuration.schedule
    guard !entries.isEmpty else {
      self.init()
      return
    }
    let (settings, zone) = (configuration.place, zone())
    // The place for the sun.
    let place =
      entries.contains(where: \.needsSun)
      ? settings.coordinates ?? TimeZone.coordinates(of: settings.zone ?? zone.name) : nil
    self.init(entries, zone: zone, place: place)
  }
}
