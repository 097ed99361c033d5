// SPDX-License-Identifier: Apache-2.0

/// Maps characters to precomposed letters by canonical equivalence, which is how `Character` compares: "e" +
/// U+0301 finds "é". The built-in outlines, and fonts that cannot place the marks themselves, have glyphs for
/// the precomposed letters.
enum ComposedCharacters {
  /// Latin-1 to Latin Extended-B, Greek, the first part of Cyrillic, Latin Extended Additional and Greek
  /// Extended.
  private static let ranges: [ClosedRange<UInt32>] = [0xc0...0x24f, 0x370...0x45f, 0x1e00...0x1fff]

  private static let letters: [Character: Unicode.Scalar] = {
    var letters: [Character: Unicode.Scalar] = [:]
    for range in ranges {
      for value in range {
        guard let scalar = Unicode.Scalar(value) else { continue }
        let letter = Character(scalar)
        if letters[letter] == nil { letters[letter] = scalar }
      }
    }
    return letters
  }()

  /// The single scalar that is canonically equivalent to `character`; nil if there is none in `ranges`.
  static func scalar(for character: Character) -> Unicode.Scalar? { letters[character] }
}
