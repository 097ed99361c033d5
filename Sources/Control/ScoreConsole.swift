// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// `flipclockctl score`: a match worked from a terminal by single keys.
///
/// What keys mean is `ScoreKeys`' affair, what is seen `ScoreScreen`'s; this joins them to the terminal, the
/// clock and two connections: one that watches the match, one that changes it. While either is gone keys do
/// nothing, and it is tried again every second.
public final class ScoreConsole {
  /// How it ended, and what to say after the terminal was given back.
  public typealias End = (status: CommandExit, words: String?)

  /// More calls than this are not sent ahead of their answers.
  static let callLimit = 4
  /// A change is acknowledged when it is on the disk, and an SD card may take seconds for that.
  static let answerSeconds: Int64 = 15
  static let retrySeconds: Int64 = 1

  let candidates: [String]
  let colors: Bool
  let loop: EventLoop
  let terminal: ScoreTerminal
  var keys = ScoreKeys()
  var decoder = TerminalKeyDecoder()
  var screen = ScoreScreen()
  var watching: ControlChannel?
  var calling: ControlChannel?
  /// What was sent and not answered yet, and when.
  var unanswered: [(call: ScoreCall, at: Int64)] = []
  var retryAt: Int64?
  private var timer: LoopTimer?
  private var signals: SignalWatch?
  private var isStale = false
  private var isEnding = false
  /// What the terminal shows; nil: nobody knows.
  private var shown: [[ScoreScreen.Cell]]?
  private var end: End = (.success, nil)

  /// Connects; the terminal that standard output is, is taken by `run`.
  ///
  /// - Parameter colors: false where NO_COLOR is set.
  public init(candidates: [String], colors: Bool) throws(ControlClientError) {
    self.candidates = candidates
    self.colors = colors
    do throws(SystemError) {
      loop = try EventLoop()
      terminal = try ScoreTerminal(on: loop)
    } catch { throw .broken(error) }
    // Before the terminal is touched: without a daemon there is but an error to tell.
    try connect()
  }

  /// Whether there is a terminal to work on; else what to do. `name` is the variable TERM.
  public static func problem(terminalName name: String?) -> String? {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      return
        "'score' wants a terminal for its keys and its screen; scripts take 'add-score', 'set' and 'watch'"
    }
    guard let name, !name.isEmpty, name != "dumb" else {
      return "'score' wants a terminal that can place its cursor; TERM is '\((name ?? "").printable)'"
    }
    return nil
  }

  /// Until somebody leaves it; the terminal is given back then.
  public func run() -> End {
    do throws(SystemError) {
      try begin()
      try loop.run()
    } catch { end = (.unreachable, "the terminal: \(error)") }
    terminal.leave()
    return end
  }

  private func begin() throws(SystemError) {
    try CrashGuard.install()
    timer = try LoopTimer(.monotonic, on: loop) { [weak self] _ in self?.timeWentBy() }
    signals = try SignalWatch(
      [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH], on: loop
    ) { [weak self] in self?.received($0.number) }
    terminal.typed = { [weak self] in self?.typed($0) }
    terminal.drained = { [weak self] in self?.draw() }
    terminal.lost = { [weak self] in self?.stop(.unreachable, "the terminal is gone") }
    try terminal.enter()
    changed()
  }

  func now() -> Int64 { SystemClock.monotonic.now.totalNanoseconds }

  private func stop(_ status: CommandExit, _ words: String? = nil) {
    guard !isEnding else { return }
    isEnding = true
    end = (status, words)
    loop.stop()
  }

  private func received(_ signal: Int32) {
    // A terminal that hangs up sends SIGCONT after SIGHUP.
    guard !isEnding else { return }
    switch signal {
    case SIGWINCH: redrawn()
    case SIGTSTP: suspend()
    case SIGCONT: resume()
    case SIGHUP: stop(.unreachable)
    default: stop(.success)
    }
  }

  private func suspend() {
    terminal.leave()
    kill(getpid(), SIGSTOP)
  }

  /// Back in the foreground; a shell that had stopped us may have set the terminal its own way.
  private func resume() {
    // `bg`: there is nothing to do without the terminal.
    if terminal.isOthers { return suspend() }
    do throws(SystemError) { try terminal.enter() } catch {
      return stop(.unreachable, "the terminal: \(error)")
    }
    keys.forget()
    decoder = TerminalKeyDecoder()
    redrawn()
  }

  /// All of it is to be drawn.
  private func redrawn() {
    shown = nil
    changed()
  }

  private func typed(_ bytes: [UInt8]) {
    let now = now()
    // A key that has waited long enough is not together with these.
    act(at: now)
    for key in decoder.keys(bytes, at: now) {
      switch key {
      case .control("z"): return suspend()
      case .control("l"): redrawn()
      default: keys.press(key, at: now)
      }
    }
    act(at: now)
    changed()
  }

  private func act(at now: Int64) {
    // A state that has not come yet since the connection was made is none to act upon.
    if let call = keys.elapsed(at: now, screen.trouble == nil ? screen.match : nil) { send(call, at: now) }
  }

  private func timeWentBy() {
    let now = now()
    act(at: now)
    if let first = unanswered.first, now >= first.at + Self.answerSeconds * 1_000_000_000 {
      disconnected(.timedOut(seconds: Int(Self.answerSeconds)))
    }
    if let retryAt, now >= retryAt { reconnect() }
    changed()
  }

  /// What is seen is not what there is: draws after this turn, once.
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
    let deadlines = [
      screen.nextChange(after: now), keys.deadline, retryAt,
      unanswered.first.map { $0.at + Self.answerSeconds * 1_000_000_000 },
    ]
    if let next = deadlines.compactMap({ $0 }).min() {
      timer?.arm(at: ClockTime(totalNanoseconds: next))
    } else {
      timer?.disarm()
    }
    guard terminal.isDrained else { return }
    let size = terminal.size
    let lines = screen.lines(columns: size.columns, rows: size.rows, at: now)
    let bytes = ScoreScreen.bytes(lines, over: shown, rows: size.rows, colors: colors)
    shown = lines
    if !bytes.isEmpty { terminal.send(bytes) }
  }
}
