// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import MachineNetwork

/// `NetworkSetup` with the model of NetworkManager, on virtual time. After each event it checks what must
/// always be true.
struct Simulation {
  var manager: ModelNetworkManager
  var setup: NetworkSetup
  /// What is on the disk.
  var memory = NetworkSetup.Memory()
  private(set) var log: [String] = []
  private(set) var card: NetworkSetup.Card?
  /// Passwords that must not be found anywhere.
  var secrets: [String] = []
  /// Whether an access point may be opened although the machine has been online.
  var mayOpenAgain = false
  private(set) var wakeups = 0
  private var told = NetworkFacts()
  private let seed: UInt64

  static let second = ModelNetworkManager.second

  init(seed: UInt64, opensAtOnce: Bool = false) {
    self.seed = seed
    manager = ModelNetworkManager(seed: seed)
    setup = NetworkSetup(NetworkSetup.Memory(), seed: seed, opensAtOnce: opensAtOnce, at: 0)
  }

  var now: Int64 { manager.now }

  mutating func run(seconds: Int64) {
    let end = now + seconds * Self.second
    while now < end {
      let next = min([setup.next, manager.next].compactMap { $0 }.min() ?? end, end)
      manager.advance(to: max(next, now))
      for (operation, isRefused) in manager.takeReplies() {
        tell()
        follow(setup.finished(operation, isRefused: isRefused, at: now))
      }
      tell()
      if let due = setup.next, now >= due {
        wakeups += 1
        follow(setup.advance(to: now))
        // Otherwise the program would be busy.
        if let next = setup.next { #expect(next > now, "seed \(seed) at \(now / Self.second) s") }
      }
    }
  }

  /// Reports what has changed.
  mutating func tell() {
    let facts = manager.facts
    guard facts != told else { return }
    told = facts
    follow(setup.learn(facts, at: now))
  }

  /// The program ends and starts again.
  mutating func restart() {
    manager.programEnded()
    setup = NetworkSetup(memory, seed: seed &+ UInt64(now), at: now)
    card = nil
    told = NetworkFacts()
    tell()
  }

  mutating func join(_ network: NetworkName, _ password: String?) -> NetworkSetup.Refusal? {
    let request = JoinRequest(network: network, password: password.flatMap { WirelessPassword($0) })
    do throws(NetworkSetup.Refusal) { follow(try setup.join(request, at: now)) } catch { return error }
    return nil
  }

  /// Somebody has the networks forgotten; returns whether that is not refused.
  mutating func forget() -> Bool {
    guard let effects = try? setup.forgetNetworks(at: now) else { return false }
    follow(effects)
    return true
  }

  /// Somebody asks for the access point.
  mutating func openAccessPoint() {
    guard let effects = try? setup.openAccessPoint(at: now) else { return }
    follow(effects)
  }

  mutating func follow(_ effects: [NetworkSetup.Effect]) {
    for effect in effects {
      switch effect {
      case .call(let operation):
        if case .openAccessPoint = operation, memory.hasBeenOnline, !mayOpenAgain {
          Issue.record("an access point by itself: seed \(seed) at \(now / Self.second) s: \(log)")
        }
        if case (.openAccessPoint, .accessPoint(let point)) = (operation, setup.goal), point.reason != .asked
        {
          #expect(
            !manager.isTaken, "the connection of others is ended: seed \(seed) at \(now / Self.second) s")
        }
        manager.perform(operation)
      case .show(let shown): card = shown
      case .save(let saved):
        // After a power cut at this moment, there is a network or an access point.
        if saved.hasBeenOnline, !memory.hasBeenOnline {
          #expect(manager.isOnlineForGood, "seed \(seed) at \(now / Self.second) s: nothing is stored")
        }
        memory = saved
      case .notice(let text), .warning(let text): log.append(text)
      }
    }
    check()
  }

  private func check() {
    let at: Comment = "seed \(seed) at \(now / Self.second) s: \(log.suffix(5))"
    #expect(!setup.isRadioTaken || setup.phase != .starting, at)
    switch (setup.phase, card) {
    case (.accessPoint, .accessPoint), (.joining, .joining): break
    case (.accessPoint, _), (.joining, _), (_, .accessPoint), (_, .joining):
      Issue.record("the card \(String(describing: card)) in the phase \(setup.phase): \(at)")
    default: break
    }
    for operation in setup.paused.keys {
      if case .join = operation { Issue.record("a trial's password is kept: \(at)") }
    }
    // Paths of what has ended are not collected.
    #expect(setup.paused.count <= 8 && setup.inFlight.count <= 8 && setup.kept.count <= 2, at)
    let text = String(reflecting: setup) + String(reflecting: card) + (log.last ?? "")
    for secret in secrets where text.utf8.count >= secret.utf8.count {
      #expect(!contains(text, secret), at)
    }
  }

  private func contains(_ text: String, _ part: String) -> Bool {
    let bytes = Array(text.utf8), wanted = Array(part.utf8)
    guard bytes.count >= wanted.count else { return false }
    return (0...(bytes.count - wanted.count)).contains { start in
      bytes[start] == wanted[0] && bytes[start..<(start + wanted.count)].elementsEqual(wanted)
    }
  }
}
