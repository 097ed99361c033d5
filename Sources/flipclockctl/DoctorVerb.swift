// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Control
import Doctor
import Glibc

struct DoctorVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Tells what keeps the display from working, and what to do about it.",
    discussion: """
      Looks at cards, displays, permissions, the console, the service, its socket, config, \
      keyboards, fonts, saved scores and the time; changes nothing. As root it sees more. Exits with 2 when it found a problem.
      """)
  @OptionGroup var options: Options

  func run() throws {
    let examination = Examination(.live(socket: options.socket))
    let text = options.json ? examination.json.text : examination.text
    try output(Array("\(text)\n".utf8))
    if !examination.isWell { throw ExitCode(CommandExit.refused.rawValue) }
  }
}
