// SPDX-License-Identifier: Apache-2.0

/// A pattern for device names: `*` matches any text, `?` one character; case is ignored.
package struct Glob: Hashable, Sendable {
  private let pattern: [Character]

  package init(_ pattern: String) { self.pattern = Array(pattern.lowercased()) }

  /// Takes time at most proportional to the product of the lengths.
  package func matches(_ name: String) -> Bool {
    let text = Array(name.lowercased())
    var (p, t) = (0, 0)
    var star: (p: Int, t: Int)?
    while t < text.count {
      if p < pattern.count, pattern[p] == "*" {
        star = (p, t)
        p += 1
      } else if p < pattern.count, pattern[p] == "?" || pattern[p] == text[t] {
        p += 1
        t += 1
      } else if let last = star {
        star = (last.p, last.t + 1)
        p = last.p + 1
        t = last.t + 1
      } else {
        return false
      }
    }
    return pattern[p...].allSatisfy { $0 == "*" }
  }
}
