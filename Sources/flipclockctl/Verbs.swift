// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Control

struct Status: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows what is on the display and how the daemon fares.")
  @OptionGroup var options: Options

  func run() throws { try options.perform(.status) }
}

struct SetScore: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Sets the score of a team.", usage: "flipclockctl set-score <team> <score>")
  @OptionGroup var options: Options
  @Argument(help: "The team's id, as in the config: home, guest.")
  var team: String
  @Argument(help: "The new score, 0 to 999.")
  var score: WholeNumber

  func validate() throws {
    // Whoever writes +1 means one more, not one.
    if score.word.hasPrefix("+") {
      throw ValidationError("'\(score.word)' is relative; did you mean 'add-score \(team) \(score.word)'?")
    }
  }

  func run() throws { try options.perform(.setScore(team: team, score: score.value)) }
}

struct AddScore: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Adds points to the score of a team, or takes them away.",
    usage: "flipclockctl add-score <team> <points>")
  @OptionGroup var options: Options
  @Argument(help: "The team's id, as in the config: home, guest.")
  var team: String
  @Argument(help: "How many: 2, +2, -1.")
  var points: WholeNumber

  func run() throws { try options.perform(.addScore(team: team, points: points.value)) }
}

struct Show: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows a page of the config.", usage: "flipclockctl show <page>",
    discussion: "The pages are the tables [pages.NAME]; 'flipclockctl status' lists them.")
  @OptionGroup var options: Options
  @Argument(help: "The page's name, as in the config.")
  var page: String

  func run() throws { try options.perform(.show(page: page)) }
}

struct Reload: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Reads the config again.",
    discussion:
      "If it has errors they are printed, the last good config stays in force, and the exit status is 78.")
  @OptionGroup var options: Options

  func run() throws { try options.perform(.reload) }
}

struct Screenshot: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes what is on the display now to a PNG file.")
  @OptionGroup var options: Options
  @Argument(help: "The file; - is standard output.", completion: .file(extensions: ["png"]))
  var file: String

  func run() throws { try options.perform(.screenshot(file: file)) }
}

/// A whole number, with the word that it was written as.
struct WholeNumber: ExpressibleByArgument {
  let word: String
  let value: Int

  init?(argument: String) {
    guard let value = CommandLineWords.integer(argument) else { return nil }
    word = argument
    self.value = value
  }
}
