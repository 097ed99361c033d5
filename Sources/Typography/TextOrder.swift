// SPDX-License-Identifier: Apache-2.0

import CRaqm
import CUnibreak

/// Where a line of text may end, and in which order its characters are shown.
package enum TextOrder {
  /// For each character, whether a line may end after it (UAX #14). There are no dictionaries, so between
  /// Thai words, for example, no place is found. False for the last one. The corresponding C function is
  /// `set_linebreaks_utf32`.
  package static func lineBreaks(_ text: [Character]) -> [Bool] {
    let scalars = text.flatMap(\.unicodeScalars).map { known($0.value) }
    guard !scalars.isEmpty else { return [] }
    _ = isPrepared
    var breaks = [CChar](repeating: 0, count: scalars.count)
    set_linebreaks_utf32(scalars, scalars.count, nil, &breaks)
    var end = 0
    return text.enumerated().map { index, character in
      end += character.unicodeScalars.count
      // A break at a soft hyphen would need a visible hyphen.
      return index + 1 < text.count && breaks[end - 1] != LINEBREAK_NOBREAK && character != "\u{ad}"
    }
  }

  private static let isPrepared: Void = init_linebreak()

  /// The scalar, or an ideograph instead of one that makes libunibreak 1.1 (Debian 12) stop the process:
  /// regional indicators, of which flags are composed, and U+FFFF.
  private static func known(_ scalar: UInt32) -> UInt32 {
    scalar == 0xffff || (0x1_f1e6...0x1_f1ff).contains(scalar) ? 0x4e00 : scalar
  }

  /// The letters of a line in the order in which they are shown, from left to right, with mirrored brackets
  /// in right-to-left text (UAX #9), and Arabic letters in the forms that join their neighbours. Lam and alef
  /// are one letter. The direction of the line is that of its first letter. The corresponding C function is
  /// `fribidi_log2vis`.
  package static func visual<Letter>(
    _ line: [Letter], _ character: WritableKeyPath<Letter, Character>
  ) -> [Letter] {
    let scalars = line.flatMap { $0[keyPath: character].unicodeScalars.map(\.value) }
    // No character below U+0590, where Hebrew begins, is written from right to left.
    guard scalars.contains(where: { $0 >= 0x590 }), let count = Int32(exactly: scalars.count) else {
      return line
    }
    var shown = [UInt32](repeating: 0, count: scalars.count + 1)
    var positions = [FriBidiStrIndex](repeating: 0, count: scalars.count)
    guard flipclock_visual_order(scalars, count, &shown, &positions) != 0 else { return line }
    var start = 0
    var placed: [(position: Int, letter: Letter)] = []
    for var letter in line {
      let position = Int(positions[start])
      let own = letter[keyPath: character].unicodeScalars
      start += own.count
      guard let form = Unicode.Scalar(shown[position]), form != own.first else {
        placed.append((position, letter))
        continue
      }
      // The place of a lam whose alef has become the sign for both.
      if form == "\u{feff}" { continue }
      let text = String(String.UnicodeScalarView([form] + own.dropFirst()))
      if text.count == 1 { letter[keyPath: character] = Character(text) }
      placed.append((position, letter))
    }
    return placed.sorted { $0.position < $1.position }.map(\.letter)
  }
}
