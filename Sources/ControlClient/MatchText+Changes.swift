// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import JSON
import Scoreboard

// The text that flipclockctl and flipclock-web print about a match besides its line.
extension MatchText {
  /// The last change, in words.
  static func change(from before: JSONValue?, to state: JSONValue) -> String {
    // An undone change becomes the first that can be redone.
    if let redo = state["redo"]?.string, before?["redo"]?.string != redo {
      return "undone: \(redo)".printable
    }
    // Without a new revision no command has changed the match, but a timer or the config has.
    if let before, let revision = state["revision"]?.integer, before["revision"]?.integer == revision {
      return timerEvent(from: before, to: state)?.printable ?? "the config has changed"
    }
    return (state["undo"]?.string ?? "as it was").printable
  }

  /// Describes the timer that has reached its warning or its end; nil if there is none.
  private static func timerEvent(from before: JSONValue, to state: JSONValue) -> String? {
    for (name, timer) in (state["timers"]?.object ?? [:]).sorted(by: { $0.key < $1.key }) {
      for (event, words) in [("ended", "has ended"), ("warning", "warns")]
      where timer[event]?.bool == true && before["timers"]?[name]?[event]?.bool == false {
        return "\(name) timer \(words)"
      }
    }
    return nil
  }

  /// The changes, the latest last, and below them the undone changes, the next one to redo first.
  static func history(_ reply: [String: JSONValue]) -> String {
    func lines(_ list: String, _ mark: String) -> [String] {
      (reply[list]?.array ?? []).map { step in
        "\(mark)\(LocalTime.text(step["time"]?.string ?? ""))  \(step["what"]?.string ?? "")".printable + "\n"
      }
    }
    let text = lines("past", "      ").reversed() + lines("future", "undone ")
    return text.isEmpty ? "nothing has been changed\n" : text.joined()
  }

  /// The finished matches and those that were set aside, one on a line, the newest first.
  static func matches(_ reply: [String: JSONValue]) -> String {
    let finished = FinishedMatch.all(in: reply).map { match in
      let teams = match.teams.enumerated().map { index, team in
        index == 0 ? "\(team.name) \(team.score)" : "\(team.score) \(team.name)"
      }.joined(separator: " : ")
      let minutes = (match.seconds + 30) / 60
      return "\(LocalTime.text(match.ended))  \(minutes) min  \(match.game)  \(teams)  \(match.periodsText)"
        + (match.abandoned == true ? "  abandoned" : "")
    }
    let aside = (reply["matches"]?.array ?? []).map { match in
      let time = match["time"]?.string.map(LocalTime.text) ?? ""
      return "\(match["id"]?.string ?? "?")  \(time)  \(match["text"]?.string ?? "")"
    }
    let lists = [("finished", finished), ("set aside", aside)].filter { !$0.1.isEmpty }
    guard !lists.isEmpty else { return "no match is finished or was set aside\n" }
    return lists.map { title, lines in
      "\(title):\n" + lines.map { "  \($0)".printable + "\n" }.joined()
    }.joined()
  }

  /// The boards: the name, the lines, and what is known of a pushed text.
  static func boards(_ boards: JSONValue?) -> String {
    let boards = boards?.array ?? []
    guard !boards.isEmpty else { return "the config has no board: a widget of type \"board\" or \"text\"\n" }
    return boards.map { board in
      let lines = (board["text"]?.string ?? "").split(separator: "\n", omittingEmptySubsequences: false)
      return "\(boardHeading(board))\n" + lines.map { "    \(String($0).printable)\n" }.joined()
    }.joined()
  }

  /// The name of a board and what is known of its text, on a line.
  static func boardHeading(_ board: JSONValue) -> String {
    var facts: [String] = []
    if let columns = board["columns"]?.integer, let rows = board["rows"]?.integer {
      facts.append("\(columns) × \(rows)")
    }
    if let from = board["from"]?.string { facts.append("from \(from)") }
    let times = [
      ("since", "since"), ("until", "until"),
      ("staleFrom", board["stale"]?.bool == true ? "stale since" : "stale from"),
    ]
    for (key, words) in times {
      if let time = board[key]?.string { facts.append("\(words) \(LocalTime.text(time))") }
    }
    if board["since"] == nil { facts.append("text of the config") }
    if let problem = board["problem"]?.string {
      let since = board["problemSince"]?.string.map { " since \(LocalTime.text($0))" } ?? ""
      facts.append("its source fails\(since): \(problem)")
    }
    return "\(board["name"]?.string ?? "?"): \(facts.joined(separator: ", "))".printable
  }

  /// The countdowns, one on a line.
  static func countdowns(_ countdowns: JSONValue?) -> String {
    let countdowns = countdowns?.array ?? []
    guard !countdowns.isEmpty else { return "no countdown is set\n" }
    return countdowns.map { "\(countdown($0))\n" }.joined()
  }

