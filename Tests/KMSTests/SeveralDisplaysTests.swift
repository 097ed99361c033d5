// SPDX-License-Identifier: Apache-2.0

import Display
import Glibc
import LinuxSystem
import Raster
import TestSupport
import Testing

@testable import KMS

/// Several displays on one card and on several cards, on the simulated kernel.
@Suite("Several displays")
struct SeveralDisplaysTests {
  private static let two = ["HDMI-A-1", "HDMI-A-2"]

  /// The seeds of the random test; FLIPCLOCK_SEEDS=7 or FLIPCLOCK_SEEDS=2001-4000 sets others.
  static var seeds: ClosedRange<UInt64> {
    let chosen = getenv("FLIPCLOCK_SEEDS").map { String(cString: $0) } ?? ""
    let bounds = chosen.split(separator: "-").compactMap { UInt64($0) }
    guard let first = bounds.first, let last = bounds.last, first <= last else {
      return 1...UInt64(TestEffort.rounds(40, long: 2000))
    }
    return first...last
  }

  /// Runs for some seconds with frames back to back, and expects that `names` miss no vblank and are never
  /// dark.
  private func expectFullRate(_ wall: SimulatedDisplays, _ names: [String], seconds: Double) throws {
    var before: [String: OutputStatistics] = [:]
    for name in names { before[name] = wall.output(name)?.statistics }
    wall.measure()
    try wall.run(seconds: seconds)
    for name in names {
      let (old, new) = (before[name], wall.output(name)?.statistics)
      guard let old, let new else {
        Issue.record("\(name) is unknown")
        continue
      }
      #expect(new.flipsMissed == old.flipsMissed, "\(name)")
      #expect(new.framesPresented - old.framesPresented >= UInt64(seconds * 59), "\(name)")
      #expect(wall.longestDark(name) == 0, "\(name)")
    }
  }

  @Test(
    "Two displays on one card show the picture; their modes are set with one commit",
    arguments: [true, false])
  func together(isAtomic: Bool) throws {
    let wall = try SimulatedDisplays(atomic: isAtomic, names: Self.two)
    try wall.start()
    try wall.run(seconds: 1)
    #expect(wall.displays.all.map(\.name) == Self.two)
    #expect(wall.isRight)
    #expect(wall.card.callCounts[isAtomic ? "MODE_ATOMIC modeset" : "MODE_SETCRTC"] == (isAtomic ? 1 : 2))
    wall.isMoving = true
    try wall.run(seconds: 1)
    try expectFullRate(wall, Self.two, seconds: 5)
    #expect(wall.stop() == [])
  }

  @Test(
    "Of two displays one is unplugged and plugged in; the other misses no vblank", arguments: [true, false])
  func cable(isAtomic: Bool) throws {
    let wall = try SimulatedDisplays(atomic: isAtomic, names: Self.two)
    try wall.start()
    wall.isMoving = true
    try wall.run(seconds: 2)
    for away in [0.3, 5, 0.2, 30] {
      wall.card.unplug("HDMI-A-2")
      wall.uevent(card: 0)
      try expectFullRate(wall, ["HDMI-A-1"], seconds: away)
      #expect(wall.output("HDMI-A-2")?.description == nil)
      #expect(wall.output("HDMI-A-2")?.trouble?.reason.contains("no display is connected") == true)
      #expect(wall.card.framebuffers.count == 2, "the buffers of the display that is gone are freed")
      wall.card.plug("HDMI-A-2")
      wall.uevent(card: 0)
      try expectFullRate(wall, ["HDMI-A-1"], seconds: 3)
      #expect(wall.longestDark("HDMI-A-2") < 1_000_000_000)
      #expect(wall.isRight)
      #expect(wall.output("HDMI-A-2")?.trouble == nil)
    }
    #expect(wall.losses.isEmpty)
    #expect(wall.stop() == [])
  }

