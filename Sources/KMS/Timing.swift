// SPDX-License-Identifier: Apache-2.0

import CDRM
import Display
import Raster

/// A display mode as the kernel describes it (`struct drm_mode_modeinfo`), including the sync pulses.
struct Timing: Hashable, Sendable {
  var clockKilohertz: UInt32
  var hDisplay: UInt16
  var hSyncStart: UInt16
  var hSyncEnd: UInt16
  var hTotal: UInt16
  var hSkew: UInt16 = 0
  var vDisplay: UInt16
  var vSyncStart: UInt16
  var vSyncEnd: UInt16
  var vTotal: UInt16
  var vScan: UInt16 = 0
  var vRefresh: UInt32 = 0
  var flags: UInt32 = 0
  var type: UInt32 = 0
  var name = ""

  var size: PixelSize { PixelSize(width: Int(hDisplay), height: Int(vDisplay)) }
  var isInterlaced: Bool { flags & UInt32(DRM_MODE_FLAG_INTERLACE) != 0 }
  var isDoubleScan: Bool { flags & UInt32(DRM_MODE_FLAG_DBLSCAN) != 0 }
  var isStereo: Bool { flags & (0x1f << 14) != 0 }
  /// Whether the display prefers this mode.
  var isPreferred: Bool { type & UInt32(DRM_MODE_TYPE_PREFERRED) != 0 }
  /// Whether the mode comes from the kernel command line's `video=`.
  var isUserDefined: Bool { type & UInt32(DRM_MODE_TYPE_USERDEF) != 0 }

  /// Rates below this are not real: the kernel's `DRM_SIMPLE_MODE`, which drivers of SPI panels use, sets a
  /// pixel clock of 1 kHz.
  private static let lowestMillihertz = 10_000

  /// Vblanks per second × 1000, computed like the kernel's `drm_mode_vrefresh`. For an interlaced mode it
  /// counts fields, not frames. 60,000 if the mode has no plausible rate.
  var refreshMillihertz: Int {
    let rate = computedMillihertz
    if rate >= Self.lowestMillihertz { return rate }
    let named = Int(vRefresh) * 1000
    return named >= Self.lowestMillihertz ? named : 60_000
  }

  private var computedMillihertz: Int {
    var numerator = Int(clockKilohertz) * 1_000_000
    var denominator = Int(hTotal) * Int(vTotal)
    if isInterlaced { numerator *= 2 }
    if isDoubleScan { denominator *= 2 }
    if vScan > 1 { denominator *= Int(vScan) }
    return denominator > 0 ? (numerator + denominator / 2) / denominator : 0
  }

  /// The mode as it is shown to users: a rate within 0.01 Hz of a whole number is rounded to it, because a
  /// card can generate its clock only in steps.
  var displayMode: DisplayMode {
    let whole = (refreshMillihertz + 500) / 1000 * 1000
    let refresh = abs(refreshMillihertz - whole) <= 10 ? whole : refreshMillihertz
    return DisplayMode(size: size, refreshMillihertz: refresh)
  }

  /// The time between two vblanks.
  var periodNanoseconds: Int64 { 1_000_000_000_000 / Int64(refreshMillihertz) }

  /// Whether the signal is the same, regardless of name and origin of the mode.
  func isSameSignal(as other: Timing) -> Bool {
    var (a, b) = (self, other)
    (a.type, a.name, a.vRefresh) = (0, "", 0)
    (b.type, b.name, b.vRefresh) = (0, "", 0)
    return a == b
  }
}

extension Timing {
  init(_ mode: drmModeModeInfo) {
    self.init(
      clockKilohertz: mode.clock, hDisplay: mode.hdisplay, hSyncStart: mode.hsync_start,
      hSyncEnd: mode.hsync_end, hTotal: mode.htotal, hSkew: mode.hskew, vDisplay: mode.vdisplay,
      vSyncStart: mode.vsync_start, vSyncEnd: mode.vsync_end, vTotal: mode.vtotal, vScan: mode.vscan,
      vRefresh: mode.vrefresh, flags: mode.flags, type: mode.type,
      name: withUnsafeBytes(of: mode.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
  }

  /// The mode as libdrm's structure.
  var modeInfo: drmModeModeInfo {
    var mode = drmModeModeInfo()
    mode.clock = clockKilohertz
    mode.hdisplay = hDisplay
    mode.hsync_start = hSyncStart
    mode.hsync_end = hSyncEnd
    mode.htotal = hTotal
    mode.hskew = hSkew
    mode.vdisplay = vDisplay
    mode.vsync_start = vSyncStart
    mode.vsync_end = vSyncEnd
    mode.vtotal = vTotal
    mode.vscan = vScan
    mode.vrefresh = vRefresh
    mode.flags = flags
    mode.type = type
    withUnsafeMutableBytes(of: &mode.name) { $0.copyBytes(from: name.utf8.prefix($0.count - 1)) }
    return mode
  }
}
