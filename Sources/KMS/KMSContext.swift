// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// What all cards and displays share.
final class KMSContext {
  let loop: EventLoop
  let log: Log
  let timings: KMSTimings
  let availableMemory: () -> Int?
  /// Whether there are hotplug events. Without them, as in a container, displays are looked at from time to
  /// time.
  var hasHotplugEvents = true
  /// The token of the last frame that was submitted on any display.
  private var lastToken: UInt64 = 0

  init(on loop: EventLoop, log: Log, _ environment: KMSEnvironment) {
    self.loop = loop
    self.log = log
    timings = environment.timings
    availableMemory = environment.availableMemory
  }

  var now: Int64 { loop.now }

  /// The token of the next frame that is submitted. The kernel returns it in the flip event, so that
  /// `KMSCard` finds the display.
  func nextToken() -> UInt64 {
    lastToken += 1
    return lastToken
  }
}