  @Test("Flips that hang on one display do not disturb the other", arguments: [true, false])
  func hanging(isAtomic: Bool) throws {
    let wall = try SimulatedDisplays(atomic: isAtomic, names: Self.two)
    try wall.start()
    wall.isMoving = true
    try wall.run(seconds: 2)
    // The commit that switches the display off waits ten seconds in the kernel; until then, nothing is late.
    wall.card.hang("HDMI-A-2")
    try expectFullRate(wall, ["HDMI-A-1"], seconds: 1.4)
    try wall.run(seconds: 12)
    try expectFullRate(wall, Self.two, seconds: 5)
    #expect(wall.isRight)
    #expect(wall.losses.isEmpty)
    #expect(wall.stop() == [])
  }

  @Test("A display whose every mode is refused leaves the other at full rate, and is retried")
  func refused() throws {
    let wall = try SimulatedDisplays(names: Self.two)
    wall.card.refusedCRTCs = [61]
    wall.card.unplug("HDMI-A-2")
    try wall.start()
    wall.isMoving = true
    try wall.run(seconds: 2)
    wall.card.plug("HDMI-A-2")
    wall.uevent(card: 0)
    try expectFullRate(wall, ["HDMI-A-1"], seconds: 90)
    let trouble = try #require(wall.output("HDMI-A-2")?.trouble)
    #expect(trouble.reason.contains("refused every mode"))
    #expect(trouble.attempts.contains { $0.contains("64x48") && $0.contains("Invalid argument") })
    #expect(wall.logged.filter { $0.contains("refused every mode") }.count == 1)
    wall.card.refusedCRTCs = []
    try expectFullRate(wall, ["HDMI-A-1"], seconds: 61)
    #expect(wall.isRight)
    #expect(wall.stop() == [])
  }

  @Test("If the card has too little bandwidth for both, the second display gets a smaller mode")
  func bandwidth() throws {
    let wall = try SimulatedDisplays(names: Self.two)
    wall.card.bandwidth = 64 * 48 * 4 + 48 * 32 * 3
    try wall.start()
    try wall.run(seconds: 3)
    #expect(wall.isRight)
    #expect(wall.output("HDMI-A-1")?.description?.mode.size.width == 64)
    let second = try #require(wall.output("HDMI-A-2"))
    #expect(second.description?.mode.size.width == 48)
    #expect(second.trouble?.reason.contains("preferred mode (64x48") == true)
    // Without the first display there is enough bandwidth, which the program learns only by trying.
    wall.card.unplug("HDMI-A-1")
    wall.uevent(card: 0)
    try wall.run(seconds: 3700)
    #expect(second.description?.mode.size.width == 64)
    #expect(second.trouble == nil)
    #expect(wall.stop() == [])
  }

  @Test("With more displays than CRTCs, displays in use keep theirs, and another gets one that becomes free")
  func tooManyDisplays() throws {
    let wall = try SimulatedDisplays(names: ["HDMI-A-1", "HDMI-A-2", "DP-1"])
    wall.card.removeCRTC()
    try wall.start()
    try wall.run(seconds: 2)
    #expect(["HDMI-A-1", "HDMI-A-2"].allSatisfy { wall.isRight($0) })
    #expect(!wall.isRight("DP-1"))
    wall.card.unplug("HDMI-A-1")
    wall.uevent(card: 0)
    try wall.run(seconds: 2)
    #expect(wall.isRight)
    wall.card.plug("HDMI-A-1")
    wall.uevent(card: 0)
    wall.measure()
    try wall.run(seconds: 2)
    #expect(["HDMI-A-2", "DP-1"].allSatisfy { wall.isRight($0) && wall.longestDark($0) == 0 })
    #expect(wall.stop() == [])
  }

  @Test("Two cards: the picture is on both; one is removed and comes back under another number")
  func twoCards() throws {
    let wall = try SimulatedDisplays()
    let second = wall.addCard(1, driver: "virtio_gpu", names: ["Virtual-1"])
    try wall.start()
    wall.isMoving = true
    try wall.run(seconds: 2)
    #expect(wall.isRight)
    second.isRemoved = true
    wall.cards.cards["/dev/dri/card1"] = nil
    wall.uevent(card: 1)
    try expectFullRate(wall, ["HDMI-A-1"], seconds: 5)
    #expect(wall.output("Virtual-1")?.trouble?.reason.contains("/dev/dri/card1") == true)
    wall.addCard(7, driver: "virtio_gpu", names: ["Virtual-1"])
    wall.uevent(card: 7)
    try expectFullRate(wall, ["HDMI-A-1"], seconds: 2)
    #expect(wall.isRight)
    #expect(wall.displays.all.count == 2)
    // The first card is removed without an event; the program notices that at its next call to the card.
    wall.card(0).isRemoved = true
    wall.cards.cards["/dev/dri/card0"] = nil
    try expectFullRate(wall, ["Virtual-1"], seconds: 3)
    #expect(wall.losses.isEmpty)
    #expect(wall.stop() == [])
  }

