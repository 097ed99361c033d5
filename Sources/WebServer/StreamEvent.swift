// SPDX-License-Identifier: Apache-2.0

/// An event of an event stream (the HTML standard's "server-sent events"), encoded once for all streams.
package struct StreamEvent: Hashable, Sendable {
  /// A number that changes while the event waits to be sent: the time since an instant.
  package struct Age: Hashable, Sendable {
    /// Nanoseconds of the clock of `EventQueue.fill(_:now:)`.
    package var since: Int64
    /// The nanoseconds of a unit, by which the age is divided, rounded down.
    package var unit: Int64

    package init(since: Int64, unit: Int64) {
      self.since = since
      self.unit = unit
    }
  }

  /// Newer events of a kind replace those that have not been sent yet.
  package var kind: String
  /// What comes before the age, and what comes after it.
  package let head: [UInt8]
  package let age: Age?
  package let tail: [UInt8]

  /// - Parameters:
  ///   - kind: the name of the event.
  ///   - data: one line.
  package init(_ kind: String, data: [UInt8]) {
    self.kind = kind
    head = []
    age = nil
    tail = Array("event: \(kind)\ndata: ".utf8) + data + [0x0a, 0x0a]
  }

  /// An event whose data are `before`, the age when it is sent, and `after`.
  package init(_ kind: String, before: String, age: Age, after: [UInt8]) {
    self.kind = kind
    head = Array("event: \(kind)\ndata: \(before)".utf8)
    self.age = age
    tail = after + [0x0a, 0x0a]
  }

  func opening(now: Int64) -> [UInt8] {
    guard let age else { return head }
    return head + Array(String(max(0, now - age.since) / max(age.unit, 1)).utf8)
  }
}
