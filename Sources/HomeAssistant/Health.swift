// SPDX-License-Identifier: Apache-2.0

import JSON

/// How the daemon is doing, from its status.
package struct Health: Hashable, Sendable {
  package var version: String
  /// Processor time in microseconds a minute.
  package var processor = 0
  /// Resident memory in bytes.
  package var memory = 0
  package var missedFlips = 0
  /// A sentence each.
  package var problems: [String] = []
}

extension Health {
  /// - Parameter status: the interface's type `Status`. What is missing in it counts as 0.
  package init(_ status: JSONValue) {
    let outputs = status["outputs"]?.array ?? []
    version = status["version"]?.string ?? "unknown"
    processor = status["cost"]?["processorMicrosecondsPerMinute"]?.integer ?? 0
    memory = status["cost"]?["residentBytes"]?.integer ?? 0
    missedFlips = outputs.reduce(0) { $0.addingWithoutTrap($1["flipsMissed"]?.integer ?? 0) }
    problems = outputs.compactMap { output in
      output["problem"]?.string.map { "\(output["connector"]?.string ?? "display"): \($0)" }
    }
    if status["config"]?["lastReload"]?["ok"]?.bool == false {
      problems.append("the config has errors and is not used")
    }
    if let wall = status["wall"], wall["reachable"]?.bool == false {
      problems.append(
        "this wall is not connected with the others that show '\(wall["board"]?.string ?? "?")'")
    }
    problems += (status["warnings"]?.array ?? []).compactMap(\.string)
  }
}

extension Int {
  fileprivate func addingWithoutTrap(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
