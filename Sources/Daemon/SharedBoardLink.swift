// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import LinuxSystem
import Scoreboard
import Settings
import Walls

/// This wall's connection with the walls with which it shares a board: its member, flipclock-mqtt, the commands that wait
/// for an answer, and the boards that wait for their moment.
final class SharedBoardLink {
  /// What is saved with the match.
  struct Document: Codable, Hashable {
    var member: BoardMember.Saved
    /// Whether the config said that this wall leads when this was saved.
    var isConfiguredLeader: Bool
    /// The board's match, with the teams and rules that are not those of this wall's config; nil: the saved match is the
    /// board's. Instants are CLOCK_REALTIME.
    var followed: SharedBoard?
  }

  typealias Completion = (Result<MatchChange, ControlError>) -> Void

  /// A change of the leader that is saved, and waits until the broker has it.
  struct Unconfirmed {
    /// A state with a change, and when it was sent.
    struct Sending {
      var history: BoardHistory
      var time: Int64

      /// Nil: this wall shares no board.
      init?(_ member: BoardMember?, at time: Int64) {
        guard let history = member?.saved.history else { return nil }
        (self.history, self.time) = (history, time)
      }
    }

    var sending: Sending
    var completion: (Bool) -> Void
  }

  /// Nil: the config has no `[walls]`.
  var member: BoardMember?
  /// This wall's own match, while it shows that of the board.
  var ownMatch: Match?
  var delayed = DelayedBoards()
  /// Called when a board is due, with its moment.
  var due: (Int64) -> Void = { _ in }
  /// Called when `member` is to look at the time.
  var ticked: () -> Void = {}

  /// The commands that were sent to the leader, by their ids.
  var forwarded: [String: [Completion]] = [:]
  var unconfirmed: [Unconfirmed] = []
  /// Those who have asked for the lead, and wait for the result.
  var takeovers: [(WallEffects.TakeoverResult) -> Void] = []

  /// What is saved while the config has no `[walls]`, for a later return to the board.
  private var retired: Document?
  private var send: ((WallEvent) -> Void)?
  /// Messages that wait for a save before them.
  private var outbox: [(isSaved: Bool, messages: [WallEffects.Outgoing])] = []
  private let showTimer: LoopTimer
  private let tickTimer: LoopTimer

  init(on loop: EventLoop) throws(SystemError) {
    showTimer = try MatchTime.timer(on: loop)
    tickTimer = try MatchTime.timer(on: loop)
    showTimer.handler = { [weak self] _ in self?.showDue() }
    tickTimer.handler = { [weak self] _ in self?.ticked() }
  }

  var isFollowing: Bool { member.map { $0.role != .leader } ?? false }
  /// Whether the match has the teams and rules of another wall's config.
  var isForeign: Bool { ownMatch != nil }
  /// Whether a change would be performed now, here or by the leader.
  var isReady: Bool { member?.isReady(at: MatchTime.now) ?? true }
  /// What `isReady` was when it was last looked at.
  var wasReady = true
  /// Whether the display shows that the walls may differ.
  var isMarked = false
  /// Whether the walls may show different matches.
  var isCutOff: Bool { member?.isCutOff(at: MatchTime.now) ?? false }

  func document(_ match: Match) -> Document? {
    guard let member else { return retired }
    var followed: SharedBoard?
    if isForeign {
      var held = HeldMatch(match)
      held.match.shift(by: Self.offsetToRealtime)
      followed = SharedBoard(held, whole: true)
    }
    return Document(
      member: member.saved, isConfiguredLeader: member.isConfiguredLeader, followed: followed)
  }

  /// What is added to the match time to get CLOCK_REALTIME.
  static var offsetToRealtime: Int64 {
    SystemClock.realtime.now.totalNanoseconds &- MatchTime.now
  }

  var status: WallStatus? {
    member.map { member in
      let now = MatchTime.now
      let heard = member.role == .follower ? member.heard : nil
      return WallStatus(
        board: member.board, role: member.role.rawValue,
        reachable: !member.isCutOff(at: now) && member.isReady(at: now),
        synchronized: member.role == .leader || heard?.clock.offset(at: now) != nil,
        clockDifference: heard?.realtime.map { Int($0 / 1_000_000) }, setAside: member.saved.aside.count)
    }
  }

  /// Adopts what the config says.
  ///
  /// - Parameter saved: what was saved for this or another board.
  func configure(_ settings: WallsSettings, saved: Document?) {
    outbox = []
    guard let board = settings.board else {
      (retired, member) = (saved, nil)
      return
    }
    let leads = settings.lead != nil
    let isKnown = saved?.member.board == board
    var known = isKnown ? saved?.member : nil
    // The config says that another wall leads from now on.
    if saved?.isConfiguredLeader == true, !leads { known?.role = .follower }
    var generator = SystemRandomNumberGenerator()
    member = BoardMember(
      board: board, leads: leads, name: saved?.member.name ?? BoardMember.name(from: generator.next()),
      saved: known, process: UInt32.random(in: .min ... .max, using: &generator),
      wantsLead: isKnown && leads && saved?.isConfiguredLeader == false)
  }

  // MARK: The connection

  func join(_ send: @escaping (WallEvent) -> Void) { self.send = send }

  func leave() { send = nil }

  /// Sends the names of the board and of this wall.
  func announce() { send?(WallEvent(board: member?.board, wall: member?.name)) }

  /// Sends messages, after those before them.
  ///
  /// - Parameter save: is called if the messages must wait until what they follow from is saved.
  func send(_ messages: [WallEffects.Outgoing], after save: ((@escaping () -> Void) -> Void)?) {
    guard let save else {
      if outbox.isEmpty { messages.forEach(transmit) } else { outbox[outbox.count - 1].messages += messages }
      return
    }
    guard !messages.isEmpty else { return save {} }
    outbox.append((false, messages))
    save { [weak self] in
      guard let self, !self.outbox.isEmpty else { return }
      // Saves end in their order.
      if let index = self.outbox.firstIndex(where: { !$0.isSaved }) { self.outbox[index].isSaved = true }
      while let first = self.outbox.first, first.isSaved {
        self.outbox.removeFirst()
        first.messages.forEach(self.transmit)
      }
    }
  }

  private func transmit(_ outgoing: WallEffects.Outgoing) {
    guard let send, let text = outgoing.message.text else { return }
    send(
      WallEvent(
        board: member?.board, wall: member?.name,
        message: WallEvent.Message(text: text, to: outgoing.message.to, retained: outgoing.isRetained)))
  }

  func arm() {
    if let next = member?.nextTick(at: MatchTime.now) {
      tickTimer.arm(at: ClockTime(totalNanoseconds: next))
    } else {
      tickTimer.disarm()
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
