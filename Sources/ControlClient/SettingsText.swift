// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import JSON

/// Settings as flipclockctl prints them.
enum SettingsText {
  /// The maximum size of a file of settings, in bytes.
  static let limit = 32 * 1024

  /// A line for each setting: the key, its value, and what sets it.
  static func lines(_ settings: JSONValue?) -> String {
    let settings = (try? settings?.decoded(as: [Setting].self)) ?? []
    let width = settings.map(\.key.count).max() ?? 0
    return settings.map { setting in
      let key = setting.key + String(repeating: " ", count: width - setting.key.count)
      let origin = setting.place.map { " (\($0))" } ?? ""
      return "\(key)  \(setting.value ?? "-")\(origin)".printable + "\n"
    }.joined()
  }
}

extension MatchEffect {
  /// What flipclockctl prints about it.
  var message: String {
    switch self {
    case .setAside:
      "the config has another game now, so the match was set aside; it goes on if the setting is changed back before anything happens in the new one, and 'flipclockctl match list' prints it"
    case .broughtBack: "the match that was set aside goes on; its clocks are paused"
    case .notSetAside:
      "the config has another game now, but the match could not be set aside and goes on; make room on the disk, then run 'flipclockctl reload'"
    }
  }
}
