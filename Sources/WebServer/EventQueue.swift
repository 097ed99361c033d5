// SPDX-License-Identifier: Apache-2.0

/// What is still to be sent on one event stream. Its size is bounded: of each kind of event, only the newest
/// waits.
///
/// Events are sent in the order of their arrival. A newer event does not take the place of the one that it
/// replaces, but is sent last, so that a reader never gets an event before an older one. An event that has
/// been sent in part is sent to its end.
package struct EventQueue {
  private var waiting: [StreamEvent] = []
  /// The event that is being sent: its opening, the bytes after it, and how many of both have been sent.
  private var opening: [UInt8] = []
  private var rest: [UInt8] = []
  private var sent = 0
  /// When the queue was empty for the last time, or an event was sent to its end; nil while it is empty.
  private var waitingSince: Int64?

  package init() {}

  package var isEmpty: Bool { waiting.isEmpty && sent == opening.count + rest.count }

  /// How long the reader has not taken a whole event although one is to be sent, in nanoseconds.
  package func delay(now: Int64) -> Int64 { waitingSince.map { now - $0 } ?? 0 }

  package mutating func add(_ event: StreamEvent, now: Int64) {
    if waitingSince == nil { waitingSince = now }
    if let index = waiting.firstIndex(where: { $0.kind == event.kind }) { waiting.remove(at: index) }
    waiting.append(event)
  }

  /// Copies as much as fits, and returns the number of bytes; 0 if nothing is to be sent.
  package mutating func fill(_ buffer: UnsafeMutableRawBufferPointer, now: Int64) -> Int {
    var filled = 0
    while filled < buffer.count {
      if sent == opening.count + rest.count {
        guard !waiting.isEmpty else { break }
        let event = waiting.removeFirst()
        opening = event.opening(now: now)
        rest = event.tail
        sent = 0
      }
      let part = sent < opening.count ? opening[sent...] : rest[(sent - opening.count)...]
      let count = min(part.count, buffer.count - filled)
      part.prefix(count).withUnsafeBytes { source in
        UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<filled + count]).copyMemory(from: source)
      }
      filled += count
      sent += count
      if sent == opening.count + rest.count {
        // The shared bytes are released, so that an old event does not stay in memory.
        opening = []
        rest = []
        sent = 0
        waitingSince = waiting.isEmpty ? nil : now
      }
    }
    return filled
  }
}
