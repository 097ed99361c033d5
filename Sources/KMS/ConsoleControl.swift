// SPDX-License-Identifier: Apache-2.0

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
