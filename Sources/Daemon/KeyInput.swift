// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import ControlServer
import Input
import LinuxSystem
import Remotes
import Settings

/// Performs the commands that the config's [input] assigns to keys.
final class KeyInput {
  private let commands: [UInt16: (command: KeyCommand, words: String)]
  private weak var handler: (any ChangeHandler)?
  private let host: ServiceLink
  private let log: Log
  private let isActive: () -> Bool
  private let askAgain: () -> Void
  private let now: () -> Int64
  /// A key whose request to lead must be confirmed, because points may be missing, and the match time until
  /// which a second press confirms it.
  private var unconfirmed: (code: UInt16, until: Int64)?
  private var devices: InputDevices?

  /// How long after the first press a second one confirms it, in nanoseconds.
  static let confirmation: Int64 = 10_000_000_000

  /// Nil if the config enables no keys.
  ///
  /// - Parameters:
  ///   - host: calls flipclock-host, which changes the network.
  ///   - askAgain: shows that the leader does not answer, and that a second press takes the lead over.
  ///   - hasKeyboard: whether keystrokes are meant for the daemon, and not for another virtual terminal.
  ///     Grabbed devices reach no other terminal, so their keys always count.
  ///   - now: the match time, in nanoseconds.
  init?(
    _ settings: InputSettings, on loop: EventLoop, handler: any ChangeHandler, host: ServiceLink, log: Log,
    askAgain: @escaping () -> Void, hasKeyboard: @escaping () -> Bool,
    now: @escaping () -> Int64 = { MatchTime.now }
  ) {
    var commands: [UInt16: (command: KeyCommand, words: String)] = [:]
    var rules: [UInt16: KeyFilter.Rule] = [:]
    for key in settings.keys {
      do throws(UsageError) {
        commands[key.code] = (try KeyCommand(parsing: key.command), key.command)
        rules[key.code] = KeyFilter.Rule(repeats: key.repeats)
      } catch {
        log.error("the command '\(key.command.printable)' of a key is ignored: \(error.line)")
      }
    }
    guard settings.isEnabled, !commands.isEmpty else { return nil }
    self.commands = commands
    self.handler = handler
    self.host = host
    self.log = log
    self.askAgain = askAgain
    self.now = now
    isActive = { settings.grab || hasKeyboard() }
    let preferences = InputPreferences(
      devices: settings.devices, grab: settings.grab, keys: rules,
      debounce: Int64((settings.debounce * 1e9).rounded()))
    devices = InputDevices(preferences, on: loop, log: log) { [weak self] code in
      self?.press(code)
    }
    devices?.start()
  }

  /// Performs the command of a key.
  func press(_ code: UInt16) {
    guard isActive(), let key = commands[code] else { return }
    let wasAsked = unconfirmed.map { $0.code == code && now() < $0.until } ?? false
    unconfirmed = nil
    switch key.command {
    case .network(let request):
      host.perform(request.call) { [log] reply in
        guard case .failure(let error) = reply else { return }
        log.warning("the key for '\(key.words.printable)': \(HostInterface.message(error).printable)")
      }
    case .change(.lead(let anyway)): perform(.lead(anyway: anyway || wasAsked), of: code, key.words)
    case .change(let change): perform(change, of: code, key.words)
    }
  }

  private func perform(_ change: Change, of code: UInt16, _ words: String) {
    handler?.perform(change) { [weak self, log] result in
      guard case .failure(let error) = result else { return }
      if case .stateNotSaved = error {
        return log.error("the key for '\(words.printable)': \(error.message)")
      }
      log.warning("a key was refused: \(error.message)")
      if case .takeoverUnconfirmed = error {
        guard let self else { return }
        unconfirmed = (code, now() + Self.confirmation)
        askAgain()
      }
    }
  }

  func stop() {
    devices?.stop()
    devices = nil
  }
}
