// SPDX-License-Identifier: Apache-2.0

/// What `KMSOutput` stands on; tests put their own below it.
struct KMSEnvironment {
  var cards: any CardSource
  var hotplug: any HotplugSource
  var console: any ConsoleControl
  var timings = KMSTimings()
}

/// The output's times, nanoseconds.
struct KMSTimings: Hashable, Sendable {
  /// A flip that takes longer is lost.
  var watchdog: Int64 = 1_500_000_000
  /// How often to look while there is no display. After a minute less often, where uevents tell of changes.
  var slowProbe: Int64 = 10_000_000_000
  /// How long to wait for a native driver before the firmware's framebuffer is good enough.
  var firmwareGrace: Int64 = 8_000_000_000
  /// Uevents come in bursts: look once, this long after the first.
  var settle: Int64 = 50_000_000
  /// How long `stop` waits for the flip in flight.
  var drain: Int64 = 200_000_000
}
