// SPDX-License-Identifier: Apache-2.0

/// The colours that a terminal supports.
package enum TerminalColors: Sendable {
  /// Colours of 24 bits (`38;2;r;g;b`).
  case truecolor
  /// xterm's 256 colours: a cube of 6×6×6 and 24 greys (`38;5;n`).
  case indexed

  /// Detects the colours from TERM and COLORTERM; ssh forwards TERM but usually not COLORTERM.
  package static func detected(environment: (String) -> String?) -> TerminalColors {
    if let depth = environment("COLORTERM"), depth == "truecolor" || depth == "24bit" { return .truecolor }
    guard let terminal = environment("TERM") else { return .indexed }
    return ["-direct", "-truecolor", "xterm-kitty", "xterm-ghostty", "alacritty", "foot"].contains {
      terminal == $0 || terminal.hasSuffix($0)
    } ? .truecolor : .indexed
  }

  /// Returns the code for a colour: `0xRRGGBB`, or the number of the nearest colour of the cube and the
  /// greys.
  func code(red: UInt32, green: UInt32, blue: UInt32) -> UInt32 {
    switch self {
    case .truecolor: return red << 16 | green << 8 | blue
    case .indexed:
      let (r, g, b) = (Self.cubeStep(red), Self.cubeStep(green), Self.cubeStep(blue))
      // The grey levels are 8, 18 … 238.
      let mean = (red + green + blue) / 3
      let grey = mean < 4 ? 0 : min((mean - 3) / 10, 23)
      let cube = Self.distance((red, green, blue), (Self.levels[r], Self.levels[g], Self.levels[b]))
      let level = 8 + 10 * grey
      if Self.distance((red, green, blue), (level, level, level)) < cube { return 232 + grey }
      return 16 + UInt32(36 * r + 6 * g + b)
    }
  }

  private static let levels: [UInt32] = [0, 95, 135, 175, 215, 255]

  /// Returns the index of the nearest level of the cube.
  private static func cubeStep(_ value: UInt32) -> Int {
    value < 48 ? 0 : value < 115 ? 1 : min(Int(value - 35) / 40, 5)
  }

  private static func distance(_ a: (UInt32, UInt32, UInt32), _ b: (UInt32, UInt32, UInt32)) -> Int {
    let d = (Int(a.0) - Int(b.0), Int(a.1) - Int(b.1), Int(a.2) - Int(b.2))
    return d.0 * d.0 + d.1 * d.1 + d.2 * d.2
  }

  /// Appends the parameters that select `code`: `base` is 38 for the foreground, 48 for the background.
  func append(_ code: UInt32, base: Int, to bytes: inout [UInt8]) {
    bytes.append(decimal: base)
    switch self {
    case .truecolor:
      bytes += ";2".utf8
      for shift: UInt32 in [16, 8, 0] {
        bytes.append(UInt8(ascii: ";"))
        bytes.append(decimal: Int(code >> shift & 0xff))
      }
    case .indexed:
      bytes += ";5;".utf8
      bytes.append(decimal: Int(code))
    }
  }
}

extension [UInt8] {
  /// Appends the decimal digits of `number`, which must not be negative, without allocating a string.
  mutating func append(decimal number: Int) {
    if number >= 10 { append(decimal: number / 10) }
    append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number % 10))
  }
}
