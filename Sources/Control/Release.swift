// SPDX-License-Identifier: Apache-2.0

/// The release of flipclock. The daemon and flipclockctl are built together.
package enum Release {
  package static let version = "0.1.0"
}
