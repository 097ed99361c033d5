// SPDX-License-Identifier: Apache-2.0

/// All commands, in the order of the help. ARCHITECTURE.md lists what a new command needs.
package enum CommandTable {
  package static let rows = [status] + matchRows + displayRows + otherRows

  /// The verbs that the help lists.
  package static let verbs = rows.filter { !$0.isHidden }.map(\.verb)

  package static func row(_ verb: String) -> CommandSyntax? { rows.first { $0.verb == verb } }

  /// Options of every verb on the command line.
  static let commonOptions: [CommandOption] = [
    .init(name: "--socket", value: "path", help: "The daemon's control socket."),
    .init(name: "--json", help: "Print one line of JSON, for machines."),
    .init(name: "--help", help: "Print help."),
  ]
  static let version = CommandOption(name: "--version", help: "Print the release.")

  /// A verb without operands and options of its own.
  static func plain(
    _ verb: String, _ invocation: Invocation, _ summary: String, discussion: String? = nil,
    surfaces: CommandSurfaces = .commandLine
  ) -> CommandSyntax {
    CommandSyntax(
      verb: verb, usage: [""], summary: summary, discussion: discussion, examples: [verb],
      surfaces: surfaces, parse: { _ in invocation })
  }
}

// MARK: What only flipclockctl offers

extension CommandTable {
  private static let otherRows = [network, reload, restart, screenshot, score, check, doctor, complete]

  static let status = plain(
    "status", .request(.command(.status)), "Show what is on the display and how the daemon is doing.")

  static let reload = plain(
    "reload", .request(.command(.reload)), "Read the config again.",
    discussion:
      "If the config has errors, they are printed, the present configuration stays in force, and the exit "
      + "status is 78."
  )

  static let restart = plain(
    "restart", .request(.command(.restart)), "Start the daemon again.",
    discussion:
      "systemd starts it again after a few seconds, during which the display is dark. Scores, clocks that run and "
      + "settings stay. A flipclockd that was started by hand is not ended."
  )

  static let screenshot = CommandSyntax(
    verb: "screenshot", usage: ["<file> [--output <name>]"],
    summary: "Write what is on the display now to a PNG file.",
    discussion: "Without --output, it is the picture of the first display that is not dark.",
    operands: [.init(name: "file", help: "The file; - is standard output.")], options: [.output],
    examples: ["screenshot wall.png", "screenshot wall.png --output HDMI-A-2"],
    surfaces: .commandLine,
    parse: { .request(.screenshot(file: $0.operands[0], output: $0["--output"])) })

  static let score = plain(
    "score", .score, "Keep the score in this terminal, by single keys.",
    discussion: """
      Shows the match and the keys. A key that is held down, keys pressed together and pasted text are ignored; a \
      change that would not be noticed at once has to be confirmed with Enter. Ctrl-C leaves and changes nothing.
      """)

  static let check = CommandSyntax(
    verb: "check", usage: ["[<file>]"], summary: "Report all errors in a config.",
    discussion: """
      flipclockd reads the file; a running daemon is not involved. Unknown keys, zones and fonts are errors here, \
      though the daemon only warns about them. The exit status is 78 if there is an error.
      """,
    operands: [
      .init(name: "file", help: "The config file; without one, the config of this machine.", isOptional: true)
    ], examples: ["check", "check club.toml"], surfaces: .commandLine,
    parse: { arguments throws(UsageError) in
      if arguments.operands.first == "" { throw UsageError("the name of the file is empty") }
      return .check(file: arguments.operands.first)
    })

  static let doctor = plain(
    "doctor", .doctor, "Find out what keeps the display from working, and what to do about it.",
    discussion: """
      Examines graphics cards, displays, backlights, other programs, permissions, the console, the service, its socket, \
      the config, keyboards, fonts, saved scores and the time; changes nothing. Run as root it can examine more. The \
      exit status is 2 if it finds a problem.
      """)

  static let complete: CommandSyntax = CommandSyntax(
    verb: "complete",
    usage: ["words|options -- <word> ...", "verbs|teams|pages|boards|countdowns|counters|outputs"],
    summary: "Print what may come next, for the shells' completions.",
    operands: [
      .init(
        name: "what",
        help:
          "words or options, for what follows words; verbs, teams, pages, boards, countdowns, counters or outputs."
      ),
      .init(name: "word", help: "The words before, from the verb on.", isOptional: true, isRepeated: true),
    ], surfaces: .commandLine, isHidden: true,
    parse: { arguments throws(UsageError) in
      let words = Array(arguments.operands.dropFirst())
      switch arguments.operands[0] {
      case "words": return .complete(.next(words))
      case "options": return .complete(.options(words))
      case "verbs": return .complete(.verbs)
      case let name:
        guard let names = Completion.Names(rawValue: name) else {
          throw UsageError("nothing is known about '\(name.printable)'", usage: complete.forms)
        }
        return .complete(.names(names))
      }
    })
}
