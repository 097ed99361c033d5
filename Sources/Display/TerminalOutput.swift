// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import Raster

/// A live preview on a terminal, over SSH as well: half blocks in colour, 30 frames a second.
///
/// It never blocks and never queues: while the link has not taken the last frame yet, later ones only
/// replace what is wanted, and when it has, the difference to the newest is sent. The terminal is put
/// back as it was by `stop()`, and on a crash by the crash guard, if that is installed.
public final class TerminalOutput: Output {
  public private(set) var description: OutputDescription?
  public private(set) var statistics = OutputStatistics()

  public var isBlank = false {
    didSet { if isBlank != oldValue { blankChanged() } }
  }

  private let original: Int32
  private let colors: TerminalColors
  private let refreshMillihertz: Int
  private let loop: EventLoop
  private var terminal: Terminal?
  private var timer: LoopTimer?
  private var resizes: SignalWatch?
  private var handler: ((OutputEvent) -> Void)?
  private var encoder: CellEncoder?
  private var grid = VblankGrid(start: 0, period: 1)
  private var ledger = FlipLedger()
  private var queued: UInt64?
  private var isAnswering = false

  /// Alternate screen, no cursor, no wrapping at the margin, black.
  static let setUp = "\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l\u{1b}[0m\u{1b}[40m\u{1b}[2J"
  static let clear = "\u{1b}[0m\u{1b}[40m\u{1b}[2J"
  /// Begins with CAN, which ends a sequence that was cut short.
  static let reset = "\u{18}\u{1b}[?2026l\u{1b}[0m\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l"

  /// Draws on the terminal that `fileDescriptor` is; the descriptor itself is left as it is.
  public init(
    fileDescriptor: Int32 = STDOUT_FILENO, colors: TerminalColors, refreshMillihertz: Int = 30_000,
    on loop: EventLoop
  ) {
    original = fileDescriptor
    self.colors = colors
    self.refreshMillihertz = min(max(refreshMillihertz, 1), 1_000_000)
    self.loop = loop
  }

  /// Whether `fileDescriptor` is a terminal, and `terminalName` (the variable TERM) one to draw on.
  /// The corresponding C function is `isatty`.
  public static func isAvailable(fileDescriptor: Int32 = STDOUT_FILENO, terminalName: String?) -> Bool {
    guard let terminalName, terminalName != "dumb", !terminalName.isEmpty else { return false }
    return isatty(fileDescriptor) == 1
  }

  public var canPresent: Bool { description != nil && queued == nil && !isBlank }

  public var nextPresentationTime: Int64 {
    let next = grid.sequence(after: SystemClock.monotonic.now.totalNanoseconds)
    return grid.time(of: queued.map { max($0 + 1, next) } ?? next)
  }

  public func start(handler: @escaping (OutputEvent) -> Void) throws(SystemError) {
    guard self.handler == nil else { return }
    guard isatty(original) == 1 else {
      throw SystemError(
        "isatty", "standard output", hint: "it is no terminal to draw on; try --display headless, or kms")
    }
    let terminal = try Terminal(fileDescriptor: original, reset: Self.reset, on: loop)
    timer = try LoopTimer(.monotonic, on: loop) { [weak self] _ in self?.complete() }
    resizes = try SignalWatch([SIGWINCH], on: loop) { [weak self] _ in self?.connect() }
    terminal.drained = { [weak self] in self?.sendDifference() }
    terminal.lost = { [weak self] error in self?.lost(error) }
    self.terminal = terminal
    self.handler = handler
    let period = DisplayMode(size: PixelSize(width: 0, height: 0), refreshMillihertz: refreshMillihertz)
      .framePeriodNanoseconds
    grid = VblankGrid(start: SystemClock.monotonic.now.totalNanoseconds, period: period)
    loop.defer { [weak self] in self?.connect() }
  }

  public func present(_ frame: PixelBuffer, damage: [PixelRect]) {
    guard canPresent, encoder != nil else { return }
    encoder?.take(frame, damage: damage)
    sendDifference()
    // The sending may have found out that the terminal is gone.
    guard description != nil else { return }
    let now = SystemClock.monotonic.now.totalNanoseconds
    let sequence = grid.sequence(after: now)
    queued = sequence
    ledger.queued(at: now, chained: isAnswering)
    timer?.arm(at: ClockTime(totalNanoseconds: grid.time(of: sequence)))
  }

  public func stop() {
    handler = nil
    description = nil
    queued = nil
    timer?.cancel()
    timer = nil
    resizes?.cancel()
    resizes = nil
    terminal?.close()
    terminal = nil
    encoder = nil
  }

  private func complete() {
    guard let sequence = queued, let handler else { return }
    queued = nil
    let time = grid.time(of: sequence)
    statistics.framesPresented += 1
    statistics.flipsMissed += UInt64(ledger.completed(sequence: sequence, time: time, period: grid.period))
    isAnswering = true
    handler(.presented(Presentation(time: time, nextTime: nextPresentationTime)))
    loop.defer { [weak self] in self?.isAnswering = false }
  }

  /// Sends what the terminal lacks, if it has taken all that came before.
  private func sendDifference() {
    guard let terminal, terminal.isDrained, !isBlank else { return }
    var bytes = terminal.takeBuffer()
    encoder?.encode(into: &bytes)
    statistics.bytesCopied += UInt64(bytes.count)
    terminal.send(bytes)
  }

  private func blankChanged() {
    guard isBlank else { return loop.defer { [weak self] in self?.connect() } }
    queued = nil
    timer?.disarm()
    ledger.reset()
    terminal?.sendUrgently(Self.clear)
  }

  /// The terminal as it is now, wholly unknown: at the start and after each change of its size.
  private func connect() {
    guard let handler, let terminal, !terminal.isLost else { return }
    let size = terminal.size
    let grid = CellGrid(columns: size.columns, rows: size.rows)
    encoder = CellEncoder(grid: grid, colors: colors)
    // A frame in flight was for the old size; nothing will be told of it.
    queued = nil
    timer?.disarm()
    ledger.reset()
    terminal.sendUrgently(Self.setUp)
    // The sending may have found out that it is gone.
    guard !terminal.isLost else { return }
    let description = OutputDescription(
      driver: "terminal", connector: terminal.name,
      mode: DisplayMode(size: grid.size, refreshMillihertz: refreshMillihertz))
    self.description = description
    handler(.connected(description))
  }

  private func lost(_ error: SystemError) {
    description = nil
    queued = nil
    timer?.disarm()
    // This may be inside `present`, where no event is told.
    loop.defer { [weak self] in
      self?.handler?(.disconnected(reason: "the terminal is gone (\(error.errno))"))
    }
  }
}
