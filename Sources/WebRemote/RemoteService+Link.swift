// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import LinuxSystem
import Remotes
import Varlink

/// What the daemon reports, and whether it answers.
extension RemoteService {
  /// How long the daemon may take to answer while a clock runs, in nanoseconds. Pages let the clocks run on
  /// by themselves, so they have to know when the display may have stopped.
  static let answerNanoseconds: Int64 = 5_000_000_000

  func happened(_ event: DaemonLink.Event) {
    switch event {
    case .wall: break
    case .match:
      guard let match = link.match else { return }
      feed.matchChanged(match, at: link.matchInstant)
      send(feed.match)
    case .display:
      guard let display = link.display else { return }
      router.address = display.address
      let revision = feed.revision
      if feed.displayChanged(display) { send(feed.words, toAll: true) }
      send(feed.display)
      if feed.revision != revision { sendToOwners(feed.settings) }
    case .connected:
      log.info("connected to the daemon")
      // Most of the code that has run so far is not used again.
      loop.whenIdle {
        ThisProcess.releaseProgram()
        return false
      }
      silentSince = nil
      reportOwners()
      showLinkSoon()
      answerEarly()
    case .disconnected:
      log.warning("no connection to the daemon: \(link.problem?.message ?? "it has ended")")
      showLink()
    case .failed: answerEarly()
    }
  }

  /// Reports the number of owners. While there is none, the display may show a code for the first one, and
  /// the daemon stores whether it does. So this is called again after each connection, and when a phone that
  /// used the code could not be stored.
  func reportOwners() {
    let count = store.registry.devices.count { $0.role == .owner }
    link.perform(VarlinkCall(.reportOwners(count))) { _ in }
  }

  /// Whether there is no connection to the daemon, or it does not answer.
  var isDaemonLost: Bool { !link.isConnected || silentSince != nil }

  private func showLink() {
    let lostAt = link.isConnected ? silentSince : silentSince ?? link.lostAt ?? clock()
    feed.linkChanged(lostAt: lostAt)
    send(feed.link, toAll: true)
  }

  /// Reports the connection to the pages only after the new match and display, which arrive in this turn of
  /// the loop. Otherwise a page could take the old ones for the current ones.
  private func showLinkSoon() {
    loop.defer { [weak self] in self?.showLink() }
  }

  /// Checks that the daemon still answers while a clock runs, with one call at a time. Called regularly while
  /// there are streams.
  func checkDaemon() {
    guard link.isConnected else { return }
    if let askedAt {
      guard silentSince == nil, clock() - askedAt >= Self.answerNanoseconds else { return }
      silentSince = askedAt
      log.warning("the daemon does not answer")
      return showLink()
    }
    guard link.match?.isClockRunning == true else { return }
    askedAt = clock()
    link.perform(VarlinkCall(method: "org.varlink.service.GetInfo"), in: .free) { [weak self] reply in
      guard let self else { return }
      self.askedAt = nil
      guard case .success = reply, self.silentSince != nil else { return }
      self.log.notice("the daemon answers again")
      self.silentSince = nil
      self.showLinkSoon()
    }
  }
}

extension MatchState {
  fileprivate var isClockRunning: Bool {
    timers.values.contains(where: \.running)
      || teams.contains { $0.penalties?.contains(where: \.running) ?? false }
  }
}
