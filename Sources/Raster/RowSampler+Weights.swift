// SPDX-License-Identifier: Apache-2.0

extension RowSampler {
  /// Weighs the source rows between `low` and `high` (cut to the source) by the part of that interval
  /// that lies in each, all together as much as coverage and opacity say, the colour by `light` besides.
  /// Returns the number of rows; the weights are in `weights`.
  ///
  /// Shares are rounded from their running sum, so that they add up to the total exactly; what colour
  /// may not have because alpha has less is made up by the next row.
  func weigh(_ low: Double, _ high: Double, light: Double, coverage: Double) -> Int {
    let height = Double(source.height)
    // So put that what is not a number becomes 0.
    var low = low > 0 ? min(low, height) : 0
    var high = high > 0 ? min(high, height) : 0
    if high - low < 1e-6 {
      low = min(Double(Int(low)), height - 1)
      high = low + 1
    }
    let alphaTotal = min(256 * coverage * opacity, 256)
    let colourTotal = alphaTotal * light
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
    return count
  }
}
