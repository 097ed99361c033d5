// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// What a card showed when it was first opened.
struct OriginalPicture {
  private let crtcs: [SavedCRTC]
  /// Whether a mode was set or a CRTC switched off since then, so that the picture must be restored.
  var isReplaced = false

  init(of card: CardDescription) { crtcs = SavedCRTC.all(of: card) }

  func restore(on device: DRMDevice, _ log: Log) {
    guard isReplaced, device.isMaster else { return }
    for crtc in crtcs {
      // The framebuffer may be gone with its owner (a boot splash); then there is nothing to restore.
      do throws(SystemError) { try device.restore(crtc) } catch {
        log.debug("\(device.path): cannot restore the previous picture: \(error)")
      }
    }
  }
}

/// The original state of a CRTC.
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
