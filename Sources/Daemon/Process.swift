// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import LinuxSystem

/// What a process that is to run for years sets straight before it opens anything.
enum Process {
  static func prepare() {
    clinux_ignore_stray_signals()
    // Whatever is opened first must not become the descriptor that logs are written to.
    for descriptor: Int32 in 0...2 where clinux_fcntl(descriptor, F_GETFD, 0) == -1 {
      _ = clinux_open("/dev/null", O_RDWR, 0)
    }
    // Pictures go back to the system when they are freed: glibc would otherwise raise its threshold to
    // their size after the first one and keep the rest in a heap that only grows (mallopt(3)).
    clinux_map_large_allocations(1 << 20)
  }

  /// Gives back what fonts, configs and pictures that are gone have left in the heap (malloc_trim(3)).
  static func releaseFreeMemory() { clinux_release_free_memory() }

  /// Lets go of the pages of the program: what only the start needed is not mapped again (madvise(2)).
  static func releaseProgram() { clinux_release_program() }

  /// Memory in RAM, the second figure of /proc/self/statm in pages (proc_pid_statm(5)).
  static var residentBytes: Int? {
    guard let bytes = try? readFile("/proc/self/statm", limit: 4096) else { return nil }
    let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    return words.count < 2 ? nil : Int(words[1]).map { $0 * sysconf(Int32(_SC_PAGESIZE)) }
  }
}
