// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Commands
import JSON
import Scoreboard
import Spelling

/// Why the members of a JSON object from another program are not accepted: a clause for people.
package struct MalformedMessage: Error, Hashable, Sendable {
  package let message: String

  package init(_ message: String) { self.message = message }
}

extension [String: JSONValue] {
  /// The longest id, and the longest name of a sender, in bytes.
  private static let maximumName = 64

  package func check(known: [String]) throws(MalformedMessage) {
    if let name = keys.sorted().first(where: { !known.contains($0) }) {
      throw MalformedMessage(Spelling.unknown("member", name, among: known).printable)
    }
  }

  package func name(_ member: String) throws(MalformedMessage) -> String? {
    guard let value = self[member] else { return nil }
    guard let name = value.string, (1...Self.maximumName).contains(name.utf8.count) else {
      throw MalformedMessage("'\(member)' is not a string of 1 to \(Self.maximumName) bytes")
    }
    return name
  }

  func flag(_ member: String) throws(MalformedMessage) -> Bool {
    guard let flag = (self[member] ?? .bool(false)).bool else {
      throw MalformedMessage("'\(member)' is neither true nor false")
    }
    return flag
  }

  /// Reads a duration in milliseconds: seconds, or a text such as `30min` or `15:00`.
  ///
  /// - Parameter hasSign: whether it may have a sign.
  func milliseconds(_ member: String, hasSign: Bool = false) throws(MalformedMessage) -> Int? {
    guard let value = self[member] else { return nil }
    let limit = Int(Int32.max)
    if let seconds = value.integer, ((hasSign ? -limit : 0)...limit).contains(seconds) {
      return seconds * 1_000
    }
    let text = value.string ?? ""
    let sign = hasSign ? text.first.flatMap { $0 == "+" || $0 == "-" ? $0 : nil } : nil
    let digits = sign == nil ? text : String(text.dropFirst())
    let nanoseconds = (try? DurationText.nanoseconds(digits)) ?? GameTimeText.nanoseconds(digits)
    // A bare number has no unit.
    guard let nanoseconds, nanoseconds < .max, digits.utf8.contains(where: { $0 > UInt8(ascii: "9") }) else {
      throw MalformedMessage(
        "'\(member)' is neither a number of seconds nor a time such as \"30min\" or \"15:00\"")
    }
    let milliseconds = Int(nanoseconds / 1_000_000)
    return sign == "-" ? -milliseconds : milliseconds
  }
}

extension Change {
  /// Reads what a JSON object of another program says about a board: a text in `text`, or `clear`.
  ///
  /// - Parameter source: the sender if the object names none.
  package init(
    board: String, _ members: [String: JSONValue], source: String?
  ) throws(MalformedMessage) {
    try members.check(known: ["text", "for", "stale_after", "show", "from", "plain", "clear"])
    if members["clear"]?.bool == true, members.count == 1 {
      self = .clearBoard(board)
      return
    }
    guard let text = members["text"]?.string, members["clear"] == nil else {
      throw MalformedMessage("write {\"text\": \"…\"}, or {\"clear\": true}")
    }
    self = .setBoard(
      board,
      PushedText(
        text, milliseconds: try members.milliseconds("for"),
        staleMilliseconds: try members.milliseconds("stale_after"),
        source: try members.name("from") ?? source, showsPage: try members.flag("show"),
        isPlain: try members.flag("plain")))
  }
}
