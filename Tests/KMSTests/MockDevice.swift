// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import Raster

@testable import KMS

func failure(_ code: Int32) -> SystemError { SystemError("mock", errno: Errno(rawValue: code)) }

/// A card described as data, with results queued for future calls. Its scanout memory is filled with a value
/// that no frame contains, so that pixels that were not copied are visible.
final class MockDevice: KMSDevice {
  struct Commit: Equatable {
    /// Whether it is a page flip; otherwise modes are set.
    var isFlip: Bool
    var flags: CommitFlags
    var framebuffer: FramebufferID
    var size: PixelSize
    var damage: [PixelRect]
    var crtc: CRTCID
    /// The number of foreign objects that were turned off; nil if they were left alone.
    var turnedOff: Int?
  }

  /// How flips complete.
  enum Completion {
    /// Flips complete at the next vblank, a multiple of the period, and have its number.
    case vblanks
    /// Flips complete at once, with number 0.
    case noVBlanks
    case never
  }

  static let poison: UInt8 = 0xa5
  static let padding = 16

  let path: String
  let driver: String
  let isAtomic: Bool
  let hasMonotonicTimestamps = true
  let events: FileDescriptor
  private let bell: FileDescriptor
  var fileDescriptor: Int32 { events.rawValue }

  var card: CardDescription
  var isMaster = false
  var completion = Completion.noVBlanks
  /// The period between the vblanks' timestamps.
  var period: Int64 = 10_000_000

  /// The results of the next calls; nil and an empty queue mean success.
  var masterResults: [SystemError?] = []
  var describeResults: [SystemError?] = []
  var bufferResults: [SystemError?] = []
  var testResults: [SystemError?] = []
  var commitResults: [SystemError?] = []
  /// Whether every call fails with ENODEV.
  var isGone = false
  /// Whether the buffers are black after a modeset.
  var clearsMemory = false

  private(set) var commits: [Commit] = []
  /// The checks of modes: their flags, and whether foreign objects were to be turned off.
  private(set) var tests: [(flags: CommitFlags, turnsOff: Bool)] = []
  private(set) var buffers: [FramebufferID: ScanoutBuffer] = [:]
  private(set) var buffersMade = 0
  private(set) var restored: [SavedCRTC] = []
  private(set) var masterDrops = 0
  private(set) var describes = 0
  /// The buffer that the display shows.
  private(set) var shown: FramebufferID?
  private var arrived: [FlipEvent] = []
  private var rings = 0
  /// The numbers of the vblanks at which frames were shown.
  private(set) var sequences: [UInt32] = []
  private var vblank: LoopTimer?
  private var loop: EventLoop?
  private var awaited: FlipEvent?
  var calls: [String] = []

  init(path: String, card: CardDescription, isAtomic: Bool = true) throws {
    self.path = path
    self.card = card
    self.isAtomic = isAtomic
    driver = card.driver
    var pair: [Int32] = [-1, -1]
    _ = try retryingInterrupts("pipe") { pipe(&pair) }
    events = FileDescriptor(owning: pair[0])
    bell = FileDescriptor(owning: pair[1])
  }

  deinit { for buffer in buffers.values { buffer.pixels.base.deallocate() } }

  /// Creates the vblank timer on `loop`.
  func attach(to loop: EventLoop) throws {
    self.loop = loop
    vblank = try LoopTimer(.monotonic, on: loop) { [weak self] _ in
      guard let self, let event = self.awaited else { return }
      self.awaited = nil
      self.sequences.append(event.sequence)
      self.arrived.append(event)
      self.ring()
    }
  }

  private func next(_ queue: inout [SystemError?]) throws(SystemError) {
    if isGone { throw failure(ENODEV) }
    if !queue.isEmpty, let error = queue.removeFirst() { throw error }
  }

  func becomeMaster() throws(SystemError) {
    if isMaster { return }
    try next(&masterResults)
    isMaster = true
  }

  func dropMaster() {
    isMaster = false
    masterDrops += 1
    calls.append("drop master")
  }

  func describe(known: Set<ConnectorID>) throws(SystemError) -> CardDescription {
    describes += 1
    try next(&describeResults)
    return card
  }

