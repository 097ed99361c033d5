// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Display
import Images
import LinuxSystem
import Raster
import Scoreboard
import Settings
import TestSupport
import Testing
import Typography
import Widgets

@testable import Daemon

/// A display with vblanks of its own in simulated time. It keeps the pixels that it was given, as scanout
/// memory does.
private final class TestOutput: StandaloneOutput {
  let name: String
  let traits: DisplayTraits = .logsDisplays
  private(set) var description: OutputDescription?
  private(set) var statistics = OutputStatistics()
  private(set) var isFrameInFlight = false
  /// Whether flips never complete.
  var hangs = false
  /// What the display shows. Each frame copies only its damage to it.
  private(set) var picture: Bitmap
  /// The digest of each frame's pixels.
  private(set) var frames: [UInt64] = []

  private let mode: DisplayMode
  private let rotation: Rotation
  private let phase: Int64
  private let loop: EventLoop
  private let vblank: LoopTimer
  private var handler: (OutputEvent) -> Void = { _ in }

  init(
    _ name: String, _ size: PixelSize, millihertz: Int = 60_000, rotation: Rotation = .none, phase: Int64 = 0,
    on loop: EventLoop
  ) throws {
    self.name = name
    self.rotation = rotation
    self.phase = phase
    self.loop = loop
    mode = DisplayMode(size: size, refreshMillihertz: millihertz)
    let frame = rotation.inverse.size(of: size)
    picture = Bitmap(width: frame.width, height: frame.height, format: .xrgb8888)
    vblank = try LoopTimer(.monotonic, on: loop)
    vblank.handler = { [weak self] _ in self?.vblankReached() }
  }

  var isBlank = false {
    didSet {
      guard isBlank != oldValue else { return }
      isFrameInFlight = false
      vblank.disarm()
      if !isBlank, description != nil { connect() }
    }
  }

  var canPresent: Bool { description != nil && !isFrameInFlight && !isBlank }

  var nextPresentationTime: Int64 {
    let period = mode.framePeriodNanoseconds
    return (loop.now - phase) / period * period + period + phase
  }

  func present(_ frame: PixelBuffer, damage: [PixelRect]) {
    guard canPresent else { return }
    for rect in damage { picture.buffer.copy(frame, rect, to: rect.x, rect.y, clip: frame.bounds) }
    frames.append(Self.digest(picture.buffer))
    isFrameInFlight = true
    if !hangs { vblank.arm(at: ClockTime(totalNanoseconds: nextPresentationTime)) }
  }

  private func vblankReached() {
    isFrameInFlight = false
    statistics.framesPresented += 1
    handler(.presented(Presentation(time: loop.now, nextTime: nextPresentationTime)))
  }

  func start(handler: @escaping (OutputEvent) -> Void) throws(SystemError) {
    self.handler = handler
    connect()
  }

  func connect() {
    let description = OutputDescription(driver: "test", connector: name, mode: mode, rotation: rotation)
    self.description = description
    isFrameInFlight = false
    hangs = false
    loop.defer { [weak self] in self?.handler(.connected(description)) }
  }

  func disconnect() {
    guard description != nil else { return }
    description = nil
    isFrameInFlight = false
    vblank.disarm()
    loop.defer { [weak self] in self?.handler(.disconnected(reason: "unplugged")) }
  }

  func apply(_ preferences: OutputPreferences) {}
  func stop() {}

  /// A hash of the colours. It omits the highest byte of each pixel, which is unused in XRGB8888.
  static func digest(_ pixels: PixelBuffer) -> UInt64 {
    var hash: UInt64 = 14_695_981_039_346_656_037
    for y in 0..<pixels.height {
      for x in 0..<pixels.width {
        hash = (hash ^ UInt64(pixels.row32(y)[x] & 0xff_ffff)) &* 1_099_511_628_211
      }
    }
    return hash
  }
}

/// A presenter with test outputs that show the built-in configuration, in simulated time.
private final class PresenterRig {
  let time = VirtualTime()
  let loop: EventLoop
  let presenter: Presenter
  let outputs: [TestOutput]
  private var scoreboard = Scoreboard(teams: [], rules: GameRules())
  private(set) var stages = 0
  var pages: [String: String] = [:]
  var lightOwners: Set<String> = []

  init(_ make: (EventLoop) throws -> [TestOutput]) throws {
    loop = try EventLoop(virtualTime: time)
    outputs = try make(loop)
    presenter = Presenter(displays: FixedDisplays(outputs), on: loop, log: Log { _, _ in })
    let fonts = FontLibrary(warn: { _ in })
    presenter.content = { [unowned self] output, size in
      Canvas.Content(
        size: size, page: self.pages[output.name],
        lightOwner: self.lightOwners.contains(output.name) ? output.name : nil)
    }
    presenter.makeStage = { [unowned self] content in
      self.stages += 1
      return Stage(
        Configuration.builtIn, size: content.size, fonts: fonts, zones: { _ in .utc }, model: self.model,
        time: Double(self.loop.now) / 1e9)
    }
    try presenter.start()
    try turn(0.5)
  }

