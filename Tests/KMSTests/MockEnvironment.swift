// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

@testable import KMS

final class MockHotplug: HotplugSource {
  /// Reports an event that names no card.
  var handler: (() -> Void)?
  private(set) var cardHandler: ((Set<String>?) -> Void)?
  /// Whether hotplug events are not available, as in a container.
  var fails = false

  func start(on loop: EventLoop, handler: @escaping (Set<String>?) -> Void) throws(SystemError) {
    if fails { throw SystemError("socket", errno: Errno(rawValue: EAFNOSUPPORT)) }
    self.handler = { handler(nil) }
    cardHandler = handler
  }

  func stop() { (handler, cardHandler) = (nil, nil) }
}

/// A virtual terminal as the kernel keeps it (vt_ioctl.c): the active terminal, a switch that waits for
/// permission, and the signals that are pending for this process. Terminal 1 belongs to this process, the
/// others to no process.
final class MockTerminal: VirtualTerminal {
  static let own = 1
  private(set) var active: Int
  /// The terminal to which the kernel switches when this process allows it.
  private(set) var requested: Int?
  /// Pending signals. A signal that is already pending is not queued again.
  private(set) var pending: Set<TerminalSwitching.Event> = []

  init(active: Int = own) { self.active = active }

  var isActive: Bool? { active == Self.own }

  /// Requests a switch, as chvt(1) and Ctrl-Alt-Fn do.
  func requestSwitch(to number: Int) {
    guard number != active else { return }
    if active == Self.own {
      requested = number
      send(.releaseSignal)
    } else {
      active = number
      if number == Self.own { send(.acquireSignal) }
    }
  }

  /// Queues a signal, from the kernel or from another process; the receiver cannot distinguish them.
  func send(_ signal: TerminalSwitching.Event) { pending.insert(signal) }

  /// Returns the next pending signal, the lowest number first, as signalfd(2) does.
  func takeSignal() -> TerminalSwitching.Event? {
    for signal in [TerminalSwitching.Event.releaseSignal, .acquireSignal]
    where pending.remove(signal) != nil {
      return signal
    }
    return nil
  }

  func release() -> Bool {
    guard let requested else { return false }
    self.requested = nil
    active = requested
    return true
  }
}

/// A console whose `handler` is called by the tests, or after `useTerminal` according to a `MockTerminal`.
final class MockConsole: ConsoleControl {
  var isAssigned = false
  var handler: ((ConsoleEvent) -> Void)?
  private(set) var calls: [String] = []
  private(set) var terminal: MockTerminal?
  private var switcher: TerminalSwitcher?
  private var isInFrontByHand = true

  var isInFront: Bool {
    get { switcher?.isInFront ?? isInFrontByHand }
    set { isInFrontByHand = newValue }
  }

  /// - Parameter interval: nanoseconds between the checks while another terminal is active.
  func useTerminal(_ terminal: MockTerminal, interval: Int64, on loop: EventLoop) throws {
    isAssigned = true
    self.terminal = terminal
    switcher = try TerminalSwitcher(
      terminal, isInFront: terminal.isActive ?? true, interval: interval, on: loop
    ) { [weak self] in self?.handler?($0) }
  }

  /// Delivers one pending signal.
  func deliverSignal() {
    if let signal = terminal?.takeSignal() { switcher?.handle(signal) }
  }

  func takeAssigned(_ handler: @escaping (ConsoleEvent) -> Void) -> Bool {
    if isAssigned { self.handler = handler }
    return isAssigned
  }
  func takeFront(_ handler: @escaping (ConsoleEvent) -> Void) {
    if self.handler == nil { self.handler = handler }
  }
  func allowSwitch() -> Bool {
    calls.append("left")
    return switcher?.allowSwitch() ?? true
  }
  func giveBack() {
    calls.append("give back")
    switcher = nil
  }
}