  @Test("The firmware's framebuffer is forgotten when the native driver has replaced it")
  func firmware() throws {
    let wall = try SimulatedDisplays()
    wall.cards.cards = [:]
    wall.addCard(0, driver: "simpledrm", names: ["Unknown-1"])
    try wall.start()
    try wall.run(seconds: 12)
    #expect(wall.isRight)
    #expect(wall.displays.all.map(\.name) == ["Unknown-1"])
    // The native driver removes the firmware's card before it adds its own.
    wall.card(0).isRemoved = true
    wall.cards.cards = [:]
    wall.uevent(card: 0)
    try wall.run(seconds: 0.5)
    wall.addCard(1, names: ["HDMI-A-1"])
    wall.uevent(card: 1)
    try wall.run(seconds: 2)
    #expect(wall.isRight)
    #expect(wall.displays.all.map(\.name) == ["HDMI-A-1"])
    #expect(wall.stop() == [])
  }

  @Test("A card that is busy at first is used when it is free; the other card is not disturbed")
  func busyCard() throws {
    let wall = try SimulatedDisplays()
    let second = wall.addCard(1, driver: "virtio_gpu", names: ["Virtual-1"])
    var other: SimulatedFile? = try second.open()
    #expect(second.master === other)
    try wall.start()
    wall.isMoving = true
    try wall.run(seconds: 1)
    try expectFullRate(wall, ["HDMI-A-1"], seconds: 60)
    #expect(!wall.isRight("Virtual-1"))
    #expect(wall.logged.filter { $0.contains("another program") }.count == 1)
    other = nil
    try expectFullRate(wall, ["HDMI-A-1"], seconds: 2)
    #expect(wall.isRight)
    // The other program starts again and becomes master of the card.
    other = try second.open()
    second.master = other
    try expectFullRate(wall, ["HDMI-A-1"], seconds: 5)
    #expect(wall.output("Virtual-1")?.trouble?.reason.contains("another program") == true)
    other = nil
    try expectFullRate(wall, ["HDMI-A-1"], seconds: 2)
    #expect(wall.isRight)
    #expect(wall.stop() == [])
  }

  @Test("Rules: a display is off, another has its own mode and rotation; changed while they are shown")
  func rules() throws {
    let small = ModePreference.size(PixelSize(width: 32, height: 24), refreshMillihertz: nil)
    let first = OutputPreferences(rules: [
      OutputRule(name: "HDMI-A-1", isEnabled: false),
      OutputRule(name: "HDMI-A-2", mode: small, rotation: .clockwise),
    ])
    let wall = try SimulatedDisplays(preferences: first, names: Self.two + ["DP-1"])
    try wall.start()
    try wall.run(seconds: 2)
    #expect(wall.displays.all.map(\.name) == ["HDMI-A-2", "DP-1"])
    #expect(wall.output("HDMI-A-2")?.description?.frameSize == PixelSize(width: 24, height: 32))
    #expect(wall.output("HDMI-A-2")?.description?.rule == "HDMI-A-2")
    #expect(wall.output("DP-1")?.description?.mode.size == PixelSize(width: 64, height: 48))
    wall.measure()
    wall.displays.apply(OutputPreferences(rules: [OutputRule(name: "HDMI-A-2", isEnabled: false)]))
    try wall.run(seconds: 2)
    #expect(wall.displays.all.map(\.name).sorted() == ["DP-1", "HDMI-A-1"])
    #expect(wall.isRight("HDMI-A-1"))
    #expect(wall.longestDark("DP-1") == 0)
    #expect(wall.card.picture(on: "HDMI-A-2") == nil, "a display that is not used is switched off")
    #expect(wall.stop() == [])
  }

