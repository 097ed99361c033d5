// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import JSON
import Scoreboard
import Settings
import Varlink
import Walls

extension Wall {
  /// Whether this wall shares its match with others.
  enum Role {
    /// It shares none. What was saved of an earlier shared match is kept, in case the wall returns to that
    /// match.
    case alone(SavedPart?)
    case member(Part)
  }

  /// This wall's part in a match that several walls share.
  struct Part {
    /// A state with a change, and when it was sent.
    struct Sending: Hashable {
      var history: SharedHistory
      var time: Int64
    }

    var member: WallMember
    /// This wall's own match, while it shows the shared one.
    var ownMatch: Match?
    /// The tickets of commands that were sent to the leader, by the commands' ids.
    var forwarded: [String: [Ticket]] = [:]
    /// Changes of the leader that are saved, and wait until the broker has them.
    var unconfirmed: [Pending] = []
    /// The tickets of commands that asked for the lead and wait for the result.
    var takeovers: [Ticket] = []
    /// When the member's `tick` is due, in match time; nil: never.
    var nextTick: Int64?

    init(_ member: WallMember) { self.member = member }
  }

  /// Nil: the config names no match in `[walls]`.
  var part: Part? {
    get { if case .member(let part) = role { part } else { nil } }
    set { if let newValue { role = .member(newValue) } }
  }

  /// How the other walls know this one.
  package struct Identity: Hashable, Sendable {
    package var board: String
    package var wall: String
    /// A random number of the member. A new member has another one, and does not know yet whether the broker
    /// is connected.
    var process: UInt32
  }

  /// Nil: this wall shares no match.
  package var identity: Identity? {
    part.map { Identity(board: $0.member.board, wall: $0.member.name, process: $0.member.process) }
  }

  /// Whether this wall shares a match and does not lead it.
  var isFollowing: Bool { part.map { $0.member.role != .leader } ?? false }
  /// Whether a change would be performed now, here or by the leader.
  package var isReady: Bool { part?.member.isReady(at: now.clock) ?? true }
  /// Whether the walls may show different matches.
  package var isCutOff: Bool { part?.member.isCutOff(at: now.clock) ?? false }
  /// Whether this wall passes changes of the match to the leader, or refuses them because it cannot.
  package func forwardsChanges(at now: Int64) -> Bool {
    part.map { $0.member.permission(at: now) != .perform } ?? false
  }

  package var sharedStatus: WallStatus? {
    part.map { part in
      let member = part.member
      let heard = member.role == .follower ? member.heard : nil
      return WallStatus(
        board: member.board, role: member.role.rawValue, reachable: !isCutOff && isReady,
        synchronized: member.role == .leader || heard?.clock.offset(at: now.clock) != nil,
        clockDifference: heard?.realtime.map { Int($0 / 1_000_000) }, setAside: member.saved.aside.count)
    }
  }

  // MARK: The configuration

  /// What is saved of this wall's part.
  var savedPart: SavedPart? {
    switch role {
    case .alone(let saved): return saved
    case .member(let part):
      var followed: SharedMatch?
      if part.ownMatch != nil {
        var held = HeldMatch(match)
        held.match.shift(by: now.realtime &- now.clock)
        followed = SharedMatch(held, whole: true)
      }
      return SavedPart(
        member: part.member.saved, isConfiguredLeader: part.member.isConfiguredLeader, followed: followed)
    }
  }

  /// Adopts `[walls]` of the configuration.
  mutating func share(
    _ settings: WallsSettings, _ generator: inout some RandomNumberGenerator, _ effects: inout Effects
  ) {
    let before = part
    if let before {
      if before.member.board == settings.board, before.member.isConfiguredLeader == (settings.lead != nil) {
        return
      }
    } else if settings.board == nil {
      return
    }
    let saved = savedPart
    if let own = before?.ownMatch { match = own }
    if let board = settings.board {
      var part = Part(Self.member(of: board, leads: settings.lead != nil, saved, &generator))
      if let followed = saved?.followed, saved?.member.board == board {
        // The match in the file is this wall's own.
        if !part.member.isConfiguredLeader { part.ownMatch = match }
        match = followed.held(shiftedBy: 0 &- (now.realtime &- now.clock), continuing: nil).match
      }
      if part.member.role == .leader { performed.gap = .init(board: board, end: now.clock) }
      part.nextTick = part.member.nextTick(at: now.clock)
      role = .member(part)
    } else {
      role = .alone(saved)
    }
    delayed.flush()
    if let before {
      let lost = before.forwarded.values.joined() + before.unconfirmed.map(\.ticket)
      for ticket in lost { effects.answer(ticket, .failure(.leaderSilent(board: before.member.board))) }
      for ticket in before.takeovers { effects.answer(ticket, .failure(.noSharedBoard)) }
    }
    effects.saves = true
  }

