// SPDX-License-Identifier: Apache-2.0

/// An output's counters since it was started.
public struct OutputStatistics: Hashable, Sendable {
  public var framesPresented: UInt64 = 0
  /// Vblanks that passed without a new frame while frames were presented back to back (`FlipLedger`).
  public var flipsMissed: UInt64 = 0
  /// Bytes written to scanout memory.
  public var bytesCopied: UInt64 = 0

  public init() {}
}
