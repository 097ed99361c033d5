// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import JSON
import LinuxSystem
import Scoreboard
import Settings
import Varlink
import Walls

/// The board that several walls share: does what `BoardMember` returns.
extension FlipclockDaemon {
  /// Connects the parts, and restores what was saved.
  func startWalls() {
    walls.due = { [weak self] in self?.present(since: $0) }
    walls.ticked = { [weak self] in self?.wall { $0.tick(&$1, at: $2) } }
    configureWalls(saved: state.savedWalls, isStart: true)
  }

  /// Adopts `[walls]` of the config.
  func configureWalls(saved: SharedBoardLink.Document?, isStart: Bool = false) {
    let settings = config.configuration.walls
    let before = walls.member
    if !isStart, before?.board == settings.board, before?.isConfiguredLeader == (settings.lead != nil) {
      return
    }
    if !isStart, before == nil, settings.board == nil { return }
    walls.configure(settings, saved: saved)
    if let member = walls.member, member.role == .leader {
      gate.performed.gap = .init(board: member.board, end: MatchTime.now)
    }
    if let followed = saved?.followed, saved?.member.board == settings.board {
      // The match in the file is this wall's own.
      if walls.ownMatch == nil { walls.ownMatch = match }
      match = followed.held(shiftedBy: 0 &- SharedBoardLink.offsetToRealtime, continuing: nil).match
    } else if let own = walls.ownMatch {
      (match, walls.ownMatch) = (own, nil)
    }
    if walls.member?.isConfiguredLeader == true { walls.ownMatch = nil }
    walls.delayed.flush()
    let lost = walls.forwarded
    walls.forwarded = [:]
    for completion in lost.values.joined() { completion(.failure(.leaderSilent(board: before?.board ?? ""))) }
    if !isStart || walls.member != nil { saveState { _ in } }
    walls.announce()
    walls.arm()
  }

  package func joinWalls(send: @escaping (WallEvent) -> Void) {
    walls.join(send)
    walls.announce()
  }

  package func leaveWalls() {
    walls.leave()
    reportWalls(isReachable: false)
  }

  package func reportWalls(isReachable: Bool) {
    if isReachable {
      wall { $0.connected($1, at: $2) }
    } else if walls.member?.connectedSince != nil {
      wall { member, _, _ in member.disconnected() }
    }
    present()
  }

  package func takeWallMessage(_ text: String, isLive: Bool) throws(ControlError) {
    guard walls.member != nil else { throw .noSharedBoard }
    let message: WallMessage
    do throws(WallMessage.Malformed) { message = try WallMessage(reading: text) } catch {
      throw .failed(reason: "the message was refused: \(error.reason)")
    }
    wall { $0.receive(message, isLive: isLive, held: &$1, at: $2) }
  }

  // MARK: Effects

  /// Calls the member, and does what it returns.
  func wall(_ body: (inout BoardMember, inout HeldMatch, Moment) -> WallEffects) {
    guard let before = walls.member else { return }
    let board = match
    var member = before
    var held = HeldMatch(match)
    held.performed = gate.performed
    let effects = body(&member, &held, .now)
    walls.member = member
    if effects.adopts {
      // A wall that follows keeps its own match.
      if before.saved.history == nil, !member.isConfiguredLeader, walls.ownMatch == nil {
        walls.ownMatch = match
      }
      (match, gate.performed) = (held.match, held.performed)
    }
    if member.name != before.name { walls.announce() }
    for line in effects.notes { log.notice(line) }
    for aside in effects.asides { state.aside.keep(aside, log: log) }
    for history in effects.contained { state.aside.forget(history) }
    let isUrgent = member.role != before.role
    walls.send(
      effects.messages,
      after: effects.saves
        ? { [weak self] done in self?.saveState(isUrgent: isUrgent) { _ in done() } } : nil)
    if effects.adopts { show(adopted: match, insteadOf: board, at: effects.showAt) }
    for request in effects.requests { perform(request) }
    for (id, answer) in effects.answers { complete(id, CommandAnswer(reading: answer)) }
    for id in effects.unanswered { complete(id, nil) }
    if let result = effects.takeover {
      let waiting = walls.takeovers
      walls.takeovers = []
      for completion in waiting { completion(result) }
    }
    confirmChanges()
    walls.arm()
    if walls.isCutOff != walls.isMarked { present() }
    if walls.isReady != walls.wasReady || !effects.asides.isEmpty || !effects.contained.isEmpty {
      walls.wasReady = walls.isReady
      displayChanged()
    }
    if member.role != before.role { matchChanged() }
  }

