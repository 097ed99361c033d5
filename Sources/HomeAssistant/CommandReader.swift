// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import JSON
import MQTT
import Scoreboard
import Spelling

/// A change that a message asks for.
package struct Order: Hashable, Sendable {
  package var change: Change
  /// The sender's id for the command; a second command with this id is not performed.
  package var id: String?
  /// When the command was sent; nil: not known.
  package var stamp: Stamp?
  /// The object of the control; nil: the message came on the topic of commands.
  package var object: String?
  /// The match must have this revision; nil: any.
  package var revision: Int?
  /// Whether it is refused if it is old.
  package var expires = true
}

/// Why a message is not performed.
package enum OrderRefusal: Error, Hashable, Sendable {
  /// A broker has kept the message, or was asked to, so its age is unknown.
  case retained
  case oversized(Int)
  case stale(seconds: Int)
  /// By this machine's clock the message has this age; less than 0: it is from the future.
  case otherClock(seconds: Int)
  /// The message may have waited for the connection.
  case unsettled
  /// The wall has no such control.
  case unknown(String)
  /// The payload does not fit the control, or is not a command.
  case malformed(String)
}

extension OrderRefusal {
  /// The kind of the reason, for counting.
  package var kind: String {
    switch self {
    case .retained: "retained"
    case .oversized: "too long"
    case .stale, .otherClock, .unsettled: "too old"
    case .unknown: "unknown"
    case .malformed: "malformed"
    }
  }

  /// One clause for people.
  package var message: String {
    switch self {
    case .retained: "the message is retained; publish commands without the retain flag"
    case .oversized(let length):
      "the message has \(length) bytes; at most \(CommandReader.maximumLength) are accepted"
    case .stale(let seconds):
      "the command is \(seconds) s old; at most \(Terms.patience / 1_000_000_000) s are accepted"
    case .otherClock(let seconds):
      "the command is \(abs(seconds)) s \(seconds < 0 ? "in the future" : "old") by its 'time'; are the clocks right?"
    case .unsettled: "the command may be old, because the connection has paused or is new; send it again"
    case .unknown(let object): "there is no control '\(object)'".printable
    case .malformed(let reason): reason
    }
  }
}

