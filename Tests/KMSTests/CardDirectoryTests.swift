// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import KMS

@Suite("The card nodes")
struct CardDirectoryTests {
  @Test("The free memory is read from the first file that reports it")
  func availableMemory() throws {
    let directory = try TemporaryDirectory()
    let text = "MemTotal:        1000 kB\nMemFree:          100 kB\nMemAvailable:     300 kB\n"
    directory.write("empty", "")
    directory.write("meminfo", text)
    let paths = ["missing", "empty", "meminfo"].map { directory.file($0) }
    #expect(MemoryInformation.available(in: paths) == 300 * 1024)
    #expect(MemoryInformation.available(in: Array(paths.prefix(2))) == nil)
    #expect(MemoryInformation.available.map { $0 > 0 } == true)
  }

  @Test("A card configured by its number is found by its device after the number has changed")
  func renumbered() throws {
    let directory = try TemporaryDirectory()
    let root = directory.path
    for name in ["dri", "sys", "sys/card0", "sys/card1", "sys/card2", "gpu", "other"] {
      mkdir("\(root)/\(name)", 0o755)
    }
    func node(_ number: Int, device: String?) {
      unlink("\(root)/dri/card\(number)")
      unlink("\(root)/sys/card\(number)/device")
      guard let device else { return }
      close(creat("\(root)/dri/card\(number)", 0o600))
      symlink("\(root)/\(device)", "\(root)/sys/card\(number)/device")
    }
    node(0, device: "other")
    node(1, device: "gpu")
    let cards = CardDirectory("\(root)/dri", sysfs: "\(root)/sys")
    let wanted = "\(root)/dri/card1"
    let real = cards.resolve(wanted)
    #expect(real.hasSuffix("/dri/card1"))
    node(1, device: nil)
    #expect(cards.resolve(wanted).hasSuffix("/dri/card1"), "there is none now")
    node(2, device: "gpu")
    #expect(cards.resolve(wanted).hasSuffix("/dri/card2"))
    // Another card gets the old number.
    node(1, device: "other")
    #expect(cards.resolve(wanted).hasSuffix("/dri/card2"))
    // When the known device is gone, the card that now has the old number is used.
    node(2, device: nil)
    #expect(cards.resolve(wanted).hasSuffix("/dri/card1"))
  }
}
