// SPDX-License-Identifier: Apache-2.0

import Commands
import Spelling

/// Divides the command line of a program for remote controls into options. `--name=value` and `--name value` are the same.
package struct OptionReader {
  /// What every program prints on request.
  package enum Information: Hashable, Sendable {
    case help
    case version
  }

  package enum Option: Hashable, Sendable {
    /// An option without a value.
    case flag(String)
    case value(String, of: String)
  }

  /// The options with a value, and what the value is: `a path`.
  private let values: [String: String]
  private let flags: [String]
  private var rest: ArraySlice<String>
  /// What the options ask for; the words after `--help` and `--version` are not read.
  package private(set) var information: Information?

  /// - Parameter words: the arguments, without the name of the program.
  package init(_ words: [String], values: [String: String], flags: [String] = []) {
    self.values = values
    self.flags = flags
    rest = words[...]
  }

  /// The next option of the program; nil: there is none, or `information` is asked for.
  package mutating func next() throws(UsageError) -> Option? {
    guard information == nil, let word = rest.popFirst() else { return nil }
    let equals = word.hasPrefix("--") ? word.firstIndex(of: "=") : nil
    let name = equals.map { String(word[..<$0]) } ?? word
    let attached = equals.map { String(word[word.index(after: $0)...]) }
    if let what = values[name] {
      guard let value = attached ?? rest.popFirst() else { throw UsageError("\(name) takes \(what)") }
      guard !value.isEmpty else { throw UsageError("the value of \(name) is empty") }
      return .value(value, of: name)
    }
    switch name {
    case "--help", "-h": information = .help
    case "--version": information = .version
    case _ where flags.contains(name): break
    default:
      let known = values.keys.sorted() + flags + ["--help", "--version"]
      throw UsageError(Spelling.unknown(word.hasPrefix("-") ? "option" : "argument", name, among: known))
    }
    if attached != nil { throw UsageError("\(name) takes no value") }
    return information == nil ? .flag(name) : nil
  }
}
