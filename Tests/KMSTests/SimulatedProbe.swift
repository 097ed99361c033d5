// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

@testable import KMS

/// Probes connectors one after the other in simulated time, beside the loop, as a thread does.
final class SimulatedProbe: ConnectorProbing {
  private let loop: EventLoop
  private let time: VirtualTime
  private var timer: LoopTimer?

  init(on loop: EventLoop, _ time: VirtualTime) {
    self.loop = loop
    self.time = time
  }

  func probe(_ requests: [ProbeRequest], completion: @escaping () -> Void) {
    next(requests.flatMap { request in request.connectors.map { (request.device, $0) } }[...], completion)
  }

  private func next(_ rest: ArraySlice<(DRMDevice, ConnectorID)>, _ completion: @escaping () -> Void) {
    guard let (device, connector) = rest.first else { return loop.defer(completion) }
    guard let card = (device.calls as? SimulatedFile)?.card else { return }
    let duration = card.durations["MODE_GETCONNECTOR"] ?? 0
    let finish = { [weak self] in
      card.durations["MODE_GETCONNECTOR"] = nil
      device.probe(connector)
      card.durations["MODE_GETCONNECTOR"] = duration
      self?.next(rest.dropFirst(), completion)
    }
    guard duration > 0 else { return finish() }
    card.probeEnd = time.now + duration
    timer = try? LoopTimer(.monotonic, on: loop) { _ in finish() }
    timer?.arm(inNanoseconds: duration)
  }
}
