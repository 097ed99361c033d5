// SPDX-License-Identifier: Apache-2.0

import Scoreboard

extension WallMember {
  /// Receives a message from the broker.
  ///
  /// - Parameters:
  ///   - isLive: whether it was sent while this wall was listening; otherwise the broker has kept it.
  ///   - held: this wall's match.
  package mutating func receive(
    _ message: WallMessage, isLive: Bool, held: inout HeldMatch, at now: Moment
  ) -> WallEffects {
    var effects = WallEffects()
    guard connectedSince != nil, message.to == nil || message.to == name else { return effects }
    if message.from == name {
      if message.process == process {
        connection.echoed = max(connection.echoed, message.sent)
        // `isAlone` holds only while this wall cannot reach the others. Now it can, so it finds out whether
        // another wall leads.
        if isAlone, isEchoed(since: now.clock - Time.lease) { connection.listensUntil = now.clock }
        if message.kind == .state { connection.isBrokerKnown = true }
        if saved.isUnannounced, role == .leader, connection.announced != .min,
          isEchoed(since: connection.announced)
        {
          saved.isUnannounced = false
          effects.saves = true
        }
        return effects
      }
      if isLive, message.kind == .beat { noticeTwin(message, &effects, now) }
      guard message.kind == .state || message.kind == .offer else { return effects }
    }
    if isLive, message.leads == true { noticeRival(message, &effects) }
    switch message.kind {
    case .beat where isLive: hear(message, held, &effects, now)
    case .state where isLive && message.from != name:
      guard message.id == nil else {
        finishTakeover(message, &held, &effects, now)
        break
      }
      // A bridge between brokers may send a kept state as a live one. Only a beat shows that its sender still
      // runs.
      guard role == .follower, heard?.name == message.from, heard?.process == message.process else {
        // The broker keeps that state now, so the leader has to send its own again.
        if role == .leader { connection.owesState = true }
        consider(message, &held, &effects, now)
        break
      }
      follow(message, &held, &effects, now)
    case .state, .offer: consider(message, &held, &effects, now)
    case .ask where isLive: answerAsk(message, held, &effects, now)
    case .ping where isLive && role == .leader && !saved.isUnannounced:
      var pong = self.message(.pong, to: message.from, now)
      (pong.peerTime, pong.received) = (message.sent, now.clock)
      effects.send(pong)
    case .pong where isLive && message.from == heard?.name && message.process == heard?.process:
      guard let ping = message.peerTime, let received = message.received else { break }
      heard?.answered = ping
      heard?.clock.answered(ping: ping, received: received, sent: message.sent, at: now.clock)
      guard let offset = heard?.clock.offset(at: now.clock) else { break }
      heard?.realtime = message.realtime &- (now.realtime &- (now.clock &- (message.sent &+ offset)))
      convert(&held, by: offset, &effects)
    case .handover where isLive: handOver(message, &held, &effects, now)
    case .decline where isLive: resume(message, held, &effects, now)
    case .request where isLive: take(message, &effects, now)
    case .answer where isLive:
      guard let id = message.id, let index = waiting.firstIndex(where: { $0.id == id }) else { break }
      waiting.remove(at: index)
      effects.answers[id] = message.answer ?? "{}"
    default: break
    }
    return effects
  }

  // MARK: Who leads

