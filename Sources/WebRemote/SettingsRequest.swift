// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import JSON
import Scoreboard

/// What owners do on the page of settings beside changing them.
package enum OwnerRequest: Hashable, Sendable {
  /// The paired devices, and the programs with a token.
  case devices
  /// Forgets a device, by its id.
  case forget(String)
  /// Shows the code that pairs a phone.
  case invite(RemoteRole)
  /// The versions of the programs, and what an examination finds.
  case health
  /// Starts the daemon again.
  case restart
}

/// A request about the keys of the config that people set without a file.
package enum SettingsRequest: Hashable, Sendable {
  /// All keys, as JSON.
  case read
  /// The file, as a download.
  case export
  case change([SettingChange], Terms)
  /// Replaces all settings by those of a file.
  case replace(String, Terms)

  /// Reads the body of a change: `{"settings": [{"key": "teams.home.name", "value": "LIONS"}]}`. Without a
  /// value, the key is reset.
  static func changes(in json: String) throws(RequestRefusal) -> [SettingChange] {
    let value: JSONValue
    do throws(JSONError) { value = try JSONReader.read(Array(json.utf8)) } catch {
      throw RequestRefusal(400, "The body is not JSON: \(error)".printable)
    }
    let form = #"write {"settings": [{"key": "teams.home.name", "value": "LIONS"}]}"#
    guard let members = value.object, members.count == 1, let list = members["settings"]?.array, !list.isEmpty
    else { throw RequestRefusal(400, "The body is not a list of settings: \(form).") }
    var changes: [SettingChange] = []
    for item in list {
      let names = Set((item.object ?? [:]).keys)
      guard let key = item["key"]?.string, names.isSubset(of: ["key", "value"]) else {
        throw RequestRefusal(400, "A setting has a 'key', and a 'value' or none: \(form).")
      }
      switch item["value"] {
      case nil, .null: changes.append(SettingChange(key: key, value: nil))
      case .string(let text): changes.append(SettingChange(key: key, value: text))
      default: throw RequestRefusal(400, "A 'value' is a text, or null to reset the key: \(form).")
      }
    }
    return changes
  }
}
