// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import Glibc
import LinuxSystem
import MQTT
import MQTTConfig
import Remotes
import TOMLConfig

/// The program flipclock-mqtt: a connection with the broker that the settings name, if they name one. It is
/// made again when they are changed.
package final class MQTTService {
  private let file: String?
  private let candidates: [String]
  private let loop: EventLoop
  private let service: ServiceManager
  private let log: Log
  private var signals: SignalWatch?
  private var control: MQTTControl?
  private var socket: ServiceSocket?

  private let store: SettingsStore<MQTTSelection>
  private let passwordFile: PasswordFile
  /// What was set without a file.
  private(set) var owner = MQTTOwnerSettings()
  private var password: BrokerPassword?
  /// What is in use.
  private(set) var settings = MQTTSettings()
  /// Nil: no broker is set.
  private(set) var remote: MQTTRemote?

  private static let passwordKey = "broker.password"

  /// - Parameters:
  ///   - file: the config; nil: the service's, which need not exist.
  ///   - directory: the state directory.
  ///   - candidates: the daemon's sockets (`SocketPath.candidates`).
  package init(
    _ file: String?, directory: String, candidates: [String], on loop: EventLoop, service: ServiceManager,
    log: Log
  ) throws(ProgramFailure) {
    self.file = file
    self.candidates = candidates
    self.loop = loop
    self.service = service
    self.log = log
    do throws(SystemError) {
      store = try SettingsStore(directory: directory, mode: 0o600, on: loop, log: log)
    } catch {
      throw ProgramFailure("\(error)")
    }
    passwordFile = PasswordFile(directory: directory)
    // Before the settings, which may be written again: it removes the temporary files of the directory.
    password = passwordFile.load(log: log)
    owner = store.load()
    settings = try initialSettings()
    control = MQTTControl(self)
  }

  /// The settings at the start, without those that were set without a file and have errors.
  private func initialSettings() throws(ProgramFailure) -> MQTTSettings {
    let result = load(owner)
    for diagnostic in result.diagnostics {
      log.write(diagnostic.severity == .error ? .error : .warning, diagnostic.summary)
    }
    if let settings = result.settings { return settings }
    if let settings = load(usable(owner)).settings {
      log.warning("the settings in \(store.path) that have errors are not used until these are fixed")
      return settings
    }
    throw ProgramFailure(
      "the config has errors; '\(MQTTRemoteProgram.name) --check' shows them", exitStatus: EX_CONFIG)
  }

  /// What was set without a file, without that with which the config has errors, unless the file has them.
  private func usable(_ owner: MQTTOwnerSettings) -> MQTTOwnerSettings {
    owner.withoutMistakes(in: store.path) { load($0).diagnostics } ?? owner
  }

  private func load(_ owner: MQTTOwnerSettings) -> MQTTSettingsLoader.Result {
    MQTTSettingsLoader.load(file, after: (store.path, owner), password, mode: .running)
  }

  /// Runs until SIGTERM or SIGINT.
  ///
  /// - Parameter paths: where to listen: the first of them whose directory can be used.
  package func run(listeningAt paths: [String]) throws(SystemError) {
    signals = try SignalWatch([SIGTERM, SIGINT], on: loop) { [weak self] _ in self?.stop() }
    try start(listeningAt: paths)
    service.ready(status: status)
    try loop.run()
  }

  func start(listeningAt paths: [String]) throws(SystemError) {
    if let control {
      do throws(SystemError) {
        socket = try ServiceSocket(control, of: MQTTRemoteProgram.name, at: paths, on: loop)
      } catch {
        log.warning("phones cannot change the settings: \(error)")
      }
    }
    try connect()
  }

  /// Connects with the broker of the settings, if they have one.
  private func connect() throws(SystemError) {
    remote?.close()
    remote = nil
    defer { changed() }
    guard let host = settings.broker.host else { return log.notice("no broker is set") }
    let remote = try MQTTRemote(settings, host: host, candidates: candidates, on: loop, log: log)
    remote.changed = { [weak self] in self?.changed() }
    self.remote = remote
    remote.start()
  }

  private func stop() {
    service.stopping()
    close()
    loop.stop()
  }

  func close() {
    remote?.close()
    socket?.close()
    store.close()
  }

  private var status: String { remote?.status ?? "no broker is set" }

  private func changed() {
    service.status(status)
    control?.stateChanged()
  }

  // MARK: What clients ask for

  /// The keys that people set without a file, with their revision.
  var reply: SettingsReply {
    SettingsReply(
      settings: MQTTSettingsLoader.settings(file, after: (store.path, owner)).map(Setting.init),
      text: owner.text)
  }

  var state: MQTTInterface.State {
    var state = remote?.state ?? MQTTInterface.State(phase: .off)
    state.passwordPlace = MQTTSettingsLoader.passwordPlace(file)
    if state.passwordPlace != nil {
      state.password = .config
    } else if let password {
      state.password = password.isFor(settings.broker) ? .settings : .stored
    }
    return state
  }

  /// Sets or removes keys. Completes when they are durable.
  func change(
    _ changes: [SettingChange], revision: Int?,
    completion: @escaping (Result<SettingsChange, ControlError>) -> Void
  ) {
    do throws(ControlError) {
      do throws(SettingsProblem) {
        if let edited = try store.edited() { owner = edited }
      } catch { throw error.refusal }
      let before = try reply(at: revision)
      var wanted = owner
      for change in changes {
        if change.value != nil,
          let fixed = before.settings.first(where: { $0.key == change.key && $0.source == .config })
        {
          throw .settingInConfig(key: change.key, place: fixed.place ?? "")
        }
        do throws(SettingsProblem) { try wanted.set(change.key, to: change.value) } catch {
          throw error.refusal
        }
      }
      let keys = changes.map(\.key)
      if let problem = wanted.refusal(
        by: load(wanted).diagnostics, in: store.path, of: keys,
        repairing: usable(owner) == owner ? nil : owner)
      {
        throw problem.refusal
      }
      if let settings = load(usable(wanted)).settings { try use(settings) }
      log.notice("settings changed: \(keys.joined(separator: ", "))")
      owner = wanted
      // Not when they are saved: another client may have changed them then.
      let after = reply
      store.save(wanted) { result in
        switch result {
        case .success: completion(.success(SettingsChange(after, keys: keys)))
        case .failure(let error): completion(.failure(.stateNotSaved(reason: "\(error)")))
        }
      }
    } catch {
      completion(.failure(error))
    }
  }

  /// The settings, unless they have another revision; nil: they may have any.
  private func reply(at revision: Int?) throws(ControlError) -> SettingsReply {
    let present = reply
    if let revision, revision != present.revision { throw .settingsChanged(revision: present.revision) }
    return present
  }

  /// Sets the password for the broker of the settings; nil: removes it.
  ///
  /// - Parameter revision: that of the settings which the person saw; nil: unknown.
  func set(password text: String?, revision: Int? = nil) throws(ControlError) {
    _ = try reply(at: revision)
    if let place = MQTTSettingsLoader.passwordPlace(file) {
      throw .settingInConfig(key: Self.passwordKey, place: place)
    }
    func refused(_ reason: String) -> ControlError {
      SettingsProblem.refused(key: Self.passwordKey, reason: reason, nil).refusal
    }
    var new: BrokerPassword?
    if let text {
      guard (1...BrokerPassword.limit).contains(text.utf8.count),
        !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
      else { throw refused("a password has 1 to \(BrokerPassword.limit) bytes without control characters") }
      new = BrokerPassword(text, in: passwordFile.path, for: settings.broker)
      guard new != nil else { throw refused("no broker is set") }
    }
    do throws(SystemError) { try passwordFile.save(new) } catch { throw .failed(reason: "\(error)") }
    password = new
    log.notice("the broker's password was \(new == nil ? "removed" : "set")")
    if let settings = load(owner).settings { try use(settings) }
  }

  private func use(_ settings: MQTTSettings) throws(ControlError) {
    guard settings != self.settings else { return changed() }
    self.settings = settings
    do throws(SystemError) { try connect() } catch { throw .failed(reason: "\(error)") }
  }
}
