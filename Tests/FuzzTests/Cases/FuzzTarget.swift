// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// A parser of input from outside, as a function of bytes. The tests call it with the seeds, the corpus, and
/// mutations of both.
struct FuzzTarget: Sendable {
  var name: String
  /// Valid inputs, from which the mutations start.
  var seeds: @Sendable () throws -> [[UInt8]]
  /// Passes the bytes to the parser, and uses what it returns. Throws `Broken` for a wrong result.
  var run: @Sendable ([UInt8]) throws -> Void

  static let all: [FuzzTarget] = [
    config, control, command, state, finished, zone, places, edid, input, terminal, mqtt, web, picture,
    board,
  ]
}

/// A parser violated a property that holds for all inputs.
struct Broken: Error, CustomStringConvertible {
  var description: String
}

func check(_ condition: Bool, _ what: @autoclosure () -> String) throws(Broken) {
  if !condition { throw Broken(description: what()) }
}

/// The paths and contents of files of the repository.
enum Repository {
  static let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")

  static func bytes(_ path: String) throws(SystemError) -> [UInt8] {
    try readFile("\(root)/\(path)", limit: 1 << 20)
  }
}

extension String {
  /// Whether a terminal shows the text without interpreting it.
  var isHarmless: Bool { unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7f..<0xa0).contains($0.value) } }
}
