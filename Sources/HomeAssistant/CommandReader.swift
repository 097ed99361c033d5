// SPDX-License-Identifier: Apache-2.0

import Commands
import Control
import Scoreboard
import Spelling
import Varlink

/// A message on a control's topic or on the topic of commands.
package struct IncomingMessage: Hashable, Sendable {
  package var topic: String
  package var payload: [UInt8]
  /// The number of bytes that arrived; more than `payload` has if it was too long to be kept.
  package var length: Int
  /// Whether the broker had kept the message.
  package var isRetained: Bool

  package init(topic: String, payload: [UInt8], length: Int? = nil, isRetained: Bool = false) {
    self.topic = topic
    self.payload = payload
    self.length = length ?? payload.count
    self.isRetained = isRetained
  }
}

/// A change that a message asks for.
package struct Order: Hashable, Sendable {
  package var change: Change
  /// The sender's name for the command; a command with the same name is not performed twice.
  package var id: String?
  /// The object of the control; nil: it came as a command.
  package var object: String?
  /// The match must have this revision; nil: any.
  package var revision: Int?
}

/// Why a message is not performed.
package enum OrderRefusal: Error, Hashable, Sendable {
  /// The broker had kept the message, so its time is unknown.
  case retained
  case oversized(Int)
  /// The message is too old by its own stamp.
  case stale(seconds: Int)
  /// The stamp is so far in the future that the age is unknown.
  case early(seconds: Int)
  /// The message was sent before the connection to the broker.
  case beforeConnection
  /// There is no such control.
  case unknown(String)
  /// The payload does not fit the control, or is not a command.
  case malformed(String)
  /// The match has changed.
  case outdated(revision: Int)
  /// Other commands are being performed, so the revision of the match is not known yet.
  case busy
}

extension OrderRefusal {
  /// The kind of the reason, for counting.
  package var kind: String {
    switch self {
    case .retained: "retained"
    case .oversized: "too long"
    case .stale, .early, .beforeConnection: "too old"
    case .unknown: "unknown"
    case .malformed: "malformed"
    case .outdated, .busy: "outdated"
    }
  }

  /// One clause for people.
  package var message: String {
    switch self {
    case .retained: "the message is retained; publish commands without the retain flag"
    case .oversized(let length):
      "the message has \(length) bytes; at most \(CommandReader.maximumLength) are accepted"
    case .stale(let seconds):
      "the command is \(seconds) s old by its 'time', at most 10 s are accepted; are the clocks right?"
    case .early(let seconds):
      "the command's 'time' is \(seconds) s in the future; are the clocks right?"
    case .beforeConnection: "the command was sent before flipclock-mqtt was connected"
    case .unknown(let object): "there is no control '\(object)'".printable
    case .malformed(let reason): reason
    case .outdated(let revision): "the match has changed; its revision is \(revision)"
    case .busy: "another command is being performed, so the revision of the match may change; send it again"
    }
  }

  /// Whether the sender gets a reply. A retained message has none, because it would be repeated with each connection.
  package var isAnswered: Bool { self != .retained }
}

