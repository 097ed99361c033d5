// SPDX-License-Identifier: Apache-2.0

/// Values on the way of an animation, each at its time.
public struct Keyframes: Hashable, Sendable {
  public enum CalculationMode: Hashable, Sendable {
    /// From each value to the next.
    case linear
    /// Each value holds until the next one's time.
    case discrete
  }

  public let values: [LayerValue]
  /// Parts of the duration, 0 … 1, rising; one for each value.
  public let times: [Double]
  /// One for each way between two values; those that are not there are linear.
  public let timingFunctions: [TimingFunction]
  public let mode: CalculationMode

  /// - Parameter times: those that fall, lie outside 0 … 1 or are not as many as the values are
  ///   replaced by even ones: the first value at 0, the last at 1 (discrete: where its share begins).
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
      let ways = Double(max(mode == .linear ? values.count - 1 : values.count, 1))
      self.times = values.indices.map { Double($0) / ways }
    }
  }

  /// The value at `progress`; before the first time the first, after the last the last. Nil without
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

  /// The value that `progress`, within the times, comes from.
  func segment(at progress: Double) -> Int {
    var index = 0
    while index + 2 < times.count, progress >= times[index + 1] { index += 1 }
    return index
  }

  func timingFunction(ofSegment index: Int) -> TimingFunction {
    index < timingFunctions.count ? timingFunctions[index] : .linear
  }
}
