// SPDX-License-Identifier: Apache-2.0

extension NetworkSetup {
  /// Does what is due. All rules are checked after each event.
  mutating func settle(_ now: Int64) -> [Effect] {
    next = nil
    if facts.isRunning {
      replaceLostMemory()
      noteOnline(now)
      freeSince = isRadioTaken ? nil : freeSince ?? now
      advanceTrial(now)
      // A trial may have ended with a network.
      noteOnline(now)
      keepJoined(now)
      deleteForgotten(now)
      chooseGoal(now)
      advanceAccessPoint(now)
      closeOthers(now)
      lookForNetworks(now)
      helpNetworkManager(now)
    } else {
      if case .trial(let trial) = goal { end(trial, .failed, now) }
      if case .accessPoint(var point) = goal, point.uuid != nil {
        (point.uuid, point.openedAt, point.repliedAt, point.attemptAt) = (nil, nil, nil, now)
        goal = .accessPoint(point)
      }
      offlineSince = offlineSince ?? now
      help = nil
      // What another NetworkManager will report has other paths.
      (inFlight, paused) = ([], [:])
    }
    updateCard(now)
    defer { effects = [] }
    return effects
  }

  private mutating func wake(_ time: Int64) { next = min(next ?? .max, time) }

  /// Makes a call, unless the same is in flight or is to wait.
  mutating func call(_ operation: Operation, _ now: Int64) {
    guard !inFlight.contains(operation) else { return }
    if let until = paused[operation]?.until, now < until { return wake(until) }
    inFlight.insert(operation)
    effects.append(.call(operation))
  }

  /// Has a call that was answered wait before it is made again: each time twice as long if it was refused.
  mutating func pause(_ operation: Operation, isRefused: Bool, _ now: Int64) {
    paused = paused.filter { now < $0.value.until + $0.value.wait || inFlight.contains($0.key) }
    switch operation {
    // Each has a UUID of its own, so it is not made again. One of them has a password.
    case .openAccessPoint, .join: return
    // What they have changed may be reported after the reply.
    case .deactivate, .delete: break
    case .scan, .activate, .keep: if !isRefused { return paused[operation] = nil }
    }
    let last = isRefused ? paused[operation]?.wait : nil
    let wait = last.map { min(2 * $0, times.maximumRetry) } ?? times.retry
    paused[operation] = Pause(until: now + wait, wait: wait)
  }

  // MARK: Online

  /// A machine that knows a network has been online, as far as can be known.
  private mutating func replaceLostMemory() {
    guard memory.isLost else { return }
    memory.isLost = false
    if facts.profiles.contains(where: { !$0.isAccessPoint && !$0.isVolatile }) { memory.hasBeenOnline = true }
    effects.append(.save(memory))
  }

  private mutating func noteOnline(_ now: Int64) {
    guard isOnline else {
      offlineSince = offlineSince ?? now
      return
    }
    offlineSince = nil
    searchUntil = nil
    help = nil
    if !memory.hasBeenOnline, isOnlineForGood {
      memory.hasBeenOnline = true
      effects.append(.save(memory))
    }
  }

  /// Whether the machine is in a network that it still knows after a power cut. Otherwise it would have
  /// neither a network nor an access point.
  private var isOnlineForGood: Bool {
    facts.hasForeignCable
      || homeConnections.contains { connection in
        connection.kind == .cable || profile(of: connection).map(isStored) ?? false
      }
  }

  private func isStored(_ profile: NetworkFacts.Profile) -> Bool {
    !profile.isVolatile || kept.contains(profile.uuid)
  }

  /// Stores a network that was joined. This is a rule of its own, so that it is also stored if the program or
  /// NetworkManager has failed in between.
  private mutating func keepJoined(_ now: Int64) {
    kept = kept.filter { uuid in facts.profiles.contains { $0.uuid == uuid } }
    for connection in facts.connections where connection.isActivated {
      guard let profile = profile(of: connection), profile.isOurs, !isStored(profile), !profile.isAccessPoint
      else { continue }
      call(.keep(profile: profile.path), now)
    }
  }

  /// A profile was stored. Others of the same network are forgotten, because their passwords may be old.
  mutating func noteKept(_ path: String) {
    guard let profile = facts.profiles.first(where: { $0.path == path }) else { return }
    kept.insert(profile.uuid)
    for other in facts.profiles
    where other.isOurs && !other.isAccessPoint && other.network == profile.network
      && other.uuid != profile.uuid
    {
      forgotten.insert(other.uuid)
    }
  }

  /// Deletes what is to be forgotten, until NetworkManager does not report it any more.
  private mutating func deleteForgotten(_ now: Int64) {
    forgotten = forgotten.filter { uuid in
      facts.profiles.contains { $0.uuid == uuid } || facts.connections.contains { $0.uuid == uuid }
    }
    for profile in facts.profiles where forgotten.contains(profile.uuid) {
      call(.delete(profile: profile.path), now)
    }
  }

  // MARK: Trials

