// SPDX-License-Identifier: Apache-2.0

/// What may come next on flipclockctl's command line, for the completions of the shells.
public enum Completion {
  /// A word, and what it does in a few words; empty where the word says it.
  public struct Candidate: Hashable, Sendable {
    public var word: String
    public var help: String

    public init(_ word: String, _ help: String = "") {
      self.word = word
      self.help = help
    }
  }

  /// An option of a verb.
  public struct Option: Hashable, Sendable {
    /// With its dashes.
    public var name: String
    public var help: String
    public var takesValue: Bool

    public init(_ name: String, _ help: String, takesValue: Bool) {
      self.name = name
      self.help = help
      self.takesValue = takesValue
    }
  }

  /// A verb, as the parser of the command line knows it.
  public struct Verb: Hashable, Sendable {
    public var name: String
    public var help: String
    public var options: [Option]

    public init(_ name: String, _ help: String, options: [Option]) {
      self.name = name
      self.help = help
      self.options = options
    }
  }

  /// Names that only the daemon knows.
  public enum Source: String, CaseIterable, Sendable {
    case teams, pages, counters
  }

  /// What may follow `words`, a verb and what is complete after it. Options follow it where the next word begins
  /// with a dash.
  ///
  /// - Parameter known: asks the daemon; called only for what is needed.
  public static func candidates(
    after words: [String], isOption: Bool, verbs: [Verb], known: (Source) -> [String]
  ) -> [Candidate] {
    guard let name = words.first else { return verbs.map { Candidate($0.name, $0.help) } }
    let options = verbs.first { $0.name == name }?.options ?? []
    var arguments: [String] = []
    var valueOf: String?
    for word in words.dropFirst() {
      if valueOf != nil {
        valueOf = nil
      } else if let option = options.first(where: { $0.name == word }) {
        if option.takesValue { valueOf = word }
      } else {
        arguments.append(word)
      }
    }
    if let valueOf { return valueOf == "--for" ? durations : [] }
    if isOption { return options.filter { !words.contains($0.name) }.map { Candidate($0.name, $0.help) } }
    if name == "help", arguments.isEmpty { return verbs.map { Candidate($0.name, $0.help) } }
    return self.arguments(of: name, after: arguments, known: known)
  }

  private static func arguments(
    of verb: String, after words: [String], known: (Source) -> [String]
  ) -> [Candidate] {
    func names(_ source: Source, _ help: String) -> [Candidate] { known(source).map { Candidate($0, help) } }
    switch (verb, words.count) {
    case ("set-score", 0), ("add-score", 0), ("penalty", 0): return names(.teams, "team")
    case ("add-score", 1): return changes + [Candidate("+2", "two more"), Candidate("+3", "three more")]
    case ("penalty", 1): return ["2:00", "5:00"].map { Candidate($0) }
    case ("show", 0): return names(.pages, "page")
    case ("timer", 0): return timerWords
    case ("brightness", 0): return brightness
    case ("set", 0):
      return [Candidate("period", "the period that is played"), Candidate("serve", "who serves")]
        + names(.teams, "team")
    case ("set", 1):
      switch words[0] {
      case "period": return changes
      case "serve": return names(.teams, "team") + [Candidate("none", "nobody")]
      default: return teamWords + names(.counters, "counter")
      }
    case ("set", 2)
    where ["period", "serve", "name", "short-name", "color"].allSatisfy({ !words.contains($0) }):
      return words[1] == "period-score" ? [] : changes
    default: return []
    }
  }

  private static let changes = [Candidate("+1", "one more"), Candidate("-1", "one less")]
  private static let durations = ["10s", "30s", "1min", "5min"].map { Candidate($0) }

  private static let timerWords = ControlCommand.timerWords.map { word in
    switch word {
    case "start": Candidate(word, "let it run")
    case "pause": Candidate(word, "stop it")
    case "reset": Candidate(word, "back to its beginning")
    case "set": Candidate(word, "to a time, e.g. 10:00")
    case "add": Candidate(word, "a time, e.g. -0:30")
    default: Candidate(word)
    }
  }

  private static let teamWords = ControlCommand.teamWords.map { word in
    switch word {
    case "name": Candidate(word, "the name on the board")
    case "short-name": Candidate(word, "for narrow displays")
    case "color": Candidate(word, "e.g. #ff8800")
    case "score": Candidate(word, "points")
    case "period-score": Candidate(word, "points in one period")
    default: Candidate(word)
    }
  }

  private static let brightness =
    ["100%", "75%", "50%", "25%"].map { Candidate($0) } + [
      Candidate("+10%", "brighter"), Candidate("-10%", "darker"), Candidate("default", "as the config says"),
    ]

  /// The names in the daemon's status, and for counters in the state of the match.
  public static func words(_ source: Source, in reply: JSONValue) -> [String] {
    switch source {
    case .teams:
      reply["scoreboard"]?["teamOrder"]?.array?.compactMap(\.string)
        ?? (reply["scoreboard"]?["teams"]?.object ?? [:]).keys.sorted()
    case .pages: reply["pages"]?.array?.compactMap(\.string) ?? []
    case .counters: reply["counters"]?.array?.compactMap { $0["id"]?.string } ?? []
    }
  }
}
