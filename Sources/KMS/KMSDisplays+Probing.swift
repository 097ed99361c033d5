// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// Probing connectors before a search, without blocking the loop.
extension KMSDisplays {
  /// Whether connectors are being probed. Meanwhile, calls that need the state of connectors wait in the
  /// kernel.
  var isProbing: Bool { session?.probing != nil }

  /// Searches cards for displays, and uses those it finds. Displays that are already driven correctly are
  /// left alone. Probes the connectors first; meanwhile the displays continue to show frames.
  ///
  /// - Parameters:
  ///   - scope: the cards' paths; nil for all.
  ///   - isProbe: whether displays whose next attempt is not due yet are left alone.
  func search(_ scope: Set<String>?, isProbe: Bool = false) {
    guard isActive, let session else { return }
    let request = SearchRequest(scope: scope, isProbe: isProbe)
    if let probing = session.probing {
      self.session?.probing?.next = probing.next.map { $0.joined(with: request) } ?? request
      return
    }
    session.probe.disarm()
    let (devices, requests) = cardSearch(session).prepare(scope: scope) { device, connector in
      needsProbe(connector, of: device, isProbe: isProbe)
    }
    if requests.isEmpty { return look(at: request, devices) }
    self.session?.probing = Probing(devices: devices)
    let start = session.startTime
    environment.prober.probe(requests) { [weak self] in
      // The displays may have been stopped, and started again.
      guard let self, self.session?.startTime == start else { return }
      self.wasProbed(request)
    }
  }

  private func wasProbed(_ request: SearchRequest) {
    guard let probing = session?.probing else { return }
    session?.probing = nil
    for paths in probing.uevents {
      for output in all { output.noteHotplug(paths, isActive: isActive) }
    }
    look(at: request, probing.devices.filter { !probing.closed.contains($0.key) })
    if let next = probing.next { search(next.scope, isProbe: next.isProbe) }
  }

  /// Whether a connector must be probed, because the kernel's last result may be outdated: after an event, or
  /// if a look at the display is due. While hotplug events work, the kernel knows whether a display is
  /// connected, but reads its modes only if a program asks.
  private func needsProbe(
    _ connector: ConnectorDescription, of device: DRMDevice, isProbe: Bool
  ) -> Bool {
    guard isProbe else { return true }
    let output = all.first { $0.name == connector.name && ($0.device == nil || $0.device === device) }
    if let output, output.memory.nextLook <= now { return true }
    if connector.status != seen[device.path]?[connector.id] { return true }
    if all.contains(where: { $0.name == connector.name && $0.isFound && $0.screen?.isLost == false }) {
      return false
    }
    return !context.hasHotplugEvents || connector.status != .disconnected && connector.modes.isEmpty
  }
}

/// A probe in progress: its cards, and what has happened since it began.
struct Probing {
  /// The cards, by path. They stay open until the probe has ended.
  let devices: [String: DRMDevice]
  /// The paths of cards that were in use and have been closed.
  var closed: Set<String> = []
  /// Uevents that arrived: the cards' paths, or nil for all.
  var uevents: [Set<String>?] = []
  /// The search to start when the probe has ended; nil for none.
  var next: SearchRequest?
}

/// A search that was requested.
struct SearchRequest {
  /// The cards' paths; nil for all.
  var scope: Set<String>?
  /// Whether displays whose next attempt is not due yet are left alone.
  var isProbe: Bool

  func joined(with other: SearchRequest) -> SearchRequest {
    SearchRequest(
      scope: scope.flatMap { mine in other.scope.map { mine.union($0) } }, isProbe: isProbe && other.isProbe)
  }
}
