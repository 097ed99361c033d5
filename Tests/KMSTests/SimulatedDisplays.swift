// SPDX-License-Identifier: Apache-2.0

import Display
import Glibc
import LinuxSystem
import Raster

@testable import KMS

/// Displays on simulated cards in simulated time, and a program that draws a new picture each second, as the
/// daemon does.
class SimulatedDisplays {
  /// When a display's last frame was presented, and the longest interval between two frames.
  private struct Pace {
    var last: Int64
    var longest: Int64 = 0
  }

  /// Whether a display shows the right picture, and for how long it did not.
  private struct Judgement {
    /// Since when the display has not shown the right picture; nil while it does.
    var darkSince: Int64?
    var longestDark: Int64 = 0
  }

  private struct Canvas {
    var bitmap: Bitmap
    var isPainted = false
  }

  /// The machine's free memory, as the displays query it.
  final class Machine { var availableMemory: Int? }

  let time = VirtualTime()
  let machine = Machine()
  let loop: EventLoop
  let cards: SimulatedCards
  let hotplug = MockHotplug()
  let console = MockConsole()
  let displays: KMSDisplays
  private let log = LogBox()
  private var ticks: LoopTimer?
  private var canvases: [String: Canvas] = [:]
  private(set) var seed: UInt32 = 1
  /// Whether each frame is followed by another one at once, as during an animation.
  var isMoving = false
  private(set) var descriptions: [OutputDescription] = []
  /// The reasons, one for each time that all displays were lost.
  private(set) var losses: [String] = []
  private var copied: UInt64 = 0
  private var hasCountFallen = false
  private var judgements: [String: Judgement] = [:]
  private var paces: [String: Pace] = [:]

  /// `@unchecked Sendable` because it is used on one thread only.
  private final class LogBox: @unchecked Sendable {
    private(set) var lines: [String] = []

    /// Keeps the last thousand lines, at least.
    func append(_ line: String) {
      if lines.count >= 2000 { lines.removeFirst(1000) }
      lines.append(line)
    }
  }
  var logged: [String] { log.lines.filter { !$0.hasPrefix("debug") } }

  static let modes = [
    Hardware.mode(64, 48, type: Hardware.preferred), Hardware.mode(48, 32), Hardware.mode(32, 24),
  ]

  init(
    preferences: OutputPreferences = OutputPreferences(), atomic: Bool = true, names: [String] = ["HDMI-A-1"],
    modes: [Timing] = SimulatedDisplays.modes, formats: [ScanoutFormat] = [.xrgb8888, .rgb565],
    extraCRTCs: Int = 0
  ) throws {
    loop = try EventLoop(virtualTime: time)
    cards = SimulatedCards()
    let log = log
    displays = KMSDisplays(
      preferences: preferences, on: loop, log: Log { log.append("\($0): \($1)") },
      environment: KMSEnvironment(
        cards: cards, hotplug: hotplug, console: console, prober: SimulatedProbe(on: loop, time),
        availableMemory: { [machine] in machine.availableMemory }))
    addCard(atomic: atomic, names: names, modes: modes, formats: formats, extraCRTCs: extraCRTCs)
    ticks = try LoopTimer(.monotonic, on: loop) { [weak self] _ in self?.tick() }
  }

  /// Adds a card node.
  @discardableResult
  func addCard(
    _ number: Int = 0, driver: String = "vc4", atomic: Bool = true, names: [String],
    modes: [Timing] = SimulatedDisplays.modes, formats: [ScanoutFormat] = [.xrgb8888, .rgb565],
    extraCRTCs: Int = 0
  ) -> SimulatedCard {
    let card = SimulatedCard(
      driver, names: names, modes: modes, on: loop, time, atomic: atomic, formats: formats,
      extraCRTCs: extraCRTCs)
    cards.cards["/dev/dri/card\(number)"] = card
    return card
  }

  func card(_ number: Int) -> SimulatedCard {
    guard let card = cards.cards["/dev/dri/card\(number)"] else { fatalError("no card \(number)") }
    return card
  }

  /// The first card.
  var card: SimulatedCard {
    guard let card = cards.cards.min(by: { $0.key < $1.key })?.value else { fatalError("no card") }
    return card
  }

  func output(_ name: String = "HDMI-A-1") -> KMSOutput? { displays.all.first { $0.name == name } }

  /// Whether nothing but an event wakes the displays.
  var isAsleep: Bool {
    let timers = displays.all.flatMap(\.timers.all) + (displays.session.map { [$0.probe, $0.settle] } ?? [])
    return timers.allSatisfy { $0.deadline == nil }
  }

  func start() throws {
    tick()
    try displays.start { [weak self] in self?.handle($0) }
  }

  private func handle(_ event: DisplayEvent) {
    switch event {
    case .output(let output, .connected(let description)):
      if descriptions.count >= 2000 { descriptions.removeFirst(1000) }
      descriptions.append(description)
      connected(output, description)
    case .output(let output, .presented(let presentation)):
      let last = paces[output.name]?.last ?? time.now
      paces[output.name] = Pace(
        last: time.now, longest: max(paces[output.name]?.longest ?? 0, time.now - last))
      presented(output, presentation)
    case .output(let output, .disconnected): (canvases[output.name], paces[output.name]) = (nil, nil)
    case .none(let reason):
      if losses.count >= 2000 { losses.removeFirst(1000) }
      losses.append(reason)
    }
  }

  /// Called when a display is ready for frames.
  func connected(_ output: any Output, _ description: OutputDescription) {
    canvases[output.name] = Canvas(bitmap: Bitmap(description.frameSize))
    present(output)
  }

  /// Called when a frame is on a display.
  func presented(_ output: any Output, _ presentation: Presentation) { present(output) }

