// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import Raster

/// A mode of a display.
public struct DisplayMode: Hashable, Sendable, CustomStringConvertible {
  public var size: PixelSize
  /// Frames a second × 1000; 59,940 is NTSC's.
  public var refreshMillihertz: Int

  public init(size: PixelSize, refreshMillihertz: Int) {
    self.size = size
    self.refreshMillihertz = refreshMillihertz
  }

  public var framePeriodNanoseconds: Int64 { 1_000_000_000_000 / Int64(max(refreshMillihertz, 1)) }

  /// `1280x800@75`, with decimals only where the rate has them: `720x576@59.94`.
  public var description: String {
    let whole = refreshMillihertz / 1000
    let rest = refreshMillihertz % 1000
    guard rest != 0 else { return "\(size)@\(whole)" }
    var decimals = String(1000 + rest).dropFirst()
    while decimals.last == "0" { decimals.removeLast() }
    return "\(size)@\(whole).\(decimals)"
  }
}

/// What is at the end of the cable.
public struct OutputDescription: Hashable, Sendable {
  /// The kernel driver (`vc4`, `virtio_gpu`), or `headless`, or `terminal`.
  public var driver: String
  /// The connector's name (`HDMI-A-1`).
  public var connector: String
  /// What the display is driven with, however it hangs.
  public var mode: DisplayMode
  /// How frames are turned on their way to the display.
  public var rotation: Rotation
  /// The layout of a pixel in scanout memory, by its name at the kernel (`RGB565`); nil where there is no such
  /// memory.
  public var format: String?
  /// Shades that the format has not are kept by a dither.
  public var isDithered: Bool

  public init(
    driver: String, connector: String, mode: DisplayMode, rotation: Rotation = .none, format: String? = nil,
    isDithered: Bool = false
  ) {
    self.driver = driver
    self.connector = connector
    self.mode = mode
    self.rotation = rotation
    self.format = format
    self.isDithered = isDithered
  }

  /// The size of a frame: the mode's, as it is seen by who stands before the display.
  public var frameSize: PixelSize { rotation.inverse.size(of: mode.size) }
}

/// A frame that reached the glass.
public struct Presentation: Hashable, Sendable {
  /// When it did (the vblank, or the frame timer where there is none), CLOCK_MONOTONIC nanoseconds.
  public var time: Int64
  /// When the next frame would, if it were presented now.
  public var nextTime: Int64

  public init(time: Int64, nextTime: Int64) {
    self.time = time
    self.nextTime = nextTime
  }
}

public enum OutputEvent: Sendable {
  /// A display is there, with this mode: draw all of it. Also sent when the mode changes and when
  /// what was shown has been lost (VT switch, resume, recovery).
  case connected(OutputDescription)
  /// The frame in flight is on the display; the next may be presented.
  case presented(Presentation)
  /// There is no display for now; the output goes on looking for one.
  case disconnected(reason: String)
}

/// One display: it takes frames and says when they are shown.
///
/// The daemon composes in cached memory of its own (the shadow), upright, of `frameSize`, and hands over
/// what changed. At most one frame is in flight. All on the loop's thread.
public protocol Output: AnyObject {
  /// Nil while there is no display.
  var description: OutputDescription? { get }
  /// Whether it logs by itself that a display came or went, and why.
  var logsDisplays: Bool { get }
  var statistics: OutputStatistics { get }
  /// The display is dark: switched off where it can be, else black. A frame in flight is dropped without a
  /// word, nothing can be presented, and nothing wakes for it. A display that comes meanwhile is dark too, and
  /// is told of. Set to false, `.connected` follows where there is a display, and the first frame lights it.
  var isBlank: Bool { get set }
  /// A display is there, it is not to be dark, and no frame is in flight.
  var canPresent: Bool { get }
  /// When a frame presented now would reach the glass, CLOCK_MONOTONIC nanoseconds.
  var nextPresentationTime: Int64 { get }

  /// Begins to look for the display; `handler` gets all events, never from inside a call to this
  /// object. Throws only what waiting cannot mend.
  func start(handler: @escaping (OutputEvent) -> Void) throws(SystemError)

  /// Copies `damage` of `frame` (and what the back buffer missed) and queues it for display.
  /// `frame` is the whole shadow, XRGB8888, of the description's `frameSize`, and is not read after the call.
  /// Does nothing unless `canPresent`. Failures become events.
  func present(_ frame: PixelBuffer, damage: [PixelRect])

  /// Gives the display back as it was found. Ends the object's life; no event comes after it.
  func stop()
}

extension Output {
  public var logsDisplays: Bool { false }
}
