// SPDX-License-Identifier: Apache-2.0

import Display
import Glibc
import LinuxSystem
import Raster
import TestSupport
import Testing

@testable import KMS

/// Hours of simulated time, or about two weeks with FLIPCLOCK_LONG, with events of every kind. The use of
/// memory and of kernel objects must not grow.
@Suite("Days of changes")
struct SoakTests {
  private static let isLong = getenv("FLIPCLOCK_LONG") != nil
  /// Simulated seconds; each has a new picture.
  private static let ticks = isLong ? 1_000_000 : 10_000

  private struct Use: Equatable, CustomStringConvertible {
    var descriptors: Int
    var framebuffers: Int
    var blobs: Int
    var buffers: Int
    var outputs: Int

    var description: String {
      "\(descriptors) descriptors, \(framebuffers) framebuffers, \(blobs) blobs, \(buffers) GEM handles, \(outputs) outputs"
    }

    init(_ wall: SimulatedDisplays) {
      // Counts the descriptors of the simulated cards only, because other tests of this process open real
      // ones.
      let cards = wall.cards.cards.values
      descriptors = cards.reduce(0) { $0 + $1.openFiles }
      framebuffers = cards.reduce(0) { $0 + $1.framebuffers.count }
      blobs = cards.reduce(0) { $0 + $1.blobs.count }
      buffers = cards.reduce(0) { $0 + ($1.master?.buffers.count ?? 0) }
      outputs = wall.displays.all.count
    }
  }

  /// The resident anonymous memory (`RssAnon`), in KiB.
  private static var anonymousMemory: Int {
    guard let text = try? readFile("/proc/self/status", limit: 1 << 16) else { return 0 }
    let line = String(decoding: text, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
    return line?.split(separator: " ").compactMap { Int($0) }.first ?? 0
  }

  @Test("Open cards, framebuffers, GEM handles and blobs are the same after each hundred changes")
  func flat() throws {
    var random = SplitMix(seed: 7)
    let names = ["HDMI-A-1", "HDMI-A-2"]
    let wall = try SimulatedDisplays(names: names)
    wall.addCard(1, driver: "virtio_gpu", names: ["Virtual-1"])
    wall.console.isAssigned = true
    try wall.start()
    try wall.run(seconds: 2)
    let first = Use(wall)
    var memory: [Int] = []
    let small = ModePreference.size(PixelSize(width: 48, height: 32), refreshMillihertz: nil)
    for tick in 1...Self.ticks / 10 {
      let name = names.randomElement(using: &random) ?? ""
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        wall.card(0).unplug(name)
        wall.uevent(card: 0)
        try wall.run(seconds: 1)
        wall.card(0).plug(name, edid: UInt64.random(in: 600...601, using: &random))
        wall.uevent(card: 0)
      case 1:
        wall.console.handler?(.leaving)
        try wall.run(seconds: 1)
        wall.console.handler?(.back)
      case 2:
        wall.card(1).isRemoved = true
        wall.cards.cards["/dev/dri/card1"] = nil
        wall.uevent(card: 1)
        try wall.run(seconds: 1)
        wall.addCard(1, driver: "virtio_gpu", names: ["Virtual-1"])
        wall.uevent(card: 1)
      case 3:
        wall.displays.apply(OutputPreferences(rules: [OutputRule(name: name, mode: small, rotation: .half)]))
        try wall.run(seconds: 1)
        wall.displays.apply(OutputPreferences())
      case 4:
        wall.displays.isBlank = true
        try wall.run(seconds: 1)
        wall.displays.isBlank = false
      case 5: wall.displays.resumed()
      case 6:
        wall.card(0).fault = SimulatedCard.Fault(
          call: FaultMatrixTests.atomicCalls.randomElement(using: &random) ?? "", errno: EIO,
          end: wall.time.now + 2_000_000_000)
        wall.uevent()
      default: break
      }
      try wall.run(seconds: 10)
      guard tick % 100 == 0 else { continue }
      wall.card(0).fault = nil
      try wall.run(seconds: 70)
      wall.uevent()
      try wall.run(seconds: 5)
      #expect(wall.isRight, "tick \(tick)")
      #expect(Use(wall) == first, "tick \(tick)")
      memory.append(Self.anonymousMemory)
    }
    #expect(wall.stop() == [])
    guard Self.isLong, let start = memory.dropFirst(memory.count / 10).first, let end = memory.last else {
      return
    }
    print(
      "soak: \(Self.ticks) ticks, \(first); anonymous memory \(start) KiB after a tenth, \(end) KiB at the end"
    )
    #expect(end - start < 1024, "KiB")
  }
}
