// SPDX-License-Identifier: Apache-2.0

import Display
import Glibc
import LinuxSystem
import Raster

@testable import KMS

/// `KMSDisplays` on mocks, with a shadow to present and a record of its events and log lines.
final class Rig {
  let loop: EventLoop
  let cards = MockCards()
  let hotplug = MockHotplug()
  let console = MockConsole()
  let output: SoleOutput
  let displays: KMSDisplays
  private(set) var events: [OutputEvent] = []
  private(set) var lines: [String] = []
  private(set) var shadow = Bitmap(width: 64, height: 48, format: .xrgb8888)
  /// Called inside the handler of `.presented`.
  var onPresented: (() -> Void)?

  init(
    _ descriptions: [CardDescription], preferences: OutputPreferences = OutputPreferences(),
    atomic: Bool = true
  )
    throws
  {
    loop = try EventLoop(virtualTime: VirtualTime())
    for (index, card) in descriptions.enumerated() {
      cards.devices.append(try MockDevice(path: "/dev/dri/card\(index)", card: card, isAtomic: atomic))
    }
    // All delays are short.
    for device in cards.devices { try device.attach(to: loop) }
    let timings = KMSTimings(
      watchdog: 40_000_000, slowProbe: 20_000_000, firmwareGrace: 100_000_000, settle: 1_000_000,
      drain: 30_000_000)
    let log = LogBox()
    displays = KMSDisplays(
      preferences: preferences, on: loop, log: Log { log.lines.append("\($0): \($1)") },
      environment: KMSEnvironment(cards: cards, hotplug: hotplug, console: console, timings: timings))
    output = SoleOutput(displays: displays)
    self.log = log
  }

  /// `@unchecked Sendable` because it is used on one thread only.
  private final class LogBox: @unchecked Sendable { var lines: [String] = [] }
  private let log: LogBox
  var logged: [String] { log.lines.filter { !$0.hasPrefix("debug") } }

  var device: MockDevice { cards.devices[0] }

  func start() throws {
    try displays.start { [weak self] event in
      guard let self else { return }
      switch event {
      case .none(let reason): self.events.append(.disconnected(reason: reason))
      // Only the loss of all displays counts.
      case .output(_, .disconnected): break
      case .output(_, let event): self.receive(event)
      }
    }
  }

  private func receive(_ event: OutputEvent) {
    events.append(event)
    if case .connected(let description) = event {
      let size = description.frameSize
      shadow = Bitmap(width: size.width, height: size.height, format: .xrgb8888)
      paint(0)
    }
    if case .presented = event { onPresented?() }
  }

  /// Runs the loop until `condition` is true; returns false if it does not become true within seconds.
  func run(until condition: () -> Bool) throws -> Bool {
    let end = loop.now + 10_000_000_000
    while !condition() {
      if loop.now > end { return false }
      try loop.turn(timeoutMilliseconds: 100)
    }
    return true
  }

  /// Runs the loop for a while in which nothing needs to happen.
  func settle(milliseconds: Int64 = 30) throws {
    let end = loop.now + milliseconds * 1_000_000
    while loop.now < end { try loop.turn(timeoutMilliseconds: 5) }
  }

  /// Starts the output and presents the first frame.
  func startShowing() throws -> Bool {
    try start()
    guard try run(until: { self.output.canPresent }) else { return false }
    return try show(shadow.buffer.bounds)
  }

  /// Presents the shadow and waits until it is on the display.
  func show(_ damage: PixelRect...) throws -> Bool {
    let before = output.statistics.framesPresented
    output.present(shadow.buffer, damage: damage)
    return try run(until: { self.output.statistics.framesPresented > before })
  }

  /// A picture that differs from the fill value and from the pictures of all other seeds.
  func paint(_ seed: UInt32, in rect: PixelRect? = nil) {
    let rect = (rect ?? shadow.buffer.bounds).intersection(shadow.buffer.bounds)
    for y in rect.y..<max(rect.maxY, rect.y) {
      for x in rect.x..<max(rect.maxX, rect.x) {
        shadow.buffer.row32(y)[x] =
          0xff00_0000 | (UInt32(y) &* 0x0001_0301 ^ UInt32(x) &* 0x0000_0509 ^ seed &* 0x0001_1357)
          & 0xff_ffff
      }
    }
  }

  /// Whether the display shows what one copy of the whole shadow would give: rotated, converted to the
  /// scanout's format and dithered according to the preferences.
  var displayShowsShadow: Bool {
    guard let id = device.shown, let scanout = device.buffers[id]?.pixels else { return false }
    let rotation = displays.preferences.rotation
    guard scanout.size == rotation.size(of: shadow.size) else { return false }
    let expected = Bitmap(width: scanout.width, height: scanout.height, format: scanout.format)
    expected.buffer.copy(
      shadow.buffer, shadow.buffer.bounds, rotation: rotation,
      dithering: displays.preferences.dithers ? .ordered : .none)
    let bytes = scanout.width * scanout.format.bytesPerPixel
    for y in 0..<scanout.height {
      if memcmp(scanout.row(y), expected.buffer.row(y), bytes) != 0 { return false }
      for byte in bytes..<scanout.bytesPerRow
      where scanout.row(y).load(fromByteOffset: byte, as: UInt8.self) != MockDevice.poison {
        return false
      }
    }
    return true
  }

  var connections: [OutputDescription] {
    events.compactMap { if case .connected(let description) = $0 { description } else { nil } }
  }
  var losses: [String] {
    events.compactMap { if case .disconnected(let reason) = $0 { reason } else { nil } }
  }
  var presentations: [Presentation] {
    events.compactMap { if case .presented(let presentation) = $0 { presentation } else { nil } }
  }
}

/// The display of a rig with one display.
struct SoleOutput {
  let displays: KMSDisplays

  /// The display that is shown, or else the first that was.
  var output: KMSOutput? { displays.all.first { $0.isFound } ?? displays.all.first }

  var isBlank: Bool {
    get { displays.isBlank }
    nonmutating set { displays.isBlank = newValue }
  }

  var description: OutputDescription? { output?.description }
  var statistics: OutputStatistics { output?.statistics ?? OutputStatistics() }
  var canPresent: Bool { output?.canPresent ?? false }
  var isFrameInFlight: Bool { output?.isFrameInFlight ?? false }
  var screen: Screen? { output?.screen }
  var device: (any KMSDevice)? { output?.device }
  var recovery: KMSOutput.Recovery? { output?.recovery }
  var timers: [LoopTimer] {
    (output?.timers.all ?? []) + (displays.session.map { [$0.probe, $0.settle] } ?? [])
  }

  func present(_ frame: PixelBuffer, damage: [PixelRect]) { output?.present(frame, damage: damage) }
  func apply(_ preferences: OutputPreferences) { displays.apply(preferences) }
  func stop() { displays.stop() }
}