  private var seconds: Int64 = 1_795_000_000
  private var model: StageModel {
    StageModel(instant: Instant(seconds: seconds), scoreboard: scoreboard, clock: 0, message: nil)
  }

  /// Shows another time, which turns cards for about half a second.
  func tick() {
    seconds += 61
    for canvas in presenter.canvases {
      canvas.stage.scene.advance(to: Double(loop.now) / 1e9)
      canvas.stage.update(model, at: Double(loop.now) / 1e9, animated: true)
      canvas.composeIfPossible()
    }
  }

  func turn(_ seconds: Double) throws {
    let end = loop.now + Int64(seconds * 1e9)
    while loop.now < end {
      try loop.turn(timeoutMilliseconds: Int32(clamping: (end - loop.now) / 1_000_000 + 1))
    }
  }

  /// The connected outputs that are not blank and do not show their canvas's picture.
  var wrong: [String] {
    outputs.filter { output in
      guard output.description != nil, !output.isBlank else { return false }
      guard let shadow = presenter.canvas(of: output)?.shadow.buffer else { return true }
      return TestOutput.digest(shadow) != TestOutput.digest(output.picture.buffer)
    }.map(\.name)
  }
}

@Suite("Canvases and their displays")
struct PresenterTests {
  private static let size = PixelSize(width: 192, height: 108)

  @Test("Displays of the same size share a canvas, unless they have a page or a brightness of their own")
  func sharing() throws {
    let tall = PixelSize(width: 108, height: 192)
    let rig = try PresenterRig { loop in
      [
        try TestOutput("A", Self.size, on: loop), try TestOutput("B", Self.size, on: loop),
        try TestOutput("C", tall, on: loop), try TestOutput("D", tall, rotation: .clockwise, on: loop),
      ]
    }
    #expect(rig.presenter.canvases.map { $0.members.map(\.output.name) } == [["A", "B", "D"], ["C"]])
    #expect(rig.stages == 2)
    #expect(rig.wrong == [])
    rig.lightOwners = ["B"]
    rig.pages = ["D": "score"]
    rig.presenter.rebuild()
    try rig.turn(0.5)
    #expect(rig.presenter.canvases.count == 4)
    #expect(rig.wrong == [])
    rig.lightOwners = []
    rig.pages = [:]
    rig.presenter.rebuild()
    try rig.turn(0.5)
    #expect(rig.presenter.canvases.map(\.members.count).sorted() == [1, 3])
    #expect(rig.wrong == [])
  }

  @Test(
    "Each display gets a frame at each of its vblanks, but the picture is composed once",
    arguments: [0, 1, 4, 8, 12, 15] as [Int64])
  func composedOnce(phase: Int64) throws {
    let rig = try PresenterRig { loop in
      [
        try TestOutput("A", Self.size, on: loop),
        try TestOutput("B", Self.size, phase: phase * 1_000_000, on: loop),
      ]
    }
    for _ in 0..<4 {
      let before = rig.outputs.map(\.frames.count)
      rig.tick()
      try rig.turn(1)
      #expect(rig.wrong == [])
      let counts = zip(rig.outputs, before).map { $0.frames.count - $1 }
      #expect(counts.allSatisfy { $0 >= 25 }, "\(counts)")
      #expect(abs(counts[0] - counts[1]) <= 2, "\(counts)")
      let composed = zip(rig.outputs, before).map { Set($0.frames.dropFirst($1)) }
      // Both outputs show the same frames; a frame at the start or the end of the motion may differ.
      #expect(composed[0].symmetricDifference(composed[1]).count <= 2)
    }
  }

  @Test(
    "A slower display does not slow the faster one down", arguments: [(60_000, 30_000), (75_000, 60_000)])
  func rates(fast: Int, slow: Int) throws {
    let rig = try PresenterRig { loop in
      [
        try TestOutput("fast", Self.size, millihertz: fast, on: loop),
        try TestOutput("slow", Self.size, millihertz: slow, phase: 3_000_000, on: loop),
      ]
    }
    let alone = try PresenterRig { [try TestOutput("alone", Self.size, millihertz: fast, on: $0)] }
    let before = (rig.outputs[0].frames.count, alone.outputs[0].frames.count)
    for rig in [rig, alone] {
      rig.tick()
      try rig.turn(1)
      #expect(rig.wrong == [])
    }
    let counts = (rig.outputs[0].frames.count - before.0, alone.outputs[0].frames.count - before.1)
    #expect(abs(counts.0 - counts.1) <= 2, "\(counts)")
  }

