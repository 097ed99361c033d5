// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// The kernel's side of a virtual terminal whose switches a process confirms (VT_PROCESS of ioctl_vt(2)).
protocol VirtualTerminal: AnyObject {
  /// Whether the terminal is the active one; nil if the kernel does not report it. The corresponding request
  /// is VT_GETSTATE.
  var isActive: Bool? { get }
  /// Allows the pending switch to another terminal; the terminal is no longer active afterwards. Returns
  /// false if no switch is pending. The corresponding request is VT_RELDISP with 1.
  func release() -> Bool
}

/// Reports that the terminal has to be left and that it is back, as `TerminalSwitching` decides. While
/// another terminal is active, it also asks the kernel at intervals whether it still is.
///
/// VT_ACKACQ is never used: the kernel does not need it, and if a switch is pending it counts as permission.
final class TerminalSwitcher {
  private var switching: TerminalSwitching
  private unowned let terminal: any VirtualTerminal
  private let loop: EventLoop
  private let handler: (ConsoleEvent) -> Void
  private let timer: LoopTimer
  private let interval: Int64

  /// The time between two checks while another terminal is active, in nanoseconds.
  static let defaultInterval: Int64 = 2_000_000_000

  /// Fails if the timer cannot be created.
  ///
  /// - Parameter terminal: must outlive this object.
  init(
    _ terminal: any VirtualTerminal, isInFront: Bool, interval: Int64 = defaultInterval, on loop: EventLoop,
    handler: @escaping (ConsoleEvent) -> Void
  ) throws(SystemError) {
    switching = TerminalSwitching(isInFront: isInFront)
    self.terminal = terminal
    self.loop = loop
    self.handler = handler
    self.interval = interval
    timer = try LoopTimer(.monotonic, on: loop)
    timer.handler = { [weak self] _ in self?.handle(.check) }
    armTimer()
  }

  deinit { timer.cancel() }

  var isInFront: Bool { switching.isInFront }

  /// The time of the next check; nil while our terminal is active.
  var nextCheck: ClockTime? { timer.deadline }

  func handle(_ event: TerminalSwitching.Event) {
    perform(switching.handle(event, isActive: terminal.isActive))
    armTimer()
  }

  /// Allows the pending switch, in response to `leaving`. If none was pending, because another program has
  /// sent the signal, `back` follows.
  ///
  /// - Returns: whether another terminal is active now.
  func allowSwitch() -> Bool {
    switching.released()
    let isAway = terminal.release() || terminal.isActive != true
    armTimer()
    loop.defer { [weak self] in
      guard let self, !self.isInFront else { return }
      self.handle(.check)
    }
    return isAway
  }

  private func perform(_ action: TerminalSwitching.Action?) {
    switch action {
    case .leave: handler(.leaving)
    case .release: perform(switching.triedToRelease(terminal.release()))
    case .resume: handler(.back)
    case nil: break
    }
  }

  private func armTimer() {
    if switching.isInFront { timer.disarm() } else { timer.arm(inNanoseconds: interval) }
  }
}
