// SPDX-License-Identifier: Apache-2.0

/// Divides a command that is one text into words, as a POSIX shell does.
package enum ShellWords {
  /// Words are separated by spaces. A word, or a part of it, may be in quotes: within single quotes, nothing
  /// is special; within double quotes, a backslash quotes `"` and `\`; outside, a backslash quotes any
  /// character. Nothing is expanded.
  package static func split(_ text: String) throws(UsageError) -> [String] {
    var words: [String] = []
    // Unicode scalars, because a quotation mark and a combining character after it are one `Character`.
    var word: String.UnicodeScalarView?
    var quote: Unicode.Scalar?
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == "\\", quote != "'" {
        guard let next = rest.first else { throw UsageError("the command ends with a backslash") }
        if quote == nil || next == "\"" || next == "\\" {
          rest.removeFirst()
          word = (word ?? .init()) + [next]
        } else {
          word = (word ?? .init()) + [scalar]
        }
      } else if scalar == quote {
        quote = nil
      } else if quote == nil, scalar == "\"" || scalar == "'" {
        quote = scalar
        word = word ?? .init()
      } else if quote == nil, scalar == " " {
        if let word { words.append(String(word)) }
        word = nil
      } else {
        word = (word ?? .init()) + [scalar]
      }
    }
    guard quote == nil else { throw UsageError("a quotation mark is not closed") }
    if let word { words.append(String(word)) }
    return words
  }
}
