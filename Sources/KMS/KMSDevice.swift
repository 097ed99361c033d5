// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import Raster

/// The calls to the kernel's mode setting that the output needs: a card that is open.
///
/// `DRMDevice` is the real one; tests put hardware described as data behind it, with results queued
/// for each call. Errors carry the errno; any call may fail with ENODEV once the card is gone.
protocol KMSDevice: AnyObject {
  var path: String { get }
  var driver: String { get }
  /// Becomes readable when a flip completes.
  var fileDescriptor: Int32 { get }
  /// Commits are atomic; else legacy SetCrtc and PageFlip.
  var isAtomic: Bool { get }
  /// Flip events are stamped with CLOCK_MONOTONIC.
  var hasMonotonicTimestamps: Bool { get }

  var isMaster: Bool { get }
  /// Fails with EBUSY, EINVAL or EACCES while another program is master.
  func becomeMaster() throws(SystemError)
  func dropMaster()

  /// Reads all there is to know, probing the connectors (which only the master may).
  func describe() throws(SystemError) -> CardDescription

  /// A dumb buffer, mapped for writing, with a framebuffer on it.
  func createBuffer(_ size: PixelSize, format: ScanoutFormat) throws(SystemError) -> ScanoutBuffer
  func destroyBuffer(_ buffer: ScanoutBuffer)

  /// Brings `state` to the display, or only asks whether that would work.
  func commit(_ state: PipeState, _ flags: CommitFlags) throws(SystemError)

  /// Switches the pipe's CRTC off and, unless `leaveOthers`, what else is on; buffers and mode stay. Waits
  /// until it is done.
  func turnOff(_ pipe: Pipe, leaveOthers: Bool) throws(SystemError)

  /// Hands over all flip events that have arrived; does not wait.
  func readEvents(_ body: (FlipEvent) -> Void) throws(SystemError)

  /// Sets a CRTC as it was found.
  func restore(_ saved: SavedCRTC) throws(SystemError)
}

/// What a commit does.
struct CommitFlags: OptionSet, Sendable {
  let rawValue: UInt8
  /// Change nothing, tell whether it would work. The legacy calls cannot tell: nothing happens then.
  static let testOnly = CommitFlags(rawValue: 1)
  /// Set the mode, the connector and the plane's place, and turn off what is not ours; waits until
  /// it is done. Without it the commit is a page flip: it returns at once and an event follows.
  static let modeset = CommitFlags(rawValue: 2)
  /// With `modeset`: leave other connectors, CRTCs and planes alone.
  static let leaveOthers = CommitFlags(rawValue: 4)
}

/// What a pipe is to show.
struct PipeState {
  var pipe: Pipe
  var timing: Timing
  var framebuffer: FramebufferID
  /// What differs from the buffer's last time on the display; a hint, used for flips only.
  var damage: [PixelRect] = []
  /// Comes back in the flip event.
  var token: UInt64 = 0
}

/// A page flip that is done (`struct drm_event_vblank`).
struct FlipEvent: Hashable, Sendable {
  var token: UInt64
  /// The vblank's number, 32 bits that wrap; 0 from drivers without vblanks.
  var sequence: UInt32
  /// Nanoseconds of the device's clock, see `hasMonotonicTimestamps`.
  var time: Int64
}

/// Scanout memory with a framebuffer on it.
struct ScanoutBuffer {
  var framebuffer: FramebufferID
  /// The GEM handle.
  var handle: UInt32
  /// The mapping. Write-combined on many boards: never to be read.
  var pixels: PixelBuffer
  var byteCount: Int
}

/// A CRTC as it was found, to be set again on leaving.
struct SavedCRTC: Equatable, Sendable {
  var crtc: CRTCID
  var framebuffer: FramebufferID
  var x: UInt32
  var y: UInt32
  var timing: Timing
  var connectors: [ConnectorID]

  /// Those of a card that show something.
  static func all(of card: CardDescription) -> [SavedCRTC] {
    card.crtcs.compactMap { crtc in
      guard let timing = crtc.timing, let framebuffer = crtc.framebuffer else { return nil }
      let connectors = card.connectors.filter { card.crtc(driving: $0) == crtc.id }.map(\.id)
      guard !connectors.isEmpty else { return nil }
      return SavedCRTC(
        crtc: crtc.id, framebuffer: framebuffer, x: crtc.x, y: crtc.y, timing: timing,
        connectors: connectors)
    }
  }
}
