// SPDX-License-Identifier: Apache-2.0

import Commands
import Horn
import Spelling

/// The command line of flipclock-horn.
package struct HornRemoteOptions: Hashable, Sendable {
  /// The sound to play once; nil: the program runs until a signal.
  package var sound: Sound?
  /// Nil: the usual sockets.
  package var socket: String?
  /// The name of an ALSA device.
  package var device = "default"
  /// In percent.
  package var volume = 100
  package var sounds = Set(Sound.allCases)

  package static let row = CommandRow<HornRemoteOptions>(
    verb: "",
    usage: [
      "[--socket <path>] [--device <name>] [--volume <percent>] [--sounds <list>]",
      "--play <sound> [--device <name>] [--volume <percent>]",
    ],
    summary: "Sound a horn when a period ends, and a buzzer when the shot clock or a break ends.",
    options: [
      CommandOption(name: "--socket", value: "path", help: "The daemon's control socket."),
      CommandOption(
        name: "--device", value: "name", help: "The ALSA device; by default 'default'. See 'aplay -L'."),
      CommandOption(name: "--volume", value: "percent", help: "From 1 to 100, the default."),
      CommandOption(
        name: "--sounds", value: "list",
        help: "The sounds, by default all: '\(Sound.allCases.map(\.rawValue).joined(separator: ","))'."),
      CommandOption(name: "--play", value: "sound", help: "Play a sound now, and exit."),
    ], surfaces: .commandLine,
    parse: { arguments throws(UsageError) in
      var options = HornRemoteOptions()
      options.socket = try arguments.text("--socket")
      if let device = try arguments.text("--device") { options.device = device }
      if let volume = try arguments.value("--volume", "from 1 to 100", percent) { options.volume = volume }
      if let list = arguments["--sounds"] {
        options.sounds = []
        for part in list.split(separator: ",", omittingEmptySubsequences: false) {
          options.sounds.insert(try sound(String(part), of: "--sounds"))
        }
      }
      if let name = arguments["--play"] { options.sound = try sound(name, of: "--play") }
      return options
    })

  private static func percent(_ text: String) -> Int? {
    let digits = text.hasSuffix("%") ? text.dropLast() : text[...]
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(digits).flatMap { (1...100).contains($0) ? $0 : nil }
  }

  private static func sound(_ text: String, of option: String) throws(UsageError) -> Sound {
    if let sound = Sound(rawValue: text) { return sound }
    let known = Sound.allCases.map(\.rawValue)
    let hint = Spelling.hint(for: text, among: known) ?? "the sounds are \(known.joined(separator: ", "))"
    throw UsageError("\(option): unknown sound '\(text)'; \(hint)")
  }
}
