// SPDX-License-Identifier: Apache-2.0

import Control
import LinuxSystem
import Scoreboard
import Settings
import Varlink
import Walls

/// This wall's part in the board that it shares with others: its role, the connection by flipclock-mqtt, the requests to
/// the leader, and the boards that wait for their moment.
final class SharedBoardLink {
  /// What is saved with the match.
  struct Document: Codable, Hashable {
    var member: WallMember
    /// The role in the config when this was saved. A takeover lasts until the config has another role.
    var configured: WallMember.Role
    /// The leader's match, for a follower. Instants are CLOCK_REALTIME.
    var followed: SharedBoard?
  }

  /// How long the leader may take to reply, in nanoseconds.
  static let patience: Int64 = 5_000_000_000
  private static let requestLimit = 32

  typealias Completion = (Result<MatchChange, ControlError>) -> Void

  /// Nil: the config has no `[walls]`.
  private(set) var member: WallMember?
  /// This wall's own match, while it shows the leader's.
  var ownMatch: Match?
  /// What undo and redo of the leader would do, while this wall follows.
  var followed: SharedBoard?
  /// Whether the start of this program is saved, so that states may be sent.
  var mayPublish = false
  /// Whether flipclock-mqtt reaches the leader, or as the leader the broker.
  private(set) var isReachable = false
  /// Whether this machine's clock is synchronized, as flipclock-mqtt reports.
  private(set) var isSynchronized = false
  var delayed = DelayedBoards()
  /// Called when a board is due, with its moment.
  var due: (Int64) -> Void = { _ in }
  /// Called when `isCutOff` has changed.
  var reachabilityChanged: () -> Void = {}

  private var configured = WallMember.Role.follower
  private var send: ((WallEvent) -> Void)?
  private var requests: [(id: String, deadline: Int64, completion: Completion)] = []
  private var requestCount = 0
  private let showTimer: LoopTimer
  private let requestTimer: LoopTimer
  private var generator = SystemRandomNumberGenerator()

  init(on loop: EventLoop) throws(SystemError) {
    showTimer = try MatchTime.timer(on: loop)
    requestTimer = try MatchTime.timer(on: loop)
    showTimer.handler = { [weak self] _ in self?.showDue() }
    requestTimer.handler = { [weak self] _ in self?.expireRequests() }
  }

  var isFollowing: Bool { member?.role == .follower }
  /// Whether the walls may show different matches: this one reaches neither the leader nor, as the leader, the others.
  var isCutOff: Bool { member != nil && !(send != nil && isReachable) }
  private var isPublishing: Bool { member?.role == .leader && send != nil && mayPublish && isReachable }

  var document: Document? {
    member.map {
      Document(member: $0, configured: configured, followed: $0.role == .follower ? followed : nil)
    }
  }

  var status: WallStatus? {
    member.map {
      WallStatus(
        board: $0.board, role: $0.role.rawValue, reachable: send != nil && isReachable,
        synchronized: isSynchronized)
    }
  }

  /// Adopts what the config says.
  ///
  /// - Parameters:
  ///   - saved: what was saved for this or another board.
  ///   - isStart: whether the program has just started.
  func configure(_ settings: WallsSettings, saved: Document?, isStart: Bool) {
    guard let board = settings.board else {
      member = nil
      return
    }
    let role: WallMember.Role = settings.lead != nil ? .leader : .follower
    configured = role
    guard let saved, saved.member.board == board, saved.member.isSound else {
      let name = saved?.member.isSound == true ? saved?.member.name : nil
      member = WallMember(board: board, name: name ?? randomName(), role: role)
      return
    }
    var known = saved.member
    if isStart { known.restart() }
    if saved.configured != role {
      if role == .leader { known.lead() } else { known.follow() }
    }
    member = known
    if known.role == .follower { followed = followed ?? saved.followed }
  }

  private func randomName() -> String {
    let digits = Array("0123456789abcdef")
    return String((0..<16).map { _ in digits[Int.random(in: 0..<16, using: &generator)] })
  }

