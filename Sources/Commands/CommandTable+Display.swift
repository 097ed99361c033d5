// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Scoreboard
import Spelling

// Commands for the display.
extension CommandTable {
  static let displayRows = [
    show, message, board, countdown, blank, unblank, brightness, remote, settings, lead,
  ]

  static let show = CommandSyntax(
    verb: "show", usage: ["<page> [--for <time>]"], summary: "Show a page of the config.",
    discussion: "The pages are the tables [pages.NAME]; 'flipclockctl status' lists them.",
    operands: [.init(name: "page", help: "The page's name, as in the config.")], options: [.hold],
    examples: ["show match", "show match --for 2h"],
    surfaces: .all, completion: { $0.isEmpty ? [.names(.pages, "page")] : [] },
    parse: { arguments throws(UsageError) in try held(.show(page: arguments.operands[0]), arguments) })

  static let message = CommandSyntax(
    verb: "message", usage: ["<text> [--for <time>] [--full]", "<text> --until-cleared [--full]", "--clear"],
    summary: "Show a text below the page for a while.",
    discussion: """
      A time is '30s', '5min', '1h' or '1:30'. A new message replaces the one that is shown. The page becomes smaller for \
      it, so that it covers nothing. While the display shows the code for a phone, the message waits.
      """,
    operands: [
      .init(name: "text", help: "The text, up to 120 characters.", isOptional: true, isRepeated: true)
    ],
    options: [
      .init(
        name: "--for", value: "time", help: "How long it is shown; 10s by default.",
        examples: ["10s", "30s", "1min", "5min"]),
      .init(name: "--until-cleared", help: "Show it until another message or --clear."),
      .init(name: "--full", help: "Fill the display with it, over scores and clocks."),
      .init(name: "--clear", help: "Remove the message."),
    ], examples: ["message \"TIME OUT\" --for 30s", "message --clear"], surfaces: .all,
    parse: { arguments throws(UsageError) in .request(.command(.change(try messageChange(arguments)))) })

  private static func messageChange(_ arguments: Arguments) throws(UsageError) -> Change {
    let (isEndless, isFull) = (arguments.has("--until-cleared"), arguments.has("--full"))
    let duration = arguments["--for"]
    let text = arguments.operands.joined(separator: " ")
    if arguments.has("--clear") {
      guard arguments.operands.isEmpty, duration == nil, !isEndless, !isFull else {
        throw UsageError("'message --clear' removes the message and takes nothing more")
      }
      return .clearMessage
    }
    guard !arguments.operands.isEmpty else {
      throw UsageError(
        "missing <text>: 'message \"TIME OUT\" --for 30s'; 'message --clear' removes a message")
    }
    guard let duration else { return .message(text, milliseconds: isEndless ? 0 : nil, isFull: isFull) }
    guard !isEndless else { throw UsageError("--for and --until-cleared exclude each other") }
    let time = try milliseconds(duration)
    guard time > 0 else {
      throw UsageError(
        "the time of a message must be longer than 0; --until-cleared keeps it, --clear removes it")
    }
    return .message(text, milliseconds: time, isFull: isFull)
  }

