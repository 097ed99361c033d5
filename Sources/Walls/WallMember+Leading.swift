// SPDX-License-Identifier: Apache-2.0

import Scoreboard

extension WallMember {
  // MARK: The connection

  /// Called when the broker is connected and this wall's subscriptions have been sent.
  package mutating func connected(_ held: HeldMatch, at now: Moment) -> WallEffects {
    (connection, offered) = (Connection(since: now.clock), nil)
    if role != .follower { connection.listensUntil = now.clock + Time.listening }
    var effects = WallEffects()
    connection.lastAsk = now.clock
    effects.send(message(.ask, now))
    // A wall whose config does not say that it leads first finds out whether another wall leads now.
    if role == .leader, isConfiguredLeader || isAlone { announce(held, &effects, now) }
    return effects
  }

  package mutating func disconnected() -> WallEffects {
    (connection, offered) = (Connection(), nil)
    var effects = WallEffects()
    effects.unanswered = waiting.map(\.id)
    waiting = []
    if saved.isUnannounced {
      withdraw()
      effects.saves = true
    }
    return effects
  }

  /// Sends the leader's beat and state. The state is whole, because some walls may not have the match yet.
  mutating func announce(_ held: HeldMatch, _ effects: inout WallEffects, _ now: Moment) {
    // Followers adopt states only from a wall whose beat they have heard, so the beat is sent first.
    effects.send(beat(held, now))
    effects.send(state(whole: true, held, now), isRetained: true)
    (connection.lastBeat, connection.lastWhole, connection.announced) = (now.clock, now.clock, now.clock)
    connection.owesState = false
  }

  // MARK: Time

  /// When `tick` is to be called; nil: never.
  package func nextTick(at now: Int64) -> Int64? {
    var times = waiting.map(\.until)
    if let takeover { times.append(takeover.until) }
    if let declined { times.append(declined.until) }
    guard let connectedSince else { return times.min() }
    // After `end` this wall may still have to wait, e.g. until the broker sends back its message, so `tick`
    // looks every quarter second.
    if let end = connection.listensUntil { times.append(end > now ? end : now + Time.second / 4) }
    switch role {
    case .leader, .candidate:
      times.append(connection.lastBeat == .min ? now : connection.lastBeat + Time.beat)
      if connection.owesState, role == .leader, !isQuiet {
        times.append(connection.lastWhole == .min ? now : connection.lastWhole + Time.refresh)
      }
    case .follower:
      if isLeaderAlive(at: now) {
        times.append((heard?.time ?? now) + Time.alive)
        times.append(nextPing(now))
        if wantsLead { times.append(now + Time.second) }
      } else if isConfiguredLeader {
        times.append(max(connection.lastAsk, connectedSince) + Time.second)
      }
    }
    return times.min()
  }

  private func nextPing(_ now: Int64) -> Int64 {
    guard connection.lastPing != .min else { return now }
    let isFrequent = connection.pings < 4 || heard?.isProven != true
    return connection.lastPing + (isFrequent ? Time.second / 4 : Time.pings)
  }

  package mutating func tick(_ held: inout HeldMatch, at now: Moment) -> WallEffects {
    var effects = WallEffects()
    for waiting in waiting where waiting.until <= now.clock { effects.unanswered.append(waiting.id) }
    waiting.removeAll { $0.until <= now.clock }
    if let takeover, takeover.until <= now.clock { endTakeover(takeover, &held, &effects, now) }
    if let declined, declined.until <= now.clock { decline(declined, &effects, now) }
    guard connectedSince != nil else { return effects }
    if let end = connection.listensUntil, end <= now.clock, isEchoed(since: end - Time.listening / 2),
      role == .candidate || isConfiguredLeader || isAlone
        || connection.isBrokerKnown && (saved.hasRival == nil || connection.isRivalKnown)
    {
      let wasQuiet = isQuiet
      (connection.listensUntil, isAlone) = (nil, false)
      lead(with: offered, &held, &effects, now)
      offered = nil
      if wasQuiet, role == .leader { announce(held, &effects, now) }
    }
    switch role {
    case .leader, .candidate:
      // If the broker has not sent back a message of this wall for the time of the lease, another wall may
      // lead now, unless the config says that this one leads.
      if role == .leader, !isConfiguredLeader, !isAlone, connection.listensUntil == nil,
        !isEchoed(since: now.clock - Time.lease)
      {
        (connection.listensUntil, connection.isRivalKnown) = (now.clock + Time.listening, false)
      }
      if connection.lastBeat == .min || now.clock - connection.lastBeat >= Time.beat {
        connection.lastBeat = now.clock
        if role == .candidate || isQuiet, now.clock - connection.lastAsk >= Time.second / 2 {
          connection.lastAsk = now.clock
          effects.send(message(.ask, now))
        }
        if !isQuiet { effects.send(beat(held, now)) }
      }
      let mayRepeat =
        connection.lastWhole == .min || now.clock - connection.lastWhole >= Time.refresh
      if connection.owesState, role == .leader, !isQuiet, mayRepeat {
        (connection.owesState, connection.lastWhole) = (false, now.clock)
        effects.send(state(whole: true, held, now), isRetained: true)
      }
    case .follower: tickFollower(&held, &effects, now)
    }
    return effects
  }

