// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import ControlServer
import Input
import LinuxSystem
import Settings

/// Performs the commands that the config's [input] assigns to keys.
final class KeyInput {
  private let changes: [UInt16: (change: Change, command: String)]
  private weak var handler: (any ChangeHandler)?
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
  ///   - askAgain: shows that the leader does not answer, and that a second press takes the lead over.
  ///   - hasKeyboard: whether keystrokes are meant for the daemon, and not for another virtual terminal.
  ///     Grabbed devices reach no other terminal, so their keys always count.
  ///   - now: the match time, in nanoseconds.
  init?(
    _ settings: InputSettings, on loop: EventLoop, handler: any ChangeHandler, log: Log,
    askAgain: @escaping () -> Void, hasKeyboard: @escaping () -> Bool,
    now: @escaping () -> Int64 = { MatchTime.now }
  ) {
    var changes: [UInt16: (change: Change, command: String)] = [:]
    var rules: [UInt16: KeyFilter.Rule] = [:]
    for key in settings.keys {
      do throws(UsageError) {
        changes[key.code] = (try Change(parsing: key.command, on: .key), key.command)
        rules[key.code] = KeyFilter.Rule(repeats: key.repeats)
      } catch {
        log.error("the command '\(key.command.printable)' of a key is ignored: \(error.line)")
      }
    }
    guard settings.isEnabled, !changes.isEmpty else { return nil }
    self.changes = changes
    self.handler = handler
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
    guard isActive(), let key = changes[code] else { return }
    var change = key.change
    if case .lead = change, let unconfirmed, unconfirmed.code == code, now() < unconfirmed.until {
      change = .lead(anyway: true)
    }
    unconfirmed = nil
    handler?.perform(change) { [weak self, log] result in
      guard case .failure(let error) = result else { return }
      if case .stateNotSaved = error {
        return log.error("the key for '\(key.command.printable)': \(error.message)")
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