  /// The member of a shared match, which is new or continues what was saved.
  private static func member(
    of board: String, leads: Bool, _ saved: SavedPart?, _ generator: inout some RandomNumberGenerator
  ) -> WallMember {
    let isKnown = saved?.member.board == board
    var known = isKnown ? saved?.member : nil
    // The config says that another wall leads from now on.
    if saved?.isConfiguredLeader == true, !leads { known?.role = .follower }
    return WallMember(
      board: board, leads: leads, name: saved?.member.name ?? WallMember.name(from: generator.next()),
      saved: known, process: UInt32.random(in: .min ... .max, using: &generator),
      wantsLead: isKnown && leads && saved?.isConfiguredLeader == false)
  }

  // MARK: The other walls

  /// Called when the connection to the broker was made or lost.
  package mutating func connect(_ isConnected: Bool, at now: Moment, _ effects: inout Effects) {
    advance(to: now, &effects)
    if isConnected {
      member(&effects) { $0.connected($1, at: $2) }
    } else if part?.member.connectedSince != nil {
      member(&effects) { member, _, _ in member.disconnected() }
    }
  }

  /// Receives a message of another wall.
  ///
  /// - Parameter isLive: whether it was sent while this wall was listening.
  package mutating func receive(
    _ text: String, isLive: Bool, at now: Moment, _ effects: inout Effects
  ) throws(ControlError) {
    guard part != nil else { throw .noSharedBoard }
    let message: WallMessage
    do throws(WallMessage.Malformed) { message = try WallMessage(reading: text) } catch {
      throw .failed(reason: "the message was refused: \(error.reason)")
    }
    advance(to: now, &effects)
    member(&effects) { $0.receive(message, isLive: isLive, held: &$1, at: $2) }
  }

  /// Calls the member's `tick` if it is due.
  mutating func tick(_ effects: inout Effects) {
    guard let due = part?.nextTick, due <= now.clock else { return }
    member(&effects) { $0.tick(&$1, at: $2) }
  }

  /// Calls the member, adopts its match, and adds what it returns to the effects.
  private mutating func member(
    _ effects: inout Effects, _ body: (inout WallMember, inout HeldMatch, Moment) -> WallEffects
  ) {
    guard var part else { return }
    let (before, scoreboard, revision) = (part.member, match.scoreboard, match.revision)
    var held = HeldMatch(match)
    held.performed = performed
    let wanted = body(&part.member, &held, now)
    if wanted.adopts {
      // A wall that follows keeps its own match.
      if before.saved.history == nil, !part.member.isConfiguredLeader, part.ownMatch == nil {
        part.ownMatch = match
      }
      (match, performed) = (held.match, held.performed)
    }
    part.nextTick = part.member.nextTick(at: now.clock)
    effects.notices += wanted.notes
    effects.asides += wanted.asides
    effects.contained += wanted.contained
    effects.messages += wanted.messages
    if wanted.saves {
      (effects.saves, effects.messagesWait) = (true, true)
      if part.member.role != before.role { effects.isUrgent = true }
    }
    if part.member.role != before.role { effects.matchChanged = true }
    for (id, answer) in wanted.answers { complete(&part, id, CommandAnswer(reading: answer), &effects) }
    for id in wanted.unanswered { complete(&part, id, nil, &effects) }
    if let result = wanted.takeover { complete(&part, result, &effects) }
    self.part = part
    if wanted.adopts {
      recordMatch(&effects)
      show(insteadOf: scoreboard, revision, at: wanted.showAt, &effects)
    }
    effects.requests += wanted.requests.map(decode)
    confirmChanges(&effects)
  }

