// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Reads CLDR's data about languages from the text that scripts/languages writes.
///
/// `records` consists of lines. A line that begins with `#` names the languages that the following lines
/// describe; the others are a letter, a space and a value, whose parts are separated by `;`. The first name
/// of a language's records is the language without script and region. The record of a variant, such as
/// `zh-Hant-HK`, contains only the lines that differ from those of `zh` and `zh-Hant`.
///
/// | letter | value | if it is missing |
/// |---|---|---|
/// | `n` | the language's names in English and in the language itself | – |
/// | `r` | the region where it is mostly spoken | – |
/// | `W`, `w` | the weekdays, from Sunday, and their short forms | – |
/// | `S`, `s` | the stand-alone forms of the weekdays | `W`, `w` |
/// | `M`, `m` | the months and their short forms, as they are written beside a day | – |
/// | `L`, `l` | the stand-alone forms of the months | `M`, `m` |
/// | `p` | AM and PM | `AM;PM` |
/// | `d` | the pattern of a date without a year | – |
/// | `0` | the ten digits of the language's script | Latin digits |
/// | `o` | `r` for a script from right to left, else `l` | `l` |
/// | `x` | the letters of the alphabet beyond a to z, if they are not too many | none |
/// | `t` | the fields that get a capital at the beginning of a line, of `EcML` | none |
package enum LanguageTable {
  /// The lines of a record, by their letters. Letters are ASCII.
  typealias Lines = [UInt8: String]

  /// The lines of the records with these names, each of which overrides those before it. Nil if the first
  /// name, that of the language, is unknown.
  static func lines(_ names: [String]) -> Lines? {
    guard let language = names.first else { return nil }
    var lines: Lines = [:]
    var isFound = false
    var isWanted = false
    forEachLine { line in
      guard line.first == UInt8(ascii: "#") else {
        // A letter alone means that the variant lacks a value that its language has.
        if isWanted, let letter = line.first { lines[letter] = text(line.dropFirst(2)) }
        return true
      }
      // The records of a language follow one another.
      if line.dropFirst().elementsEqual(language.utf8) {
        isFound = true
        isWanted = true
      } else if isFound {
        guard line.dropFirst().starts(with: (language + "-").utf8) else { return false }
        isWanted = line.dropFirst().split(separator: UInt8(ascii: " ")).contains { name in
          names.contains { $0.utf8.elementsEqual(name) }
        }
      }
      return true
    }
    return isFound ? lines : nil
  }

  /// The names of all languages and their variants, in the order of the table.
  package static var names: [String] {
    var names: [String] = []
    forEachLine { line in
      if line.first == UInt8(ascii: "#") {
        names += line.dropFirst().split(separator: UInt8(ascii: " ")).map(text)
      }
      return true
    }
    return names
  }

  /// The names of the languages, each in English and in the language itself, with their tags.
  package static var languageNames: [(name: String, tag: String)] {
    var result: [(name: String, tag: String)] = []
    var tag = ""
    forEachLine { line in
      if line.first == UInt8(ascii: "#") { tag = text(line.dropFirst()) }
      if line.starts(with: "n ".utf8) {
        result += line.dropFirst(2).split(separator: UInt8(ascii: ";")).map { (text($0), tag) }
      }
      return true
    }
    return result
  }

  /// The value of a key in a list of the form `KEY:VALUE KEY:VALUE`.
  static func value(of key: String, in list: StaticString) -> String? {
    list.withUTF8Buffer { bytes in
      let prefix = Array((key + ":").utf8)
      return bytes.split(separator: UInt8(ascii: " ")).first { $0.starts(with: prefix) }
        .map { text($0.dropFirst(prefix.count)) }
    }
  }

  static func contains(_ word: String, in list: StaticString) -> Bool {
    list.withUTF8Buffer { bytes in
      bytes.split(separator: UInt8(ascii: " ")).contains { $0.elementsEqual(word.utf8) }
    }
  }

  /// Whether a clock has 12 hours in a region.
  static func hasTwelveHours(_ language: String, region: String) -> Bool {
    let locale = "\(language)-\(region)"
    if contains(locale, in: twentyFourHours) { return false }
    return contains(region, in: twelveHours) || contains(locale, in: twelveHours)
  }

  /// Calls `body` with each line, until it returns false.
  private static func forEachLine(_ body: (Slice<UnsafeBufferPointer<UInt8>>) -> Bool) {
    records.withUTF8Buffer { bytes in
      guard let base = bytes.baseAddress else { return }
      var start = 0
      while start < bytes.count {
        // memchr(3), because the table is long.
        let rest = UnsafeRawPointer(base + start)
        let found = memchr(rest, CInt(UInt8(ascii: "\n")), bytes.count - start)
        let end = found.map { start + (UnsafeRawPointer($0) - rest) } ?? bytes.count
        guard body(bytes[start..<end]) else { return }
        start = end + 1
      }
    }
  }

  private static func text(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}