  func createBuffer(_ size: PixelSize, format: ScanoutFormat) throws(SystemError) -> ScanoutBuffer {
    try next(&bufferResults)
    let bytesPerRow = size.width * format.pixelFormat.bytesPerPixel + Self.padding
    let count = bytesPerRow * size.height
    let base = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 64)
    memset(base, Int32(Self.poison), count)
    buffersMade += 1
    let buffer = ScanoutBuffer(
      framebuffer: FramebufferID(UInt32(1000 + buffersMade)), handle: UInt32(buffersMade),
      pixels: PixelBuffer(
        base: base, width: size.width, height: size.height, bytesPerRow: bytesPerRow,
        format: format.pixelFormat),
      byteCount: count)
    buffers[buffer.framebuffer] = buffer
    return buffer
  }

  func destroyBuffer(_ buffer: ScanoutBuffer) {
    guard buffers.removeValue(forKey: buffer.framebuffer) != nil else { return calls.append("double free") }
    buffer.pixels.base.deallocate()
    calls.append("destroy buffer")
  }

  func currentStatus(of connector: ConnectorID) throws(SystemError) -> ConnectorDescription.Status? {
    if isGone { throw failure(ENODEV) }
    return card.connectors.first { $0.id == connector }?.status
  }

  func setModes(
    _ states: [PipeState], turningOff foreign: ForeignObjects?, _ flags: CommitFlags
  ) throws(SystemError) {
    if flags.contains(.testOnly) {
      tests.append((flags.subtracting(.testOnly), foreign != nil))
      return try next(&testResults)
    }
    for state in states {
      let count = foreign.map { $0.connectors.count + $0.crtcs.count + $0.planes.count }
      try commit(state, Commit(state, isFlip: false, flags, turnedOff: count))
    }
    guard clearsMemory else { return }
    for buffer in buffers.values {
      for y in 0..<buffer.pixels.height {
        memset(buffer.pixels.row(y), 0, buffer.pixels.width * buffer.pixels.format.bytesPerPixel)
      }
    }
  }

  func flip(_ state: PipeState) throws(SystemError) -> Bool {
    try commit(state, Commit(state, isFlip: true))
    complete(state.token)
    return true
  }

  private func commit(_ state: PipeState, _ commit: Commit) throws(SystemError) {
    commits.append(commit)
    if !isMaster, !isGone { throw failure(EACCES) }
    try next(&commitResults)
    shown = state.framebuffer
  }

  private func complete(_ token: UInt64) {
    switch completion {
    case .never: return
    case .noVBlanks: arrived.append(FlipEvent(token: token, sequence: 0, time: now))
    case .vblanks:
      let number = now / period + 1
      awaited = FlipEvent(
        token: token, sequence: UInt32(truncatingIfNeeded: number), time: number * period)
      vblank?.arm(at: ClockTime(totalNanoseconds: number * period))
      return
    }
    ring()
  }

  /// Makes the descriptor readable.
  private func ring() {
    var byte: UInt8 = 1
    if rings == 0 { _ = write(bell.rawValue, &byte, 1) }
    rings = 1
  }

  /// Queues an event of a flip that was dropped long ago.
  func deliverStrayEvent() {
    arrived.append(FlipEvent(token: 999_999, sequence: 1, time: now))
    ring()
  }

  var offResults: [SystemError?] = []
  /// For each pipe that was switched off, whether foreign objects were left alone.
  private(set) var turnedOff: [Bool] = []

  func turnOff(_ pipe: Pipe, turningOff foreign: ForeignObjects?) throws(SystemError) {
    if !isMaster, !isGone { throw failure(EACCES) }
    try next(&offResults)
    turnedOff.append(foreign == nil)
    shown = nil
  }

  func disable(_ pipe: Pipe) throws(SystemError) {
    if !isMaster, !isGone { throw failure(EACCES) }
    try next(&offResults)
    calls.append("disable")
    shown = nil
  }

  func waitForEvent(nanoseconds: Int64) -> Bool {
    guard arrived.isEmpty else { return true }
    if let event = awaited, event.time <= now + nanoseconds {
      loop?.virtualTime?.pass(event.time - now)
      awaited = nil
      vblank?.disarm()
      arrived.append(event)
      return true
    }
    loop?.virtualTime?.pass(nanoseconds)
    return false
  }

  func readEvents(_ body: (FlipEvent) -> Void) throws(SystemError) {
    var byte: UInt8 = 0
    if rings > 0 { _ = read(events.rawValue, &byte, 1) }
    rings = 0
    if isGone { throw failure(ENODEV) }
    let events = arrived
    arrived.removeAll()
    for event in events { body(event) }
  }

  func restore(_ saved: SavedCRTC) throws(SystemError) {
    calls.append("restore")
    if isGone { throw failure(ENODEV) }
    restored.append(saved)
  }

  private var now: Int64 { loop?.now ?? 0 }
}

extension MockDevice.Commit {
  init(_ state: PipeState, isFlip: Bool, _ flags: CommitFlags = [], turnedOff: Int? = nil) {
    self.init(
      isFlip: isFlip, flags: flags, framebuffer: state.framebuffer, size: state.timing.size,
      damage: state.damage, crtc: state.pipe.crtc.id, turnedOff: turnedOff)
  }
}
