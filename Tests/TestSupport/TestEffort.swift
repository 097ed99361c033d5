// SPDX-License-Identifier: Apache-2.0

import Glibc

/// How many rounds the random tests run: few by default, many with `make test-long`, which sets
/// FLIPCLOCK_LONG.
package enum TestEffort {
  package static var isLong: Bool { getenv("FLIPCLOCK_LONG") != nil }

  /// The number of rounds of a random test.
  package static func rounds(_ usual: Int, long: Int) -> Int { isLong ? long : usual }
}
