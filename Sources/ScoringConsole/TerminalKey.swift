// SPDX-License-Identifier: Apache-2.0

/// A key press on a terminal, as far as its bytes show it.
enum TerminalKey: Hashable, Sendable {
  /// A key that produces one character.
  case character(Character)
  case enter
  case tab
  case backspace
  /// Escape by itself.
  case escape
  /// Ctrl and a letter, which is in lower case.
  case control(Character)
  /// An arrow, a function key, a key with Alt, the mouse: anything that a terminal sends as an escape sequence.
  case sequence
  /// A bracketed paste.
  case paste
  /// Bytes that are not text.
  case garbage
}
