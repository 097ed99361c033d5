// SPDX-License-Identifier: Apache-2.0

import Commands
import Spelling

/// The command line of flipclock-horn.
package struct HornRemoteOptions: Hashable, Sendable {
  /// The sound to play once; nil: the program runs until a signal.
  package var sound: Sound?
  /// Nil: the usual sockets.
  package var socket: String?
  /// The name of an ALSA device, for `sound`.
  package var device = "default"
  /// In percent, for `sound`.
  package var volume = 100

  package static let row = CommandRow<HornRemoteOptions>(
    verb: "", usage: ["[--socket <path>]", "--play <sound> [--device <name>] [--volume <percent>]"],
    summary: "Sound a horn when a period ends, and a buzzer when the shot clock or a break ends.",
    discussion: "What sounds, and how, is set by [horn] in the daemon's config.",
    options: [
      CommandOption(name: "--socket", value: "path", help: "The daemon's control socket."),
      CommandOption(
        name: "--play", value: "sound",
        help: "Play a sound now, and exit: '\(Sound.allCases.map(\.rawValue).joined(separator: ", "))'."),
      CommandOption(
        name: "--device", value: "name",
        help: "The ALSA device for --play; by default 'default'. See 'aplay -L'."),
      CommandOption(
        name: "--volume", value: "percent", help: "The volume for --play: from 1 to 100, the default."),
    ], surfaces: .commandLine,
    parse: { arguments throws(UsageError) in
      var options = HornRemoteOptions()
      options.socket = try arguments.text("--socket")
      let device = try arguments.text("--device")
      let volume = try arguments.value("--volume", "from 1 to 100", percent)
      if let name = arguments["--play"] { options.sound = try sound(name) }
      if let option = device != nil ? "--device" : volume != nil ? "--volume" : nil, options.sound == nil {
        throw UsageError("\(option) needs --play; the service's is set by [horn] in the daemon's config")
      }
      options.device = device ?? options.device
      options.volume = volume ?? options.volume
      return options
    })

  private static func percent(_ text: String) -> Int? {
    let digits = text.hasSuffix("%") ? text.dropLast() : text[...]
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(digits).flatMap { (1...100).contains($0) ? $0 : nil }
  }

  private static func sound(_ text: String) throws(UsageError) -> Sound {
    if let sound = Sound(rawValue: text) { return sound }
    let known = Sound.allCases.map(\.rawValue)
    let hint = Spelling.hint(for: text, among: known) ?? "the sounds are \(known.joined(separator: ", "))"
    throw UsageError("--play: unknown sound '\(text)'; \(hint)")
  }
}
