// SPDX-License-Identifier: Apache-2.0

import Spelling

/// A row of `CommandTable`. The parser, `--help`, the completions and the synopses of flipclockctl(1) all
/// read it.
package typealias CommandSyntax = CommandRow<Invocation>

/// One row of a program's table of commands: a verb, how it is written, what it means, and how it is parsed.
package struct CommandRow<Meaning>: Sendable {
  /// Empty for a program that has no verbs.
  package var verb: String
  /// How the words after the verb are written, a string for each form: `<team> <score>`.
  package var usage: [String]
  /// One sentence.
  package var summary: String
  package var discussion: String?
  package var operands: [CommandOperand]
  package var options: [CommandOption]
  /// Examples of complete commands.
  package var examples: [String]
  package var surfaces: CommandSurfaces
  /// Whether the help, the manual and the completions leave the command out.
  package var isHidden: Bool
  /// Returns what may follow the given operands.
  package var completion: @Sendable ([String]) -> [Completion.Item]
  package var parse: @Sendable (Arguments) throws(UsageError) -> Meaning

  package init(
    verb: String, usage: [String], summary: String, discussion: String? = nil,
    operands: [CommandOperand] = [], options: [CommandOption] = [], examples: [String] = [],
    surfaces: CommandSurfaces, isHidden: Bool = false,
    completion: @escaping @Sendable ([String]) -> [Completion.Item] = { _ in [] },
    parse: @escaping @Sendable (Arguments) throws(UsageError) -> Meaning
  ) {
    self.verb = verb
    self.usage = usage
    self.summary = summary
    self.discussion = discussion
    self.operands = operands
    self.options = options
    self.examples = examples
    self.surfaces = surfaces
    self.isHidden = isHidden
    self.completion = completion
    self.parse = parse
  }

  /// Each form with the verb: `set-score <team> <score>`.
  package var forms: [String] {
    usage.map { form in [verb, form].filter { !$0.isEmpty }.joined(separator: " ") }
  }
}

/// The places in which commands can be written.
package struct CommandSurfaces: OptionSet, Sendable {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }

  /// The command line of flipclockctl.
  package static let commandLine = CommandSurfaces(rawValue: 1 << 0)
  /// A key in the config's `[input]`.
  package static let key = CommandSurfaces(rawValue: 1 << 1)
  /// `--event` of `flipclockd render`.
  package static let event = CommandSurfaces(rawValue: 1 << 2)
  /// A phone, or a message of MQTT: one text, in which words may be quoted.
  package static let remote = CommandSurfaces(rawValue: 1 << 3)

  package static let all: CommandSurfaces = [.atTheWall, .remote]
  /// Not `remote`: for commands that only people at the wall may give.
  package static let atTheWall: CommandSurfaces = [.commandLine, .key, .event]
}

package struct CommandOperand: Sendable {
  package var name: String
  package var help: String
  package var isOptional: Bool
  /// Whether any number of words is accepted.
  package var isRepeated: Bool

  package init(name: String, help: String, isOptional: Bool = false, isRepeated: Bool = false) {
    self.name = name
    self.help = help
    self.isOptional = isOptional
    self.isRepeated = isRepeated
  }
}

package struct CommandOption: Sendable {
  /// The option with its dashes.
  package var name: String
  /// The name of its value in the help; nil: the option takes no value.
  package var value: String?
  package var help: String
  /// Values that completions offer.
  package var examples: [String]
  /// The names that completions offer as values.
  package var names: Completion.Names?

  package init(
    name: String, value: String? = nil, help: String, examples: [String] = [],
    names: Completion.Names? = nil
  ) {
    self.name = name
    self.value = value
    self.help = help
    self.examples = examples
    self.names = names
  }
}

extension CommandOperand {
  static let team = CommandOperand(name: "team", help: "The team's id, as in the config: home, guest.")
}

extension CommandOption {
  /// Options of every program but flipclockctl.
  package static let ofPrograms = [
    CommandOption(name: "--help", help: "Print help."),
    CommandOption(name: "--version", help: "Print the release."),
  ]

  /// One of several displays.
  static let output = CommandOption(
    name: "--output", value: "name",
    help: "Only this display: its connector, or its [outputs.NAME] in the config.", names: .outputs)

