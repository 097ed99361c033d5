// SPDX-License-Identifier: Apache-2.0

/// The virtual terminal that the display shares with text consoles and other programs.
protocol ConsoleControl: AnyObject {
  /// Takes the terminal that was assigned to the process (its standard input). False: there is none.
  func takeAssigned(_ handler: @escaping (ConsoleEvent) -> Void) -> Bool
  /// Takes the terminal in front, if the process may; only once it is master of the display, or it
  /// might be another program's.
  func takeFront(_ handler: @escaping (ConsoleEvent) -> Void)
  /// False while another terminal is in front.
  var isInFront: Bool { get }
  /// Lets the kernel switch away, in answer to `leaving`.
  func left()
  /// Text, keyboard and switching as they were. Harmless when nothing was taken.
  func giveBack()
}

enum ConsoleEvent: Sendable {
  /// Another terminal wants to be in front; the kernel waits for `left()`.
  case leaving
  /// We are in front again.
  case back
}
