// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlClient
import Glibc
import LinuxSystem
import Remotes
import VarlinkSockets

/// `flipclockctl score`: keeps the score from a terminal by single keys.
///
/// `ScoreKeys` interprets keys and `ScoreScreen` lays the screen out; this class connects them with the
/// terminal, the clock and the daemon. While there is no connection, keys do nothing, and the console tries
/// to connect every second.
package final class ScoreConsole {
  /// The exit status, and a message to print after the terminal was restored.
  package typealias End = (status: CommandStatus, message: String?)

  /// The number of calls that may wait for a reply.
  static let callLimit = 4

  /// The clock of all instants in the console: the match's clock, which also counts while the machine is
  /// suspended.
  private static let clock = SystemClock.boottime

  let colors: Bool
  let loop: EventLoop
  let link: DaemonLink
  /// The terminal; nil before the start, and while the program is suspended, when other programs use the
  /// terminal.
  private var terminal: Terminal?
  var keys = ScoreKeys()
  var decoder = TerminalKeyDecoder()
  var screen = ScoreScreen()
  /// The number of actions without a reply.
  var unanswered = 0
  private var timer: LoopTimer?
  private var signals: SignalWatch?
  private var isStale = false
  private var isEnding = false
  /// The lines on the terminal; nil if unknown.
  private var shown: [[ScoreScreen.Cell]]?
  private var end: End = (.success, nil)

  /// Connects. `run` uses the terminal of standard output.
  ///
  /// - Parameter colors: false where NO_COLOR is set.
  package init(candidates: [String], colors: Bool) throws(VarlinkClientError) {
    self.colors = colors
    do throws(SystemError) {
      loop = try EventLoop()
      link = try DaemonLink(candidates: candidates, retries: [1], on: loop)
    } catch { throw .broken(error) }
    screen.trouble = "waiting for the match"
    link.happened = { [weak self] in self?.happened($0) }
    // Connects before the terminal is changed, so that an error is printed normally.
    link.start()
    if let problem = link.problem { throw problem }
  }

  /// Why there is no usable terminal; nil if there is one.
  ///
  /// - Parameter name: the variable TERM.
  package static func problem(terminalName name: String?) -> String? {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      return
        "'score' needs a terminal for its keys and its screen; scripts use 'add-score', 'set' and 'watch'"
    }
    guard let name, !name.isEmpty, name != "dumb" else {
      return "'score' needs a terminal that can place its cursor; TERM is '\((name ?? "").printable)'"
    }
    return nil
  }

  /// Runs until the operator leaves, and restores the terminal.
  package func run() -> End {
    do throws(SystemError) {
      try begin()
      try loop.run()
    } catch { end = (.unreachable, "the terminal: \(error)") }
    leaveTerminal()
    return end
  }

  private func begin() throws(SystemError) {
    timer = try LoopTimer(Self.clock, on: loop) { [weak self] _ in self?.timePassed() }
    signals = try SignalWatch(
      [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH], on: loop
    ) { [weak self] in self?.received($0.number) }
    try enterTerminal()
    changed()
  }

  /// Sets the terminal up for the console. Fails with EIO in a background job.
  private func enterTerminal() throws(SystemError) {
    leaveTerminal()
    let terminal = try Terminal(fileDescriptor: STDOUT_FILENO, reset: ScoreScreen.reset, on: loop) {
      [weak self] in self?.typed($0)
    }
    terminal.drained = { [weak self] in self?.draw() }
    terminal.lost = { [weak self] _ in self?.stop(.unreachable, "the terminal is gone") }
    self.terminal = terminal
    terminal.send(Array(ScoreScreen.setUp.utf8))
  }

  private func leaveTerminal() {
    terminal?.close()
    terminal = nil
  }

  func now() -> Int64 { Self.clock.now.totalNanoseconds }

  private func stop(_ status: CommandStatus, _ message: String? = nil) {
    guard !isEnding else { return }
    isEnding = true
    end = (status, message)
    loop.stop()
  }

  private func received(_ signal: Int32) {
    // When the terminal hangs up, SIGHUP is followed by SIGCONT. The console must not use the terminal again.
    guard !isEnding else { return }
    switch signal {
    case SIGWINCH: redraw()
    case SIGTSTP: suspend()
    case SIGCONT: resume()
    case SIGHUP: stop(.unreachable)
    default: stop(.success)
    }
  }

  private func suspend() {
    leaveTerminal()
    kill(getpid(), SIGSTOP)
  }

  /// Takes the terminal again if the program is in the foreground. The shell may have changed the terminal's
  /// mode.
  private func resume() {
    // The program was continued in the background, by `bg`.
    if !TerminalMode.isForeground(STDOUT_FILENO) { return suspend() }
    do throws(SystemError) { try enterTerminal() } catch {
      return stop(.unreachable, "the terminal: \(error)")
    }
    keys.forget()
    decoder = TerminalKeyDecoder()
    redraw()
  }

  /// Draws the whole screen.
  private func redraw() {
    shown = nil
    changed()
  }

  private func typed(_ bytes: [UInt8]) {
    let now = now()
    // First handle a key whose waiting time is over: it was not pressed together with these keys.
    act(at: now)
    for key in decoder.keys(bytes, at: now) {
      switch key {
      case .control("z"): return suspend()
      case .control("l"): redraw()
      default: keys.press(key, at: now)
      }
    }
    act(at: now)
    changed()
  }

  private func act(at now: Int64) {
    // No action is taken without a connection, because the state may be out of date.
    if let action = keys.elapsed(at: now, screen.trouble == nil ? screen.match : nil) {
      send(action)
    }
  }

  private func timePassed() {
    let now = now()
    if let key = decoder.elapsed(at: now) { keys.press(key, at: now) }
    act(at: now)
    changed()
  }

  /// Draws once after the handlers of this turn.
  func changed() {
    guard !isStale else { return }
    isStale = true
    loop.defer { [weak self] in
      self?.isStale = false
      self?.draw()
    }
  }

  private func draw() {
    let now = now()
    screen.notice = keys.notice
    screen.selected = keys.selected
    let deadlines = [screen.nextChange(after: now), decoder.deadline, keys.deadline]
    if let next = deadlines.compactMap({ $0 }).min() {
      timer?.arm(at: ClockTime(totalNanoseconds: next))
    } else {
      timer?.disarm()
    }
    guard let terminal, terminal.isDrained else { return }
    var size = terminal.size
    // A serial terminal does not report its size.
    if size.columns == 0 || size.rows == 0 { size = (80, 24) }
    let lines = screen.lines(columns: size.columns, rows: size.rows, at: now)
    let bytes = ScoreScreen.bytes(lines, over: shown, rows: size.rows, colors: colors)
    shown = lines
    if !bytes.isEmpty { terminal.send(bytes) }
  }
}
