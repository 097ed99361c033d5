// SPDX-License-Identifier: Apache-2.0

/// The requested weight, on OpenType's scale (`usWeightClass`, the `wght` axis).
public enum FontWeight: Int, Hashable, Sendable {
  case regular = 400
  case medium = 500
  case semibold = 600
  case bold = 700
}