  static let board: CommandSyntax = CommandSyntax(
    verb: "board",
    usage: [
      "<board> <text> [--for <time>] [--stale-after <time>] [--show] [--from <name>] [--plain]",
      "<board> --clear", "<board> --failed <reason>", "",
    ],
    summary: "Put a text on a board, or print what the boards show.",
    discussion: """
      The boards are the widgets of type 'board' and 'text'. The text replaces that of the config until another text, \
      until --clear, or for the time of --for, also after a restart. '-' reads it from standard input, with its lines. \
      What does not fit on the board is printed. {red} gives the letters after it a colour, up to {/}. Without \
      arguments, 'board' prints what the boards show.
      """,
    operands: [
      .init(name: "board", help: "The widget's name, as in the config.", isOptional: true),
      .init(
        name: "text", help: "The text; - reads it from standard input.", isOptional: true, isRepeated: true),
    ],
    options: [
      .init(
        name: "--for", value: "time", help: "How long it is shown.", examples: ["5min", "1h", "8h"]),
      .init(
        name: "--stale-after", value: "time",
        help: "When it is out of date: the board then shows that as its config says.",
        examples: ["5min", "30min"]),
      .init(name: "--show", help: "Show the board's page, for the time of --for."),
      .init(name: "--from", value: "name", help: "Who or what the text is from, for 'status'."),
      .init(name: "--plain", help: "Show the text exactly: braces are letters."),
      .init(name: "--clear", help: "Show the text of the config again."),
      .init(
        name: "--failed",
        help: "Note the text, for 'status', as the reason why there is no new one. The board stays as it is."),
    ],
    examples: [
      "board hall DOORS OPEN AT 7", "board hall \"ZURICH 12:30 {red}LATE{/}\"",
      "board hall \"PLATFORM 4\" --for 10min --show", "board hall -",
      "board hall --clear", "board hall --failed no connection",
    ], surfaces: .all,
    completion: { $0.isEmpty ? [.names(.boards, "board")] : [] },
    parse: { arguments throws(UsageError) in
      guard let name = arguments.operands.first else {
        guard !arguments.hasAny(of: board.options) else {
          throw UsageError("which board? 'board hall --clear'")
        }
        return .request(.command(.boards))
      }
      return .request(.command(.change(try boardChange(name, arguments))))
    })

  private static func boardChange(
    _ board: String, _ arguments: Arguments
  ) throws(UsageError) -> Change {
    let words = arguments.operands.dropFirst()
    let source = try arguments.text("--from")
    var times: [Int?] = []
    for option in ["--for", "--stale-after"] {
      times.append(try arguments[option].map { word throws(UsageError) in try milliseconds(word) })
    }
    let (isCleared, hasFailed) = (arguments.has("--clear"), arguments.has("--failed"))
    if isCleared || hasFailed {
      let isBare =
        source == nil && times == [nil, nil] && !arguments.has("--show") && !arguments.has("--plain")
      guard isBare, hasFailed ? !isCleared : words.isEmpty else {
        throw UsageError(
          hasFailed
            ? "'board \(board.printable) --failed <reason>' takes nothing more"
            : "'board \(board.printable) --clear' takes nothing more")
      }
      if isCleared { return .clearBoard(board) }
    }
    guard !words.isEmpty else {
      throw UsageError(
        "missing <text>: 'board \(board.printable) \"DOORS OPEN\"'; '--clear' shows the text of the config again"
      )
    }
    if hasFailed { return .reportProblem(board: board, words.joined(separator: " ")) }
    return .setBoard(
      board,
      PushedText(
        words.joined(separator: " "), milliseconds: times[0], staleMilliseconds: times[1], source: source,
        showsPage: arguments.has("--show"), isPlain: arguments.has("--plain")))
  }

  /// Reads `30s`, `500ms`, `5min`, `1h30min` and `1:30`.
  static func milliseconds(_ word: String) throws(UsageError) -> Int {
    var result: Int64?
    do throws(DurationText.Problem) { result = try DurationText.nanoseconds(word) } catch {
      if error == .noUnit {
        throw UsageError(
          "'\(word.printable)' has no unit; write '\(word.printable)s' or '\(word.printable)min'")
      }
      if word.contains(":") { result = GameTimeText.nanoseconds(word) }
    }
    guard let result = result.flatMap({ $0 == .max ? nil : $0 / 1_000_000 }) else {
      throw UsageError("'\(word.printable)' is not a time; write '30s', '5min' or '1:30'")
    }
    return Int(result)
  }

  /// A change of the page, the blanking or the brightness, which may hold for a time.
  private static func held(_ change: Change, _ arguments: Arguments) throws(UsageError) -> Invocation {
    guard let time = arguments["--for"] else { return .request(.command(.change(change))) }
    return .request(.command(.change(.held(change, milliseconds: try milliseconds(time)))))
  }

