// SPDX-License-Identifier: Apache-2.0

extension Animation {
  /// Progress a second, `elapsed` seconds after the beginning; nothing before it and from the end on.
  func progressRate(elapsed: Double) -> Double {
    guard elapsed >= 0, elapsed < activeDuration else { return 0 }
    let cycle = (elapsed / duration).truncatingRemainder(dividingBy: autoreverses ? 2 : 1)
    let time = cycle > 1 ? 2 - cycle : cycle
    let rate = timingFunction.slope(at: time) * valueFunction.slope(at: timingFunction(time)) / duration
    return cycle > 1 ? -rate : rate
  }

  /// How fast it moves `key`, in the value's unit a second. By the derivative and not by the difference of
  /// two values, between which a step may lie, a turn, or the end. Nil where it has no say, or the value
  /// no velocity.
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
    guard let from, let to = to ?? model[key], let way = from.way(to: to) else { return nil }
    let own = way.scaled(rate)
    guard let velocity, elapsed < duration else { return own }
    return own.adding(velocity, times: timingFunction.carriedSlope(elapsed / duration))
  }
}

extension Keyframes {
  /// Value per unit of progress: nothing where it holds or leaps; nil for kinds without a velocity.
  func slope(at progress: Double) -> LayerValue? {
    guard let first = values.first, let still = first.way(to: first) else { return nil }
    guard mode == .linear, progress >= times[0], progress < times[times.count - 1] else { return still }
    let index = segment(at: progress)
    let length = times[index + 1] - times[index]
    guard length > 0, let way = values[index].way(to: values[index + 1]) else { return still }
    return way.scaled(timingFunction(ofSegment: index).slope(at: (progress - times[index]) / length) / length)
  }
}
