// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

/// Each target with its seeds, the corpus, and mutations of both.
@Suite struct ReplayTests {
  private static func corpus(_ target: FuzzTarget) throws -> [(name: String, bytes: [UInt8])] {
    let directory = "Tests/FuzzTests/Corpus/\(target.name)"
    var names: [String] = []
    if let stream = opendir("\(Repository.root)/\(directory)") {
      defer { closedir(stream) }
      while let entry = readdir(stream) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if !name.hasPrefix(".") { names.append(name) }
      }
    }
    let seeds = try target.seeds().enumerated().map { ("seed \($0.offset)", $0.element) }
    return try seeds + names.sorted().map { ($0, try Repository.bytes("\(directory)/\($0)")) }
  }

  @Test("Each target handles its seeds and the inputs in the corpus", arguments: FuzzTarget.all.map(\.name))
  func corpus(name: String) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    let inputs = try Self.corpus(target)
    #expect(inputs.count >= 2)
    for (name, bytes) in inputs + [("nothing", [])] {
      do { try target.run(bytes) } catch { Issue.record("\(target.name), \(name): \(error)") }
    }
  }

  @Test("Each target handles mutations of its seeds", arguments: FuzzTarget.all.map(\.name))
  func mutations(name: String) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    let seeds = try Self.corpus(target).map(\.bytes).filter { $0.count <= 4096 && !$0.isEmpty }
    var random = SplitMix(seed: 1)
    for round in 0..<TestEffort.rounds(150, long: 20_000) {
      var bytes = seeds[round % seeds.count]
      for _ in 0..<random.int(1...4) where !bytes.isEmpty {
        let place = random.int(0...bytes.count - 1)
        switch random.int(0...4) {
        case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
        case 1: bytes[place] ^= 1 << UInt8(random.int(0...7))
        case 2: bytes.removeLast(bytes.count - place)
        case 3: bytes.removeSubrange(place..<min(bytes.count, place + random.int(1...8)))
        default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 32)], at: place)
        }
      }
      do { try target.run(bytes) } catch {
        Issue.record("\(target.name), round \(round): \(error)")
        return
      }
    }
  }
}
