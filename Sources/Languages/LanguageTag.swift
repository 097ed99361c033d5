// SPDX-License-Identifier: Apache-2.0

/// A language, and optionally its script and its region: the parts of a BCP 47 language tag (RFC 5646) that
/// this program uses.
package struct LanguageTag: Hashable, Sendable, CustomStringConvertible {
  /// Two or three lowercase letters.
  package var language: String
  /// Four letters, the first a capital: `Hant`.
  package var script: String?
  /// Two capitals or three digits: `BR`, `419`.
  package var region: String?

  package init(language: String, script: String? = nil, region: String? = nil) {
    self.language = language
    self.script = script
    self.region = region
  }

  /// Reads a tag: `de`, `pt-BR`, `zh-Hant`, `sr-Latn-RS`. Capitals and small letters are equal. Extended
  /// languages, variants, extensions and private parts are accepted and ignored. Nil if the text is not
  /// well-formed.
  package init?(bcp47 text: String) {
    guard text.utf8.count <= Self.maximumLength else { return nil }
    var parts = text.split(separator: "-", omittingEmptySubsequences: false)[...]
    guard let first = parts.popFirst(), Self.isAlphabetic(first, 2...3) else { return nil }
    guard parts.allSatisfy({ $0.utf8.allSatisfy(Self.isAlphanumeric) }) else { return nil }
    language = first.lowercased()
    // An extended language, as in `zh-yue`; there may be three of them.
    var extended = 0
    while extended < 3, let part = parts.first, Self.isAlphabetic(part, 3...3) {
      parts.removeFirst()
      extended += 1
    }
    if let part = parts.first, Self.isAlphabetic(part, 4...4) {
      script = Self.title(part)
      parts.removeFirst()
    }
    if let part = parts.first, Self.isRegion(part) {
      region = part.uppercased()
      parts.removeFirst()
    }
    guard Self.areExtensions(parts) else { return nil }
  }

  /// Variants, then extensions, which begin with a single character, and at last private parts, which begin
  /// with `x`.
  private static func areExtensions(_ parts: ArraySlice<Substring>) -> Bool {
    var parts = parts
    while let part = parts.first, isVariant(part) { parts.removeFirst() }
    while let part = parts.popFirst() {
      guard part.utf8.count == 1 else { return false }
      let isPrivate = part == "x" || part == "X"
      var count = 0
      while let next = parts.first, ((isPrivate ? 1 : 2)...8).contains(next.utf8.count) {
        parts.removeFirst()
        count += 1
      }
      guard count > 0 else { return false }
    }
    return true
  }

  /// Reads the name of a locale as in the environment (locale(7)): `de_AT.UTF-8@euro`, `sr_RS@latin`. The
  /// codeset and modifiers that do not name a script are ignored. Nil for `C`, `POSIX` and anything else.
  package init?(posix text: String) {
    guard text.utf8.count <= Self.maximumLength else { return nil }
    let halves = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    let name = halves[0].prefix { $0 != "." }
    // Some systems write a hyphen, as in BCP 47.
    let parts = name.split(omittingEmptySubsequences: false) { $0 == "_" || $0 == "-" }
    guard (1...2).contains(parts.count), Self.isAlphabetic(parts[0], 2...3) else { return nil }
    language = parts[0].lowercased()
    if parts.count == 2 {
      guard Self.isRegion(parts[1]) else { return nil }
      region = parts[1].uppercased()
    }
    if halves.count == 2 { script = Self.modifierScripts[String(halves[1])] }
  }

  /// The modifiers of glibc's locales that name a script.
  private static let modifierScripts = [
    "latin": "Latn", "cyrillic": "Cyrl", "devanagari": "Deva", "arabic": "Arab",
  ]

  private static let maximumLength = 64

  /// The tag in its usual form.
  package var description: String { [language, script, region].compactMap { $0 }.joined(separator: "-") }

  // MARK: Parts

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) }

  private static func isAlphabetic(_ part: Substring, _ count: ClosedRange<Int>) -> Bool {
    count.contains(part.utf8.count) && part.utf8.allSatisfy(isLetter)
  }

  private static func isRegion(_ part: Substring) -> Bool {
    isAlphabetic(part, 2...2) || (part.utf8.count == 3 && part.utf8.allSatisfy(isDigit))
  }

  /// Five to eight letters or digits, or a digit and three of them.
  private static func isVariant(_ part: Substring) -> Bool {
    (5...8).contains(part.utf8.count) || (part.utf8.count == 4 && (part.utf8.first.map(isDigit) ?? false))
  }

  private static func title(_ part: Substring) -> String {
    part.prefix(1).uppercased() + part.dropFirst().lowercased()
  }
}
