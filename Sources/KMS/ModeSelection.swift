// SPDX-License-Identifier: Apache-2.0

import Display
import Raster

/// Sorts a connector's modes into the order in which to try them.
enum ModeSelection {
  /// The maximum difference, in millihertz, between a mode's rate and the configured one: 60 also finds
  /// 59.94.
  private static let rateTolerance = 600

  /// Returns the mode to set first, then less demanding ones: the same size at lower rates, then smaller
  /// sizes in descending order; then more demanding ones in ascending order; interlaced and double-scan modes
  /// last. Empty if the connector offers no mode that the card can show.
  static func order(
    _ offered: [Timing], active: Timing?, limit: PixelSize, _ preference: ModePreference
  ) -> (timings: [Timing], notes: [String]) {
    let usable = offered.filter {
      $0.hDisplay > 0 && $0.vDisplay > 0 && !$0.isStereo
        && $0.size.width <= limit.width && $0.size.height <= limit.height
    }
    var notes: [String] = []
    var first: Timing?
    if case .size(let size, let refresh) = preference {
      first = configured(usable, size, refresh)
      if first == nil {
        let wanted = refresh.map { "\(size)@\(hertz($0))" } ?? "\(size)"
        notes.append(
          "the display does not offer the configured mode \(wanted); it offers \(summary(usable))")
      }
    }
    guard let best = first ?? automatic(usable, active: active) else { return ([], notes) }
    return ([best] + fallbacks(usable, for: best), notes)
  }

  /// The first of these that exists: `video=` from the kernel command line, the display's preferred mode, the
  /// active mode, the first mode.
  private static func automatic(_ modes: [Timing], active: Timing?) -> Timing? {
    modes.first { $0.isUserDefined }
      ?? modes.first { $0.isPreferred }
      ?? active.flatMap { active in modes.first { $0.isSameSignal(as: active) } }
      ?? modes.first
  }

  private static func configured(_ modes: [Timing], _ size: PixelSize, _ refresh: Int?) -> Timing? {
    let sized = modes.filter { $0.size == size }
    if let refresh {
      // Flags decide only between modes at the same distance: progressive first, then preferred.
      return sized.filter { distance($0, refresh) <= rateTolerance }.min {
        (distance($0, refresh), $0.isInterlaced ? 1 : 0, $0.isPreferred ? 0 : 1)
          < (distance($1, refresh), $1.isInterlaced ? 1 : 0, $1.isPreferred ? 0 : 1)
      }
    }
    let progressive = sized.filter { !$0.isInterlaced && !$0.isDoubleScan }
    return progressive.first { $0.isUserDefined || $0.isPreferred }
      ?? progressive.min { distance($0, 60_000) < distance($1, 60_000) }
      ?? sized.first
  }

  private static func distance(_ timing: Timing, _ refresh: Int) -> Int {
    let difference = timing.refreshMillihertz.subtractingReportingOverflow(refresh)
    return difference.overflow ? .max : Int(clamping: difference.partialValue.magnitude)
  }

  private static func fallbacks(_ modes: [Timing], for best: Timing) -> [Timing] {
    func area(_ timing: Timing) -> Int { timing.size.width * timing.size.height }
    func isLess(_ timing: Timing) -> Bool {
      timing.size == best.size
        ? timing.refreshMillihertz < best.refreshMillihertz : area(timing) < area(best)
    }
    let ascending = modes.filter { !$0.isInterlaced && !$0.isDoubleScan }.sorted {
      (area($0), $0.refreshMillihertz) < (area($1), $1.refreshMillihertz)
    }
    let rest = modes.filter { $0.isInterlaced || $0.isDoubleScan }
    var result: [Timing] = []
    for timing in ascending.reversed().filter(isLess) + ascending.filter({ !isLess($0) }) + rest
    where !timing.isSameSignal(as: best) {
      let isListed = result.contains {
        $0.displayMode == timing.displayMode && $0.isInterlaced == timing.isInterlaced
      }
      if !isListed, timing.displayMode != best.displayMode || timing.isInterlaced != best.isInterlaced {
        result.append(timing)
      }
    }
    return result
  }

  private static func hertz(_ millihertz: Int) -> String {
    millihertz % 1000 == 0 ? "\(millihertz / 1000)" : "\(Double(millihertz) / 1000)"
  }

  private static func summary(_ modes: [Timing]) -> String {
    var names: [String] = []
    for mode in modes where !names.contains(mode.displayMode.description) {
      names.append(mode.displayMode.description)
    }
    return names.isEmpty ? "none" : names.prefix(8).joined(separator: ", ") + (names.count > 8 ? ", …" : "")
  }
}