  /// Handles a beat. Follows its sender if the sender leads, unless this wall, or another leader that it
  /// hears, has a higher rank.
  private mutating func hear(
    _ message: WallMessage, _ held: HeldMatch, _ effects: inout WallEffects, _ now: Moment
  ) {
    guard let history = message.history else {
      // Of several candidates, the one with the greatest name leads.
      if role == .candidate, message.from > name { connection.listensUntil = now.clock + Time.listening }
      return
    }
    let other = Rank(hasContent: message.hasContent, reign: history.stamp.reign, name: message.from)
    let hasLed = role == .leader
    switch role {
    case .leader:
      let own = Rank(hasContent: held.hasContent, reign: saved.history?.stamp.reign ?? 0, name: name)
      guard own < other || isQuiet else {
        // The other one steps down when it hears this wall.
        connection.lastBeat = .min
        return
      }
      (saved.role, followsSince) = (.follower, now.clock)
      (isAlone, connection.listensUntil) = (false, nil)
      effects.saves = true
      effects.notes.append("another wall leads '\(board)' now (\(message.from)); this wall follows it")
    case .candidate:
      saved.role = .follower
      connection.listensUntil = nil
      effects.saves = true
    case .follower:
      if let heard, heard.name != message.from, now.clock - heard.time < Time.alive, other < heard.rank {
        return
      }
    }
    let isNew = heard?.name != message.from || heard?.process != message.process
    if isNew {
      heard = HeardLeader(
        name: message.from, process: message.process, reign: other.reign, hasContent: other.hasContent,
        time: now.clock, since: now.clock)
    }
    if isNew || hasLed || !isLeaderAlive(at: now.clock) {
      heard?.since = now.clock
      (connection.pings, connection.lastPing) = (0, .min)
    }
    heard?.reign = other.reign
    heard?.hasContent = other.hasContent
    heard?.time = now.clock
    heard?.clock.received(sent: message.sent, at: now.clock)
    handedOver = nil
    sendTakeover(&effects, now)
    if isNew { repeatRequests(&effects, now) }
    // This wall lacks the state that the beat names, or a part of its history, so it asks the leader.
    if message.kind == .beat, saved.history?.stamp != history.stamp || !hasWhole,
      now.clock - connection.lastAsk > Time.second / 2
    {
      connection.lastAsk = now.clock
      // Offers this wall's changes to the leader, which may continue them.
      if let own = saved.history, held.hasContent, !history.contains(own) {
        effects.send(state(.offer, whole: true, held, now))
      }
      effects.send(self.message(.ask, to: message.from, now))
    }
  }

  /// Records that another wall's config says that it leads. Even if the broker has forgotten what that wall
  /// led, the wall itself knows it.
  private mutating func noticeRival(_ message: WallMessage, _ effects: inout WallEffects) {
    guard role == .leader, !isConfiguredLeader else { return }
    if saved.hasRival == nil { (saved.hasRival, effects.saves) = (true, true) }
    if message.kind == .offer, let other = message.history, saved.history?.contains(other) == true {
      connection.isRivalKnown = true
    }
  }

  private mutating func noticeTwin(_ message: WallMessage, _ effects: inout WallEffects, _ now: Moment) {
    connection.twins += 1
    // Of two leaders with the same name, only one takes a new name.
    guard connection.twins > 1, role != .leader || isQuiet || process < message.process else { return }
    connection.twins = 0
    effects.notes.append(
      "another wall has this wall's name; was its memory card copied? This wall has a new name")
    // If both walls take a new name, the names differ, because they are made of different numbers.
    saved.name = Self.name(from: UInt64(process) << 32 | UInt64(truncatingIfNeeded: now.clock))
    if role == .leader {
      (saved.role, followsSince) = (.follower, now.clock)
      isAlone = false
    }
    effects.saves = true
  }

