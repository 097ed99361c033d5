// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Scoreboard

// Commands for the display.
extension CommandTable {
  static let displayRows = [show, message, blank, unblank, brightness]

  static let show = CommandSyntax(
    verb: "show", usage: ["<page>"], summary: "Show a page of the config.",
    discussion: "The pages are the tables [pages.NAME]; 'flipclockctl status' lists them.",
    operands: [.init(name: "page", help: "The page's name, as in the config.")], examples: ["show match"],
    surfaces: .all, completion: { $0.isEmpty ? [.names(.pages, "page")] : [] },
    parse: { .request(.command(.change(.show(page: $0.operands[0])))) })

  static let message = CommandSyntax(
    verb: "message", usage: ["<text> [--for <time>]", "<text> --until-cleared", "--clear"],
    summary: "Show a text over the page for a while.",
    discussion: "A time is '30s', '5min', '1h' or '1:30'. A new message replaces the one that is shown.",
    operands: [
      .init(name: "text", help: "The text, up to 120 characters.", isOptional: true, isRepeated: true)
    ],
    options: [
      .init(
        name: "--for", value: "time", help: "How long it is shown; 10s by default.",
        examples: ["10s", "30s", "1min", "5min"]),
      .init(name: "--until-cleared", help: "Show it until another message or --clear."),
      .init(name: "--clear", help: "Remove the message."),
    ], examples: ["message \"TIME OUT\" --for 30s", "message --clear"], surfaces: .all,
    parse: { arguments throws(UsageError) in .request(.command(.change(try messageChange(arguments)))) })

  private static func messageChange(_ arguments: Arguments) throws(UsageError) -> Change {
    let isEndless = arguments.has("--until-cleared")
    let duration = arguments["--for"]
    let text = arguments.operands.joined(separator: " ")
    if arguments.has("--clear") {
      guard arguments.operands.isEmpty, duration == nil, !isEndless else {
        throw UsageError("'message --clear' removes the message and takes nothing more")
      }
      return .clearMessage
    }
    guard !arguments.operands.isEmpty else {
      throw UsageError(
        "missing <text>: 'message \"TIME OUT\" --for 30s'; 'message --clear' removes a message")
    }
    guard let duration else { return .message(text, milliseconds: isEndless ? 0 : nil) }
    guard !isEndless else { throw UsageError("--for and --until-cleared exclude each other") }
    return .message(text, milliseconds: try milliseconds(duration))
  }

  /// Reads `30s`, `500ms`, `5min`, `1h30min` and `1:30`.
  private static func milliseconds(_ word: String) throws(UsageError) -> Int {
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
    guard result > 0 else {
      throw UsageError(
        "a message cannot be shown for no time; --until-cleared keeps it, --clear removes it")
    }
    return Int(result)
  }

  static let blank = CommandSyntax(
    verb: "blank", usage: ["[--toggle] [--output <name>]"], summary: "Switch the display off.",
    discussion: """
      The match continues, and scores are accepted. 'flipclockctl unblank' or a restart switches the display on. \
      Without --output, all displays are switched off.
      """,
    options: [.init(name: "--toggle", help: "Switch it on if it is off."), .output],
    examples: ["blank", "blank --toggle", "blank --output HDMI-A-2"], surfaces: .all,
    parse: { arguments in
      let output = arguments["--output"]
      return .request(
        .command(
          .change(arguments.has("--toggle") ? .toggleBlank(output: output) : .blank(output: output))))
    })

  static let unblank = CommandSyntax(
    verb: "unblank", usage: ["[--output <name>]"], summary: "Switch the display on again.",
    options: [.output], examples: ["unblank", "unblank --output HDMI-A-2"], surfaces: .all,
    parse: { .request(.command(.change(.unblank(output: $0["--output"])))) })

  static let brightness = CommandSyntax(
    verb: "brightness",
    usage: [
      "[--output <name>]", "<percent>|+<percent>|-<percent> [--output <name>]", "default [--output <name>]",
    ],
    summary: "Print the brightness of the picture, or change it.",
    discussion: """
      From 1% to 100%: '60%', '+10%', '-10%'; 'default' is the config's. Without --output, it applies to all displays.
      """,
    operands: [.init(name: "percent", help: "60%, +10%, -10% or default.", isOptional: true)],
    options: [.output],
    examples: [
      "brightness", "brightness 60%", "brightness +10%", "brightness default",
      "brightness 60% --output HDMI-A-2",
    ], surfaces: .all,
    completion: { words in
      guard words.isEmpty else { return [] }
      return ["100%", "75%", "50%", "25%"].map { .word($0) } + [
        .word("+10%", "brighter"), .word("-10%", "darker"), .word("default", "as in the config"),
      ]
    },
    parse: { arguments throws(UsageError) in
      let output = arguments["--output"]
      guard let word = arguments.operands.first else { return .request(.brightness(output: output)) }
      if word == "default" {
        return .request(.command(.change(.setBrightness(percent: nil, output: output))))
      }
      guard let percent = Int(word.hasSuffix("%") ? String(word.dropLast()) : word) else {
        throw UsageError("'\(word.printable)' is not a brightness; write '60%', '+10%', '-10%' or 'default'")
      }
      return .request(
        .command(
          .change(
            isRelative(word)
              ? .addBrightness(percent: percent, output: output)
              : .setBrightness(percent: percent, output: output))))
    })
}
