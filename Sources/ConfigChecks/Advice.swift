// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Commands
import Settings
import TOMLConfig

/// What `check` says about a config that can be used as it is, but probably does not do what was meant. The
/// daemon does not report it.
package enum Advice {
  /// Advice about the words of a key's command.
  package static func problem(with words: String) -> Problem? {
    guard case .change(.message(let text, _, _))? = try? KeyCommand(parsing: words) else { return nil }
    let parts = text.split(separator: " ")
    if parts.count > 2, parts[parts.count - 2] == "for", let time = parts.last.map(String.init),
      (try? DurationText.nanoseconds(time)) != nil
    {
      return Problem("'for \(time)' is part of the message", hint: "write --for \(time)")
    }
    guard text == "clear" || parts.last == "until-cleared" else { return nil }
    let option = parts[parts.count - 1]
    return Problem("'\(option)' is part of the message", hint: "write --\(option)")
  }

  /// The countdowns that have ended.
  ///
  /// - Parameter now: the time of the check.
  package static func countdowns(
    _ configuration: Configuration, at now: Instant
  ) -> [SettingsChecks.Finding] {
    configuration.widgets.compactMap { widget in
      guard let timer = widget.content as? TimerSettings, timer.source == .countdown, let until = timer.until,
        let zone = try? TimeZone(named: configuration.locale.meaning(ofZone: timer.zone)),
        until.instant(in: zone) <= now
      else { return nil }
      return SettingsChecks.Finding(
        .table(["widgets", widget.name]), "the countdown '\(widget.name)' has ended",
        hint: "write a later 'until'")
    }
  }
}
