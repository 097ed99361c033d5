// SPDX-License-Identifier: Apache-2.0

import Commands
import Settings
import TOMLConfig

extension ConfigTables {
  /// The tables of flipclockd's config.
  static var flipclock: [TableReference] {
    all(commands: Markup.list(CommandTable.rows.filter { $0.surfaces.contains(.key) }.map(\.verb)))
  }
}

extension KeyReference {
  /// The key's text with its bounds.
  var boundedText: String { ([text] + (bounds.map { ["\($0)."] } ?? [])).joined(separator: "\n") }

  /// The key's text with its bounds and its default.
  var fullText: String {
    // A long default would fill the page, and an empty one says nothing.
    guard let standard, standard.count <= 56, standard != "\"\"" else { return boundedText }
    return "\(text)\n\(bounds.map { "\($0); the" } ?? "The") default is `\(standard)`."
  }

  private var bounds: String? {
    switch shape {
    case .text(let maximum): "At most \(maximum) characters"
    case .duration(let maximum):
      "At most `\"\(maximum >= 86_400 ? "24h" : maximum < 1 ? "\(Int(maximum * 1_000))ms" : "\(Int(maximum))s")\"`"
    case .percent(let minimum, _): "From `\"\(minimum)%\"` to `\"100%\"`"
    case .number(let range): "From `\(Self.text(range.lowerBound))` to `\(Self.text(range.upperBound))`"
    case .integer(let range): "From `\(range.lowerBound)` to `\(range.upperBound)`"
    default: nil
    }
  }

  private static func text(_ number: Double) -> String {
    number == number.rounded() ? "\(Int(number))" : "\(number)"
  }
}