  /// How long a change holds.
  static let hold = CommandOption(
    name: "--for", value: "time", help: "How long it holds; by default until the schedule changes it.",
    examples: ["30min", "1h", "2h", "8h"])
}

/// Words that are not a command.
package struct UsageError: Error, Hashable, Sendable {
  /// What is wrong, and what to write instead.
  package var message: String
  /// The forms of the command, if they help to correct the mistake.
  package var usage: [String] = []

  package init(_ message: String, usage: [String] = []) {
    self.message = message
    self.usage = usage
  }

  /// The message and the usage on one line.
  package var line: String {
    (usage.isEmpty ? message : "\(message); write '\(usage.joined(separator: "' or '"))'").printable
  }
}

/// The words after a verb, divided into operands and options.
package struct Arguments: Hashable, Sendable {
  package private(set) var operands: [String] = []
  private(set) var flags: Set<String> = []
  private(set) var values: [String: [String]] = [:]

  package func has(_ flag: String) -> Bool { flags.contains(flag) }
  /// The option's value; the last one if it is repeated.
  package subscript(option: String) -> String? { values[option]?.last }
  package func all(_ option: String) -> [String] { values[option] ?? [] }

  /// Everything after `--` is an operand. So are `-` and words such as `-1` and `- Soup`: options begin with
  /// a letter after their dashes.
  ///
  /// - Parameter options: the allowed options. Parsing ends at `--help` and `--version`, if they are allowed.
  init(_ words: ArraySlice<String>, options: [CommandOption]) throws(UsageError) {
    var rest = words
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        return
      }
      guard Self.isOption(word) else {
        operands.append(word)
        continue
      }
      let (name, value) = Self.split(word)
      guard let option = options.first(where: { $0.name == name }) else {
        throw UsageError(Self.unknown(word, among: options))
      }
      switch (option.value, value) {
      case (nil, nil):
        flags.insert(name)
        if name == "--help" || name == "--version" { return }
      case (nil, _?): throw UsageError("\(name) takes no value")
      case (_?, let value?): values[name, default: []].append(value)
      case (let kind?, nil):
        guard let next = rest.first, !options.contains(where: { $0.name == next }) else {
          throw UsageError("\(name) takes \("aeiou".contains(kind.first ?? "x") ? "an" : "a") \(kind)")
        }
        values[name, default: []].append(next)
        rest.removeFirst()
      }
    }
  }

  /// The name of the option, and its value where they are written as one word: `--for=30s`. `-h` is `--help`.
  static func split(_ word: String) -> (name: String, value: String?) {
    if word == "-h" { return ("--help", nil) }
    guard let equals = word.firstIndex(of: "="), word.hasPrefix("--") else { return (word, nil) }
    return (String(word[..<equals]), String(word[word.index(after: equals)...]))
  }

  static func unknown(_ word: String, among options: [CommandOption]) -> String {
    let hint = Spelling.hint(for: split(word).name, among: options.map(\.name)).map { "; \($0)" } ?? ""
    return "unknown option '\(word.printable)'\(hint)"
  }

  private static func isOption(_ word: String) -> Bool {
    guard word.hasPrefix("-"), let letter = word.utf8.first(where: { $0 != UInt8(ascii: "-") }) else {
      return false
    }
    return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter | 0x20)
  }
}

extension Arguments {
  func hasAny(of options: [CommandOption]) -> Bool {
    options.contains { has($0.name) || self[$0.name] != nil }
  }

  /// The option's value. An empty value, for example of an unset variable of the shell, is an error.
  package func text(_ option: String) throws(UsageError) -> String? {
    let text = self[option]
    if text?.isEmpty == true { throw UsageError("\(option) is empty") }
    return text
  }

  /// - Parameter values: what `read` accepts, for the error.
  package func value<Value>(
    _ option: String, _ values: String, _ read: (String) -> Value?
  ) throws(UsageError) -> Value? {
    guard let text = self[option] else { return nil }
    guard let value = read(text) else { throw UsageError("\(option) is \(values), not '\(text.printable)'") }
    return value
  }
}

/// What a program was asked for.
package enum ProgramRequest<Meaning> {
  case run(Meaning)
  /// To print help or the version.
  case print(String)
}

