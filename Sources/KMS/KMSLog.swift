// SPDX-License-Identifier: Apache-2.0

/// How much a line of the output's log matters.
public enum KMSLogLevel: Hashable, Sendable {
  case debug, info, warning, error
}

public typealias KMSLog = (_ level: KMSLogLevel, _ line: String) -> Void
