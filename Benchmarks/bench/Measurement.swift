// SPDX-License-Identifier: Apache-2.0

import BenchmarkCases
import Glibc

/// The time that a contestant needs for one run.
struct Timing {
  var name: String
  var medianNanoseconds: Double
}

/// How much is measured.
struct Effort {
  var rounds: Int
  /// A contestant's turn repeats the task until it takes about this long.
  var turnNanoseconds: Double

  /// The approximate limit for the total time of a contestant.
  var limitNanoseconds = 5e9

  static let thorough = Effort(rounds: 41, turnNanoseconds: 3_000_000)
  /// A short measurement, which shows only that everything runs.
  static let smoke = Effort(rounds: 1, turnNanoseconds: 0)
}

/// Measures contestants in turns, so that disturbances affect all of them alike.
enum Measurement {
  /// The processor time of this thread in nanoseconds, which excludes other processes.
  static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// The median of each contestant's turns, at most `effort.rounds`, in the order of the contestants.
  static func times(_ contestants: [Contestant], _ effort: Effort) -> [Timing] {
    var longest = 0.0
    var repeats = contestants.map { contestant in
      var once = 0.0
      for _ in 0..<2 {
        contestant.prepare?()
        let begin = now()
        contestant.run()
        once = max(now() - begin, 50)
      }
      longest = max(longest, once)
      return max(Int(effort.turnNanoseconds / once), 1)
    }
    if effort.turnNanoseconds == 0 { repeats = contestants.map { _ in 1 } }
    var samples = [[Double]](repeating: [], count: contestants.count)
    // Fewer rounds, but at least five, if runs are so slow that all rounds would exceed the limit.
    let rounds = min(effort.rounds, max(Int(effort.limitNanoseconds / max(longest, 1)), 5))
    for round in 0..<(effort.rounds > 5 ? rounds : effort.rounds) {
      for turn in contestants.indices {
        // Each round begins with another contestant.
        let index = (turn + round) % contestants.count
        var spent = 0.0
        for _ in 0..<(contestants[index].prepare == nil ? 1 : repeats[index]) {
          contestants[index].prepare?()
          let count = contestants[index].prepare == nil ? repeats[index] : 1
          let begin = now()
          for _ in 0..<count { contestants[index].run() }
          spent += now() - begin
        }
        samples[index].append(spent / Double(repeats[index]))
      }
    }
    return contestants.indices.map {
      Timing(name: contestants[$0].name, medianNanoseconds: median(samples[$0]))
    }
  }
}