  private mutating func tickFollower(_ held: inout HeldMatch, _ effects: inout WallEffects, _ now: Moment) {
    if isLeaderAlive(at: now.clock), let heard {
      if nextPing(now.clock) <= now.clock {
        (connection.lastPing, connection.pings) = (now.clock, connection.pings + 1)
        effects.send(message(.ping, to: heard.name, now))
      }
      if wantsLead, takeover == nil { askForLead(isConfirmed: false, isAsked: false, &effects, now) }
      return
    }
    guard isConfiguredLeader, let connectedSince else { return }
    let last = max(heard?.time ?? connectedSince, connectedSince, followsSince)
    if now.clock - connection.lastAsk >= Time.second {
      connection.lastAsk = now.clock
      effects.send(message(.ask, now))
    }
    // Waits until the broker has sent back a message that this wall sent `certainty` after the last beat of
    // another leader. Then everything that the leader sent before that message has arrived, too.
    guard now.clock - last >= Time.silence, connection.echoed >= last + Time.certainty else { return }
    effects.notes.append("nobody leads '\(board)'; this wall does, as its config says")
    saved.role = .candidate
    lead(with: offered, &held, &effects, now)
    offered = nil
  }

  // MARK: Leading

  /// Leads, with the best match that this wall knows.
  private mutating func lead(
    with offer: WallMessage?, _ held: inout HeldMatch, _ effects: inout WallEffects, _ now: Moment
  ) {
    if let offer, offer.history.map({ saved.history?.contains($0) ?? false }) == false {
      if role == .candidate, saved.history == nil, held.hasContent {
        // This wall's own match, from before it shared one, is set aside.
        let own = SharedHistory(match: name, stamp: MatchStamp(newRun(reign: 0), number: 1))
        setAside(own, held, &effects)
        adopt(offer, &held, &effects, now)
        beginRun(reign: offer.history.map { $0.stamp.reign + 1 })
      } else {
        settle(offer, &held, &effects, now)
      }
    }
    guard role == .candidate else { return }
    establish(&held, reign: nil, isDecided: false, &effects, now)
  }

  /// Becomes the leader, with the match that this wall has.
  ///
  /// - Parameters:
  ///   - reign: the one after the reign that this wall continues; nil: another wall may have led without
  ///     being heard.
  ///   - isDecided: whether a person, or the old leader, has decided it. Otherwise this wall performs
  ///     commands only when the broker has its announcement, where a leader that was cut off finds it.
  mutating func establish(
    _ held: inout HeldMatch, reign: Int?, isDecided: Bool = true, _ effects: inout WallEffects, _ now: Moment
  ) {
    saved.role = .leader
    (wantsLead, handedOver, connection.listensUntil, isAlone) = (false, nil, nil, connectedSince == nil)
    (saved.isUnannounced, saved.hasRival) = (!isDecided, nil)
    if saved.history == nil {
      let run = newRun(reign: 1)
      // An id of the same form as names, and as random as they are.
      let id = Self.name(from: UInt64(process) << 32 | UInt64(truncatingIfNeeded: now.realtime ^ now.clock))
      saved.history = SharedHistory(match: id, stamp: MatchStamp(run, number: held.hasContent ? 1 : 0))
    } else {
      // Another wall may have taken over in the next reign without being heard, and its messages may arrive
      // late, so that reign is skipped.
      beginRun(reign: reign ?? max(saved.history?.stamp.reign ?? 0, heard?.reign ?? 0) + 2)
    }
    if reign == nil, held.hasContent {
      held.performed.gap = .init(board: board, end: now.clock)
      effects.adopts = true
    }
    // The lease begins now.
    connection.echoed = max(connection.echoed, now.clock)
    effects.saves = true
    announce(held, &effects, now)
  }

  // MARK: Takeover

  /// Makes this wall the leader, because a person has decided it.
  ///
  /// - Parameter isConfirmed: whether the person was shown what may be lost.
  package mutating func takeOver(
    isConfirmed: Bool, _ held: inout HeldMatch, at now: Moment
  ) -> WallEffects {
    var effects = WallEffects()
    switch role {
    case .leader:
      guard permission(at: now.clock) != .perform else {
        effects.takeover = .alreadyLeads
        return effects
      }
      guard isConfirmed else {
        effects.takeover = .unconfirmed(since: nil)
        return effects
      }
      if let offered, outranks(offered) {
        establish(&held, reign: (offered.history?.stamp.reign ?? 0) + 1, &effects, now)
      }
      (connection.listensUntil, offered, isAlone) = (nil, nil, true)
      effects.takeover = .led
    case .candidate:
      guard isConfirmed else {
        effects.takeover = .unconfirmed(since: nil)
        return effects
      }
      establish(&held, reign: nil, &effects, now)
      effects.takeover = .led
    case .follower:
      guard saved.history != nil else {
        effects.takeover = .neverReceived
        return effects
      }
      // Another wall may lead that this one has not heard yet.
      let since = max(followsSince, connectedSince ?? .min)
      if isLeaderAlive(at: now.clock) || connectedSince != nil && now.clock - since < Time.alive {
        askForLead(isConfirmed: isConfirmed, isAsked: true, &effects, now)
      } else if isConfirmed {
        establish(&held, reign: nil, &effects, now)
        effects.takeover = .led
      } else {
        effects.takeover = .unconfirmed(since: heard?.time)
      }
    }
    return effects
  }