/// Reads messages to the wall. Nothing in them is trusted.
package struct CommandReader: Hashable, Sendable {
  /// The longest payload, in bytes.
  package static let maximumLength = 4_096
  /// The greatest age of a command that has a stamp, in milliseconds.
  private static let maximumAge: Int64 = 10_000
  private static let maximumID = 64

  package var topics: BoardTopics
  /// How long a message from a control is shown, in milliseconds; 0: until it is cleared.
  package var messageTime: Int

  package init(_ topics: BoardTopics, messageTime: Int = 60_000) {
    self.topics = topics
    self.messageTime = messageTime
  }

  /// - Parameters:
  ///   - now, connectedAt: the present and the beginning of the connection, in milliseconds since 1970.
  package func order(
    _ message: IncomingMessage, wall: Wall, now: Int64, connectedAt: Int64
  ) throws(OrderRefusal) -> Order {
    guard !message.isRetained else { throw .retained }
    guard message.length <= Self.maximumLength, message.payload.count == message.length else {
      throw .oversized(message.length)
    }
    guard var text = String(validating: message.payload, as: UTF8.self) else {
      throw .malformed("the payload is not UTF-8")
    }
    // Many programs end what they send with a line break.
    while text.last?.isNewline == true { text.removeLast() }
    if message.topic == topics.command {
      return try command(text, wall: wall, now: now, connectedAt: connectedAt)
    }
    guard let object = topics.object(ofControl: message.topic) else { throw .unknown(message.topic) }
    let controls = wall.entities.lazy.compactMap { $0.controls[object] }
    guard let meaning = controls.first else { throw .unknown(object) }
    return Order(change: try change(meaning, text, wall), object: object)
  }

  // MARK: Commands

  private func command(
    _ text: String, wall: Wall, now: Int64, connectedAt: Int64
  ) throws(OrderRefusal) -> Order {
    guard text.utf8.first == UInt8(ascii: "{") else { return Order(change: try Self.words(text)) }
    let members: [String: JSONValue]
    do throws(JSONError) { members = try JSONReader.read(Array(text.utf8)).object ?? [:] } catch {
      throw .malformed("the command is not JSON: \(error)".printable)
    }
    let known = ["command", "id", "time", "revision"]
    if let name = members.keys.sorted().first(where: { !known.contains($0) }) {
      throw .malformed(Spelling.unknown("member", name, among: known).printable)
    }
    guard let command = members["command"]?.string else {
      throw .malformed("the command has no 'command' string")
    }
    if let time = members["time"] {
      guard let time = time.integer else { throw .malformed("'time' is not a number of milliseconds") }
      try Self.check(Int64(time), now: now, connectedAt: connectedAt)
    }
    var order = Order(change: try Self.words(command))
    if let id = members["id"] {
      guard let id = id.string, (1...Self.maximumID).contains(id.utf8.count) else {
        throw .malformed("'id' is not a string of 1 to \(Self.maximumID) bytes")
      }
      order.id = id
    }
    if let revision = members["revision"] {
      guard let revision = revision.integer else { throw .malformed("'revision' is not a number") }
      order.revision = revision
      guard revision == wall.match.revision else { throw .outdated(revision: wall.match.revision) }
    }
    return order
  }

  private static func check(_ time: Int64, now: Int64, connectedAt: Int64) throws(OrderRefusal) {
    let (age, overflow) = now.subtractingReportingOverflow(time)
    guard !overflow else { throw .malformed("'time' is not a number of milliseconds") }
    if age > maximumAge { throw .stale(seconds: Int(age / 1_000)) }
    if age < -maximumAge { throw .early(seconds: Int(-(age / 1_000))) }
    if time < connectedAt { throw .beforeConnection }
  }

  private static func words(_ text: String) throws(OrderRefusal) -> Change {
    do throws(UsageError) { return try Change(parsing: text, on: .remote) } catch {
      throw .malformed(error.line)
    }
  }

  // MARK: Controls

  private func change(
    _ meaning: ControlMeaning, _ payload: String, _ wall: Wall
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
    case .addScore(let team, let points):
      return try Self.pressed(payload, .match(.addScore(team: team, by: points)))
    case .undo: return try Self.pressed(payload, .match(.undo))
    case .redo: return try Self.pressed(payload, .match(.redo))
    case .resetTimer(let timer): return try Self.pressed(payload, .match(.resetTimer(timer)))
    case .resetShot(let milliseconds):
      return try Self.pressed(payload, .match(.resetShot(to: Int64(milliseconds) * 1_000_000)))
    case .clearMessage: return try Self.pressed(payload, .clearMessage)
    }
  }

  /// Home Assistant's payload of a button that is pressed.
  private static func pressed(_ payload: String, _ change: Change) throws(OrderRefusal) -> Change {
    guard payload == "PRESS" else { throw .malformed("a button's payload is PRESS") }
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