  @Test("Each warning about a display's mode and format names its connector")
  func names() throws {
    let missing = ModePreference.size(PixelSize(width: 640, height: 480), refreshMillihertz: nil)
    let wall = try SimulatedDisplays(
      preferences: OutputPreferences(mode: missing, format: .xrgb2101010), names: Self.two)
    try wall.start()
    try wall.run(seconds: 2)
    let modes = "64x48@59.96, 48x32@59.98, 32x24@59.941"
    let wanted = Self.two.flatMap {
      [
        "\($0): the display does not offer the configured mode 640x480; it offers \(modes)",
        "\($0): the card does not support XRGB2101010; using XRGB8888 instead",
      ]
    }
    #expect(wall.logged.filter { $0.hasPrefix("warning") } == wanted.map { "warning: \($0)" })
    #expect(wall.stop() == [])
  }

  @Test("A display that is blanked alone is dark; the other one is not disturbed")
  func blank() throws {
    let wall = try SimulatedDisplays(names: Self.two)
    try wall.start()
    wall.isMoving = true
    try wall.run(seconds: 2)
    wall.output("HDMI-A-2")?.isBlank = true
    try expectFullRate(wall, ["HDMI-A-1"], seconds: 3)
    #expect(wall.card.picture(on: "HDMI-A-2") == nil)
    wall.output("HDMI-A-2")?.isBlank = false
    try wall.run(seconds: 1)
    try expectFullRate(wall, Self.two, seconds: 3)
    #expect(wall.stop() == [])
  }

  @Test("A switch to another terminal and back: both displays are set again")
  func console() throws {
    let wall = try SimulatedDisplays(names: Self.two)
    wall.console.isAssigned = true
    try wall.start()
    wall.isMoving = true
    for _ in 0..<5 {
      try wall.run(seconds: 2)
      wall.console.handler?(.leaving)
      #expect(wall.card.master == nil)
      try wall.run(seconds: 1)
      wall.console.handler?(.back)
      wall.measure()
      try wall.run(seconds: 2)
      #expect(wall.isRight)
      #expect(wall.longestDark < 1_000_000_000)
    }
    #expect(wall.stop() == [])
  }

  @Test("A second card that failed at first and has no display is not probed in a loop")
  func idleCard() throws {
    let wall = try SimulatedDisplays()
    let second = wall.addCard(1, driver: "virtio_gpu", names: ["Virtual-1"])
    second.unplug("Virtual-1")
    second.fault = SimulatedCard.Fault(
      call: "MODE_GETRESOURCES", errno: EIO, end: wall.time.now + 500_000_000)
    try wall.start()
    wall.isMoving = true
    try wall.run(seconds: 2)
    second.plug("Virtual-1")
    wall.uevent(card: 1)
    try expectFullRate(wall, ["HDMI-A-1"], seconds: 2)
    #expect(wall.isRight)
    #expect(wall.stop() == [])
  }

  @Test(
    "Every mode of several displays is refused for a while: attempts end, and the displays are shown afterwards",
    arguments: ["MODE_ATOMIC modeset", "MODE_ATOMIC test", "MODE_ADDFB2", "MODE_CREATE_DUMB"],
    [EINVAL, ENOMEM])
  func allRefused(call: String, errno: Int32) throws {
    let wall = try SimulatedDisplays(names: Self.two, extraCRTCs: 1)
    wall.card.fault = SimulatedCard.Fault(call: call, errno: errno, end: wall.time.now + 5_000_000_000)
    try wall.start()
    try wall.run(seconds: 5)
    wall.measure()
    try wall.run(seconds: 3)
    #expect(wall.isRight)
    #expect(wall.longestDark < 2_000_000_000)
    #expect(wall.stop() == [])
  }

  @Test("A card that fails, is busy, and is free before the next retry does not cause a loop")
  func freeBeforeDue() throws {
    let wall = try SimulatedDisplays()
    try wall.start()
    try wall.run(seconds: 1)
    wall.card.fault = SimulatedCard.Fault(
      call: "MODE_GETRESOURCES", errno: EIO, end: wall.time.now + 200_000_000)
    wall.uevent()
    try wall.run(seconds: 0.3)
    var other: SimulatedFile? = try wall.card.open()
    #expect(wall.card.master === other)
    wall.uevent()
    try wall.run(seconds: 0.1)
    other = nil
    wall.measure()
    try wall.run(seconds: 3)
    #expect(wall.isRight)
    #expect(wall.longestDark < 2_000_000_000)
    #expect(wall.stop() == [])
  }

