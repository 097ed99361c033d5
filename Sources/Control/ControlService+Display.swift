// SPDX-License-Identifier: Apache-2.0

import Scoreboard

/// The methods for the display as a whole.
extension ControlService {
  /// Milliseconds for which a message stays unless it is said otherwise, and at most.
  static let messageDuration = 10_000
  static let messageDurations = 0...86_400_000
  /// Percent.
  static let brightnesses = 1...100

  private struct Shown: Encodable {
    var text: String
    var milliseconds: Int
  }

  private struct Cleared: Encodable {
    var text: String?
  }

  /// Whether the method is one of these.
  func display(
    _ member: String, _ parameters: inout ParameterReader, _ reply: @escaping (VarlinkReply) -> Void
  ) throws(ControlError) -> Bool {
    switch member {
    case "ShowMessage": reply(try showMessage(&parameters))
    case "ClearMessage":
      try parameters.finish()
      reply(.returning(Cleared(text: try running().clearMessage())))
    case "Blank", "Unblank":
      try parameters.finish()
      reply(.returning(["changed": try running().blank(member == "Blank")]))
    case "ToggleBlank":
      try parameters.finish()
      let handler = try running()
      let blanked = handler.blank(true)
      if !blanked { _ = handler.blank(false) }
      reply(.returning(["blanked": blanked]))
    case "SetBrightness":
      let percent = try parameters.optionalInteger("percent")
      try parameters.finish()
      let range = Self.brightnesses
      if let percent, !range.contains(percent) {
        throw .brightnessOutOfRange(percent, minimum: range.lowerBound, maximum: range.upperBound)
      }
      try setBrightness(percent, reply)
    case "AddBrightness":
      let percent = try parameters.integer("percent")
      try parameters.finish()
      // Who goes a step beyond an end means the end.
      let (sum, overflow) = try running().brightness.addingReportingOverflow(percent)
      let wanted = overflow ? (percent < 0 ? Int.min : Int.max) : sum
      try setBrightness(min(max(wanted, Self.brightnesses.lowerBound), Self.brightnesses.upperBound), reply)
    default: return false
    }
    return true
  }

  private func setBrightness(_ percent: Int?, _ reply: @escaping (VarlinkReply) -> Void) throws(ControlError)
  {
    try running().setBrightness(percent) { result in
      switch result {
      case .success(let percent): reply(.returning(["percent": percent]))
      case .failure(let failure): reply(.failing(ControlError(failure)))
      }
    }
  }

  private func showMessage(_ parameters: inout ParameterReader) throws(ControlError) -> VarlinkReply {
    let text = try parameters.string("text")
    let milliseconds = try parameters.optionalInteger("milliseconds") ?? Self.messageDuration
    try parameters.finish()
    if let problem = ShownText.problem(in: text, maximum: ShownText.messageLimit) {
      throw ControlError(problem, in: text)
    }
    let range = Self.messageDurations
    guard range.contains(milliseconds) else {
      throw .durationOutOfRange(milliseconds, minimum: range.lowerBound, maximum: range.upperBound)
    }
    try running().showMessage(text, milliseconds: milliseconds == 0 ? nil : milliseconds)
    return .returning(Shown(text: text, milliseconds: milliseconds))
  }
}
