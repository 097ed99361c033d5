// SPDX-License-Identifier: Apache-2.0

import CEvdev
import Spelling

/// Names of keys and buttons, as linux/input-event-codes.h has them without `KEY_`: `KP1`, `PAGEDOWN`;
/// buttons with their prefix: `BTN_LEFT`.
enum KeyName {
  /// The code of a name; nil if there is none. The corresponding C function is
  /// `libevdev_event_code_from_name`.
  static func code(_ name: String) -> UInt16? {
    let upper = name.uppercased()
    let full = upper.hasPrefix("BTN_") || upper.hasPrefix("KEY_") ? upper : "KEY_\(upper)"
    guard !full.utf8.contains(0) else { return nil }
    return UInt16(exactly: libevdev_event_code_from_name(UInt32(EV_KEY), full))
  }

  /// `did you mean 'KP1'?`, or nil when nothing is near.
  static func hint(for name: String) -> String? {
    let known = (UInt32(0)...UInt32(KEY_MAX)).compactMap { code in
      libevdev_event_code_get_name(UInt32(EV_KEY), code).map { String(cString: $0) }
    }
    let short = known.map { $0.hasPrefix("KEY_") ? String($0.dropFirst(4)) : $0 }
    let typed = name.uppercased()
    return Spelling.hint(for: typed.hasPrefix("KEY_") ? String(typed.dropFirst(4)) : typed, among: short)
  }
}
