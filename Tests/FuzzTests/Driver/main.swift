// SPDX-License-Identifier: Apache-2.0

// fuzz --list               prints the names of the targets.
// fuzz --seeds TARGET DIR   writes the target's seeds to DIR/seed-N, and words from them to DIR.dict for
//                           `-dict`.
// fuzz TARGET [OPTION…] [FILE | DIRECTORY]…
//                           runs a target with libFuzzer's options (https://llvm.org/docs/LibFuzzer.html).

import Glibc
import LinuxSystem

/// libFuzzer's entry point for a program with a `main` of its own.
@_silgen_name("LLVMFuzzerRunDriver")
func runDriver(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

func fail(_ message: String) -> Never {
  Log(program: "fuzz").error(message)
  exit(64)
}

func target(_ name: String?) -> FuzzTarget {
  let names = FuzzTarget.all.map(\.name).joined(separator: ", ")
  guard let name else { fail("no target given; the targets are \(names)") }
  guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
    fail("unknown target '\(name)'; the targets are \(names)")
  }
  return target
}

func writeSeeds(of target: FuzzTarget, to directory: String) throws {
  var words: Set<String> = []
  for (number, seed) in try target.seeds().enumerated() {
    try AtomicFile.write(seed, to: "\(directory)/seed-\(number)", isDurable: false)
    let parts = seed.split { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"):
        false
      default: true
      }
    }
    words.formUnion(parts.filter { $0.count > 2 }.map { String(decoding: $0, as: UTF8.self) })
  }
  let dictionary = words.sorted().map { "\"\($0)\"\n" }.joined()
  try AtomicFile.write(Array(dictionary.utf8), to: "\(directory).dict", isDurable: false)
}

nonisolated(unsafe) var running: FuzzTarget?

let words = CommandLine.arguments.dropFirst()
switch words.first {
case "--list": for target in FuzzTarget.all { print(target.name) }
case "--seeds":
  guard words.count == 3 else { fail("usage: fuzz --seeds TARGET DIR") }
  try writeSeeds(of: target(words.dropFirst().first), to: words[3])
case let name:
  running = target(name)
  var count = CommandLine.argc - 1
  var arguments = CommandLine.unsafeArgv + 1
  exit(
    runDriver(&count, &arguments) { start, count in
      do { try running?.run(Array(UnsafeBufferPointer(start: start, count: count))) } catch {
        fatalError("\(error)")
      }
      return 0
    })
}