  private func tick() {
    seed += 1
    for name in canvases.keys { canvases[name]?.isPainted = false }
    for output in displays.all { present(output) }
    ticks?.arm(inNanoseconds: 1_000_000_000)
  }

  // Not optimised, because otherwise the debug build of Swift 6.0.3 specialises the function and then lacks
  // its symbol.
  @_optimize(none)
  private func present(_ output: any Output) {
    guard let canvas = canvases[output.name], output.canPresent else { return }
    let buffer = canvas.bitmap.buffer
    if canvas.isPainted {
      if isMoving { output.present(buffer, damage: []) }
      return
    }
    Self.paint(buffer, seed)
    canvases[output.name]?.isPainted = true
    output.present(buffer, damage: [buffer.bounds])
  }

  private static func paint(_ buffer: PixelBuffer, _ seed: UInt32) {
    for y in 0..<buffer.height { for x in 0..<buffer.width { buffer.row32(y)[x] = pixel(x, y, seed) } }
  }

  private static func pixel(_ x: Int, _ y: Int, _ seed: UInt32) -> UInt32 {
    // One of eight colours that every format represents exactly.
    let number = (UInt32(x) &* 31 &+ UInt32(y) &* 17 &+ seed &* 7) % 8
    return 0xff00_0000 | (number & 1) &* 0xff | ((number >> 1) & 1) &* 0xff00 | ((number >> 2) & 1)
      &* 0xff_0000
  }

  /// The names of the connectors with a display, on all cards.
  var plugged: [String] {
    cards.cards.values.flatMap { card in card.connectors.values.filter(\.isPlugged).map(\.name) }
  }

  /// Whether a display shows the current picture, or that of the previous second, which stays until the next
  /// flip.
  func isRight(_ name: String) -> Bool {
    for card in cards.cards.values {
      if let picture = card.picture(on: name), shows(picture, seed) || shows(picture, seed - 1) {
        return true
      }
    }
    return false
  }

  /// Whether at least one display is plugged in, and every display that is plugged in shows the right
  /// picture.
  var isRight: Bool { !plugged.isEmpty && plugged.allSatisfy { isRight($0) } }

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
    var calls = totalCalls
    var last = time.now
    while time.now < end {
      try loop.turn(timeoutMilliseconds: Int32(clamping: (end - time.now) / 1_000_000 + 1))
      judge()
      turns += 1
      if time.now - last >= 1_000_000_000 { (turns, calls, last) = (0, totalCalls, time.now) }
      if turns > 2000 || totalCalls - calls > 5000 {
        throw Spinning(turns: turns, lines: log.lines.suffix(5))
      }
    }
  }

  struct Spinning: Error {
    var turns: Int
    var lines: ArraySlice<String>
  }

  private var totalCalls: Int { cards.cards.values.reduce(0) { $0 + $1.totalCalls } }

  private func judge() {
    if displays.bytesCopied < copied { hasCountFallen = true }
    copied = displays.bytesCopied
    let plugged = plugged
    for name in judgements.keys where !plugged.contains(name) { judgements[name]?.darkSince = nil }
    for name in plugged {
      var judgement = judgements[name] ?? Judgement()
      let isRight = isRight(name)
      if isRight, judgement.darkSince == nil { continue }
      let since = judgement.darkSince ?? time.now
      judgement.longestDark = max(judgement.longestDark, time.now - since)
      judgement.darkSince = isRight ? nil : since
      judgements[name] = judgement
    }
  }

  /// The longest time, in nanoseconds, for which a connected display did not show the right picture.
  func longestDark(_ name: String) -> Int64 { judgements[name]?.longestDark ?? 0 }

  /// The longest such time of all displays.
  var longestDark: Int64 { judgements.values.map(\.longestDark).max() ?? 0 }

  /// The longest time, in nanoseconds, between two frames of a display.
  func longestInterval(_ name: String) -> Int64 {
    paces[name].map { max($0.longest, time.now - $0.last) } ?? .max
  }

  /// Starts to measure `longestDark` and `longestInterval` again.
  func measure() {
    judgements = [:]
    for name in paces.keys { paces[name]?.longest = 0 }
  }

  func uevent() { hotplug.handler?() }

  /// An event that names a card, as udev reports it.
  func uevent(card number: Int) { hotplug.cardHandler?(["/dev/dri/card\(number)"]) }

  /// Stops the displays. Returns what they left behind, and what was wrong before.
  func stop() -> [String] {
    displays.stop()
    ticks?.cancel()
    try? loop.turn(timeoutMilliseconds: 0)
    var left = hasCountFallen ? ["a smaller count of copied bytes than before"] : []
    for card in cards.cards.values {
      left += card.mistakes
      if !card.framebuffers.isEmpty { left.append("\(card.framebuffers.count) framebuffers") }
      if !card.blobs.isEmpty { left.append("\(card.blobs.count) blobs") }
      if let file = card.master { left.append("a master with \(file.buffers.count) buffers") }
    }
    return left
  }
}

/// Simulated card nodes.
final class SimulatedCards: CardSource {
  let directory = "/dev/dri"
  var cards: [String: SimulatedCard] = [:]
  /// Symbolic links to the nodes.
  var links: [String: String] = [:]

  func paths() -> [String] { cards.keys.sorted() }
  func resolve(_ path: String) -> String { links[path] ?? path }

  func open(_ path: String) throws(SystemError) -> DRMDevice {
    guard let card = cards[path] else { throw SystemError("open", path, errno: Errno(rawValue: ENOENT)) }
    return try DRMDevice(path, card.open())
  }
}

extension Bitmap {
  convenience init(_ size: PixelSize) { self.init(width: size.width, height: size.height, format: .xrgb8888) }
}
