// SPDX-License-Identifier: Apache-2.0

/// What may come next on flipclockctl's command line, for the completions of the shells.
package enum Completion {
  /// What a shell asks for. The words begin with the verb and are complete.
  package enum Request: Hashable, Sendable {
    case verbs
    case next([String])
    case options([String])
    case names(Names)
  }

  /// Names that only the daemon knows.
  package enum Names: String, CaseIterable, Sendable {
    case teams, pages, boards, countdowns, counters, outputs, settings
  }

  /// A word or a kind of words that may come next.
  package enum Item: Sendable {
    case word(String, String = "")
    /// The names, each with this description.
    case names(Names, String)
  }

  /// A word and its description, which is empty if the word needs none.
  package struct Candidate: Hashable, Sendable {
    package var word: String
    package var help: String

    package init(_ word: String, _ help: String = "") {
      self.word = word
      self.help = help
    }
  }

  /// - Parameter known: returns names from the daemon; called only if they are needed.
  package static func candidates(_ request: Request, known: (Names) -> [String]) -> [Candidate] {
    switch request {
    case .verbs: CommandTable.verbs.map { Candidate($0) }
    case .names(let names): known(names).map { Candidate($0) }
    case .next(let words): candidates(after: words, isOption: false, known)
    case .options(let words): candidates(after: words, isOption: true, known)
    }
  }

  private static func candidates(
    after words: [String], isOption: Bool, _ known: (Names) -> [String]
  ) -> [Candidate] {
    let verbs = CommandTable.rows.filter { !$0.isHidden }.map { Candidate($0.verb, $0.summary) }
    guard let verb = words.first else { return verbs }
    if verb == CommandLineRequest.helpVerb { return words.count == 1 ? verbs : [] }
    guard let row = CommandTable.row(verb) else { return [] }
    let options = row.options + CommandTable.commonOptions
    var operands: [String] = []
    var rest = words.dropFirst()
    while let word = rest.popFirst() {
      guard let option = options.first(where: { $0.name == word }) else {
        operands.append(word)
        continue
      }
      if option.value != nil, rest.popFirst() == nil {
        return (option.examples + (option.names.map(known) ?? [])).map { Candidate($0) }
      }
    }
    if isOption {
      return options.filter { !words.contains($0.name) }.map { Candidate($0.name, $0.help) }
    }
    return row.completion(operands).flatMap { item in
      switch item {
      case .word(let word, let help): [Candidate(word, help)]
      case .names(let names, let help): known(names).map { Candidate($0, help) }
      }
    }
  }
}
