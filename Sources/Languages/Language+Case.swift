// SPDX-License-Identifier: Apache-2.0

extension Language {
  /// A text in capitals, by the rules of the language. Text in a script without capitals is unchanged.
  ///
  /// Beyond Unicode's default mapping (`SpecialCasing.txt` of the Unicode Character Database): Turkish and
  /// Azerbaijani distinguish I and İ; Lithuanian drops the dot that it writes above an i with an accent;
  /// Greek drops the tonos and keeps the dialytika; Armenian writes ԵՎ for և. Georgian has capitals in
  /// Unicode, but in no ordinary text and in few fonts, so it stays as it is.
  package func uppercased(_ text: String) -> String {
    // The most frequent case.
    if text.utf8.allSatisfy({ $0 < 0x80 }), !["tr", "az"].contains(tag.language) { return text.uppercased() }
    switch tag.language {
    case "tr", "az": return Self.turkish(text)
    case "lt": return Self.lithuanian(text)
    case "el": return Self.greek(text)
    default: return Self.plain(text, isArmenian: tag.language == "hy")
    }
  }

  /// The text with its first letter as a capital.
  package func capitalized(_ text: String) -> String {
    guard let first = text.first else { return text }
    // The Dutch digraph gets two capitals.
    if tag.language == "nl", text.hasPrefix("ij") { return "IJ" + text.dropFirst(2) }
    switch tag.language {
    // Greek keeps the tonos of the first letter.
    case "el": return String(first).uppercased() + text.dropFirst()
    default: return uppercased(String(first)) + text.dropFirst()
    }
  }

  private static func plain(_ text: String, isArmenian: Bool = false) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      // Georgian: Mkhedruli.
      case 0x10d0...0x10ff: result.append(scalar)
      case 0x0587 where isArmenian: result.append(contentsOf: "ԵՎ".unicodeScalars)
      default: result.append(contentsOf: scalar.properties.uppercaseMapping.unicodeScalars)
      }
    }
    return String(result)
  }

  private static func turkish(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar == "i" { result.append("İ") } else { result += scalar.properties.uppercaseMapping }
    }
    return result
  }

  /// Removes the dot above (U+0307) after a letter that has one of its own, unless another mark above is
  /// between them.
  private static func lithuanian(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var isAfterSoftDotted = false
    for scalar in text.unicodeScalars {
      if scalar.value == 0x307, isAfterSoftDotted { continue }
      if scalar.properties.canonicalCombiningClass == .notReordered {
        isAfterSoftDotted = scalar.properties.isSoftDotted
      } else if scalar.properties.canonicalCombiningClass == .above {
        isAfterSoftDotted = false
      }
      result.append(contentsOf: scalar.properties.uppercaseMapping.unicodeScalars)
    }
    return String(result)
  }

  // MARK: Greek

  /// Drops the accents of capitals, as ICU does. An ι or υ after a vowel that loses its accent gets a
  /// dialytika, because without the accent the two would be read as a diphthong: μάιος is ΜΑΪΟΣ. The word ή
  /// (or) keeps its accent to differ from Η (the).
  private static func greek(_ text: String) -> String {
    let letters = Array(text)
    var result = ""
    var hasLostAccent = false
    for (index, letter) in letters.enumerated() {
      guard let (base, accent, dialytika) = greekParts(letter) else {
        result += plain(String(letter))
        hasLostAccent = false
        continue
      }
      let isWord =
        (index == 0 || !letters[index - 1].isLetter)
        && (index + 1 == letters.count || !letters[index + 1].isLetter)
      if base == "Η", accent, isWord {
        result.append("Ή")
      } else if base == "Ι", dialytika || hasLostAccent {
        result.append("Ϊ")
      } else if base == "Υ", dialytika || hasLostAccent {
        result.append("Ϋ")
      } else {
        result.append(base)
      }
      hasLostAccent = accent && "ΑΕΗΟΩ".contains(base)
    }
    return result
  }

  /// The capital of a Greek letter without marks, and whether the letter has an accent and a dialytika; nil
  /// for other characters.
  private static func greekParts(_ letter: Character) -> (base: Character, accent: Bool, dialytika: Bool)? {
    var scalars = letter.unicodeScalars.makeIterator()
    guard let first = scalars.next() else { return nil }
    var accent = false
    var dialytika = false
    while let mark = scalars.next() {
      switch mark.value {
      case 0x300, 0x301, 0x342: accent = true
      case 0x308: dialytika = true
      default: return nil
      }
    }
    let base: Character
    switch first.value {
    case 0x386, 0x3ac: (base, accent) = ("Α", true)
    case 0x388, 0x3ad: (base, accent) = ("Ε", true)
    case 0x389, 0x3ae: (base, accent) = ("Η", true)
    case 0x38a, 0x3af: (base, accent) = ("Ι", true)
    case 0x38c, 0x3cc: (base, accent) = ("Ο", true)
    case 0x38e, 0x3cd: (base, accent) = ("Υ", true)
    case 0x38f, 0x3ce: (base, accent) = ("Ω", true)
    case 0x390: (base, accent, dialytika) = ("Ι", true, true)
    case 0x3b0: (base, accent, dialytika) = ("Υ", true, true)
    case 0x3aa, 0x3ca: (base, dialytika) = ("Ι", true)
    case 0x3ab, 0x3cb: (base, dialytika) = ("Υ", true)
    case 0x391...0x3a9, 0x3b1...0x3c9:
      guard let capital = first.properties.uppercaseMapping.first else { return nil }
      base = capital
    default: return nil
    }
    return (base, accent, dialytika)
  }
}