  // MARK: The connection

  func join(_ send: @escaping (WallEvent) -> Void) {
    self.send = send
    isReachable = false
    announce()
    reachabilityChanged()
  }

  func leave() {
    send = nil
    (isReachable, isSynchronized) = (false, false)
    failRequests()
    reachabilityChanged()
  }

  /// Sends the name of the board and the role.
  func announce() { send?(event()) }

  private func event() -> WallEvent {
    WallEvent(board: member?.board, leads: member?.role == .leader)
  }

  func report(isReachable: Bool, isSynchronized: Bool) {
    self.isSynchronized = isSynchronized
    guard isReachable != self.isReachable else { return }
    self.isReachable = isReachable
    if !isReachable { failRequests() }
    reachabilityChanged()
  }

  // MARK: The leader

  /// Sends the match to all walls; returns when they show it, in match time; nil: at once.
  func publish(_ match: Match) -> Int64? {
    guard isPublishing, let stamp = member?.next() else { return nil }
    let now = MatchTime.now
    let realtime = SystemClock.realtime.now.totalNanoseconds
    let message = WallMessage(
      stamp: stamp, sent: realtime, showAt: realtime &+ WallMessage.lead, isSynchronized: isSynchronized,
      state: SharedBoard(match, shiftedBy: realtime &- now))
    guard let text = message.text else { return nil }
    var event = event()
    event.state = text
    send?(event)
    // Without a synchronized clock the walls have no moment in common, so each shows the state when it has it.
    return isSynchronized ? now + WallMessage.lead : nil
  }

  func lead() { member?.lead() }

  // MARK: The follower

  func receive(_ stamp: BoardStamp) -> WallMember.Verdict { member?.receive(stamp) ?? .ignore }

  /// Has the leader perform a command.
  func forward(_ action: Scoreboard.Action, completion: @escaping Completion) {
    guard let member, let send, isReachable, requests.count < Self.requestLimit else {
      return completion(.failure(.leaderUnreachable(board: member?.board ?? "")))
    }
    requestCount += 1
    let id = "\(member.name)-\(SystemClock.realtime.now.seconds)-\(requestCount)"
    requests.append((id, MatchTime.now + Self.patience, completion))
    var event = event()
    event.request = WallEvent.Request(id: id, VarlinkCall(.change(.match(action))))
    send(event)
    armRequests()
  }

  func answer(_ answer: WallAnswer, state: () -> MatchState) {
    guard let index = requests.firstIndex(where: { $0.id == answer.id }) else { return }
    let request = requests.remove(at: index)
    armRequests()
    if let refusal = answer.refusal {
      request.completion(.failure(refusal))
    } else {
      request.completion(.success(MatchChange(what: answer.what, note: answer.note, state: state())))
    }
  }

  private func expireRequests() {
    let now = MatchTime.now
    while let first = requests.first, first.deadline <= now {
      requests.removeFirst()
      first.completion(.failure(.leaderSilent(board: member?.board ?? "")))
    }
    armRequests()
  }

  /// The connection is lost: requests may have been performed.
  private func failRequests() {
    let lost = requests
    requests = []
    requestTimer.disarm()
    for request in lost { request.completion(.failure(.leaderSilent(board: member?.board ?? ""))) }
  }

  private func armRequests() {
    if let first = requests.first {
      requestTimer.arm(at: ClockTime(totalNanoseconds: first.deadline))
    } else {
      requestTimer.disarm()
    }
  }

  // MARK: The moment of a flip

  /// Shows `board` at `showAt` (match time).
  func show(_ board: Scoreboard, at showAt: Int64) {
    delayed.add(board, showAt: showAt)
    armShow()
  }

  private func showDue() {
    if let moment = delayed.take(at: MatchTime.now) { due(moment) }
    armShow()
  }

  private func armShow() {
    if let next = delayed.next {
      showTimer.arm(at: ClockTime(totalNanoseconds: next))
    } else {
      showTimer.disarm()
    }
  }
}
