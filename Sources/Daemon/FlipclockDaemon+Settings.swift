// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import LinuxSystem
import Settings
import TOMLConfig

/// What people set without a file.
extension FlipclockDaemon {
  package func settings() -> SettingsReply {
    SettingsReply(settings: config.settings.map(Setting.init), text: config.owner.settings.text)
  }

  /// The revision of the settings, for those who watch the display.
  var settingsRevision: Int {
    let revision = knownRevision ?? settings().revision
    knownRevision = revision
    return revision
  }

  package func change(
    settings changes: [SettingChange], for client: String,
    completion: @escaping (Result<SettingsChange, ControlError>) -> Void
  ) {
    set(changes.map(\.key), for: client, completion: completion) { settings throws(ControlError) in
      let fixed = config.settings.filter { if case .config = $0.origin { true } else { false } }
      for change in changes {
        if change.value != nil, let found = fixed.first(where: { $0.key == change.key }) {
          throw .settingInConfig(key: change.key, place: Setting(found).place ?? "")
        }
        do throws(SettingsProblem) { try settings.set(change.key, to: change.value) } catch {
          throw error.refusal
        }
      }
    }
  }

  package func replaceSettings(
    _ text: String, for client: String, completion: @escaping (Result<SettingsChange, ControlError>) -> Void
  ) {
    do throws(SettingsProblem) {
      let imported = try OwnerSettings(reading: Array(text.utf8), of: "the file")
      // The program before a pipe has failed. A file that was exported has at least its comment.
      guard text.contains(where: { !$0.isWhitespace }) else {
        throw .malformed("the file is empty; 'flipclockctl settings reset' removes settings")
      }
      let keys = imported.keys + config.owner.settings.keys.filter { !imported.keys.contains($0) }
      set(keys, for: client, completion: completion) { settings throws(ControlError) in
        settings = imported
      }
    } catch {
      completion(.failure(error.refusal))
    }
  }

  /// For `status`: the settings that are not used.
  var settingsWarnings: [String] {
    [owner.warning, unusedSettings].compactMap { $0 }
  }

  var unusedSettings: String? {
    config.ownerProblem.map {
      "the settings are not used: \($0); 'flipclockctl settings reset' removes them"
    }
  }

  /// For `status`: what became of the match after a change of the config.
  var matchWarnings: [String] {
    state.aside.warnings(wall.match.scoreboard.rules) + [wall.gameWarning].compactMap { $0 }
  }

  /// Reads the file of settings again if it was edited. The config has to be loaded after that.
  func rereadSettings() throws(SettingsProblem) {
    if let edited = try owner.edited() { config.replace(owner: edited) }
  }

  private func set(
    _ keys: [String], for client: String,
    completion: @escaping (Result<SettingsChange, ControlError>) -> Void,
    _ change: (inout OwnerSettings) throws(ControlError) -> Void
  ) {
    do throws(ControlError) {
      do throws(SettingsProblem) { try rereadSettings() } catch { throw error.refusal }
      var settings = config.owner.settings
      let before = matchWarnings
      try change(&settings)
      try config.set(settings, changed: keys)
      let warnings = matchWarnings.filter { !before.contains($0) }
      log.notice("\(client): settings changed: \(keys.joined(separator: ", "))")
      owner.save(settings) { [weak self] result in
        switch result {
        case .success:
          let after = self?.settings() ?? SettingsReply(settings: [], text: "")
          completion(.success(SettingsChange(after, keys: keys, warnings: warnings)))
        case .failure(let error): completion(.failure(.stateNotSaved(reason: "\(error)")))
        }
      }
    } catch {
      completion(.failure(error))
    }
  }
}
