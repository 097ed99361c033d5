// SPDX-License-Identifier: Apache-2.0

import Raster

/// How modes are set.
struct CommitFlags: OptionSet, Sendable {
  let rawValue: UInt8
  /// Change nothing, only check whether it would succeed. The legacy calls cannot check; with them this does
  /// nothing.
  static let testOnly = CommitFlags(rawValue: 1)
  /// Leave alone the connectors, CRTCs and planes that belong to none of our pipes.
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
