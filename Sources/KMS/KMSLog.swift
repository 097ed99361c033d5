// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// Where the output's lines go: one distinct problem a line, not one a retry.
public typealias KMSLog = (_ level: Log.Level, _ line: String) -> Void
