// SPDX-License-Identifier: Apache-2.0

import Display
import Glibc
import LinuxSystem

/// Searching: after uevents, when a display failed, and from time to time while one is missing.
extension KMSDisplays {
  /// Handles uevents. More are likely to follow, so the search starts a little later.
  func hardwareMayHaveChanged(_ paths: Set<String>?) {
    guard let settle = session?.settle else { return }
    let before = session?.changed
    session?.changed = paths.flatMap { paths in before.map { $0.union(paths) } }
    if isProbing {
      session?.probing?.uevents.append(paths)
    } else {
      for output in all { output.noteHotplug(paths, isActive: isActive) }
    }
    if settle.deadline == nil { settle.arm(inNanoseconds: timings.settle) }
  }

  func hardwareChanged() {
    let changed = session?.changed
    session?.changed = []
    absence.hardwareChanged()
    for output in all { output.absence.hardwareChanged() }
    // While no display is found, a change may concern any card.
    search(all.contains(where: \.isFound) ? changed : nil)
  }

  /// Searches all cards at the end of the loop's turn.
  func searchSoon() { loop.defer { [weak self] in self?.search(nil) } }

  /// Searches the cards on which an attempt or a look at a display is due, or all cards while no display is
  /// found.
  func probe() {
    guard isActive else { return }
    let now = now
    var scope: Set<String>? = []
    if !all.contains(where: \.isFound) { scope = nil }
    for output in all where output.absence.retryTime <= now || output.memory.nextLook <= now {
      // A card that is gone may be back under another number, so all cards are searched.
      scope = output.card.flatMap { card in scope?.union([card.path]) }
    }
    for (path, absence) in missingCards where absence.retryTime <= now { scope?.insert(path) }
    guard scope?.isEmpty != true else { return armProbe() }
    search(scope, isProbe: true)
  }

  /// What is known about the displays, for the selection of pipes.
  var hints: [String: PipeHint] {
    Dictionary(
      all.map {
        ($0.name, PipeHint(remembered: $0.memory.remembered, isInUse: $0.isFound, avoided: $0.memory.avoided))
      }, uniquingKeysWith: { first, _ in first })
  }

  /// - Parameter opened: cards that are not in use yet, by path.
  func cardSearch(_ session: Session, _ opened: [String: DRMDevice] = [:]) -> CardSearch {
    CardSearch(
      source: environment.cards, preferences: preferences,
      acceptsFirmware: now >= session.startTime + timings.firmwareGrace,
      open: cards.mapValues(\.device).merging(opened) { used, _ in used }, hints: hints)
  }

  /// Looks at the cards, and uses what it finds.
  ///
  /// - Parameter opened: cards that were opened for this, by path. Those that are not used are closed.
  func look(at request: SearchRequest, _ opened: [String: DRMDevice]) {
    guard isActive, let session else { return }
    let (scope, isProbe) = (request.scope, request.isProbe)
    let search = cardSearch(session, opened)
    let due = all.filter { $0.absence.retryTime <= now }.map { ($0, $0.absence.attempts) }
    let attempts = absence.attempts
    var result = search.run(scope: scope)
    closeMissing(&result, search)
    seen = seen.filter { result.paths.contains($0.key) }
    for found in result.found {
      seen[found.device.path] = Dictionary(
        found.card.connectors.map { ($0.id, $0.status) }, uniquingKeysWith: { first, _ in first })
      if let problem = use(found, isProbe: isProbe, among: result) {
        result.problems[found.device.path] = problem
      }
    }
    releaseUnused()
    for (output, attempts) in due where output.absence.attempts == attempts {
      // The search learned nothing about this output, because its card is gone.
      if let problem = output.absence.problem { output.failed(problem) }
    }
    for output in all where scope == nil && output.card == nil && output.absence.problem == nil {
      // The output's card was to be opened again, but could not be opened.
      output.failed(result.problems.values.worst ?? .noDisplay(connectors: [output.name]))
    }
    settle(result, scope, after: attempts)
    armProbe()
  }

  /// Closes open cards that no longer exist, were lost or are not wanted. A card with another problem, such
  /// as being busy, stays open, and its displays count as failed.
  private func closeMissing(_ result: inout CardSearch.Result, _ search: CardSearch) {
    for card in Array(cards.values) {
      let outputs = card.outputs
      let problem = result.problems[card.path]
      if !result.paths.contains(card.path) {
        let error = SystemError("open", card.path, errno: Errno(rawValue: ENODEV))
        card.close(.gone, problem: problem ?? .cardLost(path: card.path, error))
      } else if case .cardLost(card.path, _)? = problem {
        card.close(.gone, problem: problem)
      } else if let problem {
        for output in outputs { output.failed(problem) }
      } else if !search.isWanted(card.device) {
        card.close(.released)
        for output in outputs { remove(output) }
      }
    }
  }