  /// Shows the match that was adopted.
  private mutating func show(
    insteadOf before: Scoreboard, _ revision: Int, at showAt: Int64?, _ effects: inout Effects
  ) {
    let scoreboard = match.scoreboard
    guard scoreboard != before || match.revision != revision else { return }
    effects.matchChanged = true
    if scoreboard.rules != before.rules || scoreboard.teams.map(\.id) != before.teams.map(\.id) {
      // Other rules and teams need new widgets, which show the newest scoreboard.
      effects.rebuilds = true
      delayed.flush()
    } else if let showAt, showAt > now.clock {
      delayed.add(scoreboard, showAt: showAt, insteadOf: before)
    }
  }

  /// Sends the leader's match after a change. Returns when all walls show it, in match time; nil: at once.
  mutating func publish(_ effects: inout Effects) -> Int64? {
    guard let part, part.member.role == .leader else { return nil }
    let moment = now.clock + WallMessage.lead
    member(&effects) { member, held, now in
      member.changed()
      var effects = WallEffects()
      effects.send(member.state(whole: false, showAt: moment, held, now), isRetained: true)
      return effects
    }
    return part.member.connectedSince != nil ? moment : nil
  }

  // MARK: Commands

  /// Sends a change of the match to the leader, or refuses it if that is not possible now.
  mutating func forward(
    _ action: Scoreboard.Action, on terms: Terms, for ticket: Ticket, _ effects: inout Effects
  ) {
    guard let member = part?.member else { return }
    if case .refuse(let reason) = member.permission(at: now.clock) {
      return effects.answer(ticket, .failure(ControlError(reason, board: member.board)))
    }
    let call = VarlinkCall(.change(.match(action)))
    let request = member.leaderTime(of: terms.time ?? now.clock, at: now.clock).map {
      WallMessage.Request(
        method: call.member, parameters: JSONValue.object(call.parameters).text, time: $0,
        revision: terms.revision)
    }
    var id: String?
    if let request {
      self.member(&effects) { member, _, now in
        var effects = WallEffects()
        if let sent = member.request(request, id: terms.id, at: now) {
          id = sent.id
          effects.send(sent.message)
        }
        return effects
      }
    }
    guard let id else { return effects.answer(ticket, .failure(.leaderUnreachable(board: member.board))) }
    part?.forwarded[id, default: []].append(ticket)
  }

  /// Answers the commands that were sent to the leader with this id.
  ///
  /// - Parameter answer: the leader's; nil: none has arrived in time.
  private func complete(
    _ part: inout Part, _ id: String, _ answer: CommandAnswer?, _ effects: inout Effects
  ) {
    let result: Result<ChangeReply, ControlError>
    if let refusal = answer?.refusal {
      result = .failure(refusal)
    } else if let answer {
      let state = MatchState(match, at: now.clock)
      result = .success(
        .match(MatchChange(what: answer.what, note: answer.note, facts: answer.facts, state: state)))
    } else {
      result = .failure(.leaderSilent(board: part.member.board))
    }
    for ticket in part.forwarded.removeValue(forKey: id) ?? [] { effects.answer(ticket, result) }
  }

  /// A follower's command as a change of the match.
  private func decode(_ request: WallEffects.Request) -> Request {
    let asked = request.request
    let parameters = (try? JSONReader.read(Array(asked.parameters.utf8)))?.object
    let call = VarlinkCall(
      method: "\(ControlInterface.name).\(asked.method)", parameters: parameters ?? [:])
    let timers = { MatchState(self.match, at: self.now.clock).timers.keys.sorted() }
    let terms = Terms(id: request.id, time: asked.time, revision: asked.revision)
    guard case .change(let change)? = try? Command(call, timers: timers), case .match = change else {
      return Request(change: nil, terms: terms, id: request.id, from: request.from)
    }
    return Request(change: change, terms: terms, id: request.id, from: request.from)
  }

  /// Answers a follower's command.
  ///
  /// - Parameter result: nil: the command does not change the match.
  package mutating func answer(
    _ request: Request, _ result: Result<Void, ControlError>?, at now: Moment, _ effects: inout Effects
  ) {
    advance(to: now, &effects)
    let answer: CommandAnswer?
    switch result {
    case nil: answer = CommandAnswer(.failed(reason: "only changes of the match are performed"))
    case .success: answer = performed[request.id].flatMap { CommandAnswer(reading: $0) }
    // The refusal is not final, so none is sent: the follower sends the command again, or reports that it
    // does not know the result.
    case .failure(let error) where !error.isFinal: answer = nil
    case .failure(let error): answer = CommandAnswer(error)
    }
    guard let answer else { return }
    member(&effects) { member, _, now in
      var effects = WallEffects()
      effects.send(member.answer(answer.text, to: request.id, of: request.from, at: now))
      return effects
    }
  }

