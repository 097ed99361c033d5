// SPDX-License-Identifier: Apache-2.0

import Horn
import Spelling

/// The command line of flipclock-horn.
package struct HornOptions: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    case run
    /// Plays a sound and exits.
    case play(Sound)
    case help
    case version
  }

  /// Why the command line cannot be used.
  package struct Problem: Error, Hashable, Sendable {
    package var message: String
  }

  package var action = Action.run
  /// Nil: the usual sockets.
  package var socket: String?
  /// The name of an ALSA device.
  package var device = "default"
  /// In percent.
  package var volume = 100
  package var sounds = Set(Sound.allCases)

  package init() {}

  /// - Parameter words: the arguments, without the name of the program.
  package init(_ words: [String]) throws(Problem) {
    var rest = words[...]
    while let word = rest.popFirst() {
      let (name, attached) = Self.split(word)
      if name == "--help" || name == "-h" || name == "--version" {
        if attached != nil { throw Problem(message: "\(name) takes no value") }
        action = name == "--version" ? .version : .help
        return
      }
      guard let what = Self.values[name] else {
        let hint = Spelling.hint(for: name, among: Self.values.keys + ["--help", "--version"])
        let kind = word.hasPrefix("-") ? "option" : "argument"
        throw Problem(message: "unknown \(kind) '\(word)'; \(hint ?? "try --help")")
      }
      guard let value = attached ?? rest.popFirst() else {
        throw Problem(message: "\(name) takes \(what); try --help")
      }
      guard !value.isEmpty else { throw Problem(message: "\(name) is empty") }
      switch name {
      case "--socket": socket = value
      case "--device": device = value
      case "--volume": volume = try Self.volume(value)
      case "--sounds":
        sounds = []
        for part in value.split(separator: ",", omittingEmptySubsequences: false) {
          sounds.insert(try Self.sound(String(part), of: name))
        }
      default: action = .play(try Self.sound(value, of: name))
      }
    }
  }

  /// The options with a value, and what the value is.
  private static let values = [
    "--socket": "a path", "--device": "the name of an ALSA device", "--volume": "a percentage",
    "--sounds": "a list of sounds", "--play": "a sound",
  ]

  private static func split(_ word: String) -> (name: String, value: String?) {
    guard let equals = word.firstIndex(of: "="), word.hasPrefix("--") else { return (word, nil) }
    return (String(word[..<equals]), String(word[word.index(after: equals)...]))
  }

  private static func volume(_ text: String) throws(Problem) -> Int {
    let digits = text.hasSuffix("%") ? String(text.dropLast()) : text
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let percent = Int(digits),
      (1...100).contains(percent)
    else { throw Problem(message: "--volume is from 1 to 100, not '\(text)'") }
    return percent
  }

  private static func sound(_ text: String, of option: String) throws(Problem) -> Sound {
    if let sound = Sound(rawValue: text) { return sound }
    let known = Sound.allCases.map(\.rawValue)
    let hint = Spelling.hint(for: text, among: known) ?? "the sounds are \(known.joined(separator: ", "))"
    throw Problem(message: "\(option): unknown sound '\(text)'; \(hint)")
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