  /// Uses the pipes that were selected on a card. Returns why the card cannot be used, or nil.
  private func use(
    _ found: CardSearch.Found, isProbe: Bool, among result: CardSearch.Result
  ) -> DisplayProblem? {
    let path = found.device.path
    let isConnectedElsewhere = { (name: String) in
      result.found.contains { other in
        other.assignment.choices.contains {
          $0.pipe.connector.name != name && $0.pipe.connector.status == .connected
        }
      }
    }
    let choices = found.assignment.choices.filter { choice in
      let connector = choice.pipe.connector
      // A display that cannot be detected is used only if there is no other, unless it is configured or in
      // use already.
      return connector.status == .connected || choice.rule == connector.name
        || preferences.wantedConnector != nil || !isConnectedElsewhere(connector.name)
        || all.contains { $0.name == connector.name && $0.isFound }
    }
    let card: KMSCard
    if let open = cards[path] {
      card = open
    } else {
      if choices.isEmpty { return nil }
      do throws(SystemError) { card = try open(found) } catch { return .cardLost(path: path, error) }
    }
    environment.console.takeFront { [weak self] in self?.consoleEvent($0) }
    card.foreign = found.assignment.foreign
    for output in card.outputs {
      guard let screen = output.screen else { continue }
      // A display that moves to another CRTC first frees its old one, because another display may be about to
      // use it.
      let choice = choices.first { $0.pipe.connector.name == output.name }
      if let choice, choice.pipe.crtc.id != screen.pipe.crtc.id { output.takeApart() }
    }
    for output in card.outputs {
      if choices.contains(where: { $0.pipe.connector.name == output.name }) { continue }
      let problem = found.assignment.problems[output.name] ?? .noDisplay(connectors: [output.name])
      output.memory.forgive()
      output.takeApart()
      if case .notConfigured = problem { remove(output) } else { output.failed(problem) }
    }
    for choice in choices {
      // The failure of an earlier display may have closed the card.
      guard card.isOpen else { return nil }
      do throws(SystemError) {
        let output = try output(choice.pipe.connector.name)
        if isProbe, output.absence.problem != nil, output.absence.retryTime > now { continue }
        output.use(choice, on: card) {
          PipeSelection.select(on: found.card, preferences, hints: hints)
        }
      } catch {
        log.warning("\(choice.pipe.connector.name): \(error)")
      }
    }
    return nil
  }

  /// Closes cards without a connected display if another card has one, so that other programs can use them.
  /// Closes the firmware's framebuffer if a native driver drives a display.
  private func releaseUnused() {
    for card in Array(cards.values) {
      let isUseless = card.outputs.allSatisfy { $0.absence.problem?.isNoDisplay == true }
      let isElsewhere = all.contains { $0.card !== card && $0.isFound }
      if isUseless, isElsewhere { card.close(.released) }
    }
    guard all.contains(where: { $0.isFound && !$0.isOfFirmware }), preferences.wantedCard == .auto else {
      return
    }
    for output in all where output.isOfFirmware {
      output.card?.close(.released)
      remove(output)
    }
  }

  /// Reports what the search found out about cards and about displays as a whole.
  ///
  /// - Parameters:
  ///   - scope: the paths of the cards that were searched; nil for all.
  ///   - attempts: the number of failed attempts before the search.
  private func settle(_ result: CardSearch.Result, _ scope: Set<String>?, after attempts: Int) {
    missingCards = missingCards.filter { path, _ in
      guard result.paths.contains(path) else { return false }
      return scope?.contains(path) == false || result.problems[path]?.concernsUsableCard == true
    }
    if all.contains(where: \.isFound) {
      for (path, problem) in result.problems where cards[path] == nil && problem.concernsUsableCard {
        var absence = missingCards[path] ?? Absence(slowProbe: timings.slowProbe)
        if absence.failed(problem, now: now).isReported { log.write(problem.level, problem.description) }
        missingCards[path] = absence
      }
      return
    }
    var problems = Array(result.problems.values)
    problems += result.found.compactMap(\.assignment.problem)
    problems += all.compactMap { $0.card == nil ? nil : $0.absence.problem }
    if let missing = result.missing { problems.append(missing) }
    // There may be displays whose next attempt is not due yet; their last problems still apply.
    if problems.isEmpty { problems = all.compactMap(\.absence.problem) }
    guard let worst = problems.worst else { return }
    // An output that failed in this search has reported its problem already.
    if absence.problem == worst, absence.attempts > attempts { return }
    report(worst, absence.failed(worst, now: now))
  }

  /// Arms the timer for the next search that is due without an event.
  func armProbe() {
    guard let timer = session?.probe, isActive, !isProbing else { return }
    var next = Int64.max
    for output in all { next = min(next, output.absence.retryTime, output.memory.nextLook) }
    if all.contains(where: \.isFound) {
      for absence in missingCards.values { next = min(next, absence.retryTime) }
    } else {
      next = min(next, absence.retryTime)
    }
    if next == .max { timer.disarm() } else { timer.arm(inNanoseconds: max(next - now, 0)) }
  }
}

extension DisplayProblem {
  /// Whether the card may be able to drive displays once the problem is gone.
  fileprivate var concernsUsableCard: Bool {
    switch self {
    case .cardBusy, .cardLost, .permissionDenied: true
    default: false
    }
  }
}
