// SPDX-License-Identifier: Apache-2.0

import Display
import Glibc
import LinuxSystem
import Raster

@testable import KMS

/// An output on simulated cards in simulated time, and a program that draws a new picture each second, as the daemon
/// does.
final class Wall {
  let time = VirtualTime()
  let loop: EventLoop
  let cards: SimulatedCards
  let hotplug = MockHotplug()
  let console = MockConsole()
  let output: KMSOutput
  private let log = LogBox()
  private var ticks: LoopTimer?
  private var shadow: Bitmap?
  private(set) var seed: UInt32 = 1
  private var isPainted = false
  private(set) var descriptions: [OutputDescription] = []
  private(set) var losses: [String] = []
  /// The connector whose picture is checked.
  var name = "HDMI-A-1"
  /// Since when the display has not shown the right picture; nil while it does.
  private(set) var darkSince: Int64?
  /// The longest time, in nanoseconds, for which the connected display did not show the right picture.
  private(set) var longestDark: Int64 = 0

  /// `@unchecked Sendable` because it is used on one thread only.
  private final class LogBox: @unchecked Sendable { var lines: [String] = [] }

  static let modes = [
    Hardware.mode(64, 48, type: Hardware.preferred), Hardware.mode(48, 32), Hardware.mode(32, 24),
  ]

  init(
    preferences: OutputPreferences = OutputPreferences(), atomic: Bool = true, names: [String] = ["HDMI-A-1"],
    modes: [Timing] = Wall.modes, extraCRTCs: Int = 0
  ) throws {
    loop = try EventLoop(virtualTime: time)
    cards = SimulatedCards()
    cards.cards["/dev/dri/card0"] = SimulatedCard(
      names: names, modes: modes, on: loop, time, atomic: atomic, extraCRTCs: extraCRTCs)
    let log = log
    output = KMSOutput(
      preferences: preferences, on: loop, log: Log { log.lines.append("\($0): \($1)") },
      environment: KMSEnvironment(cards: cards, hotplug: hotplug, console: console))
    ticks = try LoopTimer(.monotonic, on: loop) { [weak self] _ in self?.tick() }
  }

  var card: SimulatedCard {
    guard let card = cards.cards.sorted(by: { $0.key < $1.key }).first?.value else { fatalError("no card") }
    return card
  }

  func start() throws {
    tick()
    try output.start { [weak self] in self?.handle($0) }
  }

  private func handle(_ event: OutputEvent) {
    switch event {
    case .connected(let description):
      descriptions.append(description)
      shadow = Bitmap(
        width: description.frameSize.width, height: description.frameSize.height, format: .xrgb8888)
      isPainted = false
      present()
    case .presented: present()
    case .disconnected(let reason):
      losses.append(reason)
      shadow = nil
    }
  }

  private func tick() {
    seed += 1
    isPainted = false
    present()
    ticks?.arm(inNanoseconds: 1_000_000_000)
  }

  private func present() {
    guard let shadow, output.canPresent, !isPainted else { return }
    let buffer = shadow.buffer
    for y in 0..<buffer.height { for x in 0..<buffer.width { buffer.row32(y)[x] = Self.pixel(x, y, seed) } }
    isPainted = true
    output.present(buffer, damage: [buffer.bounds])
  }

  private static func pixel(_ x: Int, _ y: Int, _ seed: UInt32) -> UInt32 {
    // In eight colours that every format shows without a change.
    let number = (UInt32(x) &* 31 &+ UInt32(y) &* 17 &+ seed &* 7) % 8
    return 0xff00_0000 | (number & 1) &* 0xff | ((number >> 1) & 1) &* 0xff00 | ((number >> 2) & 1)
      &* 0xff_0000
  }

  /// Whether the display shows the current picture, or the one of the last second until a flip is due.
  var isRight: Bool {
    guard let picture = card.picture(on: name) else { return false }
    return shows(picture, seed) || shows(picture, seed - 1)
  }

  private func shows(_ picture: PixelBuffer, _ seed: UInt32) -> Bool {
    for y in stride(from: 0, to: picture.height, by: 5) {
      for x in stride(from: 0, to: picture.width, by: 3) {
        let wanted = Self.pixel(x, y, seed)
        switch picture.format {
        case .rgb565:
          let pixel = picture.row(y).loadUnaligned(fromByteOffset: 2 * x, as: UInt16.self)
          let expected = (wanted >> 8 & 0xf800) | (wanted >> 5 & 0x07e0) | (wanted >> 3 & 0x1f)
          if UInt32(pixel) != expected { return false }
        default:
          if picture.row(y).loadUnaligned(fromByteOffset: 4 * x, as: UInt32.self) & 0xff_ffff != wanted
            & 0xff_ffff
          {
            return false
          }
        }
      }
    }
    return true
  }

  /// Runs for some seconds. Throws if the loop spins.
  func run(seconds: Double) throws {
    let end = time.now + Int64(seconds * 1e9)
    var turns = 0
    var calls = card.totalCalls
    var last = time.now
    while time.now < end {
      try loop.turn(timeoutMilliseconds: Int32(clamping: (end - time.now) / 1_000_000 + 1))
      judge()
      turns += 1
      if time.now - last >= 1_000_000_000 { (turns, calls, last) = (0, card.totalCalls, time.now) }
      if turns > 2000 || card.totalCalls - calls > 5000 {
        throw Spinning(turns: turns, lines: log.lines.suffix(5))
      }
    }
  }

  struct Spinning: Error {
    var turns: Int
    var lines: ArraySlice<String>
  }

  private func judge() {
    guard card.connectors.values.contains(where: { $0.name == name && $0.isPlugged }) else {
      darkSince = nil
      return
    }
    if !isRight {
      darkSince = darkSince ?? time.now
    } else if darkSince == nil {
      return
    }
    longestDark = max(longestDark, time.now - (darkSince ?? time.now))
    if isRight { darkSince = nil }
  }

  /// Starts to measure `longestDark` again.
  func measure() {
    longestDark = 0
    darkSince = nil
  }

  func uevent() { hotplug.handler?() }

  /// Stops the output. Returns what it left behind.
  func stop() -> [String] {
    output.stop()
    ticks?.cancel()
    try? loop.turn(timeoutMilliseconds: 0)
    var left = card.mistakes
    if !card.framebuffers.isEmpty { left.append("\(card.framebuffers.count) framebuffers") }
    if !card.blobs.isEmpty { left.append("\(card.blobs.count) blobs") }
    if let file = card.master { left.append("a master with \(file.buffers.count) buffers") }
    return left
  }
}

/// Simulated card nodes.
final class SimulatedCards: CardSource {
  let directory = "/dev/dri"
  var cards: [String: SimulatedCard] = [:]

  func paths() -> [String] { cards.keys.sorted() }
  func resolve(_ path: String) -> String { path }

  func open(_ path: String) throws(SystemError) -> any KMSDevice {
    guard let card = cards[path] else { throw failure(ENOENT) }
    return try DRMDevice(path, card.open())
  }
}
