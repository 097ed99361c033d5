// SPDX-License-Identifier: Apache-2.0

import BenchmarkCases
import CKernels
import Glibc
import Raster

/// Performs the work of a kernel's benchmark a given number of times, for counting instructions. The
/// difference between the counts of two runs with different TIMES is the cost of the work alone. Prints the
/// number of pixels that the work produces each time.
///
/// `count CASE CONTESTANT TIMES [WIDTH HEIGHT] [--narrow]`. `--narrow` uses the kernels in Swift. With TIMES
/// 0, checks that flipclock and pixman draw the same picture, except for differences that the case allows.
@main struct Count {
  static func main() {
    var arguments = Array(CommandLine.arguments.dropFirst())
    let isNarrow = arguments.last == "--narrow"
    if isNarrow { arguments.removeLast() }
    let numbers = arguments.dropFirst(2).compactMap { Int($0) }
    guard arguments.count == 2 + numbers.count, [1, 3].contains(numbers.count),
      numbers.allSatisfy({ (0...8192).contains($0) })
    else { fail(64, "usage: count CASE CONTESTANT TIMES [WIDTH HEIGHT] [--narrow]") }
    var size = PixelSize(width: 480, height: 320)
    if numbers.count == 3 { size = PixelSize(width: numbers[1], height: numbers[2]) }
    guard let work = KernelCases(size: size).make(arguments[0]), let pixels = work.pixels,
      let contestant = work.contestants.first(where: { $0.name == arguments[1] })
    else { fail(1, "no such case or contestant") }
    ckernels_set_wide(!isNarrow)
    print(pixels)
    if numbers[0] == 0, let difference = work.difference() { fail(1, "\(arguments[0]): \(difference)") }
    for _ in 0..<numbers[0] { contestant.run() }
  }

  private static func fail(_ status: Int32, _ text: String) -> Never {
    let line = text + "\n"
    _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    exit(status)
  }
}
