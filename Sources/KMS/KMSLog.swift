// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// Receives the output's log lines. Each distinct problem is logged once, not at each retry.
public typealias KMSLog = (_ level: Log.Level, _ line: String) -> Void
