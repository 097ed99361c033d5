// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Makes a directory and those above it that are missing, as `mkdir -p` does.
package func makeDirectories(_ path: String, mode: mode_t, hint: String? = nil) throws(SystemError) {
  var partial = path.hasPrefix("/") ? "" : "."
  for part in path.split(separator: "/") {
    partial += "/" + part
    if mkdir(partial, mode) != 0, errno != EEXIST { throw SystemError("mkdir", partial, hint: hint) }
  }
}
