// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// Notices when the machine's time zone changes: /etc/localtime, mostly a link.
final class LocalTimeWatch {
  private let path: String
  private let name: String
  private var watch: DirectoryWatch?
  private var settle: LoopTimer?

  /// Other programs replace the file in several steps: it must be left alone for this long.
  private static let quiet: Int64 = 100_000_000
  /// Without the file the zone is UTC, but `rm` and `ln` have a moment between them.
  private static let missing: Int64 = 1_000_000_000

  init(
    _ path: String = "/etc/localtime", on loop: EventLoop, changed: @escaping () -> Void
  ) throws(SystemError) {
    self.path = path
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    name = String(path[slash...].dropFirst())
    settle = try LoopTimer(.monotonic, on: loop) { _ in changed() }
    watch = try DirectoryWatch(on: loop, reporting: .attributes) { [weak self] in self?.received($0) }
    // Without the directory there is nothing to follow.
    _ = watch?.watch(slash == path.startIndex ? "/" : String(path[..<slash]))
  }

  private func received(_ event: DirectoryWatch.Event) {
    guard event.name == name || event.mask.contains(.overflow) else { return }
    var status = stat()
    let wait = lstat(path, &status) == 0 ? Self.quiet : Self.missing
    settle?.arm(at: ClockTime(totalNanoseconds: SystemClock.monotonic.now.totalNanoseconds + wait))
  }
}