  /// The name of a countdown, what is left of it, and what is known of it.
  static func countdown(_ countdown: JSONValue) -> String {
    let name = countdown["name"]?.string ?? "?"
    guard let left = countdown["milliseconds"]?.integer.map(Int64.init) else {
      return "\(name): not set".printable
    }
    let time = GameTimeText.hours(of: left * 1_000_000)
    var facts = [countdown["running"]?.bool == true ? time : "\(time), paused"]
    if countdown["ended"]?.bool == true { facts.append("ended") }
    if let until = countdown["until"]?.string { facts.append("until \(LocalTime.text(until))") }
    if let label = countdown["label"]?.string { facts.append("'\(label)'") }
    if let from = countdown["from"]?.string { facts.append("from \(from)") }
    return "\(name): \(facts.joined(separator: ", "))".printable
  }

  // MARK: Replies

  /// What a change did, from the reply to it.
  package static func change(_ reply: [String: JSONValue], by change: Change) -> String {
    switch change {
    case .match(.setScore), .match(.addScore):
      let team = reply["team"]
      let points = team?["pointsText"]?.string ?? "\(team?["score"]?.integer ?? 0)"
      let score = "\(team?["name"]?.string ?? team?["id"]?.string ?? "?") \(points)"
      return (reply["note"]?.string ?? score).printable
    case .match(.setPeriod), .match(.addPeriod):
      // If there is more than one fact, separated by commas, the new period has also reset something.
      let isReset = reply["what"]?.string?.contains("," as Character) == true
      return what(reply) + (isReset ? "; 'flipclockctl undo' brings it back" : "")
    case .match(.undo), .match(.undoSteps): return what(reply, "undone: ")
    case .match(.redo), .match(.redoSteps): return what(reply, "redone: ")
    case .match, .restore: return what(reply)
    case .held(let change, _): return self.change(reply, by: change)
    case .show(let page): return (reply["page"]?.string ?? page).printable
    case .message:
      let milliseconds = reply["milliseconds"]?.integer ?? 0
      let time = milliseconds == 0 ? "until it is cleared" : "for \(duration(milliseconds))"
      return reply["waits"]?.bool == true
        ? "waits until the code for a phone is closed, and is then shown \(time)" : "shown \(time)"
    case .clearMessage:
      return reply["text"]?.string.map { "taken away: \($0.printable)" } ?? "there was no message"
    case .setBoard:
      let list = { (name: String) in reply[name]?.array?.compactMap(\.string) ?? [] }
      let (leftOut, cut, missing) = (list("leftOut"), list("cut"), list("missing"))
      var text = "shown on \(reply["board"]?.string ?? "?")"
      if reply["page"] == nil { text += ", which no page has" }
      if !leftOut.isEmpty { text += "; no place for: \(leftOut.joined(separator: " | "))" }
      if !cut.isEmpty { text += "; cut off at the end: \(cut.joined(separator: " | "))" }
      if !missing.isEmpty { text += "; the board cannot show: \(missing.joined(separator: " "))" }
      return text.printable
    case .clearBoard:
      return reply["text"] == nil
        ? "it shows the text of the config already" : "it shows the text of the config"
    case .reportProblem: return "'flipclockctl status' shows the problem"
    case .setCountdown, .controlCountdown:
      let text = countdown(reply["countdown"] ?? .null)
      return reply["page"] == nil ? "\(text); no page shows it" : text
    case .clearCountdown:
      return reply["changed"]?.bool == true ? "the countdown is removed" : "the countdown was not set"
    case .blank(let output): return "\(display(output)) is dark\(already(reply))"
    case .unblank(let output): return "\(display(output)) is lit\(already(reply))"
    case .toggleBlank(let output):
      return "\(display(output)) is \(reply["blanked"]?.bool == true ? "dark" : "lit")"
    case .invite:
      let codes = reply["codes"]?.array?.compactMap(\.string) ?? [reply["code"]?.string ?? "?"]
      let typed = codes.map { PairingCode.shown($0).printable }.joined(separator: " or ")
      return
        "open \(reply["address"]?.string?.printable ?? "?") and enter \(typed), "
        + "or scan the code on the display; shown for \(duration(reply["milliseconds"]?.integer ?? 0))"
    case .lead: return reply["changed"]?.bool == true ? "this wall leads now" : "this wall leads already"
    case .endInvitation:
      return reply["changed"]?.bool == true ? "the code is no longer valid" : "there was no code"
    case .setBrightness, .addBrightness: return "\(reply["percent"]?.integer ?? 0)%"
    }
  }

  private static func what(_ reply: [String: JSONValue], _ prefix: String = "") -> String {
    reply["what"]?.string.map { prefix + $0.printable } ?? "nothing changed"
  }

  private static func display(_ output: String?) -> String {
    output.map { "the display \($0.printable)" } ?? "the display"
  }

  private static func already(_ reply: [String: JSONValue]) -> String {
    reply["changed"]?.bool == false ? " already" : ""
  }

  private static func duration(_ milliseconds: Int) -> String {
    milliseconds % 1000 == 0 ? StatusText.duration(milliseconds / 1000) : "\(milliseconds) ms"
  }
}
