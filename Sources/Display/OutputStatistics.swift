// SPDX-License-Identifier: Apache-2.0

/// What an output did since it was started.
public struct OutputStatistics: Hashable, Sendable {
  public var framesPresented: UInt64 = 0
  /// Vblanks that passed, while frames were wanted back to back, without a new frame (`FlipLedger`).
  public var flipsMissed: UInt64 = 0
  /// Bytes written to scanout memory.
  public var bytesCopied: UInt64 = 0

  public init() {}
}