extension CommandRow {
  /// Reads the words after the verb, or all words of a program without verbs.
  ///
  /// - Parameters:
  ///   - program: its name, for the help.
  ///   - version: what `--version` prints.
  package func request(
    _ words: ArraySlice<String>, of program: String, version: String
  ) throws(UsageError) -> ProgramRequest<Meaning> {
    let common = CommandOption.ofPrograms
    let arguments = try arguments(words, common: common)
    if arguments.has("--help") { return .print(Help.text(self, of: program, common: common)) }
    if arguments.has("--version") { return .print(version + "\n") }
    try check(arguments)
    return .run(try parse(arguments))
  }

  /// Checks the number of operands.
  package func check(_ arguments: Arguments) throws(UsageError) {
    let words = arguments.operands
    if words.count < operands.count, !operands[words.count].isOptional {
      let missing = operands[words.count]
      throw UsageError("missing <\(missing.name)>: \(missing.help)", usage: forms)
    }
    if words.count > operands.count, operands.last?.isRepeated != true {
      throw UsageError("unexpected argument '\(words[operands.count].printable)'", usage: forms)
    }
  }

  func invocation(_ words: ArraySlice<String>) throws(UsageError) -> Meaning {
    let arguments = try arguments(words)
    try check(arguments)
    return try parse(arguments)
  }

  /// - Parameter common: options that are allowed besides those of the verb.
  package func arguments(
    _ words: ArraySlice<String>, common: [CommandOption] = []
  ) throws(UsageError) -> Arguments {
    do throws(UsageError) { return try Arguments(words, options: options + common) } catch {
      throw UsageError(error.message, usage: forms)
    }
  }
}

extension CommandTable {
  /// Reads a command that is written on a surface other than the command line, such as `add-score home +1`.
  /// Words are separated by spaces; on the surface `remote` they may be quoted (`ShellWords`).
  ///
  /// - Parameter meaning: what the command means there; nil: it changes nothing.
  static func read<Meaning>(
    _ text: String, on surface: CommandSurfaces, as meaning: (Invocation) -> Meaning?
  ) throws(UsageError) -> Meaning {
    let words = surface == .remote ? try ShellWords.split(text) : text.split(separator: " ").map(String.init)
    guard let verb = words.first else {
      throw UsageError("there is no command; write \"add-score home +1\"")
    }
    let rows = rows.filter { $0.surfaces.contains(surface) }
    guard let row = rows.first(where: { $0.verb == verb }) else {
      if verbs.contains(verb) {
        throw UsageError("'\(verb)' is not accepted from here; run 'flipclockctl \(verb)'")
      }
      throw UsageError(Spelling.unknown("command", verb, among: rows.map(\.verb)))
    }
    let invocation = try row.invocation(words.dropFirst())
    guard let found = meaning(invocation) else {
      let changes = row.examples.filter { example in
        let words = example.split(separator: " ").map(String.init)
        guard let invocation = try? row.invocation(words.dropFirst()) else { return false }
        return meaning(invocation) != nil && !invocation.readsText
      }
      throw UsageError("'\(verb)' changes nothing in this form", usage: changes)
    }
    guard !invocation.readsText else {
      throw UsageError("'-' is standard input, from which only 'flipclockctl \(verb)' reads")
    }
    return found
  }
}

extension Invocation {
  fileprivate var readsText: Bool {
    if case .request(let request) = self { request.readsText } else { false }
  }
}

extension Change {
  /// Reads a command that is written as an event of `flipclockd render`, on a phone or in a message of MQTT.
  /// `KeyCommand` reads those of keys.
  package init(parsing text: String, on surface: CommandSurfaces) throws(UsageError) {
    let change = try CommandTable.read(text, on: surface) { invocation -> Change? in
      if case .request(.command(.change(let change))) = invocation { change } else { nil }
    }
    if surface == .remote, !change.isForRemotes {
      throw UsageError("'\(text.printable)' is not accepted from here; run 'flipclockctl \(text.printable)'")
    }
    self = change
  }

  /// Whether phones and MQTT may make the change. They may not show the code that pairs further phones.
  package var isForRemotes: Bool { invitation == nil }
}
