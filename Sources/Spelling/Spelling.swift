// SPDX-License-Identifier: Apache-2.0

/// Suggests the word that somebody probably meant.
package enum Spelling {
  /// The candidate nearest to `word`. One letter may differ, or in longer words a third of the letters. If
  /// all differ more, it is the only candidate that begins with `word`, if `word` has at least three letters;
  /// otherwise nil.
  ///
  /// Words of more than 64 bytes get no suggestion, which bounds the work.
  package static func nearest(to word: String, among candidates: [String]) -> String? {
    guard word.utf8.count <= 64 else { return nil }
    let typed = normalised(word)
    var best: (candidate: String, distance: Int)?
    for candidate in candidates {
      let distance = distance(typed, normalised(candidate))
      guard distance <= max(1, max(typed.count, candidate.count) / 3) else { continue }
      if let best, best.distance <= distance { continue }
      best = (candidate, distance)
    }
    if let best { return best.candidate }
    let longer = candidates.filter { normalised($0).starts(with: typed) }
    return typed.count >= 3 && longer.count == 1 ? longer[0] : nil
  }

  /// `did you mean 'brightness'?`, for the nearest candidate. If none is near, but `word` is a part of one to
  /// three candidates, as `clock` is of `flip-clock`, it suggests these; otherwise nil.
  package static func hint(for word: String, among candidates: [String]) -> String? {
    if let near = nearest(to: word, among: candidates) { return "did you mean '\(near)'?" }
    let typed = normalised(word)
    let whole = candidates.filter {
      normalised($0).split(separator: "-").contains { $0.elementsEqual(typed) }
    }
    guard (1...3).contains(whole.count) else { return nil }
    let quoted = whole.map { "'\($0)'" }
    return
      "did you mean \((quoted.dropLast().isEmpty ? "" : quoted.dropLast().joined(separator: ", ") + " or ") + quoted[quoted.count - 1])?"
  }

  /// `unknown team 'gest'; did you mean 'guest'? (known: home, guest)`.
  package static func unknown(_ kind: String, _ word: String, among known: [String]) -> String {
    var text = "unknown \(kind) '\(word)'"
    if let hint = hint(for: word, among: known) { text += "; \(hint)" }
    return text + (known.isEmpty ? " (none are known)" : " (known: \(known.joined(separator: ", ")))")
  }

  /// The word in lower case and with `-` for `_`, for comparisons.
  private static func normalised(_ word: String) -> [Character] {
    word.lowercased().map { $0 == "_" ? "-" : $0 }
  }

  /// The Damerau–Levenshtein distance with transpositions of adjacent letters only (optimal string
  /// alignment).
  package static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
        row.append(cost)
      }
      beforeLast = last
      last = row
    }
    return last[b.count]
  }
}
