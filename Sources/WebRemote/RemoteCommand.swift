// SPDX-License-Identifier: Apache-2.0

import Commands

/// A command that a remote control sends: the words of one change of the match or the display, as after `flipclockctl`.
package enum RemoteCommand {
  package struct Refused: Error, Hashable, Sendable {
    /// What is wrong, and what to write instead.
    package let message: String
  }

  /// Parses a command such as `message "TIME OUT" --for 30s`.
  package static func change(_ text: String) throws(Refused) -> Change {
    let request: CommandLineRequest
    do throws(UsageError) { request = try CommandLineRequest(try words(text)) } catch {
      throw Refused(message: error.line)
    }
    guard request.socket == nil, !request.json,
      case .invoke(.request(.command(.change(let change)))) = request.action, isAllowed(change)
    else {
      throw Refused(message: "a remote control may only change the match and the display")
    }
    return change
  }

  private static func isAllowed(_ change: Change) -> Bool {
    switch change {
    case .match, .show, .message, .clearMessage, .blank, .unblank, .toggleBlank, .setBrightness,
      .addBrightness:
      true
    case .held(let change, _): isAllowed(change)
    // Who may pair phones is decided at the display.
    case .invite, .endInvitation, .lead: false
    }
  }

  /// Divides a text at spaces. A word, or a part of it, may be in quotes, as for a shell: within double quotes, a
  /// backslash quotes `"` and `\`; within single quotes, nothing is special; outside, a backslash quotes any character.
  package static func words(_ text: String) throws(UsageError) -> [String] {
    var words: [String] = []
    var word: String.UnicodeScalarView?
    var quote: Unicode.Scalar?
    var rest = Array(text.unicodeScalars)[...]
    while let scalar = rest.popFirst() {
      if scalar == "\\", quote != "'" {
        guard let next = rest.first else { throw UsageError("a command ends after a backslash") }
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
    return words + (word.map { [String($0)] } ?? [])
  }
}
