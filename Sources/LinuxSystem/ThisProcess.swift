// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Settings and memory management of the process, which may run for years.
package enum ThisProcess {
  /// Ignores signals that have no meaning for the process, opens missing standard descriptors, and sets up
  /// the allocator. Call it before anything is opened.
  package static func prepare() {
    clinux_ignore_stray_signals()
    // If one of the standard descriptors is closed, the next file that is opened would get its number, and
    // log lines would be written into it.
    for descriptor: Int32 in 0...2 where clinux_fcntl(descriptor, F_GETFD, 0) == -1 {
      _ = clinux_open("/dev/null", O_RDWR, 0)
    }
    // Makes glibc map large blocks, such as pictures, and unmap them when they are freed. By default, the
    // first freed picture raises the threshold to its size, and later pictures are put on a heap that only
    // grows (mallopt(3)).
    clinux_map_large_allocations(1 << 20)
  }

  /// Returns the heap's free memory to the system (malloc_trim(3)).
  package static func releaseFreeMemory() { clinux_release_free_memory() }

  /// Releases the read-only pages of the program and its libraries; those that only the start needed are not
  /// loaded again (madvise(2)).
  package static func releaseProgram() { clinux_release_program() }

  /// The resident set size in bytes, from the second field of /proc/self/statm, which counts pages
  /// (proc_pid_statm(5)).
  package static var residentBytes: Int? {
    guard let bytes = try? readFile("/proc/self/statm", limit: 4096) else { return nil }
    let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    return words.count < 2 ? nil : Int(words[1]).map { $0 * sysconf(Int32(_SC_PAGESIZE)) }
  }
}