/// Reads messages to the wall. Nothing in them is trusted.
package struct CommandReader: Hashable, Sendable {
  /// The longest payload, in bytes.
  package static let maximumLength = 4_096

  package var topics: EntityTopics
  /// How long a message from a control is shown, in milliseconds; 0: until it is cleared.
  package var messageTime: Int

  package init(_ topics: EntityTopics, messageTime: Int = 60_000) {
    self.topics = topics
    self.messageTime = messageTime
  }

  /// The change that a message asks for, on a control's topic or on the topic of commands. Its age is not
  /// checked.
  package func order(_ message: MQTTDelivery, wall: WallReport) throws(OrderRefusal) -> Order {
    let target = topics.target(ofTopic: message.topic)
    guard !message.isRetained || target != nil else { throw .retained }
    guard message.length <= Self.maximumLength, !message.isOversized else {
      throw .oversized(message.length)
    }
    guard var text = String(validating: message.payload, as: UTF8.self) else {
      throw .malformed("the payload is not UTF-8")
    }
    // Many programs end what they send with a line break.
    while text.last?.isNewline == true { text.removeLast() }
    switch target {
    case .board(let name):
      return Order(change: try boardText(name, text, wall), object: name, expires: false)
    case .countdown(let name):
      return Order(change: try Self.countdown(name, text), object: name, expires: false)
    case nil: break
    }
    if message.topic == topics.command {
      guard text.utf8.first == UInt8(ascii: "{") else { return Order(change: try Self.words(text)) }
      return try Self.order(Self.members(text), "command", change: Self.words)
    }
    guard let object = topics.object(ofControl: message.topic) else { throw .unknown(message.topic) }
    let controls = wall.entities.lazy.compactMap { $0.controls[object] }
    guard let meaning = controls.first else { throw .unknown(object) }
    // A text for the display may begin with a brace, as a command in JSON does.
    guard let members = try? Self.members(text), members["value"] != nil else {
      return Order(change: try change(meaning, text, wall), object: object)
    }
    var order = try Self.order(members, "value") { text throws(OrderRefusal) in
      try change(meaning, text, wall)
    }
    order.object = object
    return order
  }

  // MARK: JSON

  private static func members(_ text: String) throws(OrderRefusal) -> [String: JSONValue] {
    do throws(JSONError) { return try JSONReader.read(Array(text.utf8)).object ?? [:] } catch {
      throw .malformed("the command is not JSON: \(error)".printable)
    }
  }

  /// - Parameter subject: the name of the member that says what is to be done.
  private static func order(
    _ members: [String: JSONValue], _ subject: String, change: (String) throws(OrderRefusal) -> Change
  ) throws(OrderRefusal) -> Order {
    let (id, sender) = try reading { () throws(MalformedMessage) in
      try members.check(known: [subject, "id", "time", "sender", "revision"])
      return (try members.name("id"), try members.name("sender"))
    }
    let text: String
    switch members[subject] {
    case .string(let value): text = value
    case .some(let number) where subject == "value" && number.integer != nil: text = number.text
    default: throw .malformed("the command has no '\(subject)' string")
    }
    var order = Order(change: try change(text), id: id)
    if let time = members["time"] {
      guard let time = time.integer.map(Int64.init), SenderClocks.times.contains(time) else {
        throw .malformed("'time' is not a number of milliseconds")
      }
      order.stamp = Stamp(time: time, sender: sender ?? "")
    }
    if let revision = members["revision"] {
      guard let revision = revision.integer else { throw .malformed("'revision' is not a number") }
      order.revision = revision
    }
    return order
  }

  private static func reading<Value>(
    _ read: () throws(MalformedMessage) -> Value
  ) throws(OrderRefusal) -> Value {
    do throws(MalformedMessage) { return try read() } catch { throw .malformed(error.message) }
  }

  private static func words(_ text: String) throws(OrderRefusal) -> Change {
    do throws(UsageError) { return try Change(parsing: text, on: .remote) } catch {
      throw .malformed(error.line)
    }
  }

  // MARK: Boards and countdowns

  /// The sender of texts and countdowns that name none.
  private static let source = "mqtt"

  /// Reads a text for a board: plain, or as the member `text` of a JSON object.
  private func boardText(
    _ board: String, _ payload: String, _ wall: WallReport
  ) throws(OrderRefusal) -> Change {
    let known = wall.display.boards.map(\.name)
    guard known.contains(board) else {
      throw .malformed(Spelling.unknown("board", board, among: known).printable)
    }
    guard payload.utf8.first == UInt8(ascii: "{"), let members = try? Self.members(payload),
      members["text"] != nil || members["clear"] != nil
    else { return .setBoard(board, PushedText(payload, source: Self.source)) }
    return try Self.reading { () throws(MalformedMessage) in
      try Change(board: board, members, source: Self.source)
    }
  }

  /// Reads what is to be done with a countdown: a JSON object, or the words after the name in the command,
  /// such as `15:00`.
  private static func countdown(_ name: String, _ payload: String) throws(OrderRefusal) -> Change {
    guard payload.utf8.first == UInt8(ascii: "{") else {
      return try words("countdown \(name) \(payload)").from(source)
    }
    let members = try members(payload)
    return try reading { () throws(MalformedMessage) in try Change(countdown: name, members, source: source) }
  }

  // MARK: Controls

  private func change(
    _ meaning: ControlMeaning, _ payload: String, _ wall: WallReport
  ) throws(OrderRefusal) -> Change {
    switch meaning {
    case .setScore(let team):
      return .match(.setScore(team: team, to: try Self.number(payload, in: 0...999)))
    case .setPeriod: return .match(.setPeriod(to: try Self.number(payload, in: 1...99)))
    case .brightness: return .setBrightness(percent: try Self.number(payload, in: 1...100))
    case .power: return try Self.isOn(payload) ? .unblank() : .blank()
    case .runTimer(let timer):
      return .match(try Self.isOn(payload) ? .startTimer(timer) : .pauseTimer(timer))
    case .message:
      guard !payload.isEmpty else { return .clearMessage }
      return .message(payload, milliseconds: messageTime)
    case .preset:
      guard wall.display.messages.contains(payload) else {
        throw .malformed("'\(payload.prefix(120))' is not one of the messages of [remote]".printable)
      }
      return .message(payload, milliseconds: messageTime)
    case .page:
      guard wall.display.pages.contains(payload) else {
        throw .malformed(
          Spelling.unknown("page", String(payload.prefix(64)), among: wall.display.pages).printable)
      }
      return .show(page: payload)
    case .board(let name): return .setBoard(name, PushedText(payload, source: Self.source))
    case .countdown(let name): return try Self.countdown(name, payload)
    case .runCountdown(let name):
      return .controlCountdown(name, try Self.isOn(payload) ? .resume : .pause)
    case .clearCountdown(let name): return try Self.pressed(payload, .clearCountdown(name))
    case .addScore(let team, let points):
      return try Self.pressed(payload, .match(.addScore(team: team, by: points)))
    case .endMatch: return try Self.pressed(payload, .match(.endMatch))
    case .undo: return try Self.pressed(payload, .match(.undo))
    case .redo: return try Self.pressed(payload, .match(.redo))
    case .resetTimer(let timer): return try Self.pressed(payload, .match(.resetTimer(timer)))
    case .resetShot(let milliseconds):
      return try Self.pressed(payload, .match(.resetShot(to: Int64(milliseconds) * 1_000_000)))
    case .startBreak(let kind): return try Self.pressed(payload, .match(.startBreak(kind, length: nil)))
    case .endBreak: return try Self.pressed(payload, .match(.endBreak))
    case .clearMessage: return try Self.pressed(payload, .clearMessage)
    }
  }

  /// Home Assistant's payload of a button that is pressed.
  private static func pressed(_ payload: String, _ change: Change) throws(OrderRefusal) -> Change {
    guard payload == "PRESS" else { throw .malformed("the payload of a button must be PRESS") }
    return change
  }

  private static func isOn(_ payload: String) throws(OrderRefusal) -> Bool {
    switch payload {
    case "ON": return true
    case "OFF": return false
    default: throw .malformed("the payload is neither ON nor OFF")
    }
  }

  /// Reads `7`, and `7.0` as Home Assistant may write it.
  private static func number(_ payload: String, in range: ClosedRange<Int>) throws(OrderRefusal) -> Int {
    let digits = payload.hasSuffix(".0") ? payload.dropLast(2) : Substring(payload)
    let isNumber =
      (1...4).contains(digits.utf8.count)
      && digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard isNumber, let number = Int(digits), range.contains(number) else {
      throw .malformed("the payload is not a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}
