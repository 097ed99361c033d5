// SPDX-License-Identifier: Apache-2.0

import Spelling

/// Words that a key cannot stand for; one clause for a person.
public struct UnusableCommand: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String
}

/// The commands that a key may stand for: those that change what is shown, in flipclockctl's words.
extension ControlCommand {
  static let keyVerbs = [
    "set-score", "add-score", "set", "timer", "penalty", "undo", "redo", "swap", "new-game", "reset",
    "show", "message", "blank", "unblank", "brightness",
  ]

  /// The verbs that are one change, and its method.
  private static let plainChanges = [
    "swap": "SwapSides", "new-game": "NewGame", "reset": "Reset",
  ]

  /// `add-score home +1`, parted by spaces.
  public init(parsing text: String) throws(UnusableCommand) {
    let words = text.split(separator: " ").map(String.init)
    func refuse(_ why: String) -> UnusableCommand { UnusableCommand(description: why) }
    guard let verb = words.first else { throw refuse("there is no command; write \"add-score home +1\"") }
    switch verb {
    case "set-score", "add-score":
      guard words.count == 3 else { throw refuse("'\(verb)' takes a team and a number") }
      guard let number = CommandLineWords.integer(words[2]) else {
        throw refuse("'\(words[2])' is not a whole number")
      }
      if verb == "set-score", words[2].hasPrefix("+") {
        throw refuse("'\(words[2])' is relative; did you mean 'add-score \(words[1]) \(words[2])'?")
      }
      self =
        verb == "set-score"
        ? .setScore(team: words[1], score: number) : .addScore(team: words[1], points: number)
    case "show":
      guard words.count == 2 else { throw refuse("'show' takes a page") }
      self = .show(page: words[1])
    case "message":
      do throws(UsageProblem) { self = try .message(keyWords: Array(words.dropFirst())) } catch {
        throw refuse(error.description)
      }
    case "set", "timer":
      let rest = Array(words.dropFirst())
      let isShot = verb == "timer" && rest.contains("--shot")
      do throws(UsageProblem) {
        self = verb == "set" ? try .set(rest) : try .timer(rest.filter { $0 != "--shot" }, isShot: isShot)
      } catch {
        throw refuse(error.description)
      }
    case "penalty", "undo", "redo":
      let rest = Array(words.dropFirst())
      do throws(UsageProblem) {
        self = verb == "penalty" ? try .penalty(keyWords: rest) : try .history(verb, rest)
      } catch {
        throw refuse(error.description)
      }
    case "brightness":
      guard words.count == 2 else { throw refuse("'brightness' takes one value: 60%, +10%, -10% or default") }
      do throws(UsageProblem) { self = try .brightness(words[1]) } catch { throw refuse(error.description) }
    case "blank" where words.dropFirst() == ["--toggle"]: self = .toggleBlank
    case "blank", "unblank":
      guard words.count == 1 else { throw refuse("'\(verb)' takes nothing more") }
      self = verb == "blank" ? .blank : .unblank
    default:
      guard let method = Self.plainChanges[verb] else {
        throw refuse(Spelling.unknown("command", verb, among: Self.keyVerbs))
      }
      guard words.count == 1 else { throw refuse("'\(verb)' takes nothing more") }
      self = .change(method, [:])
    }
  }

  /// What is wrong with words for a key; nil when they are a command.
  public static func problem(in text: String) -> String? {
    do throws(UnusableCommand) {
      _ = try ControlCommand(parsing: text)
      return nil
    } catch {
      return error.description
    }
  }

  /// The call that does it; nil for `watch`, which is a stream of replies.
  public var call: VarlinkCall? {
    let interface = ControlInterface.name
    switch self {
    case .status, .brightness: return VarlinkCall(method: "\(interface).GetStatus", parameters: [:])
    case .history(let limit):
      return VarlinkCall(method: "\(interface).GetHistory", parameters: ["limit": .integer(Int64(limit))])
    case .reload: return VarlinkCall(method: "\(interface).Reload", parameters: [:])
    case .screenshot: return VarlinkCall(method: "\(interface).Screenshot", parameters: [:])
    case .setScore(let team, let score):
      return VarlinkCall(
        method: "\(interface).SetScore", parameters: ["team": .string(team), "score": .integer(Int64(score))])
    case .addScore(let team, let points):
      return VarlinkCall(
        method: "\(interface).AddScore",
        parameters: ["team": .string(team), "points": .integer(Int64(points))])
    case .change(let method, let parameters):
      return VarlinkCall(method: "\(interface).\(method)", parameters: parameters)
    case .show(let page): return VarlinkCall(method: "\(interface).Show", parameters: ["page": .string(page)])
    case .message(let text, let milliseconds):
      var parameters: [String: JSONValue] = ["text": .string(text)]
      if let milliseconds { parameters["milliseconds"] = .integer(Int64(milliseconds)) }
      return VarlinkCall(method: "\(interface).ShowMessage", parameters: parameters)
    case .clearMessage: return VarlinkCall(method: "\(interface).ClearMessage", parameters: [:])
    case .setBrightness(let percent):
      return VarlinkCall(
        method: "\(interface).SetBrightness",
        parameters: percent.map { ["percent": .integer(Int64($0))] } ?? [:])
    case .addBrightness(let percent):
      return VarlinkCall(
        method: "\(interface).AddBrightness", parameters: ["percent": .integer(Int64(percent))])
    case .blank: return VarlinkCall(method: "\(interface).Blank", parameters: [:])
    case .toggleBlank: return VarlinkCall(method: "\(interface).ToggleBlank", parameters: [:])
    case .unblank: return VarlinkCall(method: "\(interface).Unblank", parameters: [:])
    case .watch: return nil
    }
  }
}