  @Test("A card that cannot be opened again after lost flips is reported, and its display is back later")
  func reopenFails() throws {
    let wall = try SimulatedDisplays()
    let second = wall.addCard(1, driver: "virtio_gpu", names: ["Virtual-1"])
    try wall.start()
    wall.isMoving = true
    try wall.run(seconds: 1)
    second.completion = .never
    second.fault = SimulatedCard.Fault(call: "open", errno: EIO, end: wall.time.now + 30_000_000_000)
    // The kernel itself waits ten seconds for the first flip that hangs.
    try wall.run(seconds: 20)
    #expect(wall.output("Virtual-1")?.description == nil)
    #expect(wall.output("Virtual-1")?.trouble?.reason.contains("/dev/dri/card1") == true)
    second.completion = .vblanks
    try wall.run(seconds: 13)
    #expect(wall.isRight)
    #expect(wall.output("Virtual-1")?.trouble == nil)
    #expect(wall.stop() == [])
  }

  @Test(
    "After any sequence of faults every display shows the right picture within two seconds",
    arguments: seeds)
  func random(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let names = [["HDMI-A-1"], Self.two, Self.two + ["DP-1"]][Int(seed % 3)]
    let wall = try SimulatedDisplays(atomic: seed % 4 != 0, names: names, extraCRTCs: Int(seed % 2))
    wall.console.isAssigned = true
    let virtual = ["Virtual-1", "Virtual-2"]
    wall.addCard(1, driver: "virtio_gpu", names: virtual)
    try wall.start()
    var isAway = false
    var other: SimulatedFile?
    for _ in 0..<40 {
      wall.isMoving = Bool.random(using: &random)
      let number = wall.cards.cards["/dev/dri/card1"] == nil ? 0 : Int.random(in: 0...1, using: &random)
      let card = wall.card(number)
      let name = (number == 0 ? names : virtual).randomElement(using: &random) ?? ""
      switch Int.random(in: 0..<13, using: &random) {
      case 0, 1: card.unplug(name)
      case 2, 3: card.plug(name)
      case 4: card.plug(name, edid: UInt64.random(in: 600...602, using: &random))
      case 5: card.hang(name)
      case 6 where wall.cards.cards.count == 2:
        card.isRemoved = number == 1
        if number == 1 { wall.cards.cards["/dev/dri/card1"] = nil }
      case 7 where wall.cards.cards.count == 1: wall.addCard(1, driver: "virtio_gpu", names: virtual)
      case 8:
        isAway.toggle()
        wall.console.handler?(isAway ? .leaving : .back)
      case 9:
        let file = try? card.open()
        card.master = file
        other = file
      case 10:
        let call = FaultMatrixTests.atomicCalls.randomElement(using: &random) ?? ""
        let errno = FaultMatrixTests.errnos.randomElement(using: &random)?.code ?? EIO
        card.fault = SimulatedCard.Fault(call: call, errno: errno, end: wall.time.now + 500_000_000)
      case 11: wall.output(name)?.isBlank.toggle()
      default: wall.displays.isBlank.toggle()
      }
      if Bool.random(using: &random) { wall.uevent(card: number) } else { wall.uevent() }
      try wall.run(seconds: Double.random(in: 0...0.7, using: &random))
    }
    // All faults end.
    other = nil
    _ = other
    for card in wall.cards.cards.values {
      card.fault = nil
      for name in card.connectors.values.map(\.name) { card.plug(name) }
    }
    if isAway { wall.console.handler?(.back) }
    wall.displays.isBlank = false
    wall.uevent()
    // The kernel itself waits ten seconds for each flip that hangs, three times at most.
    try wall.run(seconds: 40)
    wall.uevent()
    wall.measure()
    try wall.run(seconds: 5)
    #expect(wall.isRight, "\(wall.plugged.filter { !wall.isRight($0) }) \(wall.logged.suffix(8))")
    #expect(wall.longestDark <= 2_000_000_000)
    #expect(wall.stop() == [])
  }
}
