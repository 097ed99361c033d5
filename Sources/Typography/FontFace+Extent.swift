// SPDX-License-Identifier: Apache-2.0

import Raster

extension FontFace {
  /// The vertical extent of the letters of a symbol's script: the least and the greatest y of their ink, in
  /// cap heights, y pointing down from the baseline. Symbols of one script on neighbouring cards are placed
  /// by it, so that they stay on one line. Nil for symbols without ink, and for symbols that are placed like
  /// capitals, between the baseline and the cap height. These are ASCII characters, and characters other than
  /// digits that belong to a script with capitals or, like punctuation, to no script.
  package func extent(ofScriptOf symbol: String) -> ClosedRange<Double>? {
    guard let scalar = symbol.unicodeScalars.first, !scalar.isASCII else { return nil }
    let isDigit = scalar.properties.numericType == .decimal
    let script = Script(of: scalar)
    if !isDigit && (script.hasCapitals || script.isCommon) { return nil }
    let sample = isDigit ? Self.digits(like: scalar) : script.sample ?? symbol
    if let known = extents[sample] { return known }
    let ink = measure(sample, capHeight: 1, tracking: 0).ink
    guard ink.height > 0 else { return nil }
    if extents.count >= 32 { extents.removeAll() }
    extents[sample] = ink.y...ink.maxY
    return extents[sample]
  }

  /// The ten digits to which a decimal digit belongs.
  private static func digits(like scalar: Unicode.Scalar) -> String {
    let value = UInt32(scalar.properties.numericValue ?? 0)
    let zero = scalar.value &- value
    return String(String.UnicodeScalarView((0..<10).compactMap { Unicode.Scalar(zero &+ $0) }))
  }
}

extension Script {
  /// Whether the script has capital letters, which fill the height from the baseline to the cap height.
  fileprivate var hasCapitals: Bool { Self.bicameral.contains(self) }

  private static let bicameral: Set<Script> = [
    Script("Latn"), Script("Grek"), Script("Cyrl"), Script("Armn"), Script("Geor"), Script("Copt"),
    Script("Cher"),
  ]

  /// Letters that reach as far up and down as any usual letter of the script; nil: unknown.
  fileprivate var sample: String? { Self.samples.first { $0.0 == self }?.1 }

  private static let samples: [(Script, String)] = [
    (Script("Arab"), "اجعلميطقگ"), (Script("Hebr"), "אלקםץ"), (Script("Deva"), "कीगूर्केओ"),
    (Script("Beng"), "কীগূর্কৈ"),
    (Script("Guru"), "ਕੀਗੂਐ"), (Script("Gujr"), "કીગૂર્કૈ"), (Script("Taml"), "கீகூஜ"), (Script("Telu"), "కీకూఘై"),
    (Script("Knda"), "ಕೀಕೂಘೈ"), (Script("Mlym"), "കീകൂഘ"), (Script("Sinh"), "කීකූඝ"), (Script("Thai"), "กีปูฐำ้"),
    (Script("Laoo"), "ກີປູຖ"), (Script("Khmr"), "កីឃូង្គ"), (Script("Mymr"), "ကီကူဌ"), (Script("Ethi"), "ሀጨ"),
    (Script("Hani"), "国鬱"), (Script("Hira"), "あぱ"), (Script("Kana"), "アポ"), (Script("Hang"), "한뷁"),
  ]
}
