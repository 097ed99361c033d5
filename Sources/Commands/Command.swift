// SPDX-License-Identifier: Apache-2.0

import Scoreboard

/// A change of the match or the display. Clients, keys, events of `flipclockd render` and the scoring console
/// all use it.
package indirect enum Change: Hashable, Sendable {
  case match(Scoreboard.Action)
  /// Shows a page of the config.
  case show(page: String)
  /// Shows a text below the page. It disappears after `milliseconds`; 0: it stays until it is cleared; nil:
  /// the default time.
  case message(String, milliseconds: Int?, isFull: Bool = false)
  case clearMessage
  /// Shows a text on a board: a widget of the config that shows texts.
  case setBoard(String, PushedText)
  /// Shows the config's text on a board again.
  case clearBoard(String)
  /// Notes why the source of a board's text failed, until the next text.
  case reportProblem(board: String, String)
  /// Sets a countdown and starts it.
  case setCountdown(String, CountdownSetting)
  case controlCountdown(String, CountdownControl)
  /// Removes a countdown.
  case clearCountdown(String)
  // An `output` is the name of one display: its connector, or its `[outputs.NAME]` in the config. Nil: all
  // displays.
  case blank(output: String? = nil)
  case unblank(output: String? = nil)
  /// Blanks the displays, or unblanks them if all of them are blank.
  case toggleBlank(output: String? = nil)
  /// Nil: the brightness of the schedule or, without one, of the config.
  case setBrightness(percent: Int?, output: String? = nil)
  case addBrightness(percent: Int, output: String? = nil)
  /// Shows an invitation with which phones can be paired.
  case invite(RemoteRole)
  /// Removes the invitation.
  case endInvitation
  /// Makes this wall the leader of the match that it shares with others.
  ///
  /// - Parameter anyway: whether a person has confirmed that points may be missing.
  case lead(anyway: Bool)
  /// Brings back a match that was set aside, by the beginning of its id.
  case restore(match: String)
  /// A change of the page, the blanking or the brightness, or an invitation, that holds for a time. Other
  /// changes of these hold until the schedule changes the same thing; other invitations are valid for two
  /// minutes.
  case held(Change, milliseconds: Int)
}

extension Change {
  /// The same change, for all displays instead of one.
  package var ofAllDisplays: Change {
    switch self {
    case .blank: .blank()
    case .unblank: .unblank()
    case .toggleBlank: .toggleBlank()
    case .setBrightness(let percent, _): .setBrightness(percent: percent)
    case .addBrightness(let percent, _): .addBrightness(percent: percent)
    case .held(let change, let milliseconds): .held(change.ofAllDisplays, milliseconds: milliseconds)
    case .match, .show, .message, .clearMessage, .setBoard, .clearBoard, .reportProblem, .setCountdown,
      .controlCountdown, .clearCountdown, .invite, .endInvitation, .lead, .restore:
      self
    }
  }

  /// For an invitation, its role and how long it is to be valid; nil for the default.
  package var invitation: (role: RemoteRole, milliseconds: Int?)? {
    switch self {
    case .invite(let role): (role, nil)
    case .held(.invite(let role), let milliseconds): (role, milliseconds)
    default: nil
    }
  }

  /// The same change with its sender, if it has one and names none.
  package func from(_ source: String) -> Change {
    switch self {
    case .setBoard(let board, var text):
      text.source = text.source ?? source
      return .setBoard(board, text)
    case .setCountdown(let name, var setting):
      setting.source = setting.source ?? source
      return .setCountdown(name, setting)
    default: return self
    }
  }
}

/// What a paired phone may do.
package enum RemoteRole: String, CaseIterable, Hashable, Sendable {
  /// A scorer who may also set keys of the config.
  case owner
  /// May change the match and what the displays show, and watch the match.
  case scorer
  /// May only watch the match.
  case viewer
}

/// What a paired phone may do with flipclock-web, or a program with a token.
package enum DeviceRole: String, CaseIterable, Hashable, Sendable {
  /// A scorer who may also set keys of the config. Programs with a token cannot have this role.
  case owner
  /// May change the match and what the displays show, and watch the match.
  case scorer
  /// May only watch the match.
  case viewer
  /// May set and clear the texts of boards, and watch the match.
  case board

  /// The roles of programs with a token.
  package static let ofPrograms: [DeviceRole] = [.scorer, .viewer, .board]

  package init(_ role: RemoteRole) {
    switch role {
    case .owner: self = .owner
    case .scorer: self = .scorer
    case .viewer: self = .viewer
    }
  }
}

