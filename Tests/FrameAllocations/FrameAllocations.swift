// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport

/// Counts what the frames of every animation ask of the heap, in the build that is shipped: a debug build
/// allocates where a release build does not. Ends with 1 when a frame did that was not the first of an
/// animation.
///
/// `frame-allocations [-t N]`: N stacks of each frame's allocations go to the standard error.
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
        // What does not move is not measured.
        if !counter.allocating.isEmpty || counter.quiet < 10 { failures += 1 }
      }
    } catch {
      print(error)
      exit(2)
    }
    exit(failures == 0 ? 0 : 1)
  }
}
