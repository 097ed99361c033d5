// SPDX-License-Identifier: Apache-2.0

import TOMLConfig

extension KeyReference {
  /// The key's text with its bounds.
  var boundedText: String { ([text] + (bounds.map { ["\($0)."] } ?? [])).joined(separator: "\n") }

  /// The key's text with its bounds, and its default or that it is required.
  var fullText: String {
    if isRequired { return "\(boundedText)\nIt is required." }
    // A long default would fill the page, and an empty one says nothing.
    guard let standard, standard.count <= 56, standard != "\"\"" else { return boundedText }
    return "\(text)\n\(bounds.map { "\($0); the" } ?? "The") default is `\(standard)`."
  }

  private var bounds: String? {
    switch shape {
    case .text(let maximum): "At most \(maximum) characters"
    case .duration(let maximum):
      "At most `\"\(maximum >= 86_400 ? "24h" : maximum < 1 ? "\(Int(maximum * 1_000))ms" : "\(Int(maximum))s")\"`"
    case .percent(let range, _): "From `\"\(range.lowerBound)%\"` to `\"\(range.upperBound)%\"`"
    case .number(let range): "From `\(Self.text(range.lowerBound))` to `\(Self.text(range.upperBound))`"
    case .integer(let range, let word):
      "From `\(range.lowerBound)` to `\(range.upperBound)`" + (word.map { ", or `\"\($0)\"`" } ?? "")
    default: nil
    }
  }

  private static func text(_ number: Double) -> String {
    number == number.rounded() ? "\(Int(number))" : "\(number)"
  }
}
