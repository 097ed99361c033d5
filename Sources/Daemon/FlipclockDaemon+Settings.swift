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
      for change in changes {
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
      set(keys, isWhole: true, for: client, completion: completion) { settings throws(ControlError) in
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
    config.ownerProblem.map { "\($0); 'flipclockctl settings reset KEY' removes one" }
  }

  /// For `status`: what became of the match after a change of the config.
  var matchWarnings: [String] {
    state.aside.warnings(wall.match.scoreboard.rules) + [wall.gameWarning].compactMap { $0 }
  }

  /// Reads the file of settings again if it was edited. The config has to be loaded after that.
  func rereadSettings() throws(SettingsProblem) {
    if let edited = try owner.edited() { config.replace(owner: edited) }
  }

  /// - Parameter isWhole: whether all settings are replaced. Then a warning about one of them is no reason to
  ///   refuse them, nor is a mistake in the file that is replaced.
  private func set(
    _ keys: [String], isWhole: Bool = false, for client: String,
    completion: @escaping (Result<SettingsChange, ControlError>) -> Void,
    _ change: (inout OwnerSettings) throws(ControlError) -> Void
  ) {
    let (stored, before) = (config.owner.settings, wall)
    do throws(ControlError) {
      do throws(SettingsProblem) { try rereadSettings() } catch {
        guard isWhole else { throw error.refusal }
        owner.setAsideEdited(because: error)
      }
      var settings = config.owner.settings
      try change(&settings)
      try config.set(settings, changed: isWhole ? [] : keys)
      let warnings = config.lastReload.warnings.filter { isWhole && $0.hasPrefix("\(owner.path):") }
      let match = wall.effect(since: before)
      log.notice("\(client): settings changed: \(keys.joined(separator: ", "))")
      // Not when they are saved: another client may have changed them then.
      let after = self.settings()
      owner.save(settings) { result in
        switch result {
        case .success:
          completion(.success(SettingsChange(after, keys: keys, warnings: warnings, match: match)))
        case .failure(let error): completion(.failure(.stateNotSaved(reason: "\(error)")))
        }
      }
    } catch {
      // The file was edited, and is used from now on although the change is refused.
      if config.owner.settings != stored { reload() }
      completion(.failure(error))
    }
  }
}
