// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// What a process that is to run for years sets straight before it opens anything.
enum Process {
  static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    // Whatever is opened first must not become the descriptor that logs are written to.
    for descriptor: Int32 in 0...2 where clinux_fcntl(descriptor, F_GETFD, 0) == -1 {
      _ = clinux_open("/dev/null", O_RDWR, 0)
    }
    // Pictures go back to the system when they are freed: glibc would otherwise raise its threshold to
    // their size after the first one and keep the rest in a heap that only grows (mallopt(3)).
    clinux_map_large_allocations(1 << 20)
  }
}
