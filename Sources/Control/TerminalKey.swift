// SPDX-License-Identifier: Apache-2.0

/// What somebody did to the keyboard of a terminal, as far as its bytes tell.
public enum TerminalKey: Hashable, Sendable {
  /// A key that writes one character.
  case character(Character)
  case enter
  case tab
  case backspace
  /// Escape by itself.
  case escape
  /// Ctrl and a letter, in lower case.
  case control(Character)
  /// An arrow, a function key, a key with Alt, a mouse: whatever a terminal sends as a sequence.
  case sequence
  /// Text from the clipboard, in its brackets.
  case paste
  /// Bytes that are no text.
  case garbage
}