  private mutating func advanceTrial(_ now: Int64) {
    guard case .trial(var trial) = goal else { return }
    let device = facts.device(trial.device)
    if let connection = facts.connections.first(where: { $0.uuid == trial.uuid }) {
      if connection.isActivated { return succeed(trial, connection, now) }
      if !connection.isEnding { trial.hasAppeared = true }
    }
    let isPresent = facts.connections.contains { $0.uuid == trial.uuid && !$0.isEnding }
    guard let device else { return end(trial, .failed, now) }
    if trial.hasAppeared, device.failures != trial.failures {
      return end(trial, Self.problem(device.failureReason), now)
    }
    if trial.hasAppeared, !isPresent { return end(trial, .failed, now) }
    if !trial.hasAppeared, let replied = trial.repliedAt {
      if now >= replied + times.appearance { return end(trial, .failed, now) }
      wake(replied + times.appearance)
    }
    goal = .trial(trial)
    if now >= trial.deadline {
      let isFound = networks.contains { $0.name == trial.network }
      return end(trial, device.state >= 70 ? .noAddress : isFound ? .failed : .notFound, now)
    }
    wake(trial.deadline)
  }

  private mutating func succeed(_ trial: Trial, _ connection: NetworkFacts.Connection, _ now: Int64) {
    goal = .none
    failure = nil
    result = (.joined(trial.network, address: connection.address), now + times.result)
    effects.append(.notice("joined '\(trial.network.text)'"))
  }

  mutating func end(_ trial: Trial, _ problem: Problem, _ now: Int64) {
    let failed = Failure(network: trial.network, problem: problem)
    failure = failed
    result = (.failed(failed), now + times.result)
    effects.append(.warning("'\(trial.network.text)' was not joined: \(problem.rawValue)"))
    // The access point is opened again, after another look for networks.
    goal = trial.origin.map { .accessPoint(AccessPoint(reason: $0, attemptAt: now)) } ?? .none
    usedAt = now
  }

  /// The problem for NMDeviceStateReason.
  static func problem(_ reason: Int) -> Problem {
    switch reason {
    // No secrets: NetworkManager asks for another password after a wrong one, and nobody answers.
    case 7: .wrongPassword
    // The network's name was not found.
    case 53: .notFound
    // No address, an expired one, the errors of DHCP, of shared and of automatic addresses.
    case 5, 6, 15...22: .noAddress
    default: .failed
    }
  }

  // MARK: The access point

  /// Whether there may be a network other than one that somebody has yet to choose.
  private var knowsNetworks: Bool {
    isOnline || facts.profiles.contains { !$0.isAccessPoint && !$0.isVolatile && $0.isAutomatic }
  }

  private mutating func chooseGoal(_ now: Int64) {
    switch goal {
    case .trial: break
    case .accessPoint(let point):
      if isOnline, point.reason != .asked {
        effects.append(.notice("closing the access point: there is a network"))
        return goal = .none
      }
      // Somebody has activated it since the decision.
      if isRadioTaken, point.uuid == nil, point.reason != .asked {
        effects.append(.notice("no access point is opened: another connection uses the radio"))
        return goal = .none
      }
      if point.openedAt == nil, !facts.isStarting, facts.radio != nil, !facts.canHaveAccessPoint {
        effects.append(.warning("no access point is opened: the radio cannot be one"))
        return goal = .none
      }
      guard let opened = point.openedAt, knowsNetworks else { break }
      let end = max(opened, usedAt) + times.term
      if now >= end {
        effects.append(.notice("closing the access point, to look for a known network"))
        closeForSearch(now)
        wake(now + times.search)
      } else {
        wake(end)
      }
    case .none:
      guard !isOnline, let offlineSince, let freeSince else { break }
      if let searchUntil {
        if now < searchUntil { return wake(searchUntil) }
        self.searchUntil = nil
      }
      if !memory.hasBeenOnline {
        let due = max(startedAt, freeSince) + times.patience
        let isBusy = facts.isStarting || facts.isActivating(except: nil)
        let time = isBusy ? due + times.reprieve : due
        if now >= time { open(.firstStart, now) } else { wake(time) }
      } else if memory.isFallbackAllowed {
        let due = max(offlineSince, freeSince) + times.absence
        if now >= due { open(.absence, now) } else { wake(due) }
      }
    }
  }

  private mutating func open(_ reason: Reason, _ now: Int64) {
    guard facts.canHaveAccessPoint else { return }
    goal = .accessPoint(AccessPoint(reason: reason, attemptAt: now))
    usedAt = now
  }

  mutating func closeForSearch(_ now: Int64) {
    goal = .none
    searchUntil = now + times.search
    help = nil
  }

  mutating func retry(_ point: inout AccessPoint, _ now: Int64) {
    (point.uuid, point.openedAt, point.repliedAt) = (nil, nil, nil)
    point.attemptAt = now + min(times.retry << min(point.attempts, 16), times.maximumRetry)
    if point.attempts == 0 { effects.append(.warning("the access point could not be opened; trying again")) }
    point.attempts += 1
  }