  static let blank = CommandSyntax(
    verb: "blank", usage: ["[--toggle] [--output <name>] [--for <time>]"], summary: "Switch the display off.",
    discussion: """
      The match continues, and scores are accepted. 'flipclockctl unblank' switches the display on, and so does a \
      restart, unless the schedule has it off. Without --output, all displays are switched off.
      """,
    options: [.init(name: "--toggle", help: "Switch it on if it is off."), .output, .hold],
    examples: ["blank", "blank --toggle", "blank --output HDMI-A-2", "blank --for 2h"], surfaces: .all,
    parse: { arguments throws(UsageError) in
      let output = arguments["--output"]
      return try held(
        arguments.has("--toggle") ? .toggleBlank(output: output) : .blank(output: output), arguments)
    })

  static let unblank = CommandSyntax(
    verb: "unblank", usage: ["[--output <name>] [--for <time>]"], summary: "Switch the display on again.",
    options: [.output, .hold], examples: ["unblank", "unblank --output HDMI-A-2", "unblank --for 2h"],
    surfaces: .all,
    parse: { arguments throws(UsageError) in try held(.unblank(output: arguments["--output"]), arguments) })

  static let brightness = CommandSyntax(
    verb: "brightness",
    usage: [
      "[--output <name>]", "<percent>|+<percent>|-<percent> [--output <name>] [--for <time>]",
      "default [--output <name>]",
    ],
    summary: "Print the brightness of the picture, or change it.",
    discussion: """
      From 1% to 100%: '60%', '+10%', '-10%'; 'default' is that of the schedule or the config. Without --output, it applies \
      to all displays.
      """,
    operands: [.init(name: "percent", help: "60%, +10%, -10% or default.", isOptional: true)],
    options: [.output, .hold],
    examples: [
      "brightness 100% --for 2h", "brightness", "brightness 60%", "brightness +10%", "brightness default",
      "brightness 60% --output HDMI-A-2",
    ], surfaces: .all,
    completion: { words in
      guard words.isEmpty else { return [] }
      return ["100%", "75%", "50%", "25%"].map { .word($0) } + [
        .word("+10%", "brighter"), .word("-10%", "darker"), .word("default", "as scheduled or configured"),
      ]
    },
    parse: { arguments throws(UsageError) in
      let output = arguments["--output"]
      let word = arguments.operands.first
      guard arguments["--for"] == nil || (word != nil && word != "default") else {
        throw UsageError("--for needs a brightness; write 'brightness 60% --for 2h'")
      }
      guard let word else { return .request(.brightness(output: output)) }
      if word == "default" {
        return .request(.command(.change(.setBrightness(percent: nil, output: output))))
      }
      guard let percent = Int(word.hasSuffix("%") ? String(word.dropLast()) : word) else {
        throw UsageError("'\(word.printable)' is not a brightness; write '60%', '+10%', '-10%' or 'default'")
      }
      return try held(
        isRelative(word)
          ? .addBrightness(percent: percent, output: output)
          : .setBrightness(percent: percent, output: output), arguments)
    })

  static let lead = CommandSyntax(
    verb: "lead", usage: ["[--anyway]"], summary: "Make this wall the leader of the match that it follows.",
    discussion: """
      The leader hands over its last state, and follows from then on. If it does not answer, points that were made there \
      may be missing here: then --anyway makes this wall lead with what it shows. When both are connected again, all walls \
      show this wall's match, and what only the other has is set aside: 'match list' prints it. A key with 'lead' asks for \
      a second press instead.
      """,
    options: [.init(name: "--anyway", help: "Lead even if the leader does not answer.")],
    examples: ["lead", "lead --anyway"], surfaces: .all,
    parse: { arguments in .request(.command(.change(.lead(anyway: arguments.has("--anyway"))))) })

