// SPDX-License-Identifier: Apache-2.0

import CRaqm

/// The script of a character by its ISO 15924 code.
struct Script: Hashable {
  var code: UInt32

  init(of scalar: Unicode.Scalar) {
    code = scalar.isASCII ? Script("Latn").code : flipclock_script(scalar.value)
    // Unicode gives no script to the punctuation of Chinese, Japanese and Korean. Fonts for vertical scripts
    // have it too, in other forms, so it comes from a font for these languages, as its neighbours do.
    if isCommon, Self.eastAsianCommon.contains(where: { $0.contains(scalar.value) }) { self = .eastAsian }
  }

  /// CJK symbols and punctuation, Japanese marks, enclosed and squared letters, and the fullwidth and
  /// halfwidth forms.
  private static let eastAsianCommon: [ClosedRange<UInt32>] = [
    0x3001...0x303f, 0x3099...0x309c, 0x30a0...0x30a0, 0x30fb...0x30fc, 0x3190...0x319f, 0x31c0...0x31ef,
    0x3200...0x33ff, 0xfe30...0xfe4f, 0xff01...0xffee,
  ]

  init(_ name: StaticString) {
    code = name.withUTF8Buffer { $0.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }
  }

  /// Whether the letters of the script touch each other, so that no space may be added between them: cursive
  /// scripts, and those whose letters hang from a continuous line.
  var joins: Bool { Self.joining.contains(self) }

  /// The scripts of Chinese, Japanese and Korean count as one, because they are mixed and share fonts.
  var family: Script { Self.eastAsianScripts.contains(self) ? .eastAsian : self }

  static let eastAsian = Script("Hani")
  private static let eastAsianScripts: Set<Script> = [
    Script("Hani"), Script("Hira"), Script("Kana"), Script("Hang"), Script("Bopo"),
  ]

  /// Whether the character belongs to no script in particular, such as punctuation.
  var isCommon: Bool { self == Script("Zyyy") || self == Script("Zinh") }

  private static let joining: Set<Script> = [
    Script("Arab"), Script("Syrc"), Script("Mand"), Script("Mong"), Script("Nkoo"), Script("Phag"),
    Script("Adlm"),
    Script("Rohg"), Script("Mani"), Script("Phlp"), Script("Sogd"), Script("Deva"), Script("Beng"),
    Script("Guru"),
  ]

  /// A language that is written in the script, for fontconfig's choice of a font: fonts declare languages,
  /// not scripts. Nil for scripts that the default choice serves.
  var language: String? {
    Self.languages.first { $0.0 == self }?.1
  }

  private static let languages: [(Script, String)] = [
    (Script("Arab"), "ar"), (Script("Armn"), "hy"), (Script("Beng"), "bn"), (Script("Cyrl"), "ru"),
    (Script("Deva"), "hi"), (Script("Ethi"), "am"), (Script("Geor"), "ka"), (Script("Grek"), "el"),
    (Script("Gujr"), "gu"), (Script("Guru"), "pa"), (Script("Hebr"), "he"), (Script("Khmr"), "km"),
    (Script("Knda"), "kn"), (Script("Laoo"), "lo"), (Script("Mlym"), "ml"), (Script("Mymr"), "my"),
    (Script("Orya"), "or"), (Script("Sinh"), "si"), (Script("Syrc"), "syr"), (Script("Taml"), "ta"),
    (Script("Telu"), "te"), (Script("Thaa"), "dv"), (Script("Thai"), "th"), (Script("Tibt"), "bo"),
  ]
}
