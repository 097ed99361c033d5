// SPDX-License-Identifier: Apache-2.0

import CDRM
import Glibc
import LinuxSystem

/// The virtual terminal that the display shares with text consoles and other programs.
protocol ConsoleControl: AnyObject {
  /// Takes the terminal that was assigned to the process as standard input. Returns false if there is none,
  /// or if it refuses graphics mode.
  func takeAssigned(_ handler: @escaping (ConsoleEvent) -> Void) -> Bool
  /// Takes the active terminal, if the process may open it. Call it only after becoming DRM master; otherwise
  /// the terminal might belong to another program.
  func takeFront(_ handler: @escaping (ConsoleEvent) -> Void)
  /// Whether our terminal is the active one; true if no terminal was taken.
  var isInFront: Bool { get }
  /// Allows the pending switch to another terminal, in response to `leaving`. Returns whether another one is
  /// active now.
  func allowSwitch() -> Bool
  /// Restores text mode, keyboard and switching. Does nothing if no terminal was taken.
  func giveBack()
}

enum ConsoleEvent: Sendable {
  /// A switch to another terminal was requested; the kernel waits for `allowSwitch()`.
  case leaving
  /// Our terminal is active again.
  case back
}

/// A virtual terminal in graphics mode: no cursor, no kernel messages, no keystrokes to a shell. The kernel
/// asks this process before it switches terminals (ioctl_console(2), ioctl_vt(2)).
///
/// The kernel acts on Ctrl-Alt-F2, Ctrl-Alt-Del and other such keys only while the keyboard is translated
/// (K_XLATE, K_UNICODE). If the terminal is standard input, the keyboard therefore stays translated: the
/// terminal is raw and without echo, and what is typed is discarded as it arrives. On a terminal that this
/// object opened itself, a login prompt or a shell may be reading, so the keyboard is off (K_OFF).
///
/// Without a terminal (container, no permission, serial console) every call does nothing.
final class ConsoleSession: ConsoleControl {
  private let loop: EventLoop
  private let log: Log
  private var terminal: Int32 = -1
  private var number: Int32?
  /// Whether this object opened the terminal and must close it; otherwise it is standard input.
  private var isOwned = false
  /// The keyboard mode to restore; nil if the keyboard was not switched off.
  private var keyboardMode: Int32?
  /// The raw mode of standard input, and the watch that discards what is typed; nil if its input is left
  /// alone.
  private var typing: (mode: TerminalMode, watch: EventLoop.Watch)?
  private var signals: SignalWatch?
  private var switcher: TerminalSwitcher?
  private var hasTriedFront = false

  init(on loop: EventLoop, log: Log) {
    self.loop = loop
    self.log = log
  }

  deinit { giveBack() }

  var isInFront: Bool { switcher?.isInFront ?? true }

  func takeAssigned(_ handler: @escaping (ConsoleEvent) -> Void) -> Bool {
    let number = cdrm_console_number(STDIN_FILENO)
    guard terminal < 0, number > 0 else { return false }
    terminal = STDIN_FILENO
    isOwned = false
    guard enter(number, handler) else { return false }
    // Does not wait for the switch, because the active program may refuse it. The kernel's signal reports its
    // completion.
    if isActive == false { _ = set(VT_ACTIVATE, number) }
    return true
  }

