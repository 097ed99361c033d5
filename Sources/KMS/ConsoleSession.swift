// SPDX-License-Identifier: Apache-2.0

import CDRM
import Glibc
import LinuxSystem

/// The virtual terminal that the display shares with text consoles and other programs.
protocol ConsoleControl: AnyObject {
  /// Takes the terminal that was assigned to the process as standard input. Returns false if there is none.
  func takeAssigned(_ handler: @escaping (ConsoleEvent) -> Void) -> Bool
  /// Takes the active terminal, if the process may. Call it only after becoming DRM master; otherwise the
  /// terminal might belong to another program.
  func takeFront(_ handler: @escaping (ConsoleEvent) -> Void)
  /// Whether our terminal is the active one.
  var isInFront: Bool { get }
  /// Allows the pending switch to another terminal, in response to `leaving`.
  func allowSwitch()
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
/// Without a terminal (container, no permission, serial console) every call does nothing.
final class ConsoleSession: ConsoleControl {
  private let loop: EventLoop
  private let log: Log
  private var terminal: Int32 = -1
  private var number: Int32?
  /// Whether this object opened the terminal and must close it; otherwise it is standard input.
  private var isOwned = false
  private var keyboardMode: Int32?
  private var signals: SignalWatch?
  private(set) var isInFront = true
  private var hasTriedFront = false

  init(on loop: EventLoop, log: Log) {
    self.loop = loop
    self.log = log
  }

  deinit { giveBack() }

  func takeAssigned(_ handler: @escaping (ConsoleEvent) -> Void) -> Bool {
    let number = cdrm_console_number(STDIN_FILENO)
    guard terminal < 0, number > 0 else { return false }
    terminal = STDIN_FILENO
    isOwned = false
    guard enter(number, handler) else { return false }
    if let front = Self.front(STDIN_FILENO), front != number {
      // Does not wait for the switch, because the active program may refuse it. The kernel's signal reports its
      // completion.
      isInFront = false
      _ = set(VT_ACTIVATE, number)
    }
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

  func allowSwitch() {
    isInFront = false
    if terminal >= 0 { _ = set(VT_RELDISP, 1) }
  }

  func giveBack() {
    hasTriedFront = false
    guard terminal >= 0 else { return }
    // Discard what was typed in the meantime, so that a shell does not run it.
    tcflush(terminal, TCIFLUSH)
    if let keyboardMode { _ = set(KDSKBMODE, keyboardMode) }
    _ = set(KDSETMODE, KD_TEXT)
    var mode = vt_mode()
    mode.mode = CChar(VT_AUTO)
    _ = withUnsafeMutablePointer(to: &mode) { exchange(VT_SETMODE, $0) }
    CrashGuard.clearConsole()
    signals?.cancel()
    signals = nil
    close()
  }

  /// Sets graphics mode, turns the keyboard off and requests signals for switches. If the terminal refuses
  /// graphics mode, undoes everything and returns false.
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
    // If the keyboard is already off, an earlier run was killed before it restored the mode; restore Unicode mode
    // then.
    let keyboard = known && saved != Self.keyboardOff ? saved : Int32(K_UNICODE)
    CrashGuard.setConsole(fd: terminal, keyboardMode: keyboard)
    if !isRunFromShell {
      if set(KDSKBMODE, Self.keyboardOff) == 0 { keyboardMode = keyboard }
    }
    isInFront = true
    do throws(SystemError) {
      signals = try SignalWatch([SIGUSR1, SIGUSR2], on: loop) { [weak self] signal in
        self?.received(signal, handler)
      }
      var mode = vt_mode()
      mode.mode = CChar(VT_PROCESS)
      mode.relsig = Int16(SIGUSR1)
      mode.acqsig = Int16(SIGUSR2)
      if withUnsafeMutablePointer(to: &mode, { exchange(VT_SETMODE, $0) }) != 0 {
        throw SystemError("VT_SETMODE", name)
      }
    } catch {
      // The picture is correct without the signals, but a switch to another terminal would not be noticed in time.
      log.debug("\(error); switching terminals will disturb the picture")
      signals = nil
    }
    log.debug("\(name) is in graphics mode")
    return true
  }

  /// Other processes can send these signals too. A signal is ignored if it contradicts the number of the active
  /// terminal.
  private func received(_ signal: SignalWatch.Signal, _ handler: (ConsoleEvent) -> Void) {
    let isFront = number.flatMap { number in Self.front(terminal).map { $0 == number } }
    if signal.number == SIGUSR1 {
      guard signal.isFromKernel || isFront == false else { return ignored("SIGUSR1") }
      handler(.leaving)
    } else {
      guard signal.isFromKernel || isFront == true && !isInFront else { return ignored("SIGUSR2") }
      isInFront = true
      _ = set(VT_RELDISP, VT_ACKACQ)
      handler(.back)
    }
  }

  private func ignored(_ signal: String) {
    log.info("ignored \(signal) from another program: no virtual terminal switch is in progress")
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

extension ConsoleSession {
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
