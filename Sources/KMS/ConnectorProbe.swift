// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// Connectors of a card that are to be probed.
struct ProbeRequest {
  var device: DRMDevice
  var connectors: [ConnectorID]
}

/// Asks displays for their EDID and their modes (DRM_IOCTL_MODE_GETCONNECTOR). The kernel keeps the result,
/// which `DRMDevice.describe` reads.
///
/// Behind a dock, or with a TV that is switched off, this can take seconds. Page flips continue meanwhile,
/// but most other calls wait in the kernel, because they need the same lock (`mode_config.mutex`).
protocol ConnectorProbing: AnyObject {
  /// - Parameter completion: called on the loop's thread when all requests are done, and not inside this
  ///   call.
  func probe(_ requests: [ProbeRequest], completion: @escaping () -> Void)
}

/// Probes on a thread that is started for each probe.
final class ConnectorProbe: ConnectorProbing {
  private let loop: EventLoop
  private let log: Log
  private var task: BackgroundTask?

  init(on loop: EventLoop, log: Log) {
    self.loop = loop
    self.log = log
  }

  func probe(_ requests: [ProbeRequest], completion: @escaping () -> Void) {
    let job = Job(requests: requests)
    do throws(SystemError) {
      task = try BackgroundTask(on: loop, work: { job.run() }) { [weak self] in
        self?.task = nil
        completion()
      }
    } catch {
      log.warning("\(error); the displays are not probed")
      loop.defer(completion)
    }
  }

  /// `@unchecked Sendable` because `DRMDevice.probe` may be called on any thread.
  private struct Job: @unchecked Sendable {
    let requests: [ProbeRequest]

    func run() {
      for request in requests { for connector in request.connectors { request.device.probe(connector) } }
    }
  }
}
