// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import Scoreboard

extension ChangeHandler {
  /// Performs a change from any surface.
  ///
  /// - Parameter completion: called once, at once or when the change is durable.
  package func perform(
    _ change: Change, on terms: Terms = Terms(),
    completion: @escaping (Result<ChangeReply, ControlError>) -> Void
  ) {
    do throws(ControlError) {
      switch change {
      case .held(let change, let milliseconds):
        let range = HoldLimits.milliseconds
        guard range.contains(milliseconds) else {
          throw .holdOutOfRange(
            milliseconds: milliseconds, minimum: range.lowerBound, maximum: range.upperBound)
        }
        holding(for: milliseconds) { perform(change, completion: completion) }
      case .match(let action): perform(action, on: terms) { completion($0.map { .match($0) }) }
      case .show(let page):
        guard pages.contains(page) else {
          throw .unknownPage(page: page, known: pages)
        }
        show(page: page)
        saveDisplay { completion($0.map { .page(page) }) }
      case .message(let text, let milliseconds):
        completion(.success(try showMessage(text, for: milliseconds ?? MessageLimits.defaultMilliseconds)))
      case .clearMessage: completion(.success(.cleared(clearMessage())))
      case .lead(let anyway): lead(anyway: anyway) { completion($0.map { .led(changed: $0) }) }
      case .restore(let match):
        let aside = try asideMatch(match)
        perform(.restore(aside), on: terms) { completion($0.map { .match($0) }) }
      case .invite(let role): completion(.success(.invited(try invite(role))))
      case .endInvitation: completion(.success(.invitationEnded(endInvitation())))
      case .blank(let output):
        completion(.success(.blank(changed: try blank(true, output: output))))
      case .unblank(let output):
        completion(.success(.blank(changed: try blank(false, output: output))))
      case .toggleBlank(let output):
        let isBlank = try !isDark(output: output)
        _ = try blank(isBlank, output: output)
        completion(.success(.toggledBlank(isBlank: isBlank)))
      case .setBrightness(let percent, let output):
        let range = BrightnessLimits.percents
        if let percent, !range.contains(percent) {
          throw .brightnessOutOfRange(
            percent: percent, minimum: range.lowerBound, maximum: range.upperBound)
        }
        setBrightness(percent, output: output) { completion($0.map { .brightness($0) }) }
      case .addBrightness(let percent, let output):
        // A step beyond an end of the range is limited to that end.
        let (sum, overflow) = try brightness(of: output).addingReportingOverflow(percent)
        let wanted = overflow ? (percent < 0 ? Int.min : Int.max) : sum
        let range = BrightnessLimits.percents
        setBrightness(min(max(wanted, range.lowerBound), range.upperBound), output: output) {
          completion($0.map { .brightness($0) })
        }
      }
    } catch {
      completion(.failure(error))
    }
  }

  private func showMessage(_ text: String, for milliseconds: Int) throws(ControlError) -> ChangeReply {
    if let problem = ShownText.problem(in: text, maximum: ShownText.messageLimit) {
      throw .refused(.badText(text, problem))
    }
    let range = MessageLimits.milliseconds
    guard range.contains(milliseconds) else {
      throw .durationOutOfRange(
        milliseconds: milliseconds, minimum: range.lowerBound, maximum: range.upperBound)
    }
    showMessage(text, milliseconds: milliseconds == 0 ? nil : milliseconds)
    return .message(text, milliseconds: milliseconds)
  }
}

/// How long a message is shown.
private enum MessageLimits {
  static let defaultMilliseconds = 10_000
  static let milliseconds = 0...86_400_000
}

/// How long a page, a brightness and blanking may hold.
private enum HoldLimits {
  static let milliseconds = 1_000...2_678_400_000
}

private enum BrightnessLimits {
  static let percents = 1...100
}
