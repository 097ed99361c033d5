// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import Glibc
import JSON
import LinuxSystem
import MachineNetwork
import Remotes
import SystemBus
import Varlink
import VarlinkSockets

/// Connects `NetworkSetup` with NetworkManager, the daemon, and the programs that call org.flipclock.Host.
package final class HostRemote {
  private let log: Log
  private let loop: EventLoop
  private let service: ServiceManager
  private let directory: String
  private let link: DaemonLink
  private let manager: NetworkManager
  private let timer: LoopTimer
  private var control: HostControl?
  private var socket: ServiceSocket?
  private var signals: SignalWatch?
  private var setup: NetworkSetup
  private var kept: HostState
  private var clock = HostClock()
  /// What the wall shows about the network.
  private var card: NetworkSetup.Card?
  private var scans: [Scan] = []
  private let scanTimer: LoopTimer
  private var status = ""

  /// A client's look for networks.
  private struct Scan {
    var lastScan: Int64
    var deadline: Int64
    var completion: ([Wireless]) -> Void
  }

  /// What phones open in the access point's network. flipclock-web-setup.socket listens there, and leads
  /// every address to the page for the network.
  private static let page = "http://\(NetworkProfiles.address)/"
  /// How long a look for networks may take, in nanoseconds.
  private static let scanNanoseconds: Int64 = 10_000_000_000

  package init(
    _ options: HostRemoteOptions, stateDirectory: String, candidates: [String], on loop: EventLoop,
    service: ServiceManager, log: Log
  ) throws(SystemError) {
    self.log = log
    self.loop = loop
    self.service = service
    directory = stateDirectory
    kept = HostState.load(stateDirectory, log: log)
    setup = NetworkSetup(
      kept.memory, seed: .random(in: .min ... .max), opensAtOnce: options.opensAccessPoint, at: loop.now)
    link = try DaemonLink(candidates: candidates, on: loop)
    manager = try NetworkManager(kept.accessPoint, on: loop, log: log)
    timer = try LoopTimer(.monotonic, on: loop)
    scanTimer = try LoopTimer(.monotonic, on: loop)
    control = HostControl(self)
    link.happened = { [weak self] in self?.handle($0) }
    manager.changed = { [weak self] in self?.learn($0) }
    timer.handler = { [weak self] _ in
      guard let self else { return }
      self.follow(self.setup.advance(to: self.loop.now))
    }
    scanTimer.handler = { [weak self] _ in self?.finishScans() }
  }

  /// Runs until SIGTERM or SIGINT.
  ///
  /// - Parameter paths: where to listen: the first of them whose directory can be used.
  package func run(listeningAt paths: [String]) throws(SystemError) {
    socket = try control.map { control throws(SystemError) in
      try ServiceSocket(control, of: HostRemoteProgram.name, at: paths, on: loop)
    }
    signals = try SignalWatch([SIGTERM, SIGINT], on: loop) { [weak self] _ in self?.stop() }
    link.start()
    manager.start()
    follow(setup.advance(to: loop.now))
    service.ready(status: setup.phase.rawValue)
    ThisProcess.releaseProgram()
    try loop.run()
  }

  /// NetworkManager closes the access point when the connection to the bus ends.
  private func stop() {
    service.stopping()
    link.happened = { _ in }
    link.close()
    manager.close()
    socket?.close()
    loop.stop()
  }

  // MARK: The network

  private func learn(_ facts: NetworkFacts) {
    follow(setup.learn(facts, at: loop.now))
    finishScans()
  }

  /// Carries out what the value asks for.
  private func follow(_ effects: [NetworkSetup.Effect]) {
    for effect in effects {
      switch effect {
      case .call(let operation):
        manager.perform(operation) { [weak self] error in self?.finished(operation, error) }
      case .show(let card): show(card)
      case .save(let memory):
        // After a power cut there must not be the note that the machine has been online without the profile
        // of that network, also if somebody else has made it.
        if memory.hasBeenOnline, !kept.memory.hasBeenOnline { sync() }
        kept.memory = memory
        kept.save(directory, log: log)
      case .notice(let text): log.notice(text)
      case .warning(let text): log.warning(text)
      }
    }
    if let next = setup.next { timer.arm(at: ClockTime(totalNanoseconds: next)) } else { timer.disarm() }
    let text = Self.status(setup)
    if text != status {
      status = text
      service.status(text)
    }
    control?.stateChanged()
  }

  private static func status(_ setup: NetworkSetup) -> String {
    let network = setup.network.map { " '\($0.text)'" } ?? ""
    return "\(setup.phase.rawValue)\(network)" + (setup.address.map { ", address \($0)" } ?? "")
      + (setup.isRadioTaken ? ", another connection uses the Wi-Fi" : "")
  }

  private func finished(_ operation: NetworkSetup.Operation, _ error: BusError?) {
    if let error {
      // What has ended by itself cannot be ended, and a look for networks is often refused after another.
      let level: Log.Level =
        switch operation {
        case .scan, .deactivate, .delete: .debug
        case .openAccessPoint, .join, .activate, .keep: setup.isRepeated(operation) ? .debug : .warning
        }
      log.write(level, "NetworkManager refused to \(operation.verb): \(error.name)")
    }
    // NetworkManager does not wait for the disk when it stores or deletes a profile. After a power cut, a
    // network that was joined must be known, and one that was forgotten must not be.
    switch operation {
    case .keep, .delete: if error == nil { sync() }
    default: break
    }
    follow(setup.finished(operation, isRefused: error != nil, at: loop.now))
  }

  // MARK: The wall

  private func handle(_ event: DaemonLink.Event) {
    switch event {
    case .connected:
      log.notice("the daemon is connected")
      if card != nil { report() }
    case .disconnected:
      log.warning("no connection to the daemon: \(link.problem?.message ?? "it was closed")")
    case .match, .display, .wall, .failed: break
    }
  }

  private func show(_ card: NetworkSetup.Card?) {
    self.card = card
    if link.isConnected { report() }
  }

  private func report() {
    let notice = card.map { NetworkNotice($0, kept.accessPoint, page: Self.page) }
    link.perform(VarlinkCall(.reportNetwork(notice))) { [log] reply in
      // The reply names the error; the report is not logged, because it has the password.
      if case .failure(let error) = reply {
        log.warning("the wall does not show the network: \(error.message)")
      }
    }
  }

  // MARK: Calls of clients

  var state: HostInterface.State {
    HostInterface.State(
      phase: setup.phase.rawValue, network: setup.network?.text,
      accessPoint: setup.isAccessPointOpen ? kept.accessPoint.name : nil, address: setup.address,
      problem: setup.failure?.problem.rawValue, failed: setup.failure?.network.text, country: kept.country,
      fallback: setup.memory.isFallbackAllowed, hasWireless: setup.facts.hasRadio || !setup.facts.isRunning,
      wirelessOff: setup.facts.hasRadio && setup.facts.isWirelessOff, wirelessTaken: setup.isRadioTaken,
      timeConfirmed: isTimeConfirmed)
  }

  func scan(_ completion: @escaping ([Wireless]) -> Void) {
    use()
    guard let radio = setup.facts.radio, setup.canLook else { return completion(setup.networks) }
    scans.append(
      Scan(lastScan: radio.lastScan, deadline: loop.now + Self.scanNanoseconds, completion: completion))
    manager.perform(.scan(device: radio.path)) { [weak self] error in
      // NetworkManager refuses if it looks already, or has just looked; then its result arrives, or is there.
      if error != nil { self?.finishScans() }
    }
    finishScans()
  }

  /// Answers those whose look has ended, or takes too long.
  private func finishScans() {
    let last = setup.facts.radio?.lastScan
    let isDone: (Scan) -> Bool = { [now = loop.now, canLook = setup.canLook] scan in
      scan.lastScan != last || now >= scan.deadline || !canLook
    }
    let done = scans.filter(isDone)
    scans.removeAll(where: isDone)
    for scan in done { scan.completion(setup.networks) }
    if let next = scans.map(\.deadline).min() {
      scanTimer.arm(at: ClockTime(totalNanoseconds: next))
    } else {
      scanTimer.disarm()
    }
  }

  func join(_ request: JoinRequest, country: String?) throws(NetworkSetup.Refusal) {
    let effects = try setup.join(request, at: loop.now)
    if let country, country != kept.country {
      kept.country = country
      kept.save(directory, log: log)
    }
    follow(effects)
  }

  func openAccessPoint() throws(NetworkSetup.Refusal) {
    follow(try setup.openAccessPoint(at: loop.now))
  }

  func use() { follow(setup.use(at: loop.now)) }

  func closeAccessPoint() throws(NetworkSetup.Refusal) {
    follow(try setup.closeAccessPoint(at: loop.now))
  }

  func forgetNetworks() throws(NetworkSetup.Refusal) {
    follow(try setup.forgetNetworks(at: loop.now))
  }

  func allowFallback(_ isAllowed: Bool) { follow(setup.allowFallback(isAllowed, at: loop.now)) }

  // MARK: The clock

  var isTimeConfirmed: Bool { clock.isConfirmed }

  func setTime(_ microseconds: Int64) throws(SystemError) {
    try clock.set(microseconds, log: log)
    log.notice("the clock was set")
    control?.stateChanged()
  }
}

extension NetworkSetup.Operation {
  /// What is done, without passwords.
  var verb: String {
    switch self {
    case .scan: "look for networks"
    case .openAccessPoint: "open the access point"
    case .join(let request, _, _, _, _): "join '\(request.network.text)'"
    case .activate: "activate a known network"
    case .deactivate: "close a connection"
    case .keep: "store a network"
    case .delete: "delete a network"
    }
  }
}
