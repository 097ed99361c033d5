// SPDX-License-Identifier: Apache-2.0

import MachineNetwork
import TestSupport
import Testing

@Suite struct NetworkNameTests {
  @Test(arguments: [
    ("Home", "Home"), ("a b", "a b"), ("Käse 🧀", "Käse 🧀"), (#"a\b"#, #"a\\b"#), ("tab\t", #"tab\x09"#),
  ])
  func textIsShownAsItIs(_ name: String, _ text: String) {
    #expect(NetworkName(Array(name.utf8))?.text == text)
  }

  @Test func bytesThatAreNoTextAreEscaped() {
    #expect(NetworkName([0x41, 0xff, 0xc3])?.text == #"A\xff\xc3"#)
    #expect(NetworkName(text: #"A\xff\xC3"#)?.bytes == [0x41, 0xff, 0xc3])
    // A backslash that begins no escape stands for itself.
    #expect(NetworkName(text: #"C:\new\xg1\"#)?.bytes == Array(#"C:\new\xg1\"#.utf8))
  }

  @Test func namesHaveOneTo32Bytes() {
    #expect(NetworkName([]) == nil && NetworkName([0, 0]) == nil)
    #expect(NetworkName([UInt8](repeating: 65, count: 32)) != nil)
    #expect(NetworkName([UInt8](repeating: 65, count: 33)) == nil && NetworkName(text: "") == nil)
  }

  @Test func everyNameIsReadBack() throws {
    var random = SplitMix(seed: 5)
    for _ in 0..<TestEffort.rounds(20_000, long: 500_000) {
      let interesting: [UInt8] = [0x5c, 0x78, 0x30, 0xc3, 0xa4, 0xff, 0x00, 0xe2, 0x82, 0xac, 0x9f, 0xc2]
      let bytes = (0..<random.int(1...32)).map { _ in
        random.int(0...2) == 0 ? UInt8(random.int(0...255)) : interesting.randomElement(using: &random) ?? 0
      }
      guard let name = NetworkName(bytes) else { continue }
      #expect(NetworkName(text: name.text) == name, "\(bytes)")
    }
  }

  @Test(arguments: [
    ("1234567", false), ("12345678", true), (String(repeating: "x", count: 63), true),
    (String(repeating: "x", count: 64), false), (String(repeating: "aF", count: 32), true), ("ÄÖÜß", true),
    ("line\nbreak", false), ("", false),
  ])
  func passwordsHave8To63Bytes(_ text: String, _ isOne: Bool) {
    #expect((WirelessPassword(text) != nil) == isOne)
  }

  @Test func aPasswordIsNotDescribed() throws {
    let request = JoinRequest(
      network: try #require(NetworkName(text: "Home")), password: WirelessPassword("correct-horse"))
    for text in ["\(request)", String(reflecting: request), String(describing: request.password)] {
      #expect(!text.contains("horse"))
    }
    var dumped = ""
    dump(request, to: &dumped)
    #expect(!dumped.contains("horse"))
  }

  @Test func aNameIsListedOnceWithItsStrongestAccessPoint() throws {
    let home = try #require(NetworkName(text: "Home")), cafe = try #require(NetworkName(text: "Cafe"))
    let list = Wireless.list([
      Wireless(name: home, strength: 20, security: .wpa), Wireless(name: cafe, strength: 50, security: .open),
      Wireless(name: home, strength: 80, security: .wpa),
    ])
    #expect(list.map(\.name) == [home, cafe] && list.map(\.strength) == [80, 50])
  }
}
