// SPDX-License-Identifier: Apache-2.0

import Spelling

/// A command line of flipclockctl.
package struct CommandLineRequest: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    case invoke(Invocation)
    /// The text to print.
    case help(String)
    case version
  }

  /// The value of `--socket`.
  package var socket: String?
  package var json = false
  package var action: Action

  static let helpVerb = "help"

  /// - Parameter words: the arguments, without the name of the program. The options that every verb accepts
  ///   may also come before the verb.
  package init(_ words: [String]) throws(UsageError) {
    let (before, rest) = Self.divide(words)
    let options = CommandTable.commonOptions
    let leading = try Arguments(before, options: options + [CommandTable.version])
    socket = leading["--socket"]
    json = leading.has("--json")
    if let word = leading.operands.first { throw UsageError(Arguments.unknown(word, among: options)) }
    guard let verb = rest.first else {
      if leading.has("--help") {
        action = .help(Help.overview)
      } else if leading.has("--version") {
        action = .version
      } else {
        throw UsageError(
          "no command given (known: \(CommandTable.verbs.joined(separator: ", "))); try --help")
      }
      return
    }
    if verb == Self.helpVerb {
      if let word = rest.dropFirst().first {
        action = .help(Help.text(try Self.row(word)))
      } else {
        action = .help(Help.overview)
      }
      return
    }
    let row = try Self.row(verb)
    let arguments = try row.arguments(rest.dropFirst(), common: options)
    socket = arguments["--socket"] ?? socket
    json = json || arguments.has("--json")
    if leading.has("--help") || arguments.has("--help") {
      action = .help(Help.text(row))
    } else {
      try row.check(arguments)
      action = .invoke(try row.parse(arguments))
    }
  }

  private static func row(_ verb: String) throws(UsageError) -> CommandSyntax {
    guard let row = CommandTable.row(verb) else {
      throw UsageError(Spelling.unknown("command", verb, among: CommandTable.verbs))
    }
    return row
  }

  /// The options before the verb, and the verb with the words after it.
  private static func divide(_ words: [String]) -> (ArraySlice<String>, ArraySlice<String>) {
    var index = words.startIndex
    while index < words.endIndex, words[index].hasPrefix("-") {
      let takesValue = CommandTable.commonOptions.contains { $0.name == words[index] && $0.value != nil }
      index += takesValue ? 2 : 1
    }
    index = min(index, words.endIndex)
    return (words[..<index], words[index...])
  }

  /// Whether `--json` is among the words before any `--`. The words need not be a valid command, because an
  /// error in them is printed as JSON, too.
  package static func wantsJSON(_ words: [String]) -> Bool {
    words.prefix { $0 != "--" }.contains("--json")
  }
}