  static let remote: CommandSyntax = CommandSyntax(
    verb: "remote",
    usage: [
      "[scorer|viewer|owner] [--for <time>]", "close",
      "token <name> --role scorer|viewer|board [--board <board>]", "list",
      "forget <device>|all",
    ],
    summary: "Pair a phone: show a QR code on the display.",
    discussion: """
      The code opens the page of flipclock-web on a phone. A phone that scans it, or on which the digits below it are \
      typed, may keep the score; with 'viewer' it may watch, and with 'owner' it may also change the settings. While there \
      is no owner, the next phone that is paired to keep the score becomes one. The code is shown for two minutes, for \
      a time of up to an hour that --for gives, or until a phone has used it; a paired phone can close it, too. 'token' prints a token for a program that sends HTTP \
      requests. 'list' prints the paired phones and the programs, and 'forget' takes back what they may do. For these \
      three, --socket names the socket of flipclock-web.
      """,
    operands: [
      .init(
        name: "role",
        help: "scorer, viewer or owner; or close, which removes the code; or token, list or forget.",
        isOptional: true),
      .init(
        name: "device", help: "The id of a phone or a program, as listed, or all; the name of a new program.",
        isOptional: true),
    ],
    options: [
      .init(
        name: "--role", value: "role",
        help: "What the program may do: scorer, viewer, or board, which only sets the texts of boards.",
        examples: DeviceRole.ofPrograms.map(\.rawValue)),
      .init(
        name: "--for", value: "time", help: "How long the code is shown: 10s to 1h.", examples: ["15min"]),
      .init(
        name: "--board", value: "board", help: "The only board that a program of the role board may set.",
        names: .boards),
    ],
    examples: [
      "remote", "remote viewer", "remote owner --for 15min", "remote close",
      "remote token stream-deck --role scorer",
      "remote token kitchen --role board --board hall", "remote list", "remote forget all",
    ],
    surfaces: .all,
    completion: { words in
      if words == ["forget"] { return [.word("all", "all phones and programs")] }
      guard words.isEmpty else { return [] }
      return [
        .word("scorer", "may keep the score"), .word("viewer", "may watch"),
        .word("owner", "may keep the score and change settings"),
        .word("close", "removes the code"), .word("token", "prints a token for a program"),
        .word("list", "prints the paired phones"), .word("forget", "forgets a phone or a program"),
      ]
    },
    parse: { arguments throws(UsageError) in
      let word = arguments.operands.first ?? RemoteRole.scorer.rawValue
      let device = arguments.operands.dropFirst().first
      if word == "token" {
        guard arguments["--for"] == nil else {
          throw UsageError("--for needs a code to show", usage: remote.forms)
        }
        return .devices(try token(device, arguments))
      }
      guard arguments["--role"] == nil, arguments["--board"] == nil else {
        throw UsageError("--role and --board are for a token", usage: remote.forms)
      }
      guard arguments["--for"] == nil || RemoteRole(rawValue: word) != nil else {
        throw UsageError("--for needs a code to show", usage: remote.forms)
      }
      if word == "forget" {
        guard let device, !device.isEmpty else {
          throw UsageError("which phone? 'remote list' prints their ids; 'remote forget all' forgets all")
        }
        return .devices(.forget(device: device == "all" ? nil : device))
      }
      if let device { throw UsageError("unexpected argument '\(device.printable)'", usage: remote.forms) }
      if word == "list" { return .devices(.list) }
      if word == "close" { return .request(.command(.change(.endInvitation))) }
      guard let role = RemoteRole(rawValue: word) else {
        let words = ["scorer", "viewer", "owner", "close", "token", "list", "forget"]
        throw UsageError(Spelling.unknown("word", word, among: words))
      }
      return try held(.invite(role), arguments)
    })

  private static func token(_ name: String?, _ arguments: Arguments) throws(UsageError) -> DeviceRequest {
    guard let name else {
      throw UsageError("missing <name>: 'remote token stream-deck --role scorer'")
    }
    if let problem = ShownText.problem(in: name, maximum: ShownText.nameLimit) {
      throw UsageError("<name>: \(Scoreboard.Refusal.badText(name, problem).message)")
    }
    let roles = DeviceRole.ofPrograms.map(\.rawValue)
    guard let word = try arguments.text("--role") else {
      throw UsageError("missing --role: \(roles.joined(separator: ", "))")
    }
    guard let role = DeviceRole(rawValue: word), DeviceRole.ofPrograms.contains(role) else {
      throw UsageError(Spelling.unknown("value of --role", word, among: roles))
    }
    let board = try arguments.text("--board")
    guard board == nil || role == .board else { throw UsageError("--board needs --role board") }
    return .addToken(name: name, role: role, board: board)
  }
}
