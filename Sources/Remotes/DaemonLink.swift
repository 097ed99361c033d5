// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import LinuxSystem
import Varlink
import VarlinkSockets

/// The daemon as a program for remote controls sees it: the match, the display, and the replies to its calls.
///
/// It has a connection for each subscription, and up to `lineLimit` for calls. The daemon performs the calls
/// of a connection one after the other, and replies to a change when it is on disk; on a single connection,
/// calls would wait for each other's writes. When a connection is lost, all are closed. They are opened again
/// after a second; if that fails, the delay grows to ten seconds.
package final class DaemonLink {
  package enum Event: Hashable, Sendable {
    /// What this wall sends to the walls with which it shares a match; only if `joinsWalls` is set.
    case wall(WallEvent)
    /// `match` was replaced.
    case match
    /// `display` was replaced.
    case display
    /// The first match and the first display have arrived.
    case connected
    case disconnected
    /// An attempt to connect has failed: `problem` says why.
    case failed
  }

  /// Whether this program connects walls that share a match. Set it before `start`.
  package var joinsWalls = false
  /// Called on the loop's thread after each event.
  package var happened: (Event) -> Void = { _ in }
  /// Whether the daemon can be called, and `match` and `display` are up to date.
  package private(set) var isConnected = false
  /// The last match that the daemon sent; it stays after the connection is lost.
  package private(set) var match: MatchState?
  /// When `match` arrived, in nanoseconds of CLOCK_BOOTTIME. The timers in `match` have their values of that
  /// moment.
  package private(set) var matchInstant: Int64 = 0
  /// The last state of the display that the daemon sent; it stays after the connection is lost.
  package private(set) var display: DisplayState?
  /// When `display` was received, in nanoseconds of CLOCK_BOOTTIME.
  package private(set) var displayInstant: Int64 = 0
  /// Why there is no connection; nil while there is one, and before an attempt has failed.
  package private(set) var problem: VarlinkClientError?
  /// When the connection was lost, in nanoseconds of CLOCK_BOOTTIME; nil while there is one, and before the
  /// first.
  package private(set) var lostAt: Int64?

  /// The order of calls.
  package enum Lane: Hashable, Sendable {
    /// Performed after the earlier calls of this lane.
    case commands
    /// The same, for the messages of walls that share a match. A command of a follower waits for the leader's
    /// answer, which arrives in this lane.
    case walls
    /// Performed at once if a connection is free, perhaps before earlier calls.
    case free
  }

  /// How long a call may take, not counting the calls before it on its connection. The daemon replies when a
  /// change is on disk, which can take seconds on an SD card.
  static let replySeconds: Int64 = 15
  /// The number of calls that may wait for a reply; others fail at once.
  static let callLimit = 64
  /// The maximum number of connections for calls. One is opened with the subscriptions, the others when they
  /// are needed.
  static let lineLimit = 16

  private typealias Completion = (VarlinkChannel.Reply) -> Void

  /// A connection for calls, and the calls without a reply.
  private final class Line {
    let lane: Lane
    let channel: VarlinkChannel
    var unanswered: [Completion] = []
    /// When the first of them times out (CLOCK_MONOTONIC, nanoseconds).
    var deadline: Int64?

    init(_ lane: Lane, _ channel: VarlinkChannel) {
      self.lane = lane
      self.channel = channel
    }
  }

  private let candidates: [String]
  private let retries: [Int64]
  private let loop: EventLoop
  private let timer: LoopTimer
  private var channels: [VarlinkChannel] = []
  private var lines: [Line] = []
  private var wallChannel: VarlinkChannel?
  private var hasMatch = false
  private var hasDisplay = false
  private var attempts = 0
  private var retryAt: Int64?
  private var isStarted = false

  /// - Parameters:
  ///   - candidates: the sockets to try, in order (`SocketPath.candidates`).
  ///   - retries: the seconds before the first attempt to connect again, before the second …, and before all
  ///     others.
  package init(
    candidates: [String], retries: [Int64] = [1, 2, 5, 10], on loop: EventLoop
  ) throws(SystemError) {
    self.candidates = candidates
    self.retries = retries
    self.loop = loop
    timer = try LoopTimer(.monotonic, on: loop)
    timer.handler = { [weak self] _ in self?.timePassed() }
  }

  /// Connects now, and again whenever the connection is lost.
  package func start() {
    guard !isStarted else { return }
    isStarted = true
    connect()
  }

  /// Ends the connections. Calls without a reply fail.
  package func close() {
    isStarted = false
    retryAt = nil
    timer.disarm()
    drop(.disconnected)
  }

  /// Calls the daemon.
  ///
  /// - Parameter completion: called once, with the reply or an error; before `perform` returns if the call is
  ///   not sent. A call that was sent and fails because the connection ends may have been performed.
  package func perform(
    _ call: VarlinkCall, in lane: Lane = .commands, completion: @escaping (VarlinkChannel.Reply) -> Void
  ) {
    guard isConnected, let line = line(for: lane) else {
      return completion(.failure(problem ?? .unreachable([])))
    }
    guard lines.reduce(0, { $0 + $1.unanswered.count }) < Self.callLimit else {
      return completion(.failure(.refused(ControlError.failed(reason: "too many calls at a time").wire)))
    }
    line.unanswered.append(completion)
    if line.deadline == nil { line.deadline = loop.now + Self.replySeconds * 1_000_000_000 }
    line.channel.send(call)
    arm()
  }

  /// A connection of the lane. In the lane `free`, it is one without a call; if there is none, a new one, or
  /// else the one with the fewest calls.
  private func line(for lane: Lane) -> Line? {
    let existing = lines.filter { $0.lane == lane }
    if let found = lane == .free ? existing.first(where: \.unanswered.isEmpty) : existing.first {
      return found
    }
    if lane != .free || lines.count < Self.lineLimit, let line = try? openLine(lane) { return line }
    return existing.min { $0.unanswered.count < $1.unanswered.count }
  }

  private static var boottime: Int64 { SystemClock.boottime.now.totalNanoseconds }

  // MARK: The connections

  private func connect() {
    retryAt = nil
    do throws(VarlinkClientError) {
      let matches = try open { [weak self] in self?.received(match: $0) }
      let displays = try open { [weak self] in self?.received(display: $0) }
      _ = try openLine(.commands)
      matches.send(VarlinkCall(.watch))
      displays.send(VarlinkCall(.watchDisplay))
      if joinsWalls {
        let walls = try open { [weak self] in self?.received(wall: $0) }
        wallChannel = walls
        walls.send(VarlinkCall(.joinWalls))
      }
    } catch {
      lost(error)
    }
  }

  private func open(
    _ replied: @escaping (VarlinkChannel.Reply) -> Void
  ) throws(VarlinkClientError) -> VarlinkChannel {
    let channel = try VarlinkChannel(candidates: candidates, on: loop)
    channel.replied = replied
    channel.closed = { [weak self] in self?.lost($0) }
    channels.append(channel)
    return channel
  }

  private func openLine(_ lane: Lane) throws(VarlinkClientError) -> Line {
    let line = Line(lane, try open { _ in })
    line.channel.replied = { [weak self, weak line] in
      if let line { self?.answered($0, on: line) }
    }
    lines.append(line)
    return line
  }

  /// Ends all connections after one has failed, and plans the next attempt.
  private func lost(_ error: VarlinkClientError) {
    guard isStarted, retryAt == nil else { return }
    let delay = retries[min(attempts, retries.count - 1)]
    attempts += 1
    retryAt = loop.now + delay * 1_000_000_000
    let wasConnected = isConnected
    drop(error)
    if !wasConnected { happened(.failed) }
    arm()
  }

  private func drop(_ error: VarlinkClientError) {
    for channel in channels { channel.close() }
    channels = []
    let waiting = lines.flatMap(\.unanswered)
    lines = []
    (hasMatch, hasDisplay) = (false, false)
    problem = error
    let wasConnected = isConnected
    isConnected = false
    if wasConnected { lostAt = Self.boottime }
    for completion in waiting { completion(.failure(error)) }
    if wasConnected { happened(.disconnected) }
  }

  private func timePassed() {
    let now = loop.now
    if let first = deadline, now >= first {
      lost(.timedOut(seconds: Int(Self.replySeconds)))
    }
    if let retryAt, now >= retryAt { connect() }
    arm()
  }

  /// When the first call times out.
  private var deadline: Int64? { lines.compactMap(\.deadline).min() }

  private func arm() {
    if let next = [retryAt, deadline].compactMap({ $0 }).min() {
      timer.arm(at: ClockTime(totalNanoseconds: next))
    } else {
      timer.disarm()
    }
  }

  // MARK: Replies

  private func received(match reply: VarlinkChannel.Reply) {
    guard let state: MatchState = value("state", in: reply) else { return }
    match = state
    matchInstant = Self.boottime
    hasMatch = true
    if isConnected { happened(.match) } else { connectedIfComplete() }
  }

  private func received(display reply: VarlinkChannel.Reply) {
    guard let state: DisplayState = value("display", in: reply) else { return }
    display = state
    displayInstant = Self.boottime
    hasDisplay = true
    if isConnected { happened(.display) } else { connectedIfComplete() }
  }

  private func received(wall reply: VarlinkChannel.Reply) {
    // Another program connects the walls now. This program continues without them.
    if case .failure(.refused) = reply {
      wallChannel?.closed = { _ in }
      return happened(.wall(WallEvent(board: nil)))
    }
    guard let event: WallEvent = value("event", in: reply) else { return }
    happened(.wall(event))
  }

  private func connectedIfComplete() {
    guard hasMatch, hasDisplay else { return }
    attempts = 0
    problem = nil
    lostAt = nil
    isConnected = true
    happened(.connected)
    happened(.match)
    happened(.display)
  }

  /// The parameter of a reply. Nil if the call has failed or the parameter cannot be read; the connections
  /// are then closed.
  private func value<Value: Decodable>(_ name: String, in reply: VarlinkChannel.Reply) -> Value? {
    switch reply {
    case .failure(let error):
      lost(error)
      return nil
    case .success(let parameters):
      if let value = parameters[name], let decoded = try? value.decoded(as: Value.self) { return decoded }
      lost(.malformedReply("its '\(name)' is missing or cannot be read; is the daemon from another release?"))
      return nil
    }
  }

  private func answered(_ reply: VarlinkChannel.Reply, on line: Line) {
    guard !line.unanswered.isEmpty else { return }
    let completion = line.unanswered.removeFirst()
    line.deadline = line.unanswered.isEmpty ? nil : loop.now + Self.replySeconds * 1_000_000_000
    arm()
    completion(reply)
  }
}
