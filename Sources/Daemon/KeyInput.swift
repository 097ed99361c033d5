// SPDX-License-Identifier: Apache-2.0

import Control
import Input
import LinuxSystem
import Settings

/// Does what the config's [input] says a key stands for, by the same calls that clients make.
final class KeyInput {
  private let commands: [UInt16: ControlCommand]
  private let service: ControlService
  private let log: Log
  private var devices: InputDevices?

  /// Nil when there is nothing to listen to.
  init?(_ settings: InputSettings, on loop: EventLoop, handler: any ControlHandler, log: Log) {
    var commands: [UInt16: ControlCommand] = [:]
    var rules: [UInt16: KeyFilter.Rule] = [:]
    for key in settings.keys {
      // The config was checked with this parser when it was read.
      guard let command = try? ControlCommand(parsing: key.command) else { continue }
      commands[key.code] = command
      rules[key.code] = KeyFilter.Rule(repeats: key.repeats)
    }
    guard settings.isEnabled, !commands.isEmpty else { return nil }
    self.commands = commands
    self.log = log
    service = ControlService(handler: handler, identity: ControlDoor.identity)
    let preferences = InputPreferences(
      devices: settings.devices, grab: settings.grab, keys: rules,
      debounce: Int64((settings.debounce * 1e9).rounded()))
    devices = InputDevices(preferences, on: loop, log: log) { [weak self] code in
      self?.press(code)
    }
    devices?.start()
  }

  private func press(_ code: UInt16) {
    guard let call = commands[code]?.call else { return }
    service.perform(call) { [log] reply in
      // A key has no place to say no: the journal has.
      if let error = reply.error { log.warning("a key was refused: \(error.message)") }
    }
  }

  func stop() {
    devices?.stop()
    devices = nil
  }
}