  func takeFront(_ handler: @escaping (ConsoleEvent) -> Void) {
    guard terminal < 0, !hasTriedFront else { return }
    hasTriedFront = true
    let any = open("/dev/tty0", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard any >= 0 else { return log.debug("no virtual terminal: /dev/tty0: \(Errno.current)") }
    let front = Self.front(any)
    _ = Glibc.close(any)
    guard let front else { return log.debug("no virtual terminal: /dev/tty0 reports no active one") }
    let path = "/dev/tty\(front)"
    let descriptor = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { return log.debug("no virtual terminal: \(path): \(Errno.current)") }
    terminal = descriptor
    isOwned = true
    _ = enter(front, handler)
  }

  func allowSwitch() -> Bool { switcher?.allowSwitch() ?? (isActive != true) }

  func giveBack() {
    hasTriedFront = false
    guard terminal >= 0 else { return }
    // What was typed in the meantime is discarded, so that a shell does not run it.
    typing?.watch.cancel()
    typing?.mode.restore()
    typing = nil
    if isOwned { tcflush(terminal, TCIFLUSH) }
    if let keyboardMode { _ = set(KDSKBMODE, keyboardMode) }
    _ = set(KDSETMODE, KD_TEXT)
    var mode = vt_mode()
    mode.mode = CChar(VT_AUTO)
    _ = withUnsafeMutablePointer(to: &mode) { exchange(VT_SETMODE, $0) }
    CrashGuard.clearConsole()
    signals?.cancel()
    signals = nil
    switcher = nil
    close()
  }

  /// Sets graphics mode, keeps keystrokes from shells and requests signals for switches. If the terminal
  /// refuses graphics mode, undoes everything and returns false.
  private func enter(_ number: Int32, _ handler: @escaping (ConsoleEvent) -> Void) -> Bool {
    self.number = number
    let name = "tty\(number)"
    var saved: Int32 = 0
    let known = withUnsafeMutablePointer(to: &saved) { exchange(KDGKBMODE, $0) } == 0
    guard set(KDSETMODE, KD_GRAPHICS) == 0 else {
      log.debug("no virtual terminal: \(name): KDSETMODE: \(Errno.current)")
      close()
      return false
    }
    // Any other mode was left behind by a program that was killed before it restored the keyboard.
    let isTranslated = known && [Int32(K_UNICODE), Int32(K_XLATE)].contains(saved)
    let keyboard = isTranslated ? saved : Int32(K_UNICODE)
    discardTyping()
    CrashGuard.setConsole(fd: terminal, keyboardMode: keyboard, attributes: typing?.mode.saved)
    if typing == nil, !isRunFromShell {
      if set(KDSKBMODE, Self.keyboardOff) == 0 { keyboardMode = keyboard }
    } else if known, !isTranslated {
      _ = set(KDSKBMODE, keyboard)
    }
    do throws(SystemError) {
      let switcher = try TerminalSwitcher(
        self, isInFront: isActive ?? true, on: loop, handler: handler)
      signals = try SignalWatch([SIGUSR1, SIGUSR2], on: loop) { [weak switcher] signal in
        switcher?.handle(signal.number == SIGUSR1 ? .releaseSignal : .acquireSignal)
      }
      var mode = vt_mode()
      mode.mode = CChar(VT_PROCESS)
      mode.relsig = Int16(SIGUSR1)
      mode.acqsig = Int16(SIGUSR2)
      if withUnsafeMutablePointer(to: &mode, { exchange(VT_SETMODE, $0) }) != 0 {
        throw SystemError("VT_SETMODE", name)
      }
      self.switcher = switcher
    } catch {
      // The picture is correct without the signals, but a switch to another terminal would not be noticed in
      // time.
      log.debug("\(error); switching terminals will disturb the picture")
      signals = nil
    }
    log.debug("\(name) is in graphics mode")
    return true
  }

  /// Makes standard input raw and discards what is typed. Does nothing on a terminal that this object opened,
  /// and in a background job, which may not change its terminal.
  private func discardTyping() {
    guard !isOwned else { return }
    do throws(SystemError) {
      // Without a shell Ctrl-C must not stop the daemon.
      let mode = try TerminalMode(fileDescriptor: terminal, sendsSignals: isRunFromShell)
      let watch = try loop.watch(terminal, for: .readable) { [weak self] readiness in
        guard let self else { return }
        guard readiness.isDisjoint(with: [.hangup, .failed]), TerminalMode.isForeground(self.terminal) else {
          self.typing?.watch.cancel()
          return
        }
        tcflush(self.terminal, TCIFLUSH)
      }
      typing = (mode, watch)
    } catch {
      log.debug("\(error); the terminal's input is left alone")
    }
  }

  /// Whether the process was started by hand on this terminal. Then Ctrl-C must work, because a shell is
  /// waiting.
  private var isRunFromShell: Bool { !isOwned && getsid(0) != getpid() }

  private func close() {
    if isOwned, terminal >= 0 { _ = Glibc.close(terminal) }
    terminal = -1
    number = nil
    keyboardMode = nil
  }

  private func set(_ request: Int32, _ value: Int32) -> Int32 {
    cdrm_console_set(terminal, UInt(request), UInt(value))
  }

  private func exchange<Value>(_ request: Int32, _ value: UnsafeMutablePointer<Value>) -> Int32 {
    cdrm_console_exchange(terminal, UInt(request), value)
  }
}

extension ConsoleSession: VirtualTerminal {
  var isActive: Bool? { number.flatMap { number in Self.front(terminal).map { $0 == number } } }

  func release() -> Bool { set(VT_RELDISP, 1) == 0 }

  /// K_OFF of <linux/kd.h>: the keyboard driver passes on no input at all.
  static var keyboardOff: Int32 { Int32(K_OFF) }

  /// The number of the active terminal, from VT_GETSTATE.
  static func front(_ descriptor: Int32) -> Int32? {
    var state = vt_stat()
    let result = withUnsafeMutablePointer(to: &state) {
      cdrm_console_exchange(descriptor, UInt(VT_GETSTATE), $0)
    }
    return result == 0 ? Int32(state.v_active) : nil
  }
}
