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
    /// For a follower the leader's match, and for a wall that has taken over its own, with the teams and rules that are
    /// not those of its config. Instants are CLOCK_REALTIME.
    var followed: SharedBoard?

    /// The board of a wall that has taken over, and still does as its config was then; nil: the match has the teams and
    /// rules of the config.
    func takenOver(_ settings: WallsSettings) -> Scoreboard? {
      member.role == .leader && configured == .follower && settings.follow == member.board
        ? followed?.board : nil
    }
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
  /// What is saved while the config has no `[walls]`, for a later return to the board.
  private var retired: Document?
  /// A part of the ids of requests, because two walls may have the same name.
  private let run: UInt32
  private var send: ((WallEvent) -> Void)?
  private var requests: [(id: String, deadline: Int64, completion: Completion)] = []
  private var requestCount = 0
  private let showTimer: LoopTimer
  private let requestTimer: LoopTimer
  private var generator = SystemRandomNumberGenerator()

  init(on loop: EventLoop) throws(SystemError) {
    run = .random(in: .min ... .max)
    showTimer = try MatchTime.timer(on: loop)
    requestTimer = try MatchTime.timer(on: loop)
    showTimer.handler = { [weak self] _ in self?.showDue() }
    requestTimer.handler = { [weak self] _ in self?.expireRequests() }
  }

  var isFollowing: Bool { member?.role == .follower }
  /// Whether this wall leads although its config says that it follows. Then the teams and the rules of the match are
  /// those that it has taken over.
  var hasTakenOver: Bool { member?.role == .leader && configured == .follower }
  /// Whether the walls may show different matches: this one reaches neither the leader nor, as the leader, the others.
  var isCutOff: Bool { member != nil && !(send != nil && isReachable) }
  private var isPublishing: Bool { member?.role == .leader && send != nil && mayPublish && isReachable }

  /// - Parameter match: what this wall shows.
  func document(_ match: Match) -> Document? {
    guard let member else { return retired }
    var board = followed
    if member.role == .leader {
      board = hasTakenOver ? SharedBoard(match, shiftedBy: Self.offsetToRealtime) : nil
    }
    return Document(member: member, configured: configured, followed: board)
  }

  /// What is added to the match time to get CLOCK_REALTIME.
  static var offsetToRealtime: Int64 {
    SystemClock.realtime.now.totalNanoseconds &- MatchTime.now
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
  ///   - isUntouched: whether this wall's match has not been changed since it was set up.
  func configure(_ settings: WallsSettings, saved: Document?, isStart: Bool, isUntouched: Bool) {
    guard let board = settings.board else {
      (retired, member, followed) = (saved, nil, nil)
      return
    }
    let role: WallMember.Role = settings.lead != nil ? .leader : .follower
    configured = role
    guard let saved, saved.member.board == board, saved.member.isSound else {
      let name = saved?.member.isSound == true ? saved?.member.name : nil
      member = WallMember(board: board, name: name ?? randomName(), role: role)
      member?.isFresh = role == .leader && isUntouched
      followed = nil
      return
    }
    var known = saved.member
    if isStart { known.restart() }
    if saved.configured != role {
      if role == .leader { known.lead() } else { known.follow() }
    }
    member = known
    followed = known.role == .follower && saved.member.role == .follower ? saved.followed : nil
  }

  /// This wall's match was changed by a command.
  func matchWasChanged() { member?.isFresh = false }

  func rename(following stamp: BoardStamp) { member?.rename(randomName(), following: stamp) }

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

  private func event(with message: WallMessage) -> WallEvent? {
    guard let text = message.text else { return nil }
    var event = event()
    event.state = text
    return event
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
    guard let event = event(with: message) else { return nil }
    send?(event)
    // Without a synchronized clock the walls have no moment in common, so each shows the state when it has it.
    return isSynchronized ? now + WallMessage.lead : nil
  }

  /// Sends what this follower has to a leader that does not know it.
  func offer(_ match: Match) {
    guard isFollowing, let stamp = member?.stamp else { return }
    let realtime = SystemClock.realtime.now.totalNanoseconds
    let message = WallMessage(
      stamp: stamp, sent: realtime, showAt: realtime, isSynchronized: isSynchronized,
      state: SharedBoard(match, shiftedBy: Self.offsetToRealtime))
    if let event = event(with: message) { send?(event) }
  }

  func lead() {
    member?.lead()
    followed = nil
  }

  // MARK: The follower

  func receive(_ stamp: BoardStamp, isLive: Bool, isOffer: Bool) -> WallMember.Verdict {
    (isOffer ? member?.receive(offer: stamp) : member?.receive(stamp, isLive: isLive)) ?? .ignore
  }

  /// Has the leader perform a command.
  func forward(_ action: Scoreboard.Action, revision: Int, completion: @escaping Completion) {
    guard let member, let send, isReachable, requests.count < Self.requestLimit else {
      return completion(.failure(.leaderUnreachable(board: member?.board ?? "")))
    }
    requestCount += 1
    let id = "\(member.name)-\(run)-\(requestCount)"
    requests.append((id, MatchTime.now + Self.patience, completion))
    var event = event()
    event.request = WallEvent.Request(
      id: id, VarlinkCall(.change(.match(action))), revision: revision,
      time: Int(SystemClock.boottime.now.totalNanoseconds / 1_000_000))
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
