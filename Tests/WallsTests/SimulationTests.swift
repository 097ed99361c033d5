// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

/// Random schedules of taps, takeovers and failures. `make test-long` runs FLIPCLOCK_SCHEDULES of them, or
/// 100,000.
@Suite struct SimulationTests {
  @Test("No point is lost, doubled or late, and one wall leads soon, whatever fails", arguments: 0..<4)
  func schedules(part: Int) {
    let long = getenv("FLIPCLOCK_SCHEDULES").flatMap { Int(String(cString: $0)) } ?? 100_000
    let count = TestEffort.rounds(6_000, long: long) / 4
    var totals = SimulationCounts()
    for number in 0..<count {
      let seed = UInt64(part * count + number + 1)
      var simulation = Simulation(seed: seed)
      simulation.run()
      totals.add(simulation.counts)
      if let violation = simulation.violations.first {
        // Runs the schedule again, to report what happened last.
        let trace = Trace()
        var again = Simulation(seed: seed, trace: trace)
        again.run()
        Issue.record("seed \(seed): \(violation)\n\(trace.lines.suffix(200).joined(separator: "\n"))")
        return
      }
    }
    if TestEffort.isLong { print("schedules \(part): \(totals.text)") }
  }
}
