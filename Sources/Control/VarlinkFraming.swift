// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Cuts a byte stream into Varlink messages, each of which ends with a NUL byte.
///
/// Bytes go in as they come, in any pieces; messages come out whole. A message that grows beyond the
/// limit is an error for good: where the next one would begin is then anyone's guess.
public struct VarlinkFraming: Sendable {
  public struct Oversized: Error, Hashable, Sendable {
    public let maximum: Int
  }

  /// What a daemon takes: calls are small.
  public static let maximumCallBytes = 64 * 1024
  /// What a client takes: a screenshot of the largest display, in base64.
  public static let maximumReplyBytes = 64 * 1024 * 1024

  /// The largest message, without its NUL.
  public let maximum: Int

  private var buffer: [UInt8] = []
  /// Where the first message not yet handed out begins.
  private var start = 0
  /// Up to here no NUL was found: a long message is searched once, not once for every piece.
  private var searched = 0
  private var failed = false

  public init(maximum: Int) { self.maximum = maximum }

  /// Bytes not yet handed out.
  public var bufferedBytes: Int { buffer.count - start }

  public mutating func append(_ bytes: some Collection<UInt8>) {
    guard !failed else { return }
    if start > 0 {
      buffer.removeSubrange(..<start)
      searched -= start
      start = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// The next whole message without its NUL, or nil if there is none yet.
  public mutating func next() throws(Oversized) -> [UInt8]? {
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
