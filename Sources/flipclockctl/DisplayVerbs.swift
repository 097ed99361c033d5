// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Control

struct Message: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Puts a text over the page for a while.",
    usage: """
      flipclockctl message <text> [--for <time>]
      flipclockctl message <text> --until-cleared
      flipclockctl message --clear
      """,
    discussion:
      "A time is '30s', '5min', '1h' or '1:30'. A new message takes the place of the one that is there.")
  @OptionGroup var options: Options
  @Argument(help: "The text, up to 120 characters.")
  var text: [String] = []
  @Option(
    name: .customLong("for"), help: ArgumentHelp("How long it stays: 10s unless given.", valueName: "time"))
  var duration: String?
  @Flag(help: "It stays until another comes, or --clear.")
  var untilCleared = false
  @Flag(help: "Take the message away.")
  var clear = false

  func run() throws {
    try options.perform { () throws(UsageProblem) in
      try ControlCommand.message(text, for: duration, isEndless: untilCleared, clears: clear)
    }
  }
}

struct Blank: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Switches the display off.",
    discussion: "The match goes on, and scores are taken. 'flipclockctl unblank', or a restart, lights it.")
  @OptionGroup var options: Options
  @Flag(help: "Switch it on if it is off.")
  var toggle = false

  func run() throws { try options.perform(toggle ? .toggleBlank : .blank) }
}

struct Unblank: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Switches the display on again.")
  @OptionGroup var options: Options

  func run() throws { try options.perform(.unblank) }
}

struct Brightness: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Tells how bright the picture is, or changes it.",
    usage: """
      flipclockctl brightness
      flipclockctl brightness <percent>|+<percent>|-<percent>
      flipclockctl brightness default
      """,
    discussion: "From 1% to 100%: '60%', '+10%', '-10%'; 'default' is what the config says.")
  @OptionGroup var options: Options
  @Argument(help: "60%, +10%, -10%; default.")
  var value: String?

  func run() throws {
    try options.perform { () throws(UsageProblem) in try ControlCommand.brightness(value) }
  }
}
