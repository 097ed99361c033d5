// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import Raster

/// A live preview on a terminal, including over SSH: half-block characters in colour, by default 30 frames
/// per second.
///
/// It never blocks and never queues frames. While the link has not accepted the last frame, later frames only
/// update the wanted picture; once it has, the difference to the newest frame is sent. `stop()` restores the
/// terminal, and so does the crash guard, if installed, on a crash.
package final class TerminalOutput: StandaloneOutput {
  package let name = "terminal"
  package private(set) var description: OutputDescription?
  package private(set) var statistics = OutputStatistics()

  package var isBlank = false {
    didSet { if isBlank != oldValue { blankChanged() } }
  }

  private let original: Int32
  private let colors: TerminalColors
  private let refreshMillihertz: Int
  private let loop: EventLoop
  private var encoder: CellEncoder?
  private var session: Session?

  /// What exists between `start` and `stop`.
  private struct Session {
    let terminal: Terminal
    let vblanks: IdealVblanks
    let resizes: SignalWatch
    let handler: (OutputEvent) -> Void
  }

  /// Selects the alternate screen, hides the cursor, disables wrapping at the margin and clears to black.
  static let setUp = "\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l\u{1b}[0m\u{1b}[40m\u{1b}[2J"
  static let clear = "\u{1b}[0m\u{1b}[40m\u{1b}[2J"
  /// Restores the terminal. Starts with CAN, which cancels an incomplete sequence.
  static let reset = "\u{18}\u{1b}[?2026l\u{1b}[0m\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l"

  /// Draws on the terminal behind `fileDescriptor`; the descriptor itself is not changed.
  package init(
    fileDescriptor: Int32 = STDOUT_FILENO, colors: TerminalColors, refreshMillihertz: Int = 30_000,
    on loop: EventLoop
  ) {
    original = fileDescriptor
    self.colors = colors
    self.refreshMillihertz = min(max(refreshMillihertz, 1), 1_000_000)
    self.loop = loop
  }

  /// Whether `fileDescriptor` is a terminal and `terminalName` (the variable TERM) is one that can be drawn
  /// on.
  package static func isAvailable(fileDescriptor: Int32 = STDOUT_FILENO, terminalName: String?) -> Bool {
    guard let terminalName, terminalName != "dumb", !terminalName.isEmpty else { return false }
    return isatty(fileDescriptor) == 1
  }

  package var traits: DisplayTraits { [.usesTerminal, .endsWithDisplay] }

  /// Nothing in the configuration of displays applies to a terminal.
  package func apply(_ preferences: OutputPreferences) {}

  package var isFrameInFlight: Bool { session?.vblanks.isFrameInFlight ?? false }

  package var canPresent: Bool { description != nil && !isFrameInFlight && !isBlank }

  package var nextPresentationTime: Int64 {
    session?.vblanks.nextPresentationTime ?? SystemClock.monotonic.now.totalNanoseconds
  }

  package func start(handler: @escaping (OutputEvent) -> Void) throws(SystemError) {
    guard session == nil else { return }
    guard isatty(original) == 1 else {
      throw SystemError(
        "isatty", "standard output", hint: "it is not a terminal; use --display headless or --display kms")
    }
    let terminal = try Terminal(fileDescriptor: original, reset: Self.reset, on: loop)
    let period = DisplayMode(size: PixelSize(width: 0, height: 0), refreshMillihertz: refreshMillihertz)
      .framePeriodNanoseconds
    let vblanks = try IdealVblanks(period: period, on: loop) { [weak self] in self?.shown($0, missed: $1) }
    let resizes = try SignalWatch([SIGWINCH], on: loop) { [weak self] _ in self?.connect() }
    terminal.drained = { [weak self] in self?.sendDifference() }
    terminal.lost = { [weak self] error in self?.lost(error) }
    session = Session(terminal: terminal, vblanks: vblanks, resizes: resizes, handler: handler)
    loop.defer { [weak self] in self?.connect() }
  }

  package func present(_ frame: PixelBuffer, damage: [PixelRect]) {
    guard canPresent, encoder != nil else { return }
    encoder?.take(frame, damage: damage)
    sendDifference()
    // Sending may have failed because the terminal is gone.
    guard description != nil else { return }
    session?.vblanks.queueFrame()
  }

  package func stop() {
    description = nil
    session?.terminal.close()
    session = nil
    encoder = nil
  }

  private func shown(_ presentation: Presentation, missed: Int) {
    guard let session else { return }
    statistics.framesPresented += 1
    statistics.flipsMissed += UInt64(missed)
    session.handler(.presented(presentation))
  }

  /// Sends the difference if the terminal has accepted everything sent before.
  private func sendDifference() {
    guard let terminal = session?.terminal, terminal.isDrained, !isBlank else { return }
    var bytes = terminal.takeBuffer()
    encoder?.encode(into: &bytes)
    statistics.bytesCopied += UInt64(bytes.count)
    terminal.send(bytes)
  }

  private func blankChanged() {
    guard isBlank else { return loop.defer { [weak self] in self?.connect() } }
    session?.vblanks.dropFrame()
    session?.terminal.sendUrgently(Self.clear)
  }

  /// Sets up the terminal with its current size and unknown content: at the start, after each resize, and
  /// when the display is no longer blanked.
  private func connect() {
    guard let session, !session.terminal.isLost else { return }
    let size = session.terminal.size
    let grid = CellGrid(columns: size.columns, rows: size.rows)
    encoder = CellEncoder(grid: grid, colors: colors)
    // A frame in flight had the old size; it is dropped without an event.
    session.vblanks.dropFrame()
    session.terminal.sendUrgently(Self.setUp)
    // Sending may have failed because the terminal is gone.
    guard !session.terminal.isLost else { return }
    let description = OutputDescription(
      driver: "terminal", connector: session.terminal.name,
      mode: DisplayMode(size: grid.size, refreshMillihertz: refreshMillihertz))
    self.description = description
    session.handler(.connected(description))
  }

  private func lost(_ error: SystemError) {
    description = nil
    session?.vblanks.dropFrame()
    // This may run inside `present`, where no event may be sent.
    loop.defer { [weak self] in
      self?.session?.handler(.disconnected(reason: "the terminal is gone (\(error.errno))"))
    }
  }
}
