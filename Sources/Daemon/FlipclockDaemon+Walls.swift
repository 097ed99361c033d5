// SPDX-License-Identifier: Apache-2.0

import Control
import LinuxSystem
import Scoreboard
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
      config.configuration.walls, saved: isStart ? state.savedWalls : walls.document, isStart: isStart)
    guard isStart || walls.member != before else { return }
    if walls.isFollowing, walls.ownMatch == nil {
      walls.ownMatch = match
      if let followed = walls.followed { match = followed.match(shiftedBy: Self.offsetOfRealtime) }
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

  /// What is added to CLOCK_REALTIME to get the match time.
  private static var offsetOfRealtime: Int64 {
    MatchTime.now &- SystemClock.realtime.now.totalNanoseconds
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

  package func takeWallState(_ text: String, isLive: Bool) throws(ControlError) -> Bool {
    guard let board = walls.member?.board else { throw .noSharedBoard }
    let message: WallMessage
    do throws(WallMessage.Malformed) { message = try WallMessage(reading: text) } catch {
      throw .failed("the state was refused: \(error.reason)")
    }
    switch walls.receive(message.stamp) {
    case .ignore: return false
    case .send:
      publishAgain()
      return false
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
    let rules = match.board.rules
    match = message.state.match(shiftedBy: clocks.offset)
    // With this wall's own time, for a restart.
    walls.followed = SharedBoard(match, shiftedBy: realtime &- now)
    walls.followed?.undo = message.state.undo
    walls.followed?.redo = message.state.redo
    saveState { [log] result in
      if case .failure(let error) = result {
        log.error("the leader's match was shown but not saved: \(error)")
      }
    }
    if match.board.rules != rules {
      // Other rules need new widgets.
      walls.delayed.flush()
      rebuild()
      matchChanged()
    } else {
      matchChanged(showAt: clocks.showAt > now ? clocks.showAt : nil)
    }
  }

  package func lead(completion: @escaping (Result<Bool, ControlError>) -> Void) {
    guard walls.member != nil else { return completion(.failure(.noSharedBoard)) }
    guard walls.isFollowing else { return completion(.success(false)) }
    walls.lead()
    walls.ownMatch = nil
    log.notice("this wall leads '\(walls.member?.board ?? "")' now")
    saveState { [weak self] result in
      guard let self else { return }
      switch result {
      case .success:
        self.walls.announce()
        self.matchChanged()
        completion(.success(true))
      case .failure(let error): completion(.failure(.stateNotSaved("\(error)")))
      }
    }
  }

  /// Saves this wall's own match, and what it knows of the leader's.
  func saveState(completion: @escaping (Result<Void, SystemError>) -> Void) {
    state.walls = walls.document
    state.save(walls.ownMatch ?? match, completion: completion)
  }
}
