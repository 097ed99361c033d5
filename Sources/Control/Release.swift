// SPDX-License-Identifier: Apache-2.0

/// The release of flipclock, of which the daemon and the command line are built together.
public enum Release {
  public static let version = "0.1.0"
}
