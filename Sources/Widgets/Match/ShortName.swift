// SPDX-License-Identifier: Apache-2.0

import Scoreboard

extension Scoreboard.Team {
  private static let longest = 8

  /// A replacement for a name that does not fit, if the config gives no short name. It is the first word that looks
  /// like a name (`MILANO` of `FC INTERNAZIONALE MILANO`), else the initials, else the first letters.
  var derivedShortName: String {
    let words = name.prefix(200).split { $0.isWhitespace || $0 == "-" }
    let names = words.filter { word in
      word.count > 3 && word.first?.isUppercase == true && word.allSatisfy { $0.isLetter || $0 == "'" }
    }
    if let word = names.first(where: { $0.count <= Self.longest }) { return String(word) }
    let initials = words.filter { $0.first?.isLetter == true && $0.first?.isLowercase == false }.compactMap(
      \.first)
    if initials.count > 1 { return String(initials.prefix(4)) }
    return abbreviation
  }
}
