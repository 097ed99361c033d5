// SPDX-License-Identifier: Apache-2.0

/// The intermediate values of an animation, each with its time.
public struct Keyframes: Hashable, Sendable {
  public enum CalculationMode: Hashable, Sendable {
    /// Interpolates from each value to the next.
    case linear
    /// Each value holds until the next one's time.
    case discrete
  }

  public let values: [LayerValue]
  /// Fractions of the duration, 0 … 1, nondecreasing; one per value.
  public let times: [Double]
  /// One per segment between two values; missing ones are linear.
  public let timingFunctions: [TimingFunction]
  public let mode: CalculationMode

  /// - Parameter times: evenly spaced times are used if they decrease, lie outside 0 … 1, or their number differs
  ///   from that of the values. The first value is at 0 and the last at 1 (discrete: each value has an equal
  ///   share of the duration).
  public init(
    _ values: [LayerValue], times: [Double] = [], timingFunctions: [TimingFunction] = [],
    mode: CalculationMode = .linear
  ) {
    self.values = values
    self.timingFunctions = timingFunctions
    self.mode = mode
    let isOrdered =
      times.allSatisfy { (0...1).contains($0) } && zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }
    if times.count == values.count, isOrdered {
      self.times = times
    } else {
      let segments = Double(max(mode == .linear ? values.count - 1 : values.count, 1))
      self.times = values.indices.map { Double($0) / segments }
    }
  }

  /// The value at `progress`: the first one before the first time, the last one after the last time. Nil without
  /// values.
  func value(at progress: Double) -> LayerValue? {
    guard let first = values.first, let last = values.last else { return nil }
    guard progress >= times[0] else { return first }
    guard progress < times[times.count - 1] else { return last }
    let index = segment(at: progress)
    if mode == .discrete { return values[index] }
    let length = times[index + 1] - times[index]
    let share = length > 0 ? (progress - times[index]) / length : 1
    return values[index].interpolated(to: values[index + 1], timingFunction(ofSegment: index)(share))
  }

  /// The index of the segment that contains `progress`, which must be within the times.
  func segment(at progress: Double) -> Int {
    var index = 0
    while index + 2 < times.count, progress >= times[index + 1] { index += 1 }
    return index
  }

  func timingFunction(ofSegment index: Int) -> TimingFunction {
    index < timingFunctions.count ? timingFunctions[index] : .linear
  }
}
