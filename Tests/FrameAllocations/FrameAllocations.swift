// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport

/// Counts the heap allocations of the frames of every animation. It must be a release build, because a debug
/// build allocates more. Exits with 1 if a frame allocates although no animation, and no phase of one, begins
/// or ends in it.
///
/// `frame-allocations -t N` also prints at most N stack traces of each frame's allocations to standard error.
@main struct FrameAllocations {
  static func main() {
    guard Allocations.canBeCounted else {
      print("this build cannot count allocations")
      exit(2)
    }
    var subjects = Subjects()
    let arguments = CommandLine.arguments
    if arguments.count == 3, arguments[1] == "-t" { subjects.traces = Int(arguments[2]) ?? 0 }
    var failures = 0
    do {
      try subjects.run { name, counter in
        let worst = counter.allocating.map(\.count).max() ?? 0
        print("\(name): \(counter.quiet) frames, \(counter.allocating.count) allocate (\(worst) at most);")
        print("  \(counter.first) frames begin or end something")
        // With fewer than ten moving frames a subject was hardly measured, which counts as a failure.
        if !counter.allocating.isEmpty || counter.quiet < 10 { failures += 1 }
      }
    } catch {
      print(error)
      exit(2)
    }
    exit(failures == 0 ? 0 : 1)
  }
}
