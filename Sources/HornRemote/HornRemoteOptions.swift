// SPDX-License-Identifier: Apache-2.0

import Commands
import Horn
import Remotes
import Spelling

/// The command line of flipclock-horn.
package struct HornRemoteOptions: RemoteOptions, Hashable, Sendable {
  package var information: OptionReader.Information?
  /// The sound to play once; nil: the program runs until a signal.
  package var sound: Sound?
  /// Nil: the usual sockets.
  package var socket: String?
  /// The name of an ALSA device.
  package var device = "default"
  /// In percent.
  package var volume = 100
  package var sounds = Set(Sound.allCases)

  package init() {}

  /// - Parameter words: the arguments, without the name of the program.
  package init(_ words: [String]) throws(UsageError) {
    var reader = OptionReader(words, values: Self.values)
    while let option = try reader.next() {
      switch option {
      case .value(let value, "--socket"): socket = value
      case .value(let value, "--device"): device = value
      case .value(let value, "--volume"): volume = try Self.volume(value)
      case .value(let value, let name) where name == "--sounds":
        sounds = []
        for part in value.split(separator: ",", omittingEmptySubsequences: false) {
          sounds.insert(try Self.sound(String(part), of: name))
        }
      case .value(let value, let name): sound = try Self.sound(value, of: name)
      case .flag: break
      }
    }
    information = reader.information
  }

  /// The options with a value, and what the value is.
  private static let values = [
    "--socket": "a path", "--device": "the name of an ALSA device", "--volume": "a percentage",
    "--sounds": "a list of sounds", "--play": "a sound",
  ]

  private static func volume(_ text: String) throws(UsageError) -> Int {
    let digits = text.hasSuffix("%") ? String(text.dropLast()) : text
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let percent = Int(digits),
      (1...100).contains(percent)
    else { throw UsageError("--volume is from 1 to 100, not '\(text)'") }
    return percent
  }

  private static func sound(_ text: String, of option: String) throws(UsageError) -> Sound {
    if let sound = Sound(rawValue: text) { return sound }
    let known = Sound.allCases.map(\.rawValue)
    let hint = Spelling.hint(for: text, among: known) ?? "the sounds are \(known.joined(separator: ", "))"
    throw UsageError("\(option): unknown sound '\(text)'; \(hint)")
  }

  package static let help = """
    Usage: flipclock-horn [--socket <path>] [--device <name>] [--volume <percent>]
                          [--sounds <list>]
           flipclock-horn --play <sound> [--device <name>] [--volume <percent>]

    Sounds a horn when flipclockd's game clock ends a period, and a buzzer when the
    shot clock ends.

      --socket <path>     The daemon's control socket.
      --device <name>     The ALSA device; by default 'default'. See 'aplay -L'.
      --volume <percent>  From 1 to 100, the default.
      --sounds <list>     The sounds, by default 'period,shot'.
      --play <sound>      Play a sound now, and exit.
      --help              Print this help.
      --version           Print the release.

    """
}
