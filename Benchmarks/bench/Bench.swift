// SPDX-License-Identifier: Apache-2.0

import BenchmarkCases
import Glibc
import Raster
import Settings

/// Measures the rasteriser in comparison with memcpy, pixman, cairo and SDL2.
@main struct Bench {
  static func main() {
    let options = Options(CommandLine.arguments)
    print(BenchmarkReport.head)
    var outcomes: [Outcome] = []
    var failures: [String] = []
    func measure(_ work: BenchmarkCase?) {
      guard var work else { return failures.append("a peer library could not be initialised") }
      if let difference = work.difference() { failures.append("\(work.name) \(work.size): \(difference)") }
      if options.isAlone { work.contestants.removeLast(work.contestants.count - 1) }
      let outcome = Outcome(work, options.effort)
      outcomes.append(outcome)
      print(BenchmarkReport.line(outcome))
      fflush(nil)
    }
    for size in options.kernelSizes {
      let cases = KernelCases(size: size)
      for name in KernelCases.names where options.wants(name) { measure(cases.make(name)) }
    }
    for size in options.frameSizes where options.wants(FrameCases.sixDigits) {
      measure(FrameCases(size: size).sixDigits())
    }
    if options.wants(FrameCases.board) { measure(FrameCases(size: options.pageSize).board()) }
    for kind in PageTransitionSettings.Kind.allCases
    where kind != .cut && options.wants(FrameCases.transition(kind)) {
      measure(FrameCases(size: options.pageSize).page(kind))
    }
    for size in options.frameSizes {
      for name in StageCases.names where options.wants(name) { measure(StageCases(size: size).make(name)) }
    }
    for line in BenchmarkReport.linearity(outcomes) + BenchmarkReport.board(outcomes) { print(line) }
    for failure in failures { Options.complain("bench: \(failure)") }
    if outcomes.isEmpty { failures.append("no such case") }
    if let path = options.jsonPath, !write(outcomes, to: path) { failures.append(path) }
    exit(failures.isEmpty ? 0 : 1)
  }

  private static func write(_ outcomes: [Outcome], to path: String) -> Bool {
    guard let file = fopen(path, "w") else {
      perror(path)
      return false
    }
    fputs("[\n" + outcomes.map(\.json).joined(separator: ",\n") + "\n]\n", file)
    return fclose(file) == 0
  }
}

extension PixelSize {
  /// Reads a size such as `1920x1080`; nil unless both sides are 64 … 8192.
  init?(_ text: String) {
    let sides = text.split(separator: "x").map { Int($0) ?? 0 }
    guard sides.count == 2, sides.allSatisfy({ (64...8192).contains($0) }) else { return nil }
    self.init(width: sides[0], height: sides[1])
  }
}

/// Parses `bench [--smoke] [--json PATH] [--cases NAME,NAME…] [--size WIDTHxHEIGHT] [--alone]`.
struct Options {
  var effort = Effort.thorough
  var jsonPath: String?
  /// Whether only flipclock is measured, for a profiler.
  var isAlone = false
  private var names: [String] = []
  var kernelSizes = [PixelSize(width: 480, height: 320), PixelSize(width: 1920, height: 1080)]
  var frameSizes = [
    PixelSize(width: 480, height: 320), PixelSize(width: 1280, height: 720),
    PixelSize(width: 1920, height: 1080), PixelSize(width: 3840, height: 2160),
  ]
  var pageSize = PixelSize(width: 1920, height: 1080)

  init(_ arguments: [String]) {
    var rest = arguments.dropFirst()
    while let argument = rest.popFirst() {
      switch argument {
      case "--smoke":
        effort = .smoke
        kernelSizes = [PixelSize(width: 480, height: 320)]
        frameSizes = kernelSizes
        pageSize = kernelSizes[0]
      case "--json":
        jsonPath = rest.popFirst()
      case "--alone":
        isAlone = true
      case "--size":
        guard let size = PixelSize(rest.popFirst() ?? "") else { Self.usage() }
        kernelSizes = [size]
        frameSizes = [size]
        pageSize = size
      case "--cases":
        names = (rest.popFirst() ?? "").split(separator: ",").map(String.init)
      default:
        Self.usage()
      }
    }
  }

  private static func usage() -> Never {
    complain("usage: bench [--smoke] [--json PATH] [--cases NAME,NAME…] [--size WIDTHxHEIGHT] [--alone]")
    exit(64)
  }

  static func complain(_ text: String) {
    let line = text + "\n"
    _ = line.withCString { Glibc.write(STDERR_FILENO, $0, strlen($0)) }
  }

  func wants(_ name: String) -> Bool { names.isEmpty || names.contains(name) }
}