  private func show(adopted match: Match, insteadOf before: Match, at showAt: Int64?) {
    guard match.board != before.board || match.revision != before.revision else { return }
    if match.board.rules != before.board.rules || match.board.teams.map(\.id) != before.board.teams.map(\.id)
    {
      // Other rules and teams need new widgets.
      rebuild()
      matchChanged()
    } else {
      matchChanged(showAt: showAt.flatMap { $0 > MatchTime.now ? $0 : nil })
    }
  }

  /// Sends the leader's match after a change; returns when all walls show it, in match time.
  func publish() -> Int64? {
    guard walls.member?.role == .leader else { return nil }
    let moment = MatchTime.now + WallMessage.lead
    let isConnected = walls.member?.connectedSince != nil
    wall { member, held, now in
      member.changed()
      var effects = WallEffects()
      effects.send(member.state(whole: false, showAt: moment, held, now), isRetained: true)
      return effects
    }
    return isConnected ? moment : nil
  }

  // MARK: Commands

  package var forwardsChanges: Bool {
    walls.member.map { $0.permission(at: MatchTime.now) != .perform } ?? false
  }

  /// Has the leader perform a command.
  func forward(
    _ action: Scoreboard.Action, on terms: Terms, completion: @escaping SharedBoardLink.Completion
  ) {
    guard let member = walls.member else { return }
    let now = MatchTime.now
    if case .refuse(let reason) = member.permission(at: now) {
      return completion(.failure(ControlError(reason, board: member.board)))
    }
    guard let time = member.leaderTime(of: terms.time ?? now, at: now) else {
      return completion(.failure(.leaderUnreachable(board: member.board)))
    }
    let call = VarlinkCall(.change(.match(action)))
    let request = WallMessage.Request(
      method: call.member, parameters: JSONValue.object(call.parameters).text, time: time,
      revision: terms.revision)
    var id: String?
    wall { member, _, now in
      var effects = WallEffects()
      if let sent = member.request(request, id: terms.id, at: now) {
        id = sent.id
        effects.send(sent.message)
      }
      return effects
    }
    guard let id else { return completion(.failure(.leaderUnreachable(board: member.board))) }
    walls.forwarded[id, default: []].append(completion)
  }

  /// The leader's answer has come; nil: it has not.
  private func complete(_ id: String, _ answer: CommandAnswer?) {
    let result: Result<MatchChange, ControlError>
    if let refusal = answer?.refusal {
      result = .failure(refusal)
    } else if let answer {
      result = .success(
        MatchChange(what: answer.what, note: answer.note, facts: answer.facts, state: matchState()))
    } else {
      result = .failure(.leaderSilent(board: walls.member?.board ?? ""))
    }
    for completion in walls.forwarded.removeValue(forKey: id) ?? [] { completion(result) }
  }

  /// Performs a follower's command, and answers it.
  private func perform(_ asked: WallEffects.Request) {
    let (id, request) = (asked.id, asked.request)
    let answer = { [weak self] (answer: CommandAnswer?) in
      guard let answer else { return }
      self?.wall { member, _, now in
        var effects = WallEffects()
        effects.send(member.answer(answer.text, to: id, of: asked.from, at: now))
        return effects
      }
    }
    let parameters = (try? JSONReader.read(Array(request.parameters.utf8)))?.object
    let call = VarlinkCall(
      method: "\(ControlInterface.name).\(request.method)", parameters: parameters ?? [:])
    guard case .change(let change)? = try? Command(call, timers: { self.matchState().timers.keys.sorted() }),
      case .match = change
    else {
      return answer(CommandAnswer(ControlError.failed(reason: "only changes of the match are performed")))
    }
    perform(change, on: Terms(id: id, time: request.time, revision: request.revision)) {
      [weak self] (result: Result<[String: JSONValue], ControlError>) in
      switch result {
      case .success: answer(self?.gate.performed[id].flatMap { CommandAnswer(reading: $0) })
      // The follower does not know either what became of the command.
      case .failure(let error) where !error.isFinal: break
      case .failure(let error): answer(CommandAnswer(error))
      }
    }
  }

