// SPDX-License-Identifier: Apache-2.0

/// The system interfaces that `KMSOutput` uses; tests replace them.
struct KMSEnvironment {
  var cards: any CardSource
  var hotplug: any HotplugSource
  var console: any ConsoleControl
  var timings = KMSTimings()
}

/// The output's timeouts and intervals, in nanoseconds.
struct KMSTimings: Hashable, Sendable {
  /// A flip that takes longer than this counts as lost.
  var watchdog: Int64 = 1_500_000_000
  /// The interval between searches while there is no display. It is lengthened after about a minute if uevents
  /// report changes.
  var slowProbe: Int64 = 10_000_000_000
  /// How long to wait for a native driver before using the firmware's framebuffer.
  var firmwareGrace: Int64 = 8_000_000_000
  /// The delay between the first uevent of a burst and the search.
  var settle: Int64 = 50_000_000
  /// The maximum time that `stop` waits for the flip in flight.
  var drain: Int64 = 200_000_000
}