/// A change of a key of the config that people set without a file: the interface's type `SettingChange`.
package struct SettingChange: Codable, Hashable, Sendable {
  /// `teams.home.name`
  package var key: String
  /// A string without quotes, any other value as in a config; nil: the key is removed.
  package var value: String?

  package init(key: String, value: String?) {
    self.key = key
    self.value = value
  }
}

/// What the daemon does for a client.
package enum Command: Hashable, Sendable {
  case change(Change)
  case status
  /// The match as it is now.
  case state
  /// What can be undone and redone; nil: the default number of changes.
  case history(limit: Int?)
  /// The finished matches, and those that were set aside.
  case matches
  /// What the boards show.
  case boards
  /// The countdowns as they are now.
  case countdowns
  /// The match as it is now, and again after each change.
  case watch
  /// What the display shows beside the match, now and again after each change.
  case watchDisplay
  /// Uses a code of the invitation to pair a phone.
  case redeem(secret: String)
  // For flipclock-mqtt, which connects walls that share a match.

  /// What this wall sends to others, from now on.
  case joinWalls
  /// A message of another wall.
  ///
  /// - Parameter isLive: whether it was sent while this wall was listening.
  case takeWallMessage(String, isLive: Bool)
  /// Whether the broker is connected.
  case reportWalls(isReachable: Bool)
  /// How many phones are paired as owners: from flipclock-web.
  case reportOwners(Int)
  /// What the displays show about the network, until the sender disconnects; nil: nothing.
  case reportNetwork(NetworkNotice?)
  /// That flipclock-horn runs, until it disconnects. `problem` says why the sound device could not be used.
  case reportHorn(problem: String?)
  /// The keys of the config that people set without a file.
  case settings
  /// Sets or removes such keys.
  case setSettings([SettingChange])
  /// Replaces all such keys by those of a file.
  case importSettings(String)
  /// Reads the config again.
  case reload
  /// Examines the daemon and the machine.
  case examine
  /// Ends the daemon, so that systemd starts it again.
  case restart
  /// - Parameter output: as in `Change`; nil: the first display that is not dark, or the first if all are
  ///   dark.
  case screenshot(output: String? = nil)
}

/// What flipclockctl asks the daemon for.
package enum ClientRequest: Hashable, Sendable {
  case command(Command)
  /// Prints the finished matches as CSV.
  case matchesCSV
  /// Prints the file of the settings.
  case exportSettings
  /// Replaces the settings by those of a file; `-`: standard input.
  case importSettings(file: String)
  /// Prints the brightness of one display, named as in `Change`; nil: the common brightness.
  case brightness(output: String? = nil)
  /// Saves a screenshot; `-`: writes it to standard output.
  case screenshot(file: String, output: String? = nil)
}

/// What a command line of flipclockctl means.
package enum Invocation: Hashable, Sendable {
  case request(ClientRequest)
  /// Opens the scoring console.
  case score
  /// Nil: the config of the machine.
  case check(file: String?)
  case doctor
  /// Asks flipclock-web.
  case devices(DeviceRequest)
  /// Asks flipclock-host.
  case network(HostRequest)
  /// Prints candidates for a shell's completion.
  case complete(Completion.Request)
}

/// What flipclockctl asks flipclock-web for.
package enum DeviceRequest: Hashable, Sendable {
  /// Lists the paired devices.
  case list
  /// Makes a token for a program.
  ///
  /// - Parameters:
  ///   - name: the program's name, for the list.
  ///   - board: the only board that the program may set; nil: it is not restricted to one.
  case addToken(name: String, role: DeviceRole, board: String?)
  /// Forgets a device; nil: all of them.
  case forget(device: String?)
}

/// What flipclockctl, and keys of the config, ask flipclock-host for.
package enum HostRequest: Hashable, Sendable {
  /// What the network does.
  case state
  case openAccessPoint
  case closeAccessPoint
  /// Forgets the networks that were chosen on a phone.
  case forgetNetworks
  /// Sets whether an access point is opened when the network has been away for ten minutes.
  case allowFallback(Bool)
}
