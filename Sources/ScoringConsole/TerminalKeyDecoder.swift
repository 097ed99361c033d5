// SPDX-License-Identifier: Apache-2.0

/// Decodes the bytes of a terminal into keys (ECMA-48, xterm's and the Linux console's control sequences).
///
/// A sequence may be divided into any number of reads. A byte that is read within `escapeTime` after Escape
/// belongs to the same sequence, or to a key with Alt. Otherwise Escape is a key of its own: call `elapsed`
/// at `deadline`.
///
/// A link may be so slow that the rest of a sequence arrives later. So that an arrow, `ESC [ A`, is not read
/// as an A, `[` begins a sequence at any time after Escape; no key of the console is a bracket.
struct TerminalKeyDecoder: Sendable {
  /// Nanoseconds.
  static let escapeTime: Int64 = 50_000_000

  private enum State: Hashable {
    case ground
    /// Escape was read at this instant.
    case escape(Int64)
    /// Escape was reported as a key, and nothing was read since.
    case escapeReported
    /// `ESC [`, and the number of bytes since, counted up to 8.
    case control(count: Int)
    /// The number of missing bytes: one after `ESC O` and `ESC [ [`, three in an X10 mouse report.
    case rest(Int)
    /// An operating system command or another control string, until BEL or `ESC \`.
    case string(escaped: Bool)
    /// A bracketed paste, and the number of bytes of its end sequence that were read.
    case pasted(matched: Int)
    /// A character of several bytes: those that were read, and the number of missing ones.
    case character([UInt8], missing: Int)
  }

  private var state = State.ground
  private var parameters: [UInt8] = []

  private static let pasteBegin: [UInt8] = Array("200".utf8)
  private static let pasteEnd: [UInt8] = Array("\u{1b}[201~".utf8)

  /// The time at which `elapsed` must be called; nil if it need not be called before the next bytes.
  var deadline: Int64? {
    if case .escape(let since) = state { since + Self.escapeTime } else { nil }
  }

  /// Returns Escape, once, if nothing was read within `escapeTime` after it.
  mutating func elapsed(at now: Int64) -> TerminalKey? {
    guard let deadline, now >= deadline else { return nil }
    state = .escapeReported
    return .escape
  }

  /// Decodes `bytes`, which were read at the instant `now`, and returns the keys that they complete.
  mutating func keys(_ bytes: some Sequence<UInt8>, at now: Int64) -> [TerminalKey] {
    var keys: [TerminalKey] = []
    if let key = elapsed(at: now) { keys.append(key) }
    for byte in bytes {
      if let key = key(byte, at: now) { keys.append(key) }
    }
    return keys
  }

  private mutating func key(_ byte: UInt8, at now: Int64) -> TerminalKey? {
    switch state {
    case .ground: return plain(byte, at: now)
    case .escape: return afterEscape(byte, at: now)
    case .escapeReported:
      state = .ground
      return byte == UInt8(ascii: "[") ? afterEscape(byte, at: now) : plain(byte, at: now)
    case .control(let count): return inControl(byte, count: count, at: now)
    case .rest(let count):
      state = count > 1 ? .rest(count - 1) : .ground
      return count > 1 ? nil : .sequence
    case .string(let escaped):
      if byte == 0x07 || (escaped && byte == UInt8(ascii: "\\")) {
        state = .ground
        return .sequence
      }
      state = .string(escaped: byte == 0x1b)
      return nil
    case .pasted(let matched): return inPaste(byte, matched: matched)
    case .character(let bytes, let missing):
      return inCharacter(byte, bytes: bytes, missing: missing, at: now)
    }
  }

  private mutating func plain(_ byte: UInt8, at now: Int64) -> TerminalKey? {
    switch byte {
    case 0x1b:
      state = .escape(now)
      return nil
    case 0x0d, 0x0a: return .enter
    case 0x09: return .tab
    case 0x7f, 0x08: return .backspace
    case 0x01...0x1a: return .control(Character(Unicode.Scalar(byte + 0x60)))
    case 0x20...0x7e: return .character(Character(Unicode.Scalar(byte)))
    case 0xc2...0xdf: state = .character([byte], missing: 1)
    case 0xe0...0xef: state = .character([byte], missing: 2)
    case 0xf0...0xf4: state = .character([byte], missing: 3)
    default: return .garbage
    }
    return nil
  }

  private mutating func afterEscape(_ byte: UInt8, at now: Int64) -> TerminalKey? {
    switch byte {
    case UInt8(ascii: "["):
      state = .control(count: 0)
      parameters = []
    case UInt8(ascii: "O"): state = .rest(1)
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
      state = .string(escaped: false)
    case 0x1b:
      state = .escape(now)
      return .escape
    default:
      state = .ground
      return .sequence
    }
    return nil
  }

  private mutating func inControl(_ byte: UInt8, count: Int, at now: Int64) -> TerminalKey? {
    switch byte {
    case 0x1b:
      // The previous sequence is incomplete.
      state = .escape(now)
      return .sequence
    case UInt8(ascii: "[") where count == 0: state = .rest(1)
    case UInt8(ascii: "M") where count == 0: state = .rest(3)
    case 0x40...0x7e:
      if byte == UInt8(ascii: "~"), parameters == Self.pasteBegin {
        state = .pasted(matched: 0)
        return nil
      }
      state = .ground
      return .sequence
    default:
      if parameters.count < 8 { parameters.append(byte) }
      state = .control(count: min(count + 1, 8))
    }
    return nil
  }

  private mutating func inPaste(_ byte: UInt8, matched: Int) -> TerminalKey? {
    var matched = byte == Self.pasteEnd[matched] ? matched + 1 : byte == 0x1b ? 1 : 0
    if matched == Self.pasteEnd.count {
      matched = 0
      state = .ground
      return .paste
    }
    state = .pasted(matched: matched)
    return nil
  }

  private mutating func inCharacter(
    _ byte: UInt8, bytes: [UInt8], missing: Int, at now: Int64
  ) -> TerminalKey? {
    guard (0x80...0xbf).contains(byte) else {
      state = .ground
      // The byte is not read as a key of its own, because a terminal sends whole characters.
      return .garbage
    }
    guard missing == 1 else {
      state = .character(bytes + [byte], missing: missing - 1)
      return nil
    }
    state = .ground
    let text = String(decoding: bytes + [byte], as: UTF8.self)
    guard let character = text.first, text.count == 1, character != "\u{fffd}" else { return .garbage }
    return .character(character)
  }
}

/// A key press on a terminal, as far as its bytes identify it.
enum TerminalKey: Hashable, Sendable {
  /// A key that produces one character.
  case character(Character)
  case enter
  case tab
  case backspace
  case escape
  /// Ctrl and a letter, which is in lower case.
  case control(Character)
  /// An arrow, a function key, a key with Alt, the mouse: anything that a terminal sends as an escape
  /// sequence.
  case sequence
  /// A bracketed paste.
  case paste
  /// Bytes that are not text.
  case garbage
}
