// SPDX-License-Identifier: Apache-2.0

import Raster

package func whole(_ value: Double) -> Int { Int(min(max(value, 0), 1e15).rounded()) }

package func thousandths(_ value: Double) -> String { decimal(value, places: 3) }

/// A nonnegative number with `places` decimals.
package func decimal(_ value: Double, places: Int) -> String {
  var unit = 1
  for _ in 0..<places { unit *= 10 }
  let scaled = whole(value * Double(unit))
  let digits = String(scaled % unit + unit).dropFirst()
  return places == 0 ? String(scaled) : "\(scaled / unit).\(digits)"
}
