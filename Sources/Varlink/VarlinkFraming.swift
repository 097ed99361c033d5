// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Cuts a byte stream into Varlink messages, each of which ends with a NUL byte.
///
/// Accepts bytes in pieces of any size, and returns whole messages. After a message that is longer than the
/// limit, `next` always fails, because the beginning of the next message is not known.
package struct VarlinkFraming: Sendable {
  package struct Oversized: Error, Hashable, Sendable {
    package let maximum: Int
  }

  /// The limit of a service: calls are small.
  package static let maximumCallBytes = 64 * 1024
  /// The limit of `VarlinkClient`: enough for a screenshot of the largest display in base64.
  package static let maximumReplyBytes = 64 * 1024 * 1024

  /// The largest message, without its NUL.
  package let maximum: Int

  private var buffer: [UInt8] = []
  /// Index of the first message that was not returned yet.
  private var start = 0
  /// There is no NUL from `start` up to this index. So a long message is searched once and not once for every
  /// piece.
  private var searched = 0
  private var failed = false

  package init(maximum: Int) { self.maximum = maximum }

  /// Bytes that were not returned yet.
  package var bufferedBytes: Int { buffer.count - start }

  package mutating func append(_ bytes: some Collection<UInt8>) {
    guard !failed else { return }
    if start > 0 {
      buffer.removeSubrange(..<start)
      searched -= start
      start = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// The next whole message without its NUL; nil if there is none yet.
  package mutating func next() throws(Oversized) -> [UInt8]? {
    guard !failed else { throw Oversized(maximum: maximum) }
    guard let end = indexOfNUL(from: searched) else {
      searched = buffer.count
      if bufferedBytes > maximum { try fail() }
      return nil
    }
    if end - start > maximum { try fail() }
    let message = Array(buffer[start..<end])
    start = end + 1
    searched = start
    if start == buffer.count {
      buffer.removeAll(keepingCapacity: buffer.capacity <= 2 * Self.maximumCallBytes)
      start = 0
      searched = 0
    }
    return message
  }

  private mutating func fail() throws(Oversized) {
    failed = true
    buffer = []
    start = 0
    searched = 0
    throw Oversized(maximum: maximum)
  }

  private func indexOfNUL(from offset: Int) -> Int? {
    buffer.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress, offset < bytes.count,
        let found = memchr(base + offset, 0, bytes.count - offset)
      else { return nil }
      return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
  }
}
