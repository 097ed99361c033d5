// SPDX-License-Identifier: Apache-2.0

import Commands
import Scoreboard

extension Change {
  /// Percent.
  package static let brightnesses = 1...100
  /// How long a message is shown by default, in milliseconds.
  package static let messageMilliseconds = 10_000
  private static let messageRange = 0...86_400_000
  /// How long a page, a brightness or blanking may be held, in milliseconds.
  private static let holdRange = 1_000...2_678_400_000

  /// How long an invitation may be shown, in milliseconds.
  private static let invitationRange = 10_000...3_600_000

  /// Checks the values of a change, whatever its source.
  ///
  /// - Parameter pages: the names of the config's pages.
  package func check(pages: [String]) throws(ControlError) {
    switch self {
    case .held(let change, let milliseconds):
      var range = Self.holdRange
      if case .invite = change { range = Self.invitationRange }
      guard range.contains(milliseconds) else {
        throw .holdOutOfRange(
          milliseconds: milliseconds, minimum: range.lowerBound, maximum: range.upperBound)
      }
      try change.check(pages: pages)
    case .show(let page):
      guard pages.contains(page) else {
        throw .unknownPage(page: page, known: pages)
      }
    case .message(let text, let milliseconds, _):
      if let problem = ShownText.problem(in: text, maximum: ShownText.messageLimit) {
        throw .refused(.badText(text, problem))
      }
      let range = Self.messageRange
      if let milliseconds, !range.contains(milliseconds) {
        throw .durationOutOfRange(
          milliseconds: milliseconds, minimum: range.lowerBound, maximum: range.upperBound)
      }
    case .setBoard(_, let pushed):
      if let problem = ShownText.problem(inLines: pushed.text, maximum: ShownText.boardLimit) {
        throw .refused(.badText(pushed.text, problem))
      }
      if let source = pushed.source,
        let problem = ShownText.problem(in: source, maximum: ShownText.nameLimit)
      {
        throw .refused(.badText(source, problem))
      }
      let range = Self.holdRange
      for milliseconds in [pushed.milliseconds, pushed.staleMilliseconds] {
        guard let milliseconds, !range.contains(milliseconds) else { continue }
        throw .holdOutOfRange(
          milliseconds: milliseconds, minimum: range.lowerBound, maximum: range.upperBound)
      }
    case .reportProblem(_, let text):
      if let problem = ShownText.problem(in: text, maximum: ShownText.messageLimit) {
        throw .refused(.badText(text, problem))
      }
    case .setCountdown(let name, let setting):
      guard Countdown.isName(name) else { throw .badCountdownName(name: name) }
      for text in [setting.label, setting.source] {
        guard let text, let problem = ShownText.problem(in: text, maximum: ShownText.nameLimit) else {
          continue
        }
        throw .refused(.badText(text, problem))
      }
      let range = Countdown.lengths
      if case .after(let milliseconds) = setting.end, !range.contains(milliseconds) {
        throw .countdownOutOfRange(
          milliseconds: milliseconds, minimum: range.lowerBound, maximum: range.upperBound)
      }
    case .controlCountdown(_, .add(let milliseconds)):
      let limit = Countdown.lengths.upperBound
      guard (-limit...limit).contains(milliseconds) else {
        throw .countdownOutOfRange(milliseconds: milliseconds, minimum: -limit, maximum: limit)
      }
    case .setBrightness(let percent, _):
      let range = Self.brightnesses
      if let percent, !range.contains(percent) {
        throw .brightnessOutOfRange(
          percent: percent, minimum: range.lowerBound, maximum: range.upperBound)
      }
    case .match, .clearMessage, .clearBoard, .controlCountdown, .clearCountdown, .blank, .unblank,
      .toggleBlank,
      .addBrightness, .invite, .endInvitation, .lead, .restore:
      break
    }
  }
}
