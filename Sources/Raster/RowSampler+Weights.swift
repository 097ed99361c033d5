// SPDX-License-Identifier: Apache-2.0

import CKernels

extension RowSampler {
  /// The source rows of one destination row, with their weights.
  struct Weighed {
    /// The number of rows: up to two are stored here, more in `weights`.
    var count = 0
    var first = Share()
    var second = Share()
  }

  /// The weight of one source row in 1/256: of the colour channels in the lower half, of alpha in the upper.
  struct Share {
    var weight: UInt32 = 0
    var byteOffset = 0
  }

  /// Computes the weights of the source rows between `low` and `high` (clipped to the source), proportional
  /// to the part of the interval in each. They add up to coverage times opacity; colour is also multiplied by
  /// `light`.
  ///
  /// Weights are rounded from their running sum, so that they add up to the total exactly. If a row's colour
  /// weight had to be reduced to its alpha weight, the next row gets the difference.
  @inline(__always)
  func weigh(_ low: Double, _ high: Double, light: Double, coverage: Double) -> Weighed {
    let height = Double(source.height)
    // Written so that NaN becomes 0.
    var low = low > 0 ? min(low, height) : 0
    var high = high > 0 ? min(high, height) : 0
    if high - low < 1e-6 {
      low = min(Double(ckernels_whole(low)), height - 1)
      high = low + 1
    }
    let alphaTotal = min(256 * coverage * opacity, 256)
    let colourTotal = alphaTotal * light
    let row = ckernels_whole(low)
    if high > Double(row + 2) {
      return weighMany(low, high, alphaTotal, colourTotal)
    }
    let perRow = 1 / (high - low)
    var weighed = Weighed()
    var edge = min(Double(row + 1), high)
    let share = (edge - low) * perRow
    let alpha = ckernels_whole(alphaTotal * share + 0.5)
    var spent = 0
    if alpha > 0 {
      spent = min(max(ckernels_whole(colourTotal * share + 0.5), 0), alpha)
      weighed.first = Share(weight: RowSampler.weight(spent, alpha), byteOffset: row &* source.bytesPerRow)
      weighed.count = 1
    }
    guard edge < high, row + 1 < source.height else { return weighed }
    edge = high
    let rest = (edge - low) * perRow
    let restAlpha = ckernels_whole(alphaTotal * rest + 0.5) - max(alpha, 0)
    guard restAlpha > 0 else { return weighed }
    let restColour = min(max(ckernels_whole(colourTotal * rest + 0.5) - spent, 0), restAlpha)
    let next = Share(
      weight: RowSampler.weight(restColour, restAlpha), byteOffset: (row + 1) &* source.bytesPerRow)
    if weighed.count == 0 { weighed.first = next } else { weighed.second = next }
    weighed.count += 1
    return weighed
  }

  @inline(__always)
  private static func weight(_ colour: Int, _ alpha: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: alpha &<< 16 | colour)
  }

  /// Does the same as `weigh` for more than two rows.
  private func weighMany(
    _ low: Double, _ high: Double, _ alphaTotal: Double, _ colourTotal: Double
  ) -> Weighed {
    let perRow = 1 / (high - low)
    var alphaSpent = 0
    var colourSpent = 0
    var count = 0
    var row = Int(low)
    var edge = low
    while edge < high && row < source.height && count < RowScratch.maximumWeights {
      edge = min(Double(row + 1), high)
      let sum = (edge - low) * perRow
      let alpha = Int(alphaTotal * sum + 0.5) - alphaSpent
      if alpha > 0 {
        let colour = min(max(Int(colourTotal * sum + 0.5) - colourSpent, 0), alpha)
        alphaSpent += alpha
        colourSpent += colour
        weights[count] = Kernels.RowWeight(
          colour: colour, alpha: alpha, byteOffset: row &* source.bytesPerRow)
        count += 1
      }
      row += 1
    }
    var weighed = Weighed(count: count)
    if count == 1 || count == 2 {
      weighed.first = Share(weight: weights[0].oddPixel, byteOffset: weights[0].byteOffset)
      if count == 2 { weighed.second = Share(weight: weights[1].oddPixel, byteOffset: weights[1].byteOffset) }
    }
    return weighed
  }
}