  /// Informs the other walls that a command was refused for its age, so that none of them performs it later.
  package mutating func publishRefusal(at now: Moment, _ effects: inout Effects) {
    advance(to: now, &effects)
    _ = publish(&effects)
  }

  // MARK: Changes that a new leader must not lose

  /// What was sent of the last change; nil: this wall shares no match.
  var sending: Part.Sending? {
    part?.member.saved.history.map { Part.Sending(history: $0, time: now.clock) }
  }

  /// Answers commands whose changes are saved. On a wall that shares a match, changes of the match are
  /// answered later, when they cannot be lost even if another wall begins to lead.
  mutating func confirm(_ pending: [Pending], _ effects: inout Effects) {
    for waiting in pending {
      if part != nil, waiting.sending != nil {
        part?.unconfirmed.append(waiting)
      } else {
        effects.answer(waiting.ticket, .success(waiting.reply))
      }
    }
    confirmChanges(&effects)
  }

  private mutating func confirmChanges(_ effects: inout Effects) {
    guard var part, !part.unconfirmed.isEmpty else { return }
    part.unconfirmed = part.unconfirmed.filter { waiting in
      guard let sending = waiting.sending else { return false }
      switch part.member.standing(of: sending.history, sent: sending.time, at: now.clock) {
      case .acknowledged: effects.answer(waiting.ticket, .success(waiting.reply))
      case .open where now.clock - sending.time < Terms.patience: return true
      case .open, .lost: effects.answer(waiting.ticket, .failure(.leaderSilent(board: part.member.board)))
      }
      return false
    }
    self.part = part
  }

  // MARK: The lead

  mutating func lead(anyway: Bool, for ticket: Ticket, _ effects: inout Effects) {
    guard part != nil else { return effects.answer(ticket, .failure(.noSharedBoard)) }
    part?.takeovers.append(ticket)
    member(&effects) { $0.takeOver(isConfirmed: anyway, &$1, at: $2) }
  }

  private func complete(
    _ part: inout Part, _ result: WallEffects.TakeoverResult, _ effects: inout Effects
  ) {
    let board = part.member.board
    for ticket in part.takeovers {
      switch result {
      case .alreadyLeads: effects.answer(ticket, .success(.led(changed: false)))
      case .unconfirmed(let since):
        let seconds = since.map { Int((now.clock - $0) / 1_000_000_000) }
        effects.answer(ticket, .failure(.takeoverUnconfirmed(board: board, seconds: seconds)))
      case .neverReceived: effects.answer(ticket, .failure(.neverReceived(board: board)))
      case .led:
        effects.notices.append("this wall leads '\(board)' now")
        (effects.saves, effects.isUrgent) = (true, true)
        effects.pending.append(Pending(ticket: ticket, reply: .led(changed: true)))
      }
    }
    part.takeovers = []
  }

  // MARK: What is shown

  /// The config for what is shown. On a wall that shares a match, scores without teams of their own, and
  /// those with teams that the match does not have, show the teams of the match.
  package var shownConfiguration: Configuration {
    guard part != nil else { return configuration }
    var configuration = configuration
    let declared = configuration.teams.map(\.id)
    let known = match.scoreboard.teams.map(\.id)
    for index in configuration.widgets.indices {
      guard var score = configuration.widgets[index].content as? ScoreSettings,
        score.teams == declared || !score.teams.allSatisfy(known.contains)
      else { continue }
      score.teams = Array(known.prefix(ScoreSettings.teamLimit))
      configuration.widgets[index].content = score
    }
    return configuration
  }
}

extension ControlError {
  /// Why a wall cannot perform a command.
  fileprivate init(_ reason: WallMember.Reason, board: String) {
    switch reason {
    case .leaderSilent: self = .leaderUnreachable(board: board)
    case .looking: self = .wallUndecided(board: board, .looking)
    case .neverReached: self = .wallUndecided(board: board, .neverReached)
    case .cutOff: self = .wallUndecided(board: board, .cutOff)
    case .handingOver: self = .wallUndecided(board: board, .handingOver)
    case .unsure: self = .wallUndecided(board: board, .unsure)
    }
  }
}
