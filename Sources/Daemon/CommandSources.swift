// SPDX-License-Identifier: Apache-2.0

import ControlServer
import LinuxSystem
import Settings

/// Where commands come from: the control sockets, and the keys of input devices.
final class CommandSources {
  private let endpoint: ControlEndpoint
  private let shutdown: GracefulShutdown
  private let makeKeys: (InputSettings) -> KeyInput?
  private var keys: KeyInput?

  /// - Parameter makeKeys: opens the input devices; returns nil if the config enables no keys.
  init(
    _ endpoint: ControlEndpoint, on loop: EventLoop, makeKeys: @escaping (InputSettings) -> KeyInput?
  ) throws(SystemError) {
    self.endpoint = endpoint
    self.makeKeys = makeKeys
    shutdown = try GracefulShutdown(of: endpoint, on: loop)
  }

  /// The path of the control socket; nil: it is not open.
  var path: String? { endpoint.path }

  /// Notifies the clients that watch the match or the display.
  var watchers: ControlService { endpoint.service }

  /// Releases the input devices that are open, and opens those of `settings`.
  func listenToKeys(_ settings: InputSettings) {
    keys?.stop()
    keys = makeKeys(settings)
  }

  /// Stops the loop when the calls that have arrived are answered.
  func beginShutdown() { shutdown.begin() }

  func close() {
    keys?.stop()
    endpoint.close()
  }
}