  @Test("A display whose flips never complete does not stop the other one")
  func hanging() throws {
    let rig = try PresenterRig { loop in
      [
        try TestOutput("A", Self.size, on: loop), try TestOutput("B", Self.size, phase: 7_000_000, on: loop),
      ]
    }
    rig.outputs[0].hangs = true
    rig.tick()
    try rig.turn(1)
    let before = rig.outputs[1].frames.count
    rig.tick()
    try rig.turn(1)
    #expect(rig.outputs[1].frames.count - before >= 25)
    #expect(rig.wrong == ["A"])
    rig.outputs[0].connect()
    try rig.turn(0.5)
    #expect(rig.wrong == [])
  }

  @Test(
    "After any sequence of events every display shows its canvas's picture",
    arguments: 1...20 as ClosedRange<UInt64>)
  func random(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let tall = PixelSize(width: 108, height: 192)
    let rig = try PresenterRig { loop in
      [
        try TestOutput("A", Self.size, on: loop),
        try TestOutput("B", Self.size, millihertz: 50_000, phase: 5_000_000, on: loop),
        try TestOutput("C", Self.size, phase: 11_000_000, on: loop),
        try TestOutput("D", tall, rotation: .clockwise, phase: 2_000_000, on: loop),
        try TestOutput("E", tall, on: loop),
      ]
    }
    for _ in 0..<80 {
      let output = rig.outputs[Int.random(in: 0..<5, using: &random)]
      switch Int.random(in: 0..<10, using: &random) {
      case 0: output.disconnect()
      case 1: output.connect()
      case 2: rig.presenter.setBlank(output, !output.isBlank)
      case 3: output.hangs = true
      case 4: rig.presenter.isBlank.toggle()
      case 5:
        rig.lightOwners.formSymmetricDifference([output.name])
        rig.presenter.regroup(output)
      case 6:
        rig.pages[output.name] = Bool.random(using: &random) ? "score" : nil
        rig.presenter.rebuild()
      default: rig.tick()
      }
      try rig.turn(Double.random(in: 0...0.3, using: &random))
    }
    rig.presenter.isBlank = false
    for output in rig.outputs { output.connect() }
    rig.tick()
    try rig.turn(2)
    #expect(rig.wrong == [])
    #expect(rig.outputs.allSatisfy { !$0.isFrameInFlight })
    let frames = rig.outputs.map(\.frames.count)
    try rig.turn(2)
    #expect(rig.outputs.map(\.frames.count) == frames, "nothing moves")
  }

  @Test("A screenshot is the display's own picture, black while it is blank, and nothing without a display")
  func screenshots() throws {
    let rig = try PresenterRig { loop in
      [try TestOutput("A", Self.size, on: loop), try TestOutput("B", Self.size, on: loop)]
    }
    let screenshots = Screenshots(of: rig.presenter, on: rig.loop)
    func shot(_ output: TestOutput) throws -> UInt64? {
      var png: [UInt8]?
      screenshots.add(output) { png = try? $0.get().png }
      try rig.turn(0.1)
      return try png.map { png in
        withExtendedLifetime(try PNG.decode(png)) { TestOutput.digest($0.buffer) }
      }
    }
    let present = TestOutput.digest(rig.outputs[0].picture.buffer)
    let first = try shot(rig.outputs[0])
    #expect(first == present)
    rig.presenter.setBlank(rig.outputs[1], true)
    let black = Bitmap(width: 192, height: 108, format: .xrgb8888)
    black.buffer.clear(black.buffer.bounds, clip: black.buffer.bounds)
    let blank = try shot(rig.outputs[1])
    #expect(blank == TestOutput.digest(black.buffer))
    rig.outputs[1].disconnect()
    try rig.turn(0.1)
    let missing = try shot(rig.outputs[1])
    #expect(missing == nil)
  }

  @Test("A screenshot waits for a frame in flight, and no request waits for another display's frame")
  func screenshotsInFlight() throws {
    let rig = try PresenterRig { loop in
      [try TestOutput("A", Self.size, on: loop), try TestOutput("B", Self.size, on: loop)]
    }
    let screenshots = Screenshots(of: rig.presenter, on: rig.loop)
    var answered: [String] = []
    rig.lightOwners = ["B"]
    rig.presenter.rebuild()
    try rig.turn(0.5)
    rig.outputs[0].hangs = true
    rig.tick()
    #expect(rig.outputs.allSatisfy { $0.isFrameInFlight })
    for output in rig.outputs { screenshots.add(output) { _ in answered.append(output.name) } }
    try rig.turn(0.001)
    #expect(answered == [])
    try rig.turn(0.1)
    #expect(answered == ["B"])
    // Blanking drops the frame in flight.
    rig.presenter.isBlank = true
    try rig.turn(0.1)
    #expect(answered == ["B", "A"])
  }
}
