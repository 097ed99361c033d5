// SPDX-License-Identifier: Apache-2.0

/// "Did you mean": the known word nearest to a mistyped one.
public enum Suggestion {
  /// The nearest of `known`, if near enough to be a slip: one edit, or one for every three letters.
  /// Of equally near ones the first.
  public static func nearest(to word: String, among known: [String]) -> String? {
    let allowed = max(1, word.count / 3)
    // Names beyond this length are no slips, and the table would grow with their square.
    guard word.count <= 64 else { return nil }
    let distances = known.filter { $0.count <= 64 }.map {
      ($0, distance(Array(word.lowercased()), Array($0.lowercased())))
    }
    return distances.filter { $0.1 <= allowed }.min { $0.1 < $1.1 }?.0
  }

  /// E.g. `unknown team 'gest'; did you mean 'guest'? (known: home, guest)`.
  public static func unknown(_ kind: String, _ word: String, among known: [String]) -> String {
    var text = "unknown \(kind) '\(word)'"
    if let near = nearest(to: word, among: known) { text += "; did you mean '\(near)'?" }
    return text + (known.isEmpty ? " (none are known)" : " (known: \(known.joined(separator: ", ")))")
  }

  /// Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment).
  static func distance(_ a: [Character], _ b: [Character]) -> Int {
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
