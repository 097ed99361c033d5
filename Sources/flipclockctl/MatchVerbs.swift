// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Control

struct SetValue: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Sets a name, a colour, the period, the serve or a counter.",
    usage: """
      flipclockctl set period <n>
      flipclockctl set serve <team>|none
      flipclockctl set <team> name|short-name|color <text>
      flipclockctl set <team> score <n>
      flipclockctl set <team> period-score <period> <n>
      flipclockctl set <team> <counter> <n>
      """,
    discussion: """
      A number with a sign is relative: 'set period +1', 'set home fouls +1'. What is counted is in the \
      config's [game].
      """)
  @OptionGroup var options: Options
  @Argument(help: "What, and its value.")
  var words: [String] = []

  func run() throws {
    try options.perform { () throws(UsageProblem) in try ControlCommand.set(words) }
  }
}

struct TimerControl: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "timer", abstract: "Starts, pauses, resets or sets the game clock or the shot clock.",
    usage: """
      flipclockctl timer start|pause|reset [--shot]
      flipclockctl timer reset --shot <time>
      flipclockctl timer set <time> [--shot]
      flipclockctl timer add <time> [--shot]
      """,
    discussion: """
      A time is '10:00', '1:30:00' or seconds, '24', '7.5'; with a sign it is relative: 'add -0:30'. \
      'timer reset --shot 14' begins the shot clock again with 14 seconds.
      """)
  @OptionGroup var options: Options
  @Flag(help: "The shot clock, not the game clock.")
  var shot = false
  @Argument(help: "What to do, and a time.")
  var words: [String] = []

  func run() throws {
    try options.perform { () throws(UsageProblem) in try ControlCommand.timer(words, isShot: shot) }
  }
}

struct Undo: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Undoes the last change, or the last n.", usage: "flipclockctl undo [<n>]",
    discussion: "Only what it had changed is restored: a running clock goes on.")
  @OptionGroup var options: Options
  @Argument(help: "How many changes; 1 if it is left out.")
  var words: [String] = []

  func run() throws {
    try options.perform { () throws(UsageProblem) in try ControlCommand.history("undo", words) }
  }
}

struct Redo: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Redoes what was undone last, or the last n.", usage: "flipclockctl redo [<n>]",
    discussion: "It has the effect that it would have now: a clock that is started again starts now.")
  @OptionGroup var options: Options
  @Argument(help: "How many changes; 1 if it is left out.")
  var words: [String] = []

  func run() throws {
    try options.perform { () throws(UsageProblem) in try ControlCommand.history("redo", words) }
  }
}

struct History: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Shows what was changed, the latest last.")
  @OptionGroup var options: Options
  @Option(help: ArgumentHelp("How many changes; 50 if it is left out.", valueName: "n"))
  var limit: WholeNumber?

  func validate() throws {
    if let limit, limit.value < 1 {
      throw ValidationError("--limit takes a number from 1, not '\(limit.value)'")
    }
  }

  func run() throws { try options.perform(.history(limit: limit?.value ?? 50)) }
}

struct PenaltyVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "penalty", abstract: "Gives a penalty of time, or ends one.",
    usage: """
      flipclockctl penalty <team> [<time>] [--number <n>]
      flipclockctl penalty <team> --end [--number <n>]
      flipclockctl penalty <team> --clear
      """,
    discussion: """
      A penalty runs while the game clock does. Without a time it lasts as long as the first of 'penalties' in the \
      config's [game].
      """)
  @OptionGroup var options: Options
  @Option(help: ArgumentHelp("The player's number.", valueName: "n"))
  var number: String?
  @Flag(help: "End the oldest penalty of the team, or of the player.")
  var end = false
  @Flag(help: "End all penalties of the team.")
  var clear = false
  @Argument(help: "The team's id, and a time: home 2:00.")
  var words: [String] = []

  func run() throws {
    try options.perform { () throws(UsageProblem) in
      try ControlCommand.penalty(words, number: number, ends: end, clears: clear)
    }
  }
}

struct Swap: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Has the teams change their sides.")
  @OptionGroup var options: Options

  func run() throws { try options.perform(.change("SwapSides", [:])) }
}

struct NewGame: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Begins anew, with the same names.", discussion: "'flipclockctl undo' takes it back.")
  @OptionGroup var options: Options

  func run() throws { try options.perform(.change("NewGame", [:])) }
}

struct Reset: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Begins anew, with the names of the config.",
    discussion: "'flipclockctl undo' takes it back.")
  @OptionGroup var options: Options

  func run() throws { try options.perform(.change("Reset", [:])) }
}

struct Watch: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints the match, and again after every change.",
    discussion: "With --json each line is one object, as in the interface's type MatchState.")
  @OptionGroup var options: Options

  func run() throws { try options.watch() }
}
