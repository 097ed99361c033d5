// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Scoreboard

/// The verbs for the display as a whole.
extension ControlCommand {
  /// `message TEXT` and its options; the words of a text need no quotes.
  ///
  /// - Parameters:
  ///   - duration: how long it stays, as it was written.
  ///   - isEndless: until it is cleared.
  public static func message(
    _ words: [String], for duration: String? = nil, isEndless: Bool = false, clears: Bool = false
  ) throws(UsageProblem) -> ControlCommand {
    if clears {
      guard words.isEmpty, duration == nil, !isEndless else {
        throw UsageProblem("'message --clear' takes the message away, and takes nothing more")
      }
      return .clearMessage
    }
    let text = words.map(CommandLineWords.asWritten).joined(separator: " ")
    guard !words.isEmpty else {
      throw UsageProblem(
        "what is the message? 'message \"TIME OUT\" --for 30s'; 'message --clear' takes it away")
    }
    guard let duration else { return .message(text, milliseconds: isEndless ? 0 : nil) }
    guard !isEndless else { throw UsageProblem("--for and --until-cleared exclude each other") }
    return .message(text, milliseconds: try milliseconds(duration))
  }

  /// The same in words of a key: `message TIME OUT --for 30s`.
  static func message(keyWords words: [String]) throws(UsageProblem) -> ControlCommand {
    var text: [String] = []
    var duration: String?
    var flags: Set<String> = []
    var rest = words[...]
    while let word = rest.popFirst() {
      switch word {
      case "--for":
        guard let value = rest.popFirst() else { throw UsageProblem("--for takes a time: '--for 30s'") }
        duration = value
      case "--until-cleared", "--clear": flags.insert(word)
      default: text.append(word)
      }
    }
    return try message(
      text, for: duration, isEndless: flags.contains("--until-cleared"), clears: flags.contains("--clear"))
  }

  /// Reads `30s`, `500ms`, `5min`, `1h30min` and `1:30`.
  private static func milliseconds(_ word: String) throws(UsageProblem) -> Int {
    var result: Int64?
    do throws(DurationText.Problem) { result = try DurationText.nanoseconds(word) } catch {
      if error == .noUnit {
        throw UsageProblem(
          "'\(word.printable)' has no unit; write '\(word.printable)s' or '\(word.printable)min'")
      }
      if word.contains(":") { result = GameTimeText.nanoseconds(word) }
    }
    guard let result = result.flatMap({ $0 == .max ? nil : $0 / 1_000_000 }) else {
      throw UsageProblem("'\(word.printable)' is not a time; write '30s', '5min' or '1:30'")
    }
    guard result > 0 else {
      throw UsageProblem(
        "a message for no time is none; '--until-cleared' lets it stay, '--clear' takes it away")
    }
    return Int(result)
  }

  /// `60%`, `+10%`, `-10%`, each without the sign too, `default`; nothing: it is told.
  public static func brightness(_ word: String?) throws(UsageProblem) -> ControlCommand {
    guard let word = word.map(CommandLineWords.asWritten) else { return .brightness }
    if word == "default" { return .setBrightness(nil) }
    guard let percent = Int(word.hasSuffix("%") ? String(word.dropLast()) : word) else {
      throw UsageProblem("'\(word.printable)' is not a brightness; write '60%', '+10%', '-10%' or 'default'")
    }
    return word.hasPrefix("+") || word.hasPrefix("-") ? .addBrightness(percent) : .setBrightness(percent)
  }

  /// What one of these has to say of its reply.
  func displayed(_ reply: [String: JSONValue], json: Bool) throws(ControlClientError) -> CommandResult {
    if self == .brightness { return try Self.told(reply["status"]?["brightness"]?.integer, json) }
    if json { return CommandResult(JSONValue.object(reply).text + "\n") }
    switch self {
    case .message:
      let milliseconds = reply["milliseconds"]?.integer ?? 0
      return CommandResult(
        milliseconds == 0 ? "shown until it is cleared\n" : "shown for \(Self.duration(milliseconds))\n")
    case .clearMessage:
      return CommandResult(
        reply["text"]?.string.map { "taken away: \($0.printable)\n" } ?? "there was no message\n")
    case .blank, .unblank:
      let already = reply["changed"]?.bool == false ? " already" : ""
      return CommandResult("the display is \(self == .blank ? "dark" : "lit")\(already)\n")
    case .toggleBlank:
      return CommandResult("the display is \(reply["blanked"]?.bool == true ? "dark" : "lit")\n")
    case .setBrightness, .addBrightness: return try Self.told(reply["percent"]?.integer, json)
    default: return CommandResult()
    }
  }

  private static func told(_ percent: Int?, _ json: Bool) throws(ControlClientError) -> CommandResult {
    guard let percent else { throw .malformedReply("there is no brightness in it") }
    return CommandResult(json ? "{\"percent\":\(percent)}\n" : "\(percent)%\n")
  }

  private static func duration(_ milliseconds: Int) -> String {
    milliseconds % 1000 == 0 ? StatusText.duration(milliseconds / 1000) : "\(milliseconds) ms"
  }
}
