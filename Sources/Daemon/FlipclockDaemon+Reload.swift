// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ConfigChecks
import ControlCalls
import LinuxSystem
import Schedule
import Scoreboard
import Settings
import TOMLConfig
import WallState

/// What the daemon reads again while it runs: the config and the time zones.
extension FlipclockDaemon {
  /// Reads the config and the settings again, because a person asks for it.
  ///
  /// - Parameter client: who asks for it; nil: a signal.
  @discardableResult
  func reloadAll(for client: String? = nil) -> ReloadOutcome {
    var problem: SettingsProblem?
    do throws(SettingsProblem) { try rereadSettings() } catch { problem = error }
    var outcome = reload(for: client)
    if let problem {
      outcome.warnings.append("the settings stay as they are: \(problem.message)")
      log.warning("the settings stay as they are: \(problem.message)")
    }
    return outcome
  }

  /// Reads the config again and shows the result. If it has errors, nothing changes.
  ///
  /// - Parameter client: the client that asks for it; nil: the daemon itself.
  @discardableResult
  func reload(for client: String? = nil) -> ReloadOutcome {
    service.reloading()
    let before = config.configuration
    var outcome = config.load()
    knownRevision = nil
    if outcome.ok {
      zones.renew(local: config.configuration.locale.zone)
      displays.presenter.displays.apply(DisplayFactory.preferences(options, config.configuration))
      if before.input != config.configuration.input { sources?.listenToKeys(config.configuration.input) }
      displays.backlights.retry()
      adoptConfiguration()
      outcome.warnings += [wall.gameWarning].compactMap { $0 }
    }
    if !config.isRepetition {
      let prefix = client.map { "\($0): " } ?? ""
      if outcome.ok {
        log.info("\(prefix)config reloaded")
      } else {
        log.error("\(prefix)the config has errors; the present configuration stays in force")
      }
    }
    service.ready()
    displaysChanged()
    return outcome
  }

  /// Reads the zone files again, and shows everything again if their content has changed.
  func zonesChanged() {
    switch zones.reread() {
    case .none: break
    case .data: adoptConfiguration()
    // A zone that was unknown is known now: the config's warning about it, and the "(UTC)" after the name of
    // its city, are outdated.
    case .found:
      if !reload().ok { adoptConfiguration() }
    }
  }

  /// Shows everything with the current config and time zones.
  private func adoptConfiguration() {
    let configuration = config.configuration
    let schedule = Schedule(configuration, zone: zones["local"])
    var generator = SystemRandomNumberGenerator()
    change { [all = displays.all(in: configuration), state, log] in
      $0.adopt(
        configuration, schedule: schedule, displays: all, at: $1, &generator,
        keep: { state.aside.keep($0, log: log) }, &$2)
    }
  }
}

extension Schedule {
  /// The schedule of a config.
  ///
  /// - Parameter zone: the zone that `local` means, which countdowns to a time of day and the times of
  ///   finished matches use too.
  init(_ configuration: Configuration, zone: TimeZone) {
    let (entries, settings) = (configuration.schedule, configuration.place)
    let city = settings.zone.flatMap { $0 == "local" ? nil : $0 } ?? zone.name
    // The place whose sunrise and sunset the schedule uses.
    let place =
      entries.contains(where: \.needsSun)
      ? settings.coordinates ?? TimeZone.coordinates(of: city) : nil
    self.init(entries, zone: zone, place: place)
  }
}
