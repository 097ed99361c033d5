// SPDX-License-Identifier: Apache-2.0

import Control
import LinuxSystem
import Scoreboard
import Settings
import Walls

/// The board that several walls share.
extension FlipclockDaemon {
  /// Connects the parts, and restores what was saved.
  func startWalls() {
    walls.due = { [weak self] in self?.showModel(since: $0) }
    walls.reachabilityChanged = { [weak self] in self?.showModel() }
    configureWalls(isStart: true)
  }

  /// Adopts `[walls]` of the config. States are sent only when the new start of this program is on disk, because a power
  /// cut must not take it back.
  func configureWalls(isStart: Bool = false) {
    let before = walls.member
    walls.configure(
      config.configuration.walls, saved: isStart ? state.savedWalls : walls.document(match), isStart: isStart,
      isUntouched: (walls.ownMatch ?? match).revision == 0)
    guard isStart || walls.member != before else { return }
    if walls.isFollowing, walls.ownMatch == nil {
      walls.ownMatch = match
      if let followed = walls.followed {
        match = followed.match(shiftedBy: 0 &- SharedBoardLink.offsetToRealtime)
      }
    } else if walls.isFollowing, walls.member?.board != before?.board, let own = walls.ownMatch {
      // What was followed belongs to another board.
      match = own
    } else if !walls.isFollowing, let own = walls.ownMatch {
      if walls.member == nil { match = own }
      walls.ownMatch = nil
    }
    walls.delayed.flush()
    guard walls.member != nil else { return walls.announce() }
    walls.mayPublish = false
    saveState { [weak self] result in
      guard let self else { return }
      // If nothing can be saved, the walls are better connected than not.
      if case .failure(let error) = result {
        self.log.error(
          "the start of this wall was not saved, so others may ignore it after a power cut: \(error)")
      }
      self.walls.mayPublish = true
      self.walls.announce()
      self.publishAgain()
    }
  }

  package func joinWalls(send: @escaping (WallEvent) -> Void) { walls.join(send) }

  package func leaveWalls() { walls.leave() }

  /// A leader that reaches its broker sends its state again, with the present time: a wall whose clock is not
  /// synchronized counts the clocks of the match from the time at which a state was sent.
  package func reportWalls(isReachable: Bool, isSynchronized: Bool) {
    walls.report(isReachable: isReachable, isSynchronized: isSynchronized)
    if isReachable { publishAgain() }
  }

  private func publishAgain() { _ = walls.publish(match) }

  package func answerWall(_ answer: WallAnswer) { walls.answer(answer) { matchState() } }

  package func takeWallState(_ text: String, isLive: Bool, isOffer: Bool) throws(ControlError) -> Bool {
    guard let board = walls.member?.board else { throw .noSharedBoard }
    let message: WallMessage
    do throws(WallMessage.Malformed) { message = try WallMessage(reading: text) } catch {
      throw .failed("the state was refused: \(error.reason)")
    }
    switch walls.receive(message.stamp, isLive: isLive, isOffer: isOffer) {
    case .ignore: return false
    case .send:
      publishAgain()
      return false
    case .offer:
      walls.offer(match)
      return false
    case .succeed:
      log.notice("this wall leads '\(board)' with the match that it has found there")
      adopt(message, isLive: isLive)
      publishAgain()
      return true
    case .rename:
      walls.rename(following: message.stamp)
      log.warning(
        "another wall leads '\(board)' with this wall's name; was its memory card copied? This wall has a new name, and "
          + "follows it")
      walls.ownMatch = match
      walls.announce()
    case .stepDown:
      log.warning(
        "another wall leads '\(board)' now (\(message.stamp.writer)); this wall follows it, and its own match is kept"
      )
      walls.ownMatch = match
      walls.announce()
    case .adopt: break
    }
    adopt(message, isLive: isLive)
    return true
  }

  private func adopt(_ message: WallMessage, isLive: Bool) {
    let (now, realtime) = (MatchTime.now, SystemClock.realtime.now.totalNanoseconds)
    let clocks = WallClocks(
      message, isLive: isLive, isSynchronized: walls.isSynchronized, realtime: realtime, matchTime: now)
    let before = match.board
    match = message.state.match(shiftedBy: clocks.offset)
    // With this wall's own time, for a restart.
    if walls.isFollowing {
      walls.followed = SharedBoard(match, shiftedBy: realtime &- now)
      walls.followed?.undo = message.state.undo
      walls.followed?.redo = message.state.redo
    }
    saveState { [log] result in
      if case .failure(let error) = result {
        log.error("the leader's match was shown but not saved: \(error)")
      }
    }
    if match.board.rules != before.rules || match.board.teams.map(\.id) != before.teams.map(\.id) {
      // Other rules and teams need new widgets.
      rebuild()
      matchChanged()
    } else {
      matchChanged(showAt: clocks.showAt > now ? clocks.showAt : nil)
    }
  }

  package func lead(completion: @escaping (Result<Bool, ControlError>) -> Void) {
    guard walls.member != nil else { return completion(.failure(.noSharedBoard)) }
    let isNew = walls.isFollowing
    walls.lead()
    if isNew {
      walls.ownMatch = nil
      log.notice("this wall leads '\(walls.member?.board ?? "")' now")
    }
    saveState { [weak self] result in
      guard let self else { return }
      // A wall that leads says so, also if that would not survive a power cut.
      self.walls.announce()
      self.matchChanged()
      switch result {
      case .success: completion(.success(isNew))
      case .failure(let error): completion(.failure(.stateNotSaved("\(error)")))
      }
    }
  }

  /// The config for what is shown: if the match is not that of this wall's config, scores without teams of their own
  /// show the teams of the match.
  var shownConfiguration: Configuration {
    var configuration = config.configuration
    guard walls.isFollowing || walls.hasTakenOver else { return configuration }
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

  /// Saves this wall's own match, and what it knows of the leader's.
  func saveState(completion: @escaping (Result<Void, SystemError>) -> Void) {
    state.walls = walls.document(match)
    state.performed = gate.performed
    state.save(walls.ownMatch ?? match, completion: completion)
  }
}
