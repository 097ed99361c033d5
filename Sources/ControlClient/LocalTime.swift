// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Glibc

/// Times for people, in their time zone (`$TZ`, else /etc/localtime).
package enum LocalTime {
  /// Returns `2026-11-22 14:05:09 CET` for an RFC 3339 instant, and other text unchanged.
  package static func text(_ rfc3339: String) -> String {
    guard let instant = Instant(rfc3339: rfc3339) else { return rfc3339 }
    var seconds = time_t(instant.seconds)
    var fields = tm()
    tzset()
    guard localtime_r(&seconds, &fields) != nil else { return rfc3339 }
    var buffer = [CChar](repeating: 0, count: 80)
    let count = strftime(&buffer, buffer.count, "%Y-%m-%d %H:%M:%S %Z", &fields)
    return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