  /// Completes a change of the leader when it cannot be lost to another wall's lead.
  ///
  /// - Parameter completion: false: it may be lost.
  func confirm(_ sending: SharedBoardLink.Unconfirmed.Sending?, _ completion: @escaping (Bool) -> Void) {
    guard let sending, walls.member != nil else { return completion(true) }
    walls.unconfirmed.append(.init(sending: sending, completion: completion))
    confirmChanges()
  }

  private func confirmChanges() {
    guard let member = walls.member else { return }
    let now = MatchTime.now
    let waiting = walls.unconfirmed
    walls.unconfirmed = []
    for change in waiting {
      switch member.standing(of: change.sending.history, sent: change.sending.time, at: now) {
      case .acknowledged: change.completion(true)
      case .open where now - change.sending.time < Terms.patience: walls.unconfirmed.append(change)
      case .open, .lost: change.completion(false)
      }
    }
  }

  package func saveRefusal(completion: @escaping () -> Void) {
    guard walls.member?.role == .leader else { return completion() }
    // The refusal is a change of what is known of the match.
    _ = publish()
    saveState { _ in completion() }
  }

  package func lead(anyway: Bool, completion: @escaping (Result<Bool, ControlError>) -> Void) {
    guard let board = walls.member?.board else { return completion(.failure(.noSharedBoard)) }
    walls.takeovers.append { [weak self] result in
      switch result {
      case .alreadyLeads: completion(.success(false))
      case .unconfirmed(let since):
        let seconds = since.map { Int((MatchTime.now - $0) / 1_000_000_000) }
        completion(.failure(.takeoverUnconfirmed(board: board, seconds: seconds)))
      case .neverReceived: completion(.failure(.neverReceived(board: board)))
      case .led:
        self?.log.notice("this wall leads '\(board)' now")
        self?.saveState(isUrgent: true) { result in
          switch result {
          case .success: completion(.success(true))
          case .failure(let error): completion(.failure(.stateNotSaved(reason: "\(error)")))
          }
        }
      }
    }
    wall { $0.takeOver(isConfirmed: anyway, &$1, at: $2) }
  }

  /// The config for what is shown: if the match is not that of this wall's config, scores without teams of their own
  /// show the teams of the match.
  var shownConfiguration: Configuration {
    var configuration = config.configuration
    guard walls.member != nil else { return configuration }
    let declared = configuration.teams.map(\.id)
    let known = match.board.teams.map(\.id)
    for index in configuration.widgets.indices {
      guard var score = configuration.widgets[index].content as? ScoreSettings,
        score.teams == declared || !score.teams.allSatisfy(known.contains)
      else { continue }
      score.teams = Array(known.prefix(ScoreSettings.teamLimit))
      configuration.widgets[index].content = score
    }
    return configuration
  }

  /// Saves this wall's own match, and the board's.
  ///
  /// - Parameter isUrgent: whether other walls wait for it.
  func saveState(isUrgent: Bool = false, completion: @escaping (Result<Void, SystemError>) -> Void) {
    state.walls = walls.document(match)
    state.performed = gate.performed
    (state.page, state.holds) = (wall.page, wall.holds)
    state.save(walls.ownMatch ?? match, isUrgent: isUrgent, completion: completion)
  }
}

extension ControlError {
  /// Why a wall cannot perform a command.
  fileprivate init(_ reason: BoardMember.Reason, board: String) {
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
