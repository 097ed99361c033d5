// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import Raster

/// An open card, with the kernel mode setting calls that the output needs.
///
/// `DRMDevice` implements it. The tests use `DRMDevice` too, on a model of the kernel (`DRMCalls`). Errors carry the
/// errno; any call may fail with ENODEV after the card is removed.
protocol KMSDevice: AnyObject {
  var path: String { get }
  var driver: String { get }
  /// Becomes readable when a flip completes.
  var fileDescriptor: Int32 { get }
  /// Whether commits are atomic; otherwise legacy SetCrtc and PageFlip are used.
  var isAtomic: Bool { get }
  /// Whether flip events are timestamped with CLOCK_MONOTONIC.
  var hasMonotonicTimestamps: Bool { get }

  var isMaster: Bool { get }
  /// Fails with EBUSY, EINVAL or EACCES while another program is master.
  func becomeMaster() throws(SystemError)
  func dropMaster()

  /// Reads the card's complete description, with the connectors as of their last probe.
  func describe() throws(SystemError) -> CardDescription

  /// Probes a connector, which only the master may do. An error shows at the next `describe`. May be called on any thread.
  func probe(_ connector: ConnectorID)

  /// The connector's status as of the last probe; nil if the connector no longer exists.
  func currentStatus(of connector: ConnectorID) throws(SystemError) -> ConnectorDescription.Status?

  /// Creates a dumb buffer, mapped for writing, with a framebuffer for it.
  func createBuffer(_ size: PixelSize, format: ScanoutFormat) throws(SystemError) -> ScanoutBuffer
  func destroyBuffer(_ buffer: ScanoutBuffer)

  /// Sets the modes, connectors and planes of one or more pipes, and turns `foreign` off. Waits for completion. Legacy
  /// calls set one pipe after the other.
  func setModes(_ states: [PipeState], turningOff foreign: ForeignObjects?, _ flags: CommitFlags)
    throws(SystemError)

  /// Flips to a new framebuffer. Returns true at once if a flip event will follow. A driver without page flips waits
  /// for completion, and false is returned.
  func flip(_ state: PipeState) throws(SystemError) -> Bool

  /// Switches the pipe's CRTC off, and `foreign` too. Buffers are kept, and with atomic commits the mode too. Waits for
  /// completion.
  func turnOff(_ pipe: Pipe, turningOff foreign: ForeignObjects?) throws(SystemError)

  /// Switches the pipe off and takes it apart: no connector, mode or framebuffer. Waits for completion.
  func disable(_ pipe: Pipe) throws(SystemError)

  /// Calls `body` for all flip events that have arrived; does not wait.
  func readEvents(_ body: (FlipEvent) -> Void) throws(SystemError)

  /// Waits for an event for at most `nanoseconds`. Returns whether there is one.
  func waitForEvent(nanoseconds: Int64) -> Bool

  /// Restores a CRTC to its saved state.
  func restore(_ saved: SavedCRTC) throws(SystemError)
}

/// How modes are set.
struct CommitFlags: OptionSet, Sendable {
  let rawValue: UInt8
  /// Change nothing, only check whether it would succeed. The legacy calls cannot check; with them this does nothing.
  static let testOnly = CommitFlags(rawValue: 1)
  /// Leave connectors, CRTCs and planes alone that belong to none of our pipes. `setModes` does not get this flag: its
  /// callers pass nil for `foreign` instead.
  static let leaveForeign = CommitFlags(rawValue: 2)
  /// Do not reset properties that another program has set (HDR, gamma).
  static let keepForeignState = CommitFlags(rawValue: 4)
}

/// The state to set on a pipe.
struct PipeState {
  var pipe: Pipe
  var timing: Timing
  var framebuffer: FramebufferID
  /// What has changed since this buffer was last on the display. A hint, used for flips only.
  var damage: [PixelRect] = []
  /// The token that the flip event returns.
  var token: UInt64 = 0
}

/// A completed page flip (`struct drm_event_vblank`).
struct FlipEvent: Hashable, Sendable {
  var token: UInt64
  /// The vblank's number, which wraps at 32 bits; 0 from drivers without vblanks.
  var sequence: UInt32
  /// Nanoseconds of the device's clock; see `hasMonotonicTimestamps`.
  var time: Int64
}

/// Scanout memory with a framebuffer on it.
struct ScanoutBuffer {
  var framebuffer: FramebufferID
  /// The GEM handle.
  var handle: UInt32
  /// The mapped memory. Never read it: it is write-combined on many boards.
  var pixels: PixelBuffer
  var byteCount: Int
}

/// The original state of a CRTC, restored on exit.
struct SavedCRTC: Equatable, Sendable {
  var crtc: CRTCID
  var framebuffer: FramebufferID
  var x: UInt32
  var y: UInt32
  var timing: Timing
  var connectors: [ConnectorID]

  /// All CRTCs of a card that are showing something.
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

/// A failed commit's errno, classified by how to react to it.
enum CommitFailure: Equatable {
  /// The card is busy; try again soon.
  case busy
  /// This process is not the DRM master.
  case notMaster
  /// The card was removed.
  case cardGone
  /// The card has too little memory or bandwidth; a smaller mode or format may work.
  case tooMuch
  /// The kernel rejects the state, or the current state is not the expected one.
  case refused

  init(_ error: SystemError) {
    self =
      switch error.errno.rawValue {
      case EBUSY, EAGAIN, EINTR: .busy
      case EACCES, EPERM: .notMaster
      case ENODEV, ENXIO: .cardGone
      case ENOMEM, ENOSPC, E2BIG: .tooMuch
      default: .refused
      }
  }
}
