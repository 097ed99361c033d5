// SPDX-License-Identifier: Apache-2.0

import Commands

/// The words of a command in one text, as they are typed after flipclockctl.
package enum CommandWords {
  /// Divides a text at its spaces. Text between `"` or between `'` is one word or a part of one; outside of `'`, a
  /// backslash makes the next character an ordinary one.
  package static func split(_ text: String) throws(UsageError) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in text {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "\"" || character == "'" {
        quote = character
        word = word ?? ""
      } else if quote == nil, character == " " {
        if let finished = word { words.append(finished) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard quote == nil, !isEscaped else {
      throw UsageError(isEscaped ? "a backslash ends the command" : "a quotation mark is not closed")
    }
    if let word { words.append(word) }
    return words
  }

  /// The change that the words of a command stand for.
  package static func change(_ text: String) throws(UsageError) -> Change {
    let words = try split(text)
    guard !words.isEmpty else {
      throw UsageError("there is no command; write \"add-score home +1\"")
    }
    let request = try CommandLineRequest(words)
    guard request.socket == nil, !request.json else {
      throw UsageError("--socket and --json are options of flipclockctl")
    }
    guard case .invoke(.request(.command(.change(let change)))) = request.action else {
      throw UsageError("'\(words[0].printable)' changes nothing; write \"add-score home +1\"")
    }
    return change
  }
}
