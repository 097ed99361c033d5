// SPDX-License-Identifier: Apache-2.0

extension Animation {
  /// Progress per second, `elapsed` seconds after the beginning; 0 before it and from the end on.
  func progressRate(elapsed: Double) -> Double {
    guard elapsed >= 0, elapsed < activeDuration else { return 0 }
    let cycle = (elapsed / duration).truncatingRemainder(dividingBy: autoreverses ? 2 : 1)
    let time = cycle > 1 ? 2 - cycle : cycle
    let rate = timingFunction.slope(at: time) * valueFunction.slope(at: timingFunction(time)) / duration
    return cycle > 1 ? -rate : rate
  }

  /// The velocity of `key`, in the value's unit per second. Computed from the derivative, because a difference of
  /// two values may straddle a step, a reversal or the end. Nil if the animation does not affect `key`, or its
  /// values have no velocity.
  func velocity(of key: PropertyKey, elapsed: Double, model: LayerProperties) -> LayerValue? {
    guard let progress = progress(elapsed: elapsed) else { return nil }
    let rate = progressRate(elapsed: elapsed)
    if !members.isEmpty {
      for member in members.reversed() where member.concerns(key) {
        let own = progress * duration - (member.beginTime ?? 0) - member.delay
        if let velocity = member.velocity(of: key, elapsed: own, model: model) {
          return velocity.scaled(rate * duration)
        }
      }
      return nil
    }
    guard self.key == key else { return nil }
    if let keyframes { return keyframes.slope(at: progress)?.scaled(rate) }
    guard let from, let to = to ?? model[key], let delta = from.difference(to: to) else { return nil }
    let own = delta.scaled(rate)
    guard let velocity, elapsed < duration else { return own }
    return own.adding(velocity, times: timingFunction.carriedSlope(elapsed / duration))
  }
}

extension Keyframes {
  /// The change of the value per unit of progress; zero where the value holds or jumps, nil for kinds without a
  /// velocity.
  func slope(at progress: Double) -> LayerValue? {
    guard let first = values.first, let still = first.difference(to: first) else { return nil }
    guard mode == .linear, progress >= times[0], progress < times[times.count - 1] else { return still }
    let index = segment(at: progress)
    let length = times[index + 1] - times[index]
    guard length > 0, let delta = values[index].difference(to: values[index + 1]) else { return still }
    return delta.scaled(
      timingFunction(ofSegment: index).slope(at: (progress - times[index]) / length) / length)
  }
}