  private mutating func askForLead(
    isConfirmed: Bool, isAsked: Bool, _ effects: inout WallEffects, _ now: Moment
  ) {
    if var takeover {
      takeover.isConfirmed = takeover.isConfirmed || isConfirmed
      takeover.isAsked = takeover.isAsked || isAsked
      self.takeover = takeover
      return
    }
    takeover = Takeover(
      id: newID(), until: now.clock + Time.handover, isConfirmed: isConfirmed, isAsked: isAsked)
    sendTakeover(&effects, now)
  }

  /// Asks the leader for the lead. Does nothing until a leader is heard.
  mutating func sendTakeover(_ effects: inout WallEffects, _ now: Moment) {
    guard var takeover, !takeover.isSent, isLeaderAlive(at: now.clock), let heard else { return }
    (takeover.isSent, takeover.until) = (true, now.clock + Time.handover)
    self.takeover = takeover
    var message = message(.handover, to: heard.name, now)
    (message.id, message.peerTime) = (takeover.id, leaderTime(of: now.clock, at: now.clock))
    effects.send(message)
  }

  /// Called when the old leader has not answered in time.
  private mutating func endTakeover(
    _ takeover: Takeover, _ held: inout HeldMatch, _ effects: inout WallEffects, _ now: Moment
  ) {
    self.takeover = nil
    guard role == .follower else {
      if takeover.isAsked { effects.takeover = .led }
      return
    }
    if takeover.isConfirmed {
      establish(&held, reign: nil, &effects, now)
      effects.takeover = .led
    } else if takeover.isAsked {
      effects.takeover = .unconfirmed(since: heard?.time)
    }
  }

  /// Stops leading. The last state is sent to the wall that has asked, after it is saved.
  mutating func handOver(
    _ message: WallMessage, _ held: inout HeldMatch, _ effects: inout WallEffects, _ now: Moment
  ) {
    guard message.to == name, let id = message.id, handedOver != id else { return }
    // If the message is older, the other wall does not wait for the answer any more.
    guard let time = message.peerTime, (-Time.handover...Time.handover).contains(now.clock &- time)
    else { return }
    guard role == .leader, permission(at: now.clock) == .perform else { return }
    if let offered { settle(offered, &held, &effects, now) }
    guard role == .leader else { return }
    (saved.role, followsSince, offered) = (.follower, now.clock, nil)
    handedOver = id
    isAlone = false
    effects.saves = true
    effects.notes.append("this wall hands '\(board)' over to \(message.from)")
    var last = state(to: message.from, whole: true, held, now)
    last.id = id
    if saved.hasRival == true { last.leads = true }
    effects.send(last)
  }

  /// Called with the old leader's last state. This wall leads from now on, if it has asked for the lead;
  /// otherwise it declines.
  mutating func finishTakeover(
    _ message: WallMessage, _ held: inout HeldMatch, _ effects: inout WallEffects, _ now: Moment
  ) {
    guard let id = message.id, id != accepted else { return }
    guard let takeover, takeover.id == id, role == .follower, let history = message.history else {
      // Another process with this wall's name may have asked: this wall before a restart, or a wall with a
      // copied memory card.
      let isOwn = id.hasPrefix(idPrefix)
      declined = Declined(
        id: id, to: message.from, received: now.clock, until: now.clock + (isOwn ? 0 : Time.handover))
      return
    }
    self.takeover = nil
    accepted = id
    if let own = saved.history, held.hasContent, !history.contains(own) { setAside(own, held, &effects) }
    adopt(message, &held, &effects, now)
    establish(&held, reign: history.stamp.reign + 1, &effects, now)
    saved.hasRival = isConfiguredLeader ? nil : message.leads
    if takeover.isAsked { effects.takeover = .led }
  }

  private mutating func decline(_ declined: Declined, _ effects: inout WallEffects, _ now: Moment) {
    self.declined = nil
    guard role != .leader, heard.map({ $0.time <= declined.received }) ?? true else { return }
    var message = message(.decline, to: declined.to, now)
    message.id = declined.id
    effects.send(message)
  }

  /// Leads again, because the other wall has declined the handover.
  mutating func resume(
    _ message: WallMessage, _ held: HeldMatch, _ effects: inout WallEffects, _ now: Moment
  ) {
    guard handedOver != nil, handedOver == message.id, role == .follower,
      saved.history?.stamp.writer == name
    else { return }
    self.handedOver = nil
    saved.role = .leader
    beginRun()
    connection.echoed = max(connection.echoed, now.clock)
    effects.saves = true
    announce(held, &effects, now)
  }
}