  /// A name of 16 hexadecimal digits.
  package static func name(from number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  // MARK: States

  /// Adopts the leader's state, if it is newer than this wall's.
  private mutating func follow(
    _ message: WallMessage, _ held: inout HeldMatch, _ effects: inout WallEffects, _ now: Moment
  ) {
    guard let history = message.history, message.board != nil else { return }
    if let own = saved.history {
      if own.stamp.run == history.stamp.run, own.stamp.number >= history.stamp.number {
        // A whole state of the same stamp adds the history of the match.
        if own.stamp == history.stamp, message.board?.isWhole == true { adopt(message, &held, &effects, now) }
        return
      }
      if held.hasContent, !history.contains(own) {
        // This wall's match has changes that the leader's lacks. The leader may continue it; otherwise this
        // wall sets it aside. It does not set it aside if the leader's match is empty, or if the leader has
        // not answered a ping yet, because the network may have delivered the leader's messages late.
        effects.send(state(.offer, whole: true, held, now))
        guard message.hasContent, heard?.isProven == true else { return }
        setAside(own, held, &effects)
      }
    }
    adopt(message, &held, &effects, now)
  }

  /// Replaces the match by that of a message.
  mutating func adopt(
    _ message: WallMessage, _ held: inout HeldMatch, _ effects: inout WallEffects, _ now: Moment
  ) {
    guard let history = message.history, let board = message.board else { return }
    // The steps and commands that only this wall knows are right only if its match is part of the new one.
    let isKnown = saved.history.map { $0.match == history.match && history.contains($0) } ?? false
    let isContinued = hasWhole && isKnown && isNext(history.stamp)
    let offset = message.from == heard?.name ? heard?.clock.offset(at: now.clock) : nil
    let shift = offset ?? Self.shift(of: message, now)
    held = board.held(shiftedBy: shift, continuing: isKnown ? held : nil)
    // After an undo, this wall may have fewer steps than the leader.
    hasWhole = board.isWhole || isContinued && held.match.past.count >= board.depth
    conversion = Conversion(process: message.process, offset: shift)
    saved.history = history
    effects.adopts = true
    effects.saves = true
    if let showAt = message.showAt, let offset {
      effects.showAt = min(showAt &+ offset, now.clock + 2 * Time.second)
    } else {
      effects.showAt = nil
    }
    forgetContained(&effects)
    if role == .follower, board.lacksSteps(of: held.match) {
      effects.send(state(.offer, to: message.from, whole: true, held, now))
    }
  }

  /// The offset for a message of a wall whose clock is not known, because it is not heard. The time since the
  /// message was sent is computed from both walls' CLOCK_REALTIME, which may be wrong by some seconds.
  private static func shift(of message: WallMessage, _ now: Moment) -> Int64 {
    let since = max(now.realtime &- message.realtime, 0)
    return (now.clock &- min(since, 86_400 * Time.second)) &- message.sent
  }

  /// Corrects the instants of a match that was adopted when its writer's clock was known less precisely.
  private mutating func convert(_ held: inout HeldMatch, by offset: Int64, _ effects: inout WallEffects) {
    guard role == .follower, let conversion, conversion.process == heard?.process else { return }
    let error = offset &- conversion.offset
    guard !(-Time.exactness...Time.exactness).contains(error) else { return }
    held.match.shift(by: error)
    self.conversion?.offset = offset
    (effects.adopts, effects.saves) = (true, true)
  }

  /// Whether the stamp of a state follows this wall's so closely that the steps in the state continue this
  /// wall's.
  private func isNext(_ stamp: MatchStamp) -> Bool {
    guard let own = saved.history?.stamp, own.run == stamp.run else { return false }
    return stamp.number - own.number < SharedMatch.shortSteps
  }

  mutating func setAside(_ history: SharedHistory, _ held: HeldMatch, _ effects: inout WallEffects) {
    guard !saved.aside.contains(history) else { return }
    saved.aside.append(history)
    effects.asides.append(WallEffects.SetAside(history: history, held: held))
    if saved.aside.count > Self.asideLimit { effects.contained.append(saved.aside.removeFirst()) }
    effects.saves = true
  }

  /// Forgets the matches that were set aside or offered and are part of the present one.
  mutating func forgetContained(_ effects: inout WallEffects) {
    guard let history = saved.history else { return }
    effects.contained += saved.aside.filter { history.contains($0) }
    saved.aside.removeAll { history.contains($0) }
    if let other = offered?.history, history.contains(other) { offered = nil }
  }

  // MARK: Offers

  /// Decides about a match that the broker has kept, or that a follower offers.
  private mutating func consider(
    _ message: WallMessage, _ held: inout HeldMatch, _ effects: inout WallEffects, _ now: Moment
  ) {
    guard let history = message.history, message.board != nil, message.hasContent else { return }
    // Whether another wall has led since this one, even if it has changed nothing.
    let isReplaced = history.stamp.reign > saved.history?.stamp.reign ?? .max
    if message.kind == .state, !isReplaced, saved.history?.contains(history) == true {
      connection.isBrokerKnown = true
    }
    if role == .follower, !isConfiguredLeader || saved.history == nil {
      // A kept state is shown until a leader is heard.
      guard !isLeaderAlive(at: now.clock), message.kind == .state else { return }
      if let own = saved.history, held.hasContent, own == history || !history.contains(own) { return }
      return adopt(message, &held, &effects, now)
    }
    if let own = saved.history, own.contains(history) {
      if let board = message.board, board.steps > held.match.past.count {
        board.complete(&held, shiftedBy: Self.shift(of: message, now))
        (effects.adopts, effects.saves) = (true, true)
        if role == .leader { connection.owesState = true }
      }
      if isReplaced, isQuiet, message.kind == .state {
        (saved.role, followsSince, connection.listensUntil) = (.follower, now.clock, nil)
        effects.saves = true
      }
      return
    }
    if role == .leader, connection.listensUntil == nil, continues(message, held) || !outranks(message) {
      return settle(message, &held, &effects, now)
    }
    guard offered.map({ isBetter(message, than: $0) }) ?? true else { return }
    offered = message
    // The wall that has written it may still lead; then it is heard soon.
    if role == .leader, connection.listensUntil == nil {
      connection.listensUntil = now.clock + Time.listening
    }
  }

  private func isBetter(_ a: WallMessage, than b: WallMessage) -> Bool {
    guard let first = a.history, let second = b.history else { return a.history != nil }
    switch (first.contains(second), second.contains(first)) {
    case (true, true): return a.board?.steps ?? 0 > b.board?.steps ?? 0
    case (true, false): return true
    case (false, true): return false
    case (false, false): break
    }
    return (first.stamp.reign, first.stamp.writer) > (second.stamp.reign, second.stamp.writer)
  }

  /// Whether all changes of this wall's match are in an offered one. An empty match has none, even if
  /// commands were refused in it.
  private func continues(_ message: WallMessage, _ held: HeldMatch) -> Bool {
    guard let other = message.history else { return false }
    return saved.history.map { !held.hasContent || other.contains($0) } ?? true
  }

  /// Whether an offered match is of a later reign than this wall's, and not contained in it.
  func outranks(_ message: WallMessage) -> Bool {
    guard let other = message.history, let own = saved.history else { return message.history != nil }
    return other.match == own.match && other.stamp.reign > own.stamp.reign && !own.contains(other)
  }

  /// Adopts an offered match if it continues this wall's, or is of a later reign. In the second case this
  /// wall's match is set aside.
  mutating func settle(
    _ message: WallMessage, _ held: inout HeldMatch, _ effects: inout WallEffects, _ now: Moment
  ) {
    guard let other = message.history else { return }
    let isContinued = continues(message, held)
    guard isContinued || outranks(message) else { return }
    if !isContinued, let own = saved.history { setAside(own, held, &effects) }
    let reign = saved.history?.stamp.reign ?? 0
    adopt(message, &held, &effects, now)
    if role == .leader, !isConfiguredLeader, other.stamp.reign > reign {
      // Another wall has taken over the lead and is not heard. That wall leads on, or the one whose config
      // says that it leads.
      (saved.role, followsSince, isAlone) = (.follower, now.clock, false)
      return
    }
    beginRun(reign: max(reign, other.stamp.reign + (other.stamp.writer == name ? 0 : 1)))
    effects.showAt = nil
    if role == .leader { announce(held, &effects, now) }
  }

  /// Answers a question for the match. The leader sends its whole state with the next `tick`. A wall that
  /// hears no leader sends its own match. So does every wall if a wall whose config says that it leads asks
  /// all of them, because that wall may be about to lead, although its last beat still counts.
  private mutating func answerAsk(
    _ message: WallMessage, _ held: HeldMatch, _ effects: inout WallEffects, _ now: Moment
  ) {
    switch role {
    case .leader where !isQuiet: connection.owesState = true
    case .leader, .follower:
      let isForAll = message.leads == true && message.to == nil
      guard held.hasContent, saved.history != nil, isForAll || !isLeaderAlive(at: now.clock) else { break }
      effects.send(state(.offer, whole: true, held, now))
    default: break
    }
  }

  // MARK: Commands

  /// Has a follower's command performed. It must be addressed to this wall, because another one may lead,
  /// too.
  private func take(_ message: WallMessage, _ effects: inout WallEffects, _ now: Moment) {
    guard message.to == name, let id = message.id, let request = message.request else { return }
    guard permission(at: now.clock) == .perform else {
      // Without an answer, the follower sends it again to a new leader, or reports that it does not know the
      // result.
      return
    }
    effects.requests.append(WallEffects.Request(id: id, from: message.from, request: request))
  }

  /// The leader's answer to a command of a follower.
  package func answer(_ text: String, to id: String, of wall: String, at now: Moment) -> WallMessage {
    var message = message(.answer, to: wall, now)
    (message.id, message.answer) = (id, text)
    return message
  }

  /// Sends a command to the leader. Returns nil if no leader was heard, or if too many commands wait.
  package mutating func request(
    _ request: WallMessage.Request, id: String?, at now: Moment
  ) -> (id: String, message: WallMessage)? {
    guard let leader = heard, waiting.count < Self.requestLimit else { return nil }
    let id = id ?? newID()
    var message = message(.request, to: leader.name, now)
    (message.id, message.request) = (id, request)
    waiting.removeAll { $0.id == id }
    let given = request.time &+ (leader.clock.offset(at: now.clock) ?? 0)
    waiting.append(
      Waiting(id: id, until: now.clock + Time.patience, request: request, given: given))
    return (id, message)
  }

  /// Sends the unanswered commands to a new leader, which knows those that the previous one has performed.
  private func repeatRequests(_ effects: inout WallEffects, _ now: Moment) {
    for waiting in waiting {
      guard let leader = heard, let time = leaderTime(of: waiting.given, at: now.clock) else { return }
      var message = message(.request, to: leader.name, now)
      (message.id, message.request) = (waiting.id, waiting.request)
      message.request?.time = time
      effects.send(message)
    }
  }
}
