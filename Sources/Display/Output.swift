// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import Raster

/// A mode of a display.
package struct DisplayMode: Hashable, Sendable, CustomStringConvertible {
  package var size: PixelSize
  /// Frames per second × 1000; 59,940 for NTSC.
  package var refreshMillihertz: Int

  package init(size: PixelSize, refreshMillihertz: Int) {
    self.size = size
    self.refreshMillihertz = refreshMillihertz
  }

  package var framePeriodNanoseconds: Int64 { 1_000_000_000_000 / Int64(max(refreshMillihertz, 1)) }

  /// Formatted as `1280x800@75`, with decimals only if the rate needs them: `720x576@59.94`.
  package var description: String {
    let whole = refreshMillihertz / 1000
    let rest = refreshMillihertz % 1000
    guard rest != 0 else { return "\(size)@\(whole)" }
    var decimals = String(1000 + rest).dropFirst()
    while decimals.last == "0" { decimals.removeLast() }
    return "\(size)@\(whole).\(decimals)"
  }
}

/// A connected display and how it is driven.
package struct OutputDescription: Hashable, Sendable {
  /// The kernel driver (`vc4`, `virtio_gpu`), or `headless`, or `terminal`.
  package var driver: String
  /// The connector's name (`HDMI-A-1`).
  package var connector: String
  /// The display's mode, before rotation.
  package var mode: DisplayMode
  /// How frames are rotated for the display.
  package var rotation: Rotation
  /// The pixel format of scanout memory, by its kernel name (`RGB565`); nil if there is no scanout memory.
  package var format: String?
  /// Whether frames are dithered to the format.
  package var isDithered: Bool
  /// The name of the `OutputRule` that applies to the display; nil if none does.
  package var rule: String?
  /// Make, model and serial number of the display; nil if they are not known.
  package var identity: String?

  package init(
    driver: String, connector: String, mode: DisplayMode, rotation: Rotation = .none, format: String? = nil,
    isDithered: Bool = false, rule: String? = nil, identity: String? = nil
  ) {
    self.driver = driver
    self.connector = connector
    self.mode = mode
    self.rotation = rotation
    self.format = format
    self.isDithered = isDithered
    self.rule = rule
    self.identity = identity
  }

  /// The size of a frame: the mode's size, as seen by a viewer in front of the rotated display.
  package var frameSize: PixelSize { rotation.inverse.size(of: mode.size) }
}

/// A frame that was shown on the display.
package struct Presentation: Hashable, Sendable {
  /// The time at which the frame was shown (CLOCK_MONOTONIC, nanoseconds): the vblank's, or the frame timer's
  /// if there are no vblanks.
  package var time: Int64
  /// The time at which the next frame would be shown if it were presented now.
  package var nextTime: Int64

  package init(time: Int64, nextTime: Int64) {
    self.time = time
    self.nextTime = nextTime
  }
}

package enum OutputEvent: Sendable {
  /// A display is available with this mode; draw the whole frame. Also sent when the mode changes and when
  /// the displayed picture was lost (VT switch, resume, recovery).
  case connected(OutputDescription)
  /// The frame in flight is on the display; the next one may be presented.
  case presented(Presentation)
  /// There is no display at the moment.
  case disconnected(reason: String)
}

/// Why a display is dark, or is driven in a worse mode than it could be.
package struct OutputTrouble: Hashable, Sendable {
  /// A clause for users, without a full stop.
  package var reason: String
  /// When it began (CLOCK_MONOTONIC, nanoseconds).
  package var since: Int64
  /// The attempts to fix it, oldest first.
  package var attempts: [String]

  package init(reason: String, since: Int64, attempts: [String] = []) {
    self.reason = reason
    self.since = since
    self.attempts = attempts
  }
}

/// A display: accepts frames and reports when they are shown.
///
/// The daemon draws into ordinary cached memory (the shadow), upright, at `frameSize`, and passes the changed
/// parts. At most one frame is in flight. Everything runs on the loop's thread.
package protocol Output: AnyObject {
  /// The connector's name (`HDMI-A-1`), which identifies the display. It does not change.
  var name: String { get }
  /// Nil while there is no display.
  var description: OutputDescription? { get }
  var statistics: OutputStatistics { get }
  /// Nil if all is well.
  var trouble: OutputTrouble? { get }
  /// Whether the display is blanked: switched off if possible, otherwise black. A frame in flight is dropped
  /// without an event, nothing can be presented, and there are no wakeups. A display that is connected in the
  /// meantime is blanked too, but `.connected` is sent for it. After this property is set to false,
  /// `.connected` follows if there is a display, and the first frame switches the display on.
  var isBlank: Bool { get set }
  /// Whether a frame was presented that has been neither shown nor dropped yet.
  var isFrameInFlight: Bool { get }
  /// Whether there is a display, it is not blanked, and no frame is in flight.
  var canPresent: Bool { get }
  /// The time at which a frame presented now would be shown (CLOCK_MONOTONIC, nanoseconds).
  var nextPresentationTime: Int64 { get }

  /// Copies `damage` of `frame`, and what the back buffer missed before, and queues the buffer for display.
  /// `frame` is the whole shadow, in XRGB8888 at the description's `frameSize`; it is not read after the
  /// call. Does nothing unless `canPresent`. Failures are reported as events.
  func present(_ frame: PixelBuffer, damage: [PixelRect])
}

extension Output {
  package var trouble: OutputTrouble? { nil }
}