  private mutating func advanceAccessPoint(_ now: Int64) {
    guard case .accessPoint(var point) = goal else { return }
    defer { goal = .accessPoint(point) }
    if let uuid = point.uuid {
      let connection = facts.connections.first { $0.uuid == uuid && !$0.isEnding }
      if let connection {
        if connection.isActivated, point.openedAt == nil {
          point.openedAt = now
          point.attempts = 0
          usedAt = now
          effects.append(.notice("the access point is open"))
          if knowsNetworks { wake(now + times.term) }
        }
      } else if point.openedAt != nil {
        // Closed by another program, or its device was removed.
        retry(&point, now)
      } else if let replied = point.repliedAt {
        if now >= replied + times.appearance {
          retry(&point, now)
        } else {
          wake(replied + times.appearance)
        }
      }
    }
    guard point.uuid == nil else { return }
    guard now >= point.attemptAt else { return wake(point.attemptAt) }
    // Without a radio, this waits for one.
    guard let radio = facts.radio, radio.canBeAccessPoint else { return }
    // The radio of an access point cannot look for networks.
    guard hasLooked(radio, &point, now) else { return }
    let made = uuid()
    (point.uuid, point.repliedAt, point.scanBegan) = (made, nil, nil)
    call(.openAccessPoint(device: radio.path, uuid: made), now)
  }

  /// Has the radio look for networks before it becomes an access point; returns whether it has, or whether it
  /// takes too long.
  private mutating func hasLooked(
    _ radio: NetworkFacts.Device, _ point: inout AccessPoint, _ now: Int64
  ) -> Bool {
    guard let began = point.scanBegan else {
      point.scanBegan = now
      scanMark = radio.lastScan
      call(.scan(device: radio.path), now)
      wake(now + times.scan)
      return false
    }
    if now >= began + times.scan || radio.lastScan != scanMark { return true }
    wake(began + times.scan)
    return false
  }

  /// Ends what belongs to neither the present access point nor the present trial: access points that are to
  /// be closed, and networks that were tried in vain.
  private mutating func closeOthers(_ now: Int64) {
    var current: String?
    switch goal {
    // NetworkManager ends the access point by itself when it activates the network on the same radio.
    case .trial: return
    case .accessPoint(let point): current = point.uuid
    case .none: break
    }
    for profile in facts.profiles where profile.isOurs && profile.uuid != current {
      let connection = facts.connections.first { $0.uuid == profile.uuid }
      if profile.isAccessPoint {
        if let connection, !connection.isEnding { call(.deactivate(connection: connection.path), now) }
      } else if !isStored(profile), connection?.isActivated != true {
        call(.delete(profile: profile.path), now)
      }
    }
  }

  // MARK: Known networks

  private var isWaiting: Bool {
    if case .none = goal { return !isOnline && !facts.isStarting }
    return false
  }

  private mutating func lookForNetworks(_ now: Int64) {
    guard isWaiting, let radio = facts.radio, radio.isIdle else { return }
    let due = (scannedAt ?? .min / 2) + times.scanInterval
    if now >= due {
      scannedAt = now
      call(.scan(device: radio.path), now)
      wake(now + times.scanInterval)
    } else {
      wake(due)
    }
  }

  /// NetworkManager gives up a network whose password was refused, although that also happens while a router
  /// starts, and waits for somebody. So known networks that can be seen are activated now and then, in turn.
  private mutating func helpNetworkManager(_ now: Int64) {
    guard isWaiting, let radio = facts.radio, radio.isIdle, radio.isAutomatic,
      !facts.isActivating(except: nil)
    else { return }
    let visible = Set(facts.networks.map(\.name))
    let known = facts.profiles.filter {
      !$0.isAccessPoint && !$0.isVolatile && $0.isAutomatic && ($0.isHidden || visible.contains($0.network))
    }
    let seen = visible.intersection(known.map(\.network))
    guard !known.isEmpty else { return help = nil }
    var plan = help ?? Help(at: now + times.help, wait: times.help, visible: seen)
    if !seen.isSubset(of: plan.visible) { plan = Help(at: now + times.help, wait: times.help, visible: seen) }
    plan.visible = seen
    if now >= plan.at {
      plan.wait = min(plan.wait * 2, times.maximumHelp)
      plan.at = now + plan.wait
      let profile = strongestFirst(known)[plan.attempts % known.count]
      plan.attempts += 1
      call(.activate(profile: profile.path, device: radio.path), now)
    }
    wake(plan.at)
    help = plan
  }

  private func strongestFirst(_ profiles: [NetworkFacts.Profile]) -> [NetworkFacts.Profile] {
    func strength(_ profile: NetworkFacts.Profile) -> Int {
      facts.networks.first { $0.name == profile.network }?.strength ?? 0
    }
    return profiles.sorted { (strength($0), $0.path) > (strength($1), $1.path) }
  }

  // MARK: The wall

  private mutating func updateCard(_ now: Int64) {
    if let until = result?.until {
      if now >= until { result = nil } else { wake(until) }
    }
    let card: Card? =
      switch goal {
      case .trial(let trial): .joining(trial.network)
      case .accessPoint(let point) where point.openedAt != nil: .accessPoint(failure)
      case .accessPoint, .none: result?.card
      }
    guard card != shown else { return }
    shown = card
    effects.append(.show(card))
  }
}
